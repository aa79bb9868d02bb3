"""Where a run stands, or which runs are open."""

from collections.abc import Sequence

from server.explore.answers import ExploreStatus, OpenReview, RunLine, Spent
from server.explore.artefacts import QUESTION, file_name
from server.explore.endings import ending_of
from server.explore.state import RunState
from server.explore.states import moves
from server.explore.tokens import RULE
from server.fold import dump


def status_of(state: RunState, not_an_answer: str = "") -> ExploreStatus:
    """One run; everything follows from its ledger."""
    contract, used = state.opening.contract, len(state.rows) + state.rounds_lost
    over = state.state in ("ended", "closed")
    return ExploreStatus(
        run=state.run,
        state=state.state,
        rounds=len(state.rows),
        rounds_left=max(0, contract.max_rounds - used),
        tokens=Spent(
            delivered=state.delivered,
            reported=state.reported,
            limit=contract.max_tokens,
            left=max(0, contract.max_tokens - state.spent),
            rule=RULE,
        ),
        stall_count=state.stall_count,
        resets=state.resets,
        review=_review(state),
        feedback=state.reviews[-1].feedback if state.reviews else "",
        not_an_answer=not_an_answer,
        declarations=tuple(dump(one) for one in state.declarations),
        hypotheses=tuple(one.label for one in state.hypotheses),
        ending=dump(ending_of(state)) if over else None,
        next=moves(state.state),
    )


def open_runs(states: Sequence[RunState]) -> ExploreStatus:
    """The runs that are not closed."""
    return ExploreStatus(
        runs=tuple(line_of(state) for state in states if state.state != "closed"),
        next=("open_exploration", "list_bundles", "exploration_status"),
    )


def line_of(state: RunState) -> RunLine:
    """One run in a list."""
    return RunLine(
        run=state.run,
        state=state.state,
        objective=" ".join(state.opening.objective.split())[:200],
        bases=state.base_ids,
        opened_at=state.opened_at,
    )


def _review(state: RunState) -> OpenReview | None:
    if state.question is None:
        return None
    return OpenReview(
        index=state.question.index,
        file=file_name(state.run, QUESTION),
        command=f"expedition explore review {state.run}",
    )
