"""An excerpt in its place in the file, line by line, with marks on what a person should notice."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gates.digest import covered
from gates.voice import hear
from index.lines import Lines, read_lines
from index.records import Digest, Document, Excerpt
from index.text import Span, hidden, visible

# How much of the file is shown on either side of an excerpt.
LINES_AROUND = 6
BYTES_AROUND = 1200

_ENDING = re.compile(r"\r\n|\r|\n")
# No script joins it, no emoji takes it: beside it every hidden character is out of place.
_LETTER = "x"

Marks = Mapping[str, Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Piece:
    """Text whose every letter has the same marks; hidden characters are escapes by now."""

    text: str
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, numbered from 1."""

    number: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Lines around and of an excerpt, and how many lines of the file are above and below them.

    The marks are `cut` on the excerpt, `voice` on first-person sentences, `digest` on words that
    the digest covers, `hidden` on escapes.
    """

    lines: tuple[Line, ...]
    above: int = 0
    below: int = 0

    def count(self, mark: str) -> int:
        """How many pieces carry a mark."""
        return sum(mark in piece.marks for line in self.lines for piece in line.pieces)


@dataclass(frozen=True, slots=True)
class _Window:
    """The part of a file that is shown: what stands before the excerpt, and after it."""

    before: str
    after: str
    first_line: int
    above: int
    below: int


def in_its_place(
    excerpt: Excerpt, document: Document | None, digests: Sequence[Digest], lang: str
) -> Place:
    """The excerpt as it was cut, between the lines around it.

    Without a document, or where the file is another by now, the excerpt stands alone.
    """
    window = _Window("", "", excerpt.first_line, 0, 0)
    if document is not None and document.sha256 == excerpt.file_sha256:
        window = _around(document.content, excerpt)
    offset = len(window.before)
    text = f"{window.before}{excerpt.text}{window.after}"
    marks = {
        "cut": [(offset, offset + len(excerpt.text))],
        "voice": _shifted(hear(excerpt.text, lang).spans, offset),
        "digest": _shifted(covered(excerpt.text, digests), offset),
        "hidden": [(place, place + 1) for place in hidden(text)],
    }
    return Place(tuple(marked_lines(text, window.first_line, marks)), window.above, window.below)


def marked_lines(text: str, first: int, marks: Marks) -> Iterator[Line]:
    """The lines of a text in pieces; spans of one mark are in order and do not overlap."""
    starts = {mark: [start for start, _ in spans] for mark, spans in marks.items()}
    cuts = sorted({edge for spans in marks.values() for span in spans for edge in span})
    for number, (start, end) in enumerate(_lines(text), start=first):
        inside = cuts[bisect_right(cuts, start) : bisect_right(cuts, end - 1)]
        pieces: list[Piece] = []
        for left, right in pairwise([start, *inside, end]):
            at = {mark: bisect_right(starts[mark], left) - 1 for mark in marks}
            on = tuple(mark for mark, n in at.items() if n >= 0 and left < marks[mark][n][1])
            shown = text[left:right]
            pieces.append(Piece(_escape(shown) if "hidden" in on else shown, on))
        yield Line(number, tuple(piece for piece in pieces if piece.text))


def _escape(character: str) -> str:
    return visible(_LETTER + character).removeprefix(_LETTER)


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for ending in _ENDING.finditer(text):
        yield start, ending.start()
        start = ending.end()
    yield start, len(text)


def _shifted(spans: Sequence[Span], offset: int) -> list[Span]:
    return [(start + offset, end + offset) for start, end in spans]


def _around(content: bytes, excerpt: Excerpt) -> _Window:
    lines = read_lines(content)
    first = max(1, excerpt.first_line - LINES_AROUND)
    last = min(len(lines), excerpt.last_line + LINES_AROUND)
    start = max(lines.start(first), excerpt.start - BYTES_AROUND)
    end = min(lines.end(last), excerpt.end + BYTES_AROUND)
    first, last = _line_of(lines, start), _line_of(lines, max(excerpt.end, end) - 1)
    before = content[start : excerpt.start].decode("utf-8", "ignore")
    after = content[excerpt.end : end].decode("utf-8", "ignore")
    return _Window(
        before=f"…{before}" if start > lines.start(first) else before,
        after=f"{after}…" if end < lines.end(last) else after,
        first_line=first,
        above=first - 1,
        below=len(lines) - last,
    )


def _line_of(lines: Lines, byte: int) -> int:
    return bisect_right(lines.starts, byte)
