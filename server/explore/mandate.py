"""The mandate: the experts' approaches as they were given, then what the exploration committed."""

from dataclasses import replace
from typing import Any

from gates.routing import OWN_PROPOSAL, numbered
from server.explore.endings import Final
from server.explore.state import Approach, RunState
from server.fold import dump


def approaches_of(state: RunState, ending: Final) -> tuple[Approach, ...]:
    """What is worth testing, in the order in which a later stage spends its budget on it."""
    experts = state.opening.expert_approaches
    if ending.stop == "unknown_speaker":
        return experts
    taken = {approach.id for approach in experts} | {OWN_PROPOSAL}
    ids = numbered(len(state.hypotheses), taken)
    blank = Approach("", "", origin="exploration")
    found = [
        replace(
            blank,
            id=id_,
            label=one.label,
            description=one.rationale,
            base=one.base,
            requirement=one.requirement,
            why_none=one.why_none,
            affected_codes=one.affected_codes,
            claimed_saving=one.claimed_saving,
        )
        for id_, one in zip(ids, state.hypotheses, strict=True)
    ]
    return (*experts, *found)


def mandate_of(state: RunState, ending: Final) -> dict[str, Any] | None:
    """The mandate of a completed run; None is not the same as a mandate without approaches."""
    if not ending.completed:
        return None
    return {
        "run": state.run,
        "objective": state.opening.objective,
        "success_criteria": state.opening.success_criteria,
        "allow_own_proposals": True,
        "stop": ending.stop,
        "approaches": [dump(one) for one in approaches_of(state, ending)],
    }
