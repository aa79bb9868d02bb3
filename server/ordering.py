"""In which order the rows that terms reach become candidates: pure functions from rows to rows.

`specified` is the rule of the first design, `hybrid` the one that was measured to beat it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import nsmallest
from typing import Literal, NamedTuple, Protocol

Rule = Literal["specified", "hybrid"]

# A structural match counts as much as so many terms.
STRUCTURAL_WEIGHT = 2
# What a matched term is worth at least, beside the usual one: it may be part of a longer word, of
# which BM25F knows nothing.
PART = 0.5
# Feedback: the best rows teach so many words, which say so much of the order among the best `POOL`.
# Tried on Cranfield and NPL, where 20 to 40 words and shares of 0.2 to 0.3 are level.
TEACHERS, LEARNED, POOL, SHARE = 5, 20, 100, 0.25


class Reached(NamedTuple):
    """A row that terms, structure or its body brought in, and how much was found of what."""

    place: int
    path: str
    matched: int
    structural: bool
    score: float

    @property
    def prescore(self) -> int:
        """The terms matched, and 2 more for a structural match."""
        return self.matched + STRUCTURAL_WEIGHT * self.structural


class Words(Protocol):
    """What rows say of their files."""

    def of(self, place: int) -> frozenset[str]:
        """The words of the row at this place."""
        ...

    def rarity(self, word: str) -> float:
        """How much it says that a row holds this word."""
        ...


def specified(reached: Sequence[Reached], most: int) -> list[Reached]:
    """By prescore, BM25F and path; rows found in bodies alone fill up what is left."""
    rows = (one for one in reached if one.prescore)
    chosen = nsmallest(most, rows, key=lambda one: (-one.prescore, -one.score, one.path))
    bodies = (one for one in reached if not one.prescore)
    room = most - len(chosen)
    return chosen + nsmallest(room, bodies, key=lambda one: (-one.score, one.path))


def hybrid(reached: Sequence[Reached], most: int, words: Words) -> list[Reached]:
    """By relevance, wherever terms were found; then nearer to the rows that came out best."""
    relevance = relevances(reached)
    best = _ranked(reached, relevance, max(most, POOL))
    pool = best[:POOL]
    near = _nearness(pool, relevance, words)
    if near:
        top = relevance[pool[0].place]
        share = {place: relevance[place] / top for place in near}
        mixed = {place: (1 - SHARE) * share[place] + SHARE * near[place] for place in near}
        pool = _ranked(pool, mixed, POOL)
    return (pool + best[POOL:])[:most]


def relevances(reached: Sequence[Reached]) -> Mapping[int, float]:
    """BM25F by place, in which a structural match is worth two usual terms.

    The worth of a term is what one brings on average to the rows that hold any.
    """
    matched = sum(one.matched for one in reached)
    brought = sum(one.score for one in reached if one.matched)
    worth = brought / matched if brought else 1.0
    return {
        one.place: max(one.score, PART * worth * one.matched)
        + STRUCTURAL_WEIGHT * worth * one.structural
        for one in reached
    }


def _ranked(rows: Sequence[Reached], values: Mapping[int, float], most: int) -> list[Reached]:
    return nsmallest(most, rows, key=lambda one: (-values[one.place], -one.prescore, one.path))


def _nearness(
    pool: Sequence[Reached], relevance: Mapping[int, float], words: Words
) -> Mapping[int, float]:
    """How much each row holds of the words that tell the best ones from others, from 0 to 1.

    Empty if the best says nothing of itself: the next best may be about something else.
    """
    said = {one.place: words.of(one.place) for one in pool}
    if not pool or not said[pool[0].place]:
        return {}
    learned: defaultdict[str, float] = defaultdict(float)
    for one in pool[:TEACHERS]:
        for word in said[one.place]:
            learned[word] += relevance[one.place]
    rarity = {word: words.rarity(word) for word in learned}
    heaviest = nsmallest(LEARNED, learned, key=lambda word: (-learned[word] * rarity[word], word))
    weights = {word: learned[word] * rarity[word] ** 2 for word in heaviest}
    sums = {
        place: sum(weights[word] for word in heaviest if word in own) for place, own in said.items()
    }
    most = max(sums.values())
    return {place: total / most for place, total in sums.items()}
