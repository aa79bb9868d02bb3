"""A catalogue file read as a stream: its size does not matter, its longest line is bounded."""

import os
from collections.abc import Iterator
from typing import TextIO

from index.catalogue import Caps, Catalogue, body_lines, parse_catalogue
from index.faults import PathRefused
from index.paths import BaseFolder, shown
from index.records import Limits

# Where git looks when it decides that a file is binary.
_SNIFFED = 8000


def read_catalogue(
    folder: BaseFolder, path: str, limits: Limits, hard_links: bool = False
) -> Catalogue:
    """The tables of a file; bytes that are no UTF-8 cost their line a remark, not the catalogue."""
    with folder.opened(path, limits.catalogue, hard_links) as file:
        if b"\0" in os.pread(file.descriptor, _SNIFFED, 0):
            raise PathRefused(f"{shown(path)} is no text", "save it as UTF-8")
        caps = Caps()
        with _text(file.descriptor) as stream:
            lines = body_lines(bounded_lines(stream, caps.line + 1), limits.frontmatter)
            return parse_catalogue(lines, path, caps)


def bounded_lines(stream: TextIO, longest: int) -> Iterator[str]:
    """The lines of a text without their endings; what goes beyond `longest` characters is lost."""
    while piece := stream.readline(longest):
        rest = piece
        while not rest.endswith("\n") and len(rest) == longest:
            rest = stream.readline(longest)
        yield piece.removesuffix("\n")


def _text(descriptor: int) -> TextIO:
    """The file as text with LF for every line ending; what is no UTF-8 stays as lone surrogates."""
    return open(descriptor, encoding="utf-8-sig", errors="surrogateescape", closefd=False)
