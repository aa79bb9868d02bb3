"""What a move comes to: an answer, the events to append, and the state they lead to."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from server import refusals, steps
from server.dig_state import DigState, Failure
from server.fold import dump
from server.refusals import Refusal
from server.replies import Answer
from server.steps import State
from server.store import NewEvent, canonical


@dataclass(frozen=True, slots=True)
class Outcome:
    """`state` is where the events lead; without events nothing is appended.

    `replay` says whether the same call gets the same answer again; `seq` is how many events the dig
    has by now, if the move itself had to record one before it could go on.
    """

    answer: Answer
    events: tuple[NewEvent, ...] = ()
    state: State | None = None
    replay: bool = True
    seq: int | None = None

    def flagged(self, flags: tuple[str, ...]) -> "Outcome":
        """The same, its answer and its events flagged with these too if it rests on a judgement."""
        judgement = any("flags" in event.payload for event in self.events)
        if not (flags and judgement):
            return self
        events = tuple(_with_flags(event, flags) for event in self.events)
        if isinstance(self.answer, Refusal):
            return replace(self, events=events)
        more = {"flags": tuple(dict.fromkeys((*self.answer.flags, *flags)))}
        return replace(self, answer=self.answer.model_copy(update=more), events=events)


def attempt_of(arguments: Mapping[str, object]) -> str:
    """What makes two calls the same: SHA-256 of their canonical arguments."""
    return hashlib.sha256(canonical(arguments).encode("ascii")).hexdigest()


def counted_refusal(state: DigState, refusal: Refusal, step: int, batch: int = 0) -> Outcome:
    """A refusal that uses up one of the step's attempts; the second one fails the step."""
    refused = NewEvent(
        "refused", {"step": step, "batch": batch, "refusal": refusal.model_dump(mode="json")}
    )
    if not steps.fails(state.refusals_of(step, batch)):
        return Outcome(refusal, (refused,), state.state)
    return Outcome(
        refusals.step_failed(step, refusal.reason, refusal.asked, state.dig),
        (refused, failed(step, refusal.reason, batch)),
        "failed",
    )


def failed(step: int, reason: str, batch: int = 0, flags: Sequence[str] = ()) -> NewEvent:
    """The event that ends a step."""
    failure = dump(Failure(step, batch, reason))
    return NewEvent("failed", {"failure": failure, "flags": list(flags)})


def _with_flags(event: NewEvent, flags: tuple[str, ...]) -> NewEvent:
    if "flags" not in event.payload:
        return event
    return replace(event, payload={**event.payload, "flags": [*event.payload["flags"], *flags]})
