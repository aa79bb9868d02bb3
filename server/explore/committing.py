"""Committing a hypothesis: whole, routed, and resting on what was declared."""

from collections.abc import Mapping

from gates.routing import Direction, base_routable, read_direction, requirement_declared, sameness
from gates.verdict import Verdict
from index.faults import BaseUnavailable
from index.reading import Reading, read_path
from server.explore.answers import Committed
from server.explore.arguments import Asked
from server.explore.bases import Bases, named
from server.explore.reading import Done, Scope, file_key
from server.explore.refusals import of_verdict
from server.explore.state import Hypothesis, Reference, RunState
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
    declared = is_declared(state, direction, base, scope, bases)
    verdict = requirement_declared(direction, declared)
    if not verdict.passed:
        return Done(of_verdict(verdict, asked.words))
    return keep(state, direction, base, declared, scope.next)


def keep(
    state: RunState, direction: Direction, base: str, declared: bool, next_: tuple[str, ...]
) -> Done:
    """A hypothesis that may be kept; the first of two that are the same stays."""
    known = [_sameness(one) for one in state.hypotheses]
    if (same := sameness(direction, base)) in known:
        return Done(Committed(committed=True, position=known.index(same) + 1, next=next_))
    made = Hypothesis(
        label=direction.label,
        rationale=direction.rationale,
        requirement=Reference(*direction.requirement) if direction.requirement else None,
        why_none=direction.why_none,
        base=base,
        affected_codes=direction.affected_codes,
        claimed_saving=direction.claimed_saving,
        requirement_declared=declared,
    )
    reply = Committed(committed=True, position=len(known) + 1, next=next_)
    return Done(reply, effects={"hypothesis": dump(made)})


def _sameness(kept: Hypothesis) -> tuple[str, str, str, str]:
    requirement = (kept.requirement.path, kept.requirement.ref) if kept.requirement else None
    direction = Direction(kept.label, "", requirement, "", kept.base, (), None)
    return sameness(direction, kept.base)


def is_declared(
    state: RunState, direction: Direction, base: str, scope: Scope, bases: Bases
) -> bool:
    """Whether the requirement was declared, under whichever spelling of its path."""
    if direction.requirement is None:
        return False
    path, ref = direction.requirement
    rows = [one for one in state.declarations if one.base == base and one.ref == ref]
    if any(one.path == path for one in rows):
        return True
    where = named(scope.bases, base)
    if not rows or where is None:
        return False
    try:
        with bases.opened(where) as opened:
            found = read_path(opened.folder, opened.holdings, scope.dimension, path)
    except BaseUnavailable:
        return False
    return isinstance(found, Reading) and any(one.file == file_key(found) for one in rows)
