"""What a draft puts in somebody's mouth: its block quotes, and what stands between marks."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, groupby

from gates.quotes import quoted
from index.text import count_words

SHORTEST = 5

_QUOTED = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*((?:>[ \t]?)+)")
# A line that starts like this begins a block of its own, also right under a quotation.
_BLOCK_MARKS = ("#", "-", "*", "+", "|", "<", "`", "~", "=")
_DASHES = ("\u2014", "\u2013", "--")


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words given as another's, and the line of the draft that they start on."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    set_off: bool


def quotations(text: str) -> list[Quotation]:
    """Every block quote, a paragraph each, and every quoted stretch outside them, of five words.

    Lines are those that LF ends.
    """
    found: list[Quotation] = []
    for set_off, lines in _paragraphs(text):
        found += _pieces(lines) if set_off else _between_marks(lines)
    return [quotation for quotation in found if count_words(quotation.text) >= SHORTEST]


def _paragraphs(text: str) -> Iterator[tuple[bool, list[_Line]]]:
    for (filled, set_off), lines in groupby(_lines(text), _paragraph_key):
        if filled:
            yield set_off, list(lines)


def _paragraph_key(line: _Line) -> tuple[bool, bool]:
    return bool(line.text), line.set_off


def _lines(text: str) -> Iterator[_Line]:
    """Each line without the marks of a block quote; a paragraph in one may go on without them."""
    going_on = False
    for number, raw in enumerate(text.split("\n"), start=1):
        mark = _QUOTED.match(raw)
        line = (raw[mark.end() :] if mark else raw).strip()
        inside = mark is not None or (going_on and not line.startswith(_BLOCK_MARKS))
        going_on = inside and bool(line)
        yield _Line(number, line, going_on)


def _pieces(lines: list[_Line]) -> Iterator[Quotation]:
    """A quoted paragraph; a line with a dash in front names who said it, or is another's turn."""
    piece: list[_Line] = []
    for line in lines:
        if line.text.startswith(_DASHES) and piece:
            yield _joined(piece)
            piece = []
        piece.append(line)
    yield _joined(piece)


def _joined(lines: list[_Line]) -> Quotation:
    return Quotation(lines[0].number, "\n".join(line.text for line in lines))


def _between_marks(lines: list[_Line]) -> Iterator[Quotation]:
    text = "\n".join(_without_dash(line.text) for line in lines)
    starts = list(accumulate((len(line.text) + 1 for line in lines), initial=0))
    for start, end in quoted(text):
        yield Quotation(lines[bisect_right(starts, start) - 1].number, text[start:end])


def _without_dash(line: str) -> str:
    """The line without a dash in front, as long as before: where lines wrap, it is no dialogue."""
    dash = next((dash for dash in _DASHES if line.startswith(dash)), "")
    return " " * len(dash) + line.removeprefix(dash)
