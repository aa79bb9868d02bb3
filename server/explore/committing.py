"""Committing a hypothesis: whole, routed, and resting on what was declared."""

from collections.abc import Mapping
from dataclasses import replace

from gates.reading import ref_agrees
from gates.routing import Direction, base_routable, read_direction, requirement_declared, sameness
from gates.verdict import Verdict
from index.faults import BaseUnavailable
from index.reading import Reading, read_path
from index.standing import plain_names
from server.explore.answers import Committed
from server.explore.arguments import Asked
from server.explore.bases import Bases, named
from server.explore.reading import Done, Scope, file_key
from server.explore.refusals import of_verdict
from server.explore.state import Declaration, Hypothesis, Reference, RunState
from server.fold import dump


def commit(
    state: RunState, asked: Asked, sent: Mapping[str, object], scope: Scope, bases: Bases
) -> Done:
    """The hypothesis kept, or the place of the one that it repeats."""
    direction = read_direction(sent)
    if isinstance(direction, Verdict):
        return Done(of_verdict(direction, asked.words))
    base = base_routable(direction.base, state.base_ids)
    if isinstance(base, Verdict):
        return Done(of_verdict(base, asked.words))
    declared = declaration_of(state, direction, base, scope, bases)
    verdict = requirement_declared(direction, declared is not None)
    if not verdict.passed:
        return Done(of_verdict(verdict, asked.words))
    return keep(state, direction, base, declared, scope.next)


def keep(
    state: RunState,
    direction: Direction,
    base: str,
    declared: Declaration | None,
    next_: tuple[str, ...],
) -> Done:
    """A hypothesis that may be kept; the first of two that are the same stays."""
    if declared is not None and direction.requirement is not None:
        # one document, whichever spelling led to it
        direction = replace(direction, requirement=(declared.path, direction.requirement[1]))
    known = [_sameness(state, _direction(one), one.base) for one in state.hypotheses]
    if (same := _sameness(state, direction, base)) in known:
        return Done(Committed(committed=True, position=known.index(same) + 1, next=next_))
    made = Hypothesis(
        label=direction.label,
        rationale=direction.rationale,
        requirement=Reference(*direction.requirement) if direction.requirement else None,
        why_none=direction.why_none,
        base=base,
        affected_codes=direction.affected_codes,
        claimed_saving=direction.claimed_saving,
        requirement_declared=declared is not None,
    )
    reply = Committed(committed=True, position=len(known) + 1, next=next_)
    return Done(reply, effects={"hypothesis": dump(made)})


def _direction(kept: Hypothesis) -> Direction:
    requirement = (kept.requirement.path, kept.requirement.ref) if kept.requirement else None
    return Direction(kept.label, "", requirement, "", kept.base, (), None)


def _sameness(state: RunState, direction: Direction, base: str) -> tuple[str, str, str, str]:
    """By what two are one; each reference that agrees with a document's number is that number."""
    if direction.requirement is None:
        return sameness(direction, base)
    path, ref = "/".join(plain_names(direction.requirement[0])), direction.requirement[1]
    numbers = (one.number for one in state.declarations if (one.base, one.path) == (base, path))
    number = next((found for found in numbers if found and ref_agrees(ref, found).passed), ref)
    return sameness(replace(direction, requirement=(path, number)), base)


def declaration_of(
    state: RunState, direction: Direction, base: str, scope: Scope, bases: Bases
) -> Declaration | None:
    """The declaration of the requirement, under whichever spelling of its path."""
    if direction.requirement is None:
        return None
    path, ref = direction.requirement
    rows = [one for one in state.declarations if one.base == base and one.ref == ref]
    exact = next((one for one in rows if one.path == path), None)
    where = named(scope.bases, base)
    if exact is not None or not rows or where is None:
        return exact
    try:
        with bases.opened(where) as opened:
            found = read_path(opened.folder, opened.holdings, scope.dimension, path)
    except BaseUnavailable:
        return None
    key = file_key(found) if isinstance(found, Reading) else ""
    return next((one for one in rows if one.file == key), None)
