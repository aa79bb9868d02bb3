"""The advisory check inside the loop: the real check on the real lines, binding nobody."""

from typing import Any

from gates.savings import Validation, validate_text
from index.faults import BaseUnavailable
from server.explore.answers import Checked
from server.explore.arguments import Asked
from server.explore.baselines import baseline_of
from server.explore.bases import Bases, named
from server.explore.reading import Done, Scope
from server.fold import dump


def check(asked: Asked, proposal: str, scope: Scope, bases: Bases) -> Done:
    """The verdict, and the row that is kept of it whatever it is."""
    found = dump(_checked(asked, proposal, scope, bases))
    found["carried_by"] = found["carried_by"] or {}
    # its level stands wherever its numbers do
    verdict = {**found, "advisory": True}
    kept: dict[str, Any] = {"base": asked.base, "proposal": proposal, "verdict": verdict}
    return Done(Checked(**found, next=scope.next), effects={"validation": kept})


def _checked(asked: Asked, proposal: str, scope: Scope, bases: Bases) -> Validation:
    ref = named(scope.bases, asked.base)
    if ref is None:
        known = ", ".join(sorted(base.id for base in scope.bases)) or "none configured"
        return Validation("refused", f"the run has no base of this id; its bases are: {known}")
    try:
        with bases.opened(ref) as base:
            lines = baseline_of(base)
    except BaseUnavailable:
        return Validation("refused", "the folder of this base cannot be read now")
    if lines.problem:
        return Validation("refused", f"its cost baseline cannot be used: {lines.problem}")
    return validate_text(proposal, lines.lines)
