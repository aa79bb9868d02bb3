"""What a move comes to: an answer, the events to append, and the state they lead to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from server.explore.answers import Answer
from server.explore.fold import apply
from server.explore.refusals import exhausted
from server.explore.state import Exhausted, RunState
from server.explore.states import State
from server.fold import dump
from server.store import NewEvent


@dataclass(frozen=True, slots=True)
class Outcome:
    """Without events nothing is appended and the run stays where it is."""

    answer: Answer
    events: Sequence[NewEvent] = ()
    state: State | None = None


def event(kind: str, actor: Any = "agent", **payload: Any) -> NewEvent:
    """Something that happened, its records as plain JSON values."""
    return NewEvent(kind, payload, actor)


def foreseen(state: RunState, events: Sequence[NewEvent]) -> RunState:
    """The run as it will stand after these events."""
    for one in events:
        state = apply(state, one.kind, one.payload, "")
    return state


def charge(state: RunState, asked: str, tokens: int) -> Outcome | None:
    """The end of a run whose reported tokens pass its cap; None if they do not."""
    spent, limit = state.spent + tokens, state.opening.contract.max_tokens
    if spent <= limit:
        return None
    gone = Exhausted("tokens", limit, spent)
    payload: dict[str, Any] = {"reported": tokens, "state": "ended"}
    if state.exhausted is None:
        payload["exhausted"] = dump(gone)
    answer = exhausted(asked, gone.kind, gone.limit, gone.spent)
    return Outcome(answer, (NewEvent("charged", payload),), "ended")


def moved(outcome: Outcome, state: State) -> Outcome:
    """The same outcome, leading to this state."""
    return replace(outcome, state=state)
