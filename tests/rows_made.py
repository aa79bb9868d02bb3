"""Rows and small bases for tests of the index."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from index.records import BaseSettings, Digest, Row

EMPTY = Row(
    base="base",
    position=0,
    path="a.md",
    cell="",
    title="",
    summary="",
    summary_origin="catalogue",
    digests=(),
    lead="",
    keypoints=(),
    tags=(),
    category="",
    archetype="",
    monomyth="",
    role="",
    date="",
    lang="",
    number="",
    facets=(),
    listed=True,
    problems=(),
    size=0,
    mtime_ns=0,
    words=0,
    sha256="0" * 64,
)


def make_row(path: str = "a.md", digests: tuple[str, ...] = (), **said: Any) -> Row:
    """A row of a readable file, of which everything is empty that a test does not say."""
    return replace(EMPTY, path=path, digests=tuple(map(Digest, digests)), **said)


def make_base(root: Path, files: Mapping[str, str]) -> BaseSettings:
    """A base of these files."""
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return BaseSettings(id="notes", root=str(root))


def note(number: int) -> str:
    """The text of a note: its own word, a word of every third, and one of them all."""
    third = ("harbour", "glacier", "orchard")[number % 3]
    summary = f"summary: A note on the {third}, number {number}"
    return f"---\n{summary}\n---\n# Note {number}\n\nThe {third} keeps word{number} and salt.\n"
