"""Step 2: the rows that the terms reach, ordered, counted and frozen. Facts only, no judgement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

from index.records import Row
from index.substring import Matches
from index.text import fold
from server.dig_state import Candidate, Context
from server.library import Facts

CAP = 40
BATCH = 10
STRUCTURAL_WEIGHT = 2


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The candidates in order, and how many rows were seen, matched and cut."""

    candidates: tuple[Candidate, ...]
    counts: Mapping[str, int]


def gather(
    facts: Facts,
    context: Context,
    terms: Sequence[str],
    taken: frozenset[str] = frozenset(),
    first_number: int = 1,
) -> Retrieval:
    """The best 40 rows for these terms; rows found only in bodies fill up what is left.

    `taken` are paths that may not come again: the blaze, and rows a person kept or dropped. Order:
    prescore (terms matched, plus 2 for a structural match), then BM25F, then path.
    """
    scores = facts.scores(terms)
    matches = facts.matches(terms)
    seen: list[_Seen] = []
    bodies: list[_Seen] = []
    for place, row in enumerate(facts.rows):
        if row.path in taken or row.sha256 is None:
            continue
        structural = matches_structure(row, context)
        prescore = matches.counts.get(place, 0) + STRUCTURAL_WEIGHT * structural
        one = _Seen(-prescore, -scores.get(row.path, 0.0), row.path, place, structural)
        if prescore:
            seen.append(one)
        elif one.score < 0:
            bodies.append(one)
    room = max(0, CAP - len(seen))
    chosen = nsmallest(CAP, seen) + nsmallest(room, bodies)
    return Retrieval(
        tuple(
            _candidate(one, facts.rows[one.place], matches, (first_number, rank))
            for rank, one in enumerate(chosen, start=1)
        ),
        {
            "rows": len(facts.rows),
            "matched": len(seen),
            "structural": sum(one.structural for one in seen),
            "cut": max(0, len(seen) - CAP),
            "from_bodies": min(room, len(bodies)),
        },
    )


class _Seen(NamedTuple):
    """A row on its way; it sorts as candidates do, so counts and scores are negative."""

    prescore: int
    score: float
    path: str
    place: int
    structural: bool


def _candidate(one: _Seen, row: Row, matches: Matches, numbers: tuple[int, int]) -> Candidate:
    first_number, rank = numbers
    return Candidate(
        id=f"row_{first_number + rank - 1}",
        row=row,
        prescore=-one.prescore,
        structural=one.structural,
        via="row" if one.prescore else "body",
        hits=matches.get(one.place, ()),
        score=-one.score,
        rank=rank,
    )


def matches_structure(row: Row, context: Context) -> bool:
    """Category or archetype is the dig's archetype, and the monomyth stage fits a given hint."""
    archetype = _name(context.archetype_primary)
    if not archetype or archetype not in (_name(row.category), _name(row.archetype)):
        return False
    hint = _name(context.monomyth_hint)
    return not hint or _stage(row.monomyth) == _stage(context.monomyth_hint)


def _name(text: str) -> str:
    return fold(" ".join(text.split()))


def _stage(text: str) -> str:
    """A monomyth stage without its number: `01 - Ordinary World` is `ordinary world`."""
    return _name(text).lstrip("0123456789").lstrip(" -.:)\u2013\u2014")
