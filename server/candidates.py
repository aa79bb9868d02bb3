"""Step 2: the rows that the terms reach, ordered, counted and frozen. Facts only, no judgement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nlargest

from index.meanings import meanings
from index.records import Row
from index.substring import Matches
from index.text import fold
from server.dig_state import Candidate, Context
from server.library import Facts
from server.ordering import POOL, Reached, Rule, hybrid, specified, spread, taught

CAP = 40
BATCH = 10


@dataclass(frozen=True, slots=True)
class Query:
    """What candidates are sought for, and in which order.

    `taken` are paths that may not come again: the blaze, and rows a person kept or dropped.
    """

    context: Context
    terms: Sequence[str]
    taken: frozenset[str] = frozenset()
    rule: Rule = "hybrid"


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The candidates in order, and how many rows were seen, matched and cut."""

    candidates: tuple[Candidate, ...]
    counts: Mapping[str, int]


def gather(facts: Facts, query: Query, first_number: int = 1) -> Retrieval:
    """The best 40 rows for these terms, in the order of the query's rule."""
    matches = facts.matches(query.terms)
    found = reached(facts, query, matches)
    chosen = ordered(facts, query, found)
    matched = sum(one.prescore > 0 for one in found)
    by_row = sum(one.prescore > 0 for one in chosen)
    return Retrieval(
        tuple(
            _candidate(one, facts.rows[one.place], matches, (first_number, rank))
            for rank, one in enumerate(chosen, start=1)
        ),
        {
            "rows": len(facts.rows),
            "matched": matched,
            "structural": sum(one.structural for one in found),
            "cut": matched - by_row,
            "from_bodies": len(chosen) - by_row,
        },
    )


def reached(facts: Facts, query: Query, matches: Matches) -> list[Reached]:
    """Every readable row that a term or the structure brings in, and those of the best bodies."""
    scores = facts.scores(query.terms)
    best = nlargest(POOL + len(query.taken), scores.values())
    least = best[-1] if best else 0.0
    structural = _structural(facts.rows, query.context)
    counts = matches.counts
    return [
        Reached(place, row.path, counts.get(place, 0), place in structural, score)
        for place, row in enumerate(facts.rows)
        if ((score := scores.get(row.path, 0.0)) and score >= least)
        or place in counts
        or place in structural
        if row.sha256 is not None and row.path not in query.taken
    ]


def ordered(facts: Facts, query: Query, found: Sequence[Reached]) -> list[Reached]:
    """The best forty of what was reached, by the rule of the query."""
    if query.rule == "specified":
        return specified(found, CAP)
    near = _meant if query.rule == "semantic" else _taught
    return hybrid(found, CAP, partial(near, facts, query))


def _taught(facts: Facts, _: Query, pool: Mapping[int, float]) -> Mapping[int, float]:
    return taught(facts.words, pool)


def _meant(facts: Facts, query: Query, pool: Mapping[int, float]) -> Mapping[int, float]:
    """Nearness of what a row says to the terms; where nobody summed a file up, of its lead."""
    rows = (facts.rows[place] for place in pool)
    texts = [
        " ".join((row.title, row.summary or row.lead, *row.keypoints, *row.tags)) for row in rows
    ]
    return spread(meanings().likeness(" ".join(query.terms), texts), pool)


def _structural(rows: Sequence[Row], context: Context) -> frozenset[int]:
    wanted = _name(context.archetype_primary)
    if not wanted:
        return frozenset()
    # Many rows, few different names.
    written = {name for row in rows for name in (row.category, row.archetype)}
    alike = {name for name in written if _name(name) == wanted}
    return frozenset(
        place
        for place, row in enumerate(rows)
        if (row.category in alike or row.archetype in alike) and matches_structure(row, context)
    )


def _candidate(one: Reached, row: Row, matches: Matches, numbers: tuple[int, int]) -> Candidate:
    first_number, rank = numbers
    return Candidate(
        id=f"row_{first_number + rank - 1}",
        row=row,
        prescore=one.prescore,
        structural=one.structural,
        via="row" if one.prescore else "body",
        hits=matches.get(one.place, ()),
        score=one.score,
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
