"""As what a run ends: by counts and flags alone, an exhausted budget before everything else."""

from dataclasses import dataclass

from gates.rounds import Assessment, classify
from server.explore.state import Exhausted, RunState


@dataclass(frozen=True, slots=True)
class Final:
    """An ending as it is recorded."""

    completed: bool
    stop: str | None = None
    exhausted: Exhausted | None = None
    failed: str | None = None

    @property
    def name(self) -> str:
        """The ending in one word."""
        if self.failed:
            return "failed"
        if self.exhausted:
            return f"exhausted ({self.exhausted.kind})"
        return self.stop or "concluded"


def ending_of(state: RunState) -> Final:
    """What a run would be recorded as if it ended here."""
    if state.failed:
        return Final(False, failed=state.failed)
    if state.exhausted is not None:
        return Final(False, exhausted=state.exhausted)
    found = classify(
        assessments(state), state.rounds_lost, state.past_revisions, state.opening.contract
    )
    if found.exhausted is not None:
        gone = found.exhausted
        return Final(False, exhausted=Exhausted(gone.kind, gone.limit, gone.spent))
    return Final(True, found.stop)


def assessments(state: RunState) -> list[Assessment]:
    """The rows as the gates judge them."""
    return [
        Assessment(
            row.is_request_satisfied, row.is_in_loop, row.is_progress_being_made, row.next_speaker
        )
        for row in state.rows
    ]
