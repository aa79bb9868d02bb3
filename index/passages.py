"""Which passages of a document to quote, best first: runs of whole blocks where terms are dense."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from index.pieces import measured, pieces, shares
from index.records import Block, BlockKind, Document
from index.text import Span, count_words, fold, sentence_spans
from index.windows import Unit, Window, densest

_PARAGRAPHS: tuple[BlockKind, ...] = ("paragraph",)
_PROSE: tuple[BlockKind, ...] = (*_PARAGRAPHS, "list_item", "block_quote")
# More than anybody goes through; a file of one-word paragraphs has a quarter of a million.
_MOST = 200
# Sentences are longer than this only where nothing ends them.
_OPENING = 2000


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many words of prose a passage holds."""

    min_words: int = 150
    max_words: int = 500


@dataclass(frozen=True, slots=True)
class Passage:
    """A byte slice of a file worth quoting; `words` counts its prose, `hits` the terms in it."""

    start: int
    end: int
    first_line: int
    last_line: int
    words: int
    flags: tuple[str, ...]
    blocks: int
    hits: int = 0


def passages(
    document: Document,
    terms: Sequence[str],
    bounds: Bounds,
    covered: Sequence[Sequence[Span]],
    after_line: int | None = None,
) -> list[Passage]:
    """The passages that start after a line, best first, other places before other cuts of one.

    `covered` holds for each block the stretches of its prose that a digest covers; a passage that
    opens in one, or has too little beside them, comes after all others.
    """
    folded = dict.fromkeys(fold(term) for term in terms if fold(term))
    chooser = _Chooser(document, tuple(folded), bounds, tuple(covered), after_line or 0)
    units = chooser.weigh_blocks()
    total = sum(unit.words for unit in units)
    if total < max(1, bounds.min_words):
        return list(chooser.whole(units))
    found = list(chooser.candidates(units, _PARAGRAPHS))
    if all(candidate.poor for candidate in found):
        found += chooser.candidates(units, _PROSE)
    found = found or list(chooser.short_runs(units))
    return _diverse(found)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A passage, the less its rank the better; a poor one says little that a digest does not."""

    passage: Passage
    poor: bool
    rank: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Chooser:
    """One search: where, for what, how long, and what digests say already."""

    document: Document
    terms: tuple[str, ...]
    bounds: Bounds
    covered: tuple[Sequence[Span], ...]
    after_line: int

    def weigh_blocks(self) -> list[Unit]:
        """A unit for each block; what is no prose weighs nothing."""
        return [
            self.weigh(block.prose if block.kind in _PROSE else "", known)
            for block, known in zip(self.document.blocks, self.covered, strict=True)
        ]

    def weigh(self, prose: str, known: Sequence[Span]) -> Unit:
        """The words and hits of some prose."""
        words = count_words(prose)
        folded = fold(prose)
        shared = sum(count_words(prose[start:end]) for start, end in known)
        opens_covered = bool(known) and known[0][0] < _first_sentence_end(prose)
        hits = tuple(map(folded.count, self.terms))
        return Unit(words, max(0, words - shared), hits, opens_covered)

    def whole(self, units: Sequence[Unit]) -> Iterator[Passage]:
        """A short note from its first prose to its last."""
        spoken = [at for at, unit in enumerate(units) if unit.words]
        if spoken and self.document.blocks[spoken[0]].first_line > self.after_line:
            yield self.summed(units, spoken[0], spoken[-1], "SHORT_NOTE")

    def candidates(
        self, units: Sequence[Unit], kinds: Collection[BlockKind]
    ) -> Iterator[_Candidate]:
        """Passages of quotable length: runs of whole blocks, and cuts of those that are longer."""
        for run in self.runs(kinds):
            for window in self.windows(units[run.start : run.stop]):
                first, last = run.start + window.first, run.start + window.last
                passage = self.passage(first, last, window.words, window.hits)
                yield self.ranked(passage, window, inside=False)
        for at, block in enumerate(self.document.blocks):
            if block.kind in kinds and units[at].words > self.bounds.max_words:
                yield from self.cuts(block, self.covered[at])

    def short_runs(self, units: Sequence[Unit]) -> Iterator[_Candidate]:
        """Runs that are shorter than they should be, the longest first."""
        for run in self.runs(_PROSE):
            last, words = run.start, 0
            spoken = [at for at in run if units[at].words]
            for at in spoken:
                words += units[at].words
                if words > self.bounds.max_words:
                    break
                last = at
            if spoken and units[spoken[0]].words <= self.bounds.max_words:
                passage = self.summed(units, spoken[0], last, "SHORT_PASSAGE")
                rank = (-passage.words, passage.start)
                yield _Candidate(passage, units[spoken[0]].opens_covered, rank)

    def runs(self, kinds: Collection[BlockKind]) -> Iterator[range]:
        """Positions of neighbouring blocks of these kinds, headings among them."""
        start = 0
        for at, block in enumerate(self.document.blocks):
            if block.first_line <= self.after_line or block.kind not in (*kinds, "heading"):
                yield range(start, at)
                start = at + 1
        yield range(start, len(self.document.blocks))

    def windows(self, units: Sequence[Unit]) -> list[Window]:
        """The densest of neighbouring units within the bounds."""
        return densest(units, max(1, self.bounds.min_words), self.bounds.max_words)

    def ranked(self, passage: Passage, window: Window, inside: bool) -> _Candidate:
        """Best is what starts a paragraph, is dense, has many of the terms and comes early."""
        poor = window.opens_covered or window.own < self.bounds.min_words
        density = window.hits / window.words
        return _Candidate(passage, poor, (inside, -density, -window.distinct, passage.start))

    def passage(self, first: int, last: int, words: int, hits: int, *flags: str) -> Passage:
        """The blocks from the first to the last, which hold so many words and hits."""
        opening, closing = self.document.blocks[first], self.document.blocks[last]
        lines = opening.first_line, closing.last_line
        return Passage(opening.start, closing.end, *lines, words, flags, last - first + 1, hits)

    def summed(self, units: Sequence[Unit], first: int, last: int, flag: str) -> Passage:
        """The blocks from the first to the last, counted anew."""
        held = units[first : last + 1]
        words, hits = sum(unit.words for unit in held), sum(sum(unit.hits) for unit in held)
        return self.passage(first, last, words, hits, flag)

    def cuts(self, block: Block, known: Sequence[Span]) -> Iterator[_Candidate]:
        """What one long paragraph offers, from a sentence's start to a sentence's end."""
        parts = pieces(block.text, self.bounds.max_words)
        held = zip(parts, shares(parts, block.prose, known), strict=True)
        units = [self.weigh(part.prose, share) for part, share in held]
        places = measured(block, parts)
        for window in self.windows(units):
            (start, first_line), (end, last_line) = places[window.first][0], places[window.last][1]
            passage = Passage(
                start, end, first_line, last_line, window.words, ("LONG_CUT",), 1, window.hits
            )
            if first_line > self.after_line:
                yield self.ranked(passage, window, inside=window.first > 0)


def _first_sentence_end(prose: str) -> int:
    spans = sentence_spans(prose[:_OPENING])
    return spans[0][1] if spans else 0


def _diverse(candidates: Iterable[_Candidate]) -> list[Passage]:
    """The good ones before the poor ones, and of each first those that share no text."""
    # lists tried beside paragraphs offer some windows of paragraphs once more
    once = {(found.passage.start, found.passage.end): found for found in candidates}
    ranked = sorted(once.values(), key=lambda candidate: (candidate.poor, candidate.rank))
    chosen: list[Passage] = []
    for _, group in groupby(ranked, key=lambda candidate: candidate.poor):
        rest = [candidate.passage for candidate in group]
        while rest and len(chosen) < _MOST:
            apart, rest = _apart(rest)
            chosen += apart
    return chosen[:_MOST]


def _apart(ranked: Sequence[Passage]) -> tuple[list[Passage], list[Passage]]:
    """The passages that share no text with a better one, and the others."""
    starts: list[int] = []
    ends: list[int] = []
    apart: list[Passage] = []
    others: list[Passage] = []
    for passage in ranked:
        at = bisect_left(starts, passage.end)
        if at and ends[at - 1] > passage.start:
            others.append(passage)
            continue
        starts.insert(at, passage.start)
        ends.insert(at, passage.end)
        apart.append(passage)
    return apart, others
