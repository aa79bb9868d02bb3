"""A long paragraph in pieces, one a sentence, so that it can be cut where a sentence ends."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from index.records import Block
from index.text import Span, count_words, sentence_spans, word_spans

# A byte of the file and the line it is on.
Place = tuple[int, int]
_SLACK = 64


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of a block: characters of its text, and what a reader hears of them."""

    start: int
    end: int
    prose: str


def pieces(text: str, most: int) -> list[Piece]:
    """The sentences of a block in order; one of more than `most` words falls into several."""
    # the parser is slow to import, and few paragraphs are long
    from index.prose import prose_between

    # letter for letter as long, so that places hold in the text as it is
    source = text.replace("\r\n", "\n ").replace("\r", "\n").replace("\0", "\ufffd")
    cuts = prose_between(source, _places(source, most))
    ends = [*(start for start, _ in cuts[1:]), len(text)]
    return [
        Piece(start, len(text[start:end].rstrip()) + start, prose)
        for (start, prose), end in zip(cuts, ends, strict=True)
    ]


def measured(block: Block, parts: Sequence[Piece]) -> list[tuple[Place, Place]]:
    """The bytes and lines of the file where each piece starts and ends."""
    places: list[tuple[Place, Place]] = []
    done, place = 0, (block.start, block.first_line)
    for part in parts:
        start = _further(place, block.text[done : part.start])
        place = _further(start, block.text[part.start : part.end])
        places.append((start, place))
        done = part.end
    return places


def shares(parts: Sequence[Piece], prose: str, known: Sequence[Span]) -> list[list[Span]]:
    """Which stretches of each piece's prose lie in the known stretches of the block's prose."""
    found: list[list[Span]] = []
    firsts, lasts = [first for first, _ in known], [last for _, last in known]
    at = 0
    for part in parts:
        size = len(part.prose)
        # the same words, if blanks and links did not come out alike
        start = max(at, prose.find(part.prose, at, at + size + _SLACK))
        at = start + size
        touching = known[bisect_right(lasts, start) : bisect_left(firsts, at)]
        found.append([(max(first - start, 0), min(last, at) - start) for first, last in touching])
    return found


def _further(place: Place, text: str) -> Place:
    """The byte and the line after some text that starts at a place."""
    lines = text.count("\n") + text.count("\r") - text.count("\r\n")
    return place[0] + len(text.encode()), place[1] + lines


def _places(text: str, most: int) -> Iterator[int]:
    """Where a piece may start: at a sentence, and inside one that is too long to quote."""
    for start, end in sentence_spans(text):
        if start:
            yield start
        if count_words(text[start:end]) > most:
            inside = word_spans(text[start:end])
            step = max(1, most // 4)
            yield from (start + inside[at][0] for at in range(step, len(inside), step))
