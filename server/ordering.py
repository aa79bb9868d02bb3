"""In which order the rows that terms reach become candidates: pure functions from rows to rows.

`specified` is the rule of the first design, `hybrid` was measured to beat it. It takes nearness to
the best rows by the words they have in common, or nearness to the terms in meaning.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from heapq import nlargest, nsmallest
from typing import Literal, NamedTuple, Protocol

Rule = Literal["specified", "hybrid", "semantic"]
# From the relevance of the best rows, the best first, to how near each is, from 0 to 1.
Nearness = Callable[[Mapping[int, float]], Mapping[int, float]]

# A structural match counts as much as so many terms.
STRUCTURAL_WEIGHT = 2
# What a matched term is worth at least, beside the usual one: it may be part of a longer word, of
# which BM25F knows nothing.
PART = 0.5
# Nearness makes this share of the order, among so many of the best. Tried on Cranfield and NPL,
# where shares of 0.2 to 0.3 are level.
SHARE, POOL = 0.25, 100
# So many of the best rows teach so many words; 20 to 40 are level.
TEACHERS, LEARNED = 5, 20


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


def hybrid(reached: Sequence[Reached], most: int, nearness: Nearness) -> list[Reached]:
    """By relevance, wherever terms were found; among the best then also by nearness."""
    if not reached:
        return []
    relevance = relevances(reached)
    best = _ranked(reached, relevance, max(most, POOL))
    pool = best[:POOL]
    near = nearness({one.place: relevance[one.place] for one in pool})
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
    part, structure = PART * worth, STRUCTURAL_WEIGHT * worth
    return {
        place: (score if score > part * terms else part * terms) + structure * structural
        for place, _, terms, structural, score in reached
    }


def _ranked(rows: Sequence[Reached], values: Mapping[int, float], most: int) -> list[Reached]:
    # Of very many rows only those that can be among the first are worth a key.
    least = min(nlargest(most, values.values()))
    able = [one for one in rows if values[one.place] >= least]
    return sorted(able, key=lambda one: (-values[one.place], -one.prescore, one.path))[:most]


def taught(words: Words, pool: Mapping[int, float]) -> Mapping[int, float]:
    """How much each row holds of the words that tell the best ones from others, from 0 to 1.

    Empty if the best says nothing of itself: the next best may be about something else.
    """
    said = {place: words.of(place) for place in pool}
    best = list(pool)[:TEACHERS]
    if not said[best[0]]:
        return {}
    learned: defaultdict[str, float] = defaultdict(float)
    for place in best:
        for word in said[place]:
            learned[word] += pool[place]
    rarity = {word: words.rarity(word) for word in learned}
    heaviest = nsmallest(LEARNED, learned, key=lambda word: (-learned[word] * rarity[word], word))
    weights = {word: learned[word] * rarity[word] ** 2 for word in heaviest}
    sums = {
        place: sum(weights[word] for word in heaviest if word in own) for place, own in said.items()
    }
    most = max(sums.values())
    return {place: total / most for place, total in sums.items()}


def spread(likeness: Sequence[float], pool: Mapping[int, float]) -> Mapping[int, float]:
    """Likenesses from 0 for the least to 1 for the most; empty where all are alike."""
    least, most = min(likeness), max(likeness)
    if least == most:
        return {}
    return {
        place: (each - least) / (most - least) for place, each in zip(pool, likeness, strict=True)
    }
