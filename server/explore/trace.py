"""The trace of a run, rendered from its ledger by one function, whatever ended the run."""

from typing import Any

from server.explore.endings import Final, ending_of
from server.explore.mandate import mandate_of
from server.explore.state import Call, RunState
from server.explore.tokens import RULE
from server.fold import dump

_READ = ("sha256", "chars", "error", "file")


def trace_of(state: RunState) -> dict[str, Any]:
    """Everything that happened; every key is always there."""
    opening = state.opening
    over = state.state in ("ended", "closed")
    ending = ending_of(state) if over else Final(False)
    closed = state.state == "closed"
    material = opening.starting_material
    return {
        "run": state.run,
        "driver": opening.driver,
        "objective": opening.objective,
        "bases": [base.id for base in opening.bases],
        "dimension": opening.dimension,
        "contract": dump(opening.contract),
        "completed": closed and ending.completed,
        "stop": ending.stop,
        "exhausted": dump(ending.exhausted) if ending.exhausted else None,
        "parked": state.state == "awaiting_review",
        "failed": ending.failed,
        "tokens": {
            "delivered": state.delivered,
            "reported": state.reported,
            "total": state.spent,
            "limit": opening.contract.max_tokens,
            "rule": RULE,
        },
        "starting_material": material
        and {"name": material.name, "sha256": material.sha256, "chars": material.chars},
        "mandate": mandate_of(state, ending) if closed else None,
        "hypotheses": [dump(one) for one in state.hypotheses],
        "rounds": [dump(row) for row in state.rows],
        "rounds_lost": state.rounds_lost,
        "plan_reviews": [dump(one) for one in state.reviews],
        "quick_validations": [dump(one) for one in state.validations],
        "tool_calls": [_entry(call) for call in state.calls],
        "requirements": [dump(one) for one in state.declarations],
    }


def notice_of(state: RunState, ending: Final, approaches: int) -> str:
    """The line that is always printed at the end."""
    how = "concluded" if ending.name == "concluded" else f"stopped ({ending.name})"
    if ending.exhausted:
        gone = ending.exhausted
        how = f"stopped ({gone.kind}: {gone.spent:,} spent of {gone.limit:,})"
    rounds = len(state.rows)
    return f"Exploration: {how} after {rounds} round(s); {approaches} approach(es) to evaluate"


def _entry(call: Call) -> dict[str, Any]:
    """One call; what a read adds is there only where something was read."""
    entry: dict[str, Any] = dump(call)
    return {key: value for key, value in entry.items() if key not in _READ or value}
