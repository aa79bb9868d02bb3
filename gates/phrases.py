"""Phrases that belong to the guidance: harvested from it, and looked for in a draft."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import accumulate
from math import log
from typing import Literal

from gates.inline import prose_of
from gates.markup import paragraphs
from gates.tokens import joined, loose_words, read_sentences
from index.text import Span, content_words, shingles

Kind = Literal["phrase", "passage"]
MOST = 20
SHORTEST = 4
LONGEST = 8
# A draft that shares so many words in a row with a guidance text repeats it, harvested or not.
SHARED = 7
# The runs that may come to be asked about, and how often the base is asked: that may cost a search.
_RANKED = 4000
_ASKED = 400


@dataclass(frozen=True, slots=True)
class Frequencies:
    """What a base knows: in how many of its documents a folded word is, and who has a phrase.

    `elsewhere` says of the folded words of a phrase whether a file that is no guidance has them.
    """

    documents: int
    of: Callable[[str], int]
    elsewhere: Callable[[Sequence[str]], bool]

    def weight(self, word: str) -> float:
        """The inverse document frequency of a folded word."""
        return log((self.documents + 1) / (self.of(word) + 1))


@dataclass(frozen=True, slots=True)
class Use:
    """A place in a draft, by lines from 1, where words of the guidance stand."""

    kind: Kind
    first_line: int
    last_line: int
    words: str


@dataclass(frozen=True, slots=True)
class _Run:
    """Some words of one sentence: which sentence, where in it, how telling."""

    sentence: int
    start: int
    words: tuple[str, ...]
    weight: float

    @property
    def rank(self) -> tuple[float, int, int, int]:
        return self.weight, len(self.words), -self.sentence, -self.start

    def overlaps(self, other: "_Run") -> bool:
        same = self.sentence == other.sentence
        ends = self.start + len(self.words), other.start + len(other.words)
        return same and self.start < ends[1] and other.start < ends[0]


def harvest(texts: Sequence[str], base: Frequencies, lang: str = "") -> tuple[str, ...]:
    """The most telling phrases of the guidance texts, folded: at most 20, none over another."""
    chosen: list[_Run] = []
    asked: set[tuple[str, ...]] = set()
    for run in nlargest(_RANKED, _runs(texts, base, lang), key=lambda run: run.rank):
        if len(chosen) == MOST or len(asked) == _ASKED:
            break
        if run.words in asked or any(run.overlaps(other) for other in chosen):
            continue
        asked.add(run.words)
        if not base.elsewhere(run.words):
            chosen.append(run)
    return tuple(" ".join(run.words) for run in chosen)


def uses(draft: str, phrases: Sequence[str], guidance: Sequence[str] = ()) -> list[Use]:
    """Where a draft has a stored phrase, or seven words in a row of a guidance text; by line."""
    places, words = loose_words(draft)
    line_ends = [at for at, letter in enumerate(draft) if letter == "\n"]

    def use(run: Span, kind: Kind) -> Use:
        first, last = run
        start, end = places[first][0], places[last - 1][1]
        lines = bisect_right(line_ends, start) + 1, bisect_right(line_ends, end - 1) + 1
        return Use(kind, *lines, " ".join(words[first:last]))

    runs: dict[Kind, Iterator[Span]] = {
        "phrase": _phrases_in(words, phrases),
        "passage": _shared_runs(words, guidance),
    }
    found: list[tuple[Span, Kind]] = [(run, kind) for kind in runs for run in runs[kind]]
    return [use(run, kind) for run, kind in sorted(found)]


def _runs(texts: Sequence[str], base: Frequencies, lang: str) -> Iterator[_Run]:
    for at, words in enumerate(_sentences(texts)):
        matters = [bool(content_words(word, lang)) for word in words]
        sums = list(accumulate(map(base.weight, words), initial=0.0))
        for start in range(len(words)):
            for end in range(start + SHORTEST, min(start + LONGEST, len(words)) + 1):
                if matters[start] and matters[end - 1]:
                    mean = (sums[end] - sums[start]) / (end - start)
                    yield _Run(at, start, words[start:end], round(mean, 9))


def _sentences(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for text in texts:
        for start, end in paragraphs(text):
            for sentence in read_sentences(prose_of(text[start:end])):
                yield tuple(token.word for token in sentence.tokens)


def _phrases_in(words: Sequence[str], phrases: Sequence[str]) -> Iterator[Span]:
    wanted = {tuple(phrase.split(" ")) for phrase in phrases}
    for length in {len(phrase) for phrase in wanted}:
        for first, run in enumerate(shingles(words, length)):
            if run in wanted:
                yield first, first + length


def _shared_runs(words: Sequence[str], guidance: Sequence[str]) -> Iterator[Span]:
    known = {run for text in guidance for run in shingles(loose_words(text)[1], SHARED)}
    places = (at for at, run in enumerate(shingles(words, SHARED)) if run in known)
    return joined(places, SHARED)
