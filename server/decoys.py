"""Rows hidden in the batches that match nothing: who scores one high does not read them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from server.candidates import BATCH, Retrieval, matches_structure
from server.dig_state import Candidate, Context
from server.library import Facts

# From this score on a row that matches nothing was not read.
HIGH = 2


@dataclass(frozen=True, slots=True)
class Hidden:
    """Candidates and decoys in batches of at most ten; their ids tell none from the others."""

    candidates: tuple[Candidate, ...]
    decoys: tuple[Candidate, ...]
    batches: tuple[tuple[str, ...], ...]


def hide(
    retrieval: Retrieval, rows: Sequence[Candidate], dig: str, each: int, first_number: int
) -> Hidden:
    """The candidates with up to `each` of these rows in every batch, numbered in one sequence.

    Which rows, and where in their batch, follows from the dig alone.
    """
    size = BATCH - each
    found = retrieval.candidates
    parts = [found[at : at + size] for at in range(0, len(found), size)]
    order = sorted(rows, key=lambda one: _draw(dig, one.row.path))
    number = first_number
    decoys, candidates = list[Candidate](), list[Candidate]()
    batches = list[tuple[str, ...]]()
    for at, part in enumerate(parts):
        own = order[at * each : (at + 1) * each]
        mixed = sorted((*part, *own), key=lambda one: _place(dig, one, part))
        named = [replace(one, id=f"row_{number + place}") for place, one in enumerate(mixed)]
        number += len(named)
        paths = {one.row.path for one in own}
        decoys += [one for one in named if one.row.path in paths]
        candidates += [one for one in named if one.row.path not in paths]
        batches.append(tuple(one.id for one in named))
    return Hidden(tuple(candidates), tuple(decoys), tuple(batches))


def unmatched(
    facts: Facts, context: Context, terms: Sequence[str], taken: frozenset[str]
) -> list[Candidate]:
    """Rows with a summary of their own that neither keyword nor term nor structure reaches."""
    words = [*terms, context.keyword_primary]
    reached, scored = facts.matches(words), facts.scores(words)
    return [
        Candidate("", row, 0, False, "row", (), 0.0, 0)
        for place, row in enumerate(facts.rows)
        if row.summary
        and row.sha256 is not None
        and row.path not in taken
        and place not in reached.counts
        and row.path not in scored
        and not matches_structure(row, context)
    ]


def _place(dig: str, one: Candidate, part: Sequence[Candidate]) -> float:
    """Candidates in their order; a decoy between two of them, or at an end."""
    if one in part:
        return float(part.index(one))
    return int.from_bytes(_draw(dig, f"place {one.row.path}")[:4], "big") % (len(part) + 1) - 0.5


def _draw(dig: str, name: str) -> bytes:
    return hashlib.sha256(f"{dig}\n{name}".encode(errors="surrogatepass")).digest()
