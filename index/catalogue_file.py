"""A catalogue file read as a stream: its size does not matter, its longest line is bounded."""

import io
from collections.abc import Iterator
from typing import TextIO

from index.catalogue import Caps, Catalogue, body_lines, parse_catalogue
from index.paths import BaseFolder
from index.records import Limits


def read_catalogue(
    folder: BaseFolder, path: str, limits: Limits, hard_links: bool = False
) -> Catalogue:
    """The tables of a file; bytes that are no UTF-8 cost their line a remark, not the catalogue."""
    caps = Caps()
    with (
        folder.opened(path, limits.catalogue, hard_links) as file,
        io.FileIO(file.descriptor, closefd=False) as raw,
        io.TextIOWrapper(
            io.BufferedReader(raw, 1024 * 1024), encoding="utf-8-sig", errors="surrogateescape"
        ) as stream,
    ):
        lines = body_lines(bounded_lines(stream, caps.line + 1), limits.frontmatter)
        return parse_catalogue(lines, path, caps)


def bounded_lines(stream: TextIO, longest: int) -> Iterator[str]:
    """The lines of a text without their endings; what goes beyond `longest` characters is lost."""
    while piece := stream.readline(longest):
        rest = piece
        while not rest.endswith("\n") and len(rest) == longest:
            rest = stream.readline(longest)
        yield piece.removesuffix("\n")
