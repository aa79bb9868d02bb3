"""Sentences cut into words that know their neighbours."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from index.text import Span, loose, sentence_spans, without_ignorable, word_spans


@dataclass(frozen=True, slots=True)
class Token:
    """One word: as written, by the loose fold, and what stands between the last word and it."""

    start: int
    end: int
    written: str
    word: str
    gap: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with its place in the text and its words."""

    start: int
    end: int
    text: str
    tokens: tuple[Token, ...]

    @property
    def shouted(self) -> bool:
        """Whether it is all in capitals, so that letter case says nothing."""
        return self.text == self.text.upper()


def read_sentences(text: str, offset: int = 0) -> tuple[Sentence, ...]:
    """The sentences of a text that stands `offset` characters into another; none without a word."""
    found: list[Sentence] = []
    for start, end in sentence_spans(text):
        piece = text[start:end]
        if words := _tokens(piece, offset + start):
            found.append(Sentence(offset + start, offset + end, piece, words))
    return tuple(found)


def loose_words(text: str) -> tuple[list[Span], list[str]]:
    """The words by the loose fold, and where each stands in the text; emphasis breaks no word."""
    seen, removed = without_ignorable(text, emphasis=True)
    spans = word_spans(seen)
    back = origin(removed)
    places = [(back(start), back(end - 1) + 1) for start, end in spans]
    return places, [loose(seen[start:end]) for start, end in spans]


def joined(starts: Iterable[int], width: int) -> Iterator[Span]:
    """Windows of one width, by where they start and in order, as runs: what touches is one."""
    first = last = -1
    for start in starts:
        if start > last:
            if last > 0:
                yield first, last
            first = start
        last = start + width
    if last > 0:
        yield first, last


def origin(removed: Sequence[int]) -> Callable[[int], int]:
    """From places in a text without some characters to places in the text that had them."""
    # the k-th of them stood before a place of the rest if it stood at most k further on
    shifts = [place - count for count, place in enumerate(removed)]
    return lambda at: at + bisect_right(shifts, at)


def _tokens(piece: str, offset: int) -> tuple[Token, ...]:
    found: list[Token] = []
    done = 0
    for start, end in word_spans(piece):
        written = piece[start:end]
        gap = piece[done:start]
        found.append(Token(offset + start, offset + end, written, loose(written), gap))
        done = end
    return tuple(found)
