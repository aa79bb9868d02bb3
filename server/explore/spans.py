"""The span of a run, made from its ledger when it ends; without a provider nothing happens."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from opentelemetry import trace
from opentelemetry.trace import Status, StatusCode

from server.explore.endings import ending_of
from server.explore.state import Driver, RunState
from server.store import Event

_FIELDS = (
    *("round_index", "is_request_satisfied", "is_in_loop", "is_progress_being_made"),
    *("next_speaker", "instruction_or_question", "speaker_known"),
)


def record_span(state: RunState, events: Sequence[Event]) -> None:
    """One span `exploration` with the run's own times, its events in their order."""
    tracer = trace.get_tracer("corpus-expedition")
    span = tracer.start_span(
        "exploration", attributes=_attributes(state), start_time=_nanoseconds(events[0].at)
    )
    plans = 0
    for event in events:
        if found := _told(event, plans, state.opening.driver):
            plans += event.kind == "plan_submitted"
            span.add_event(found[0], found[1], timestamp=_nanoseconds(event.at))
    ending = ending_of(state)
    if ending.failed or ending.exhausted:
        span.set_status(Status(StatusCode.ERROR, ending.name))
    span.end(end_time=_nanoseconds(events[-1].at))


def _attributes(state: RunState) -> dict[str, str]:
    opening = state.opening
    times = "when the loop's result was folded in" if opening.driver == "magentic" else "recorded"
    return {"run": state.run, "driver": opening.driver, "times": times}


def _told(event: Event, plans: int, driver: Driver) -> tuple[str, dict[str, Any]] | None:
    """An event of the ledger as the span names it; None for what a span does not tell."""
    payload = event.payload
    if event.kind == "plan_submitted":
        return ("replanned" if plans else "plan_created"), {"plan": payload["plan"]["plan"]}
    if event.kind == "round":
        row = payload["row"]
        return "progress_ledger_updated", {name: row[name] for name in _FIELDS}
    if event.kind == "review_asked":
        return "parked", {}
    return _pause(event, driver)


def _pause(event: Event, driver: Driver) -> tuple[str, dict[str, Any]] | None:
    """A park or its end; a plan that is answered where it was asked parks nothing."""
    if event.kind == "review_asked":
        parks = driver == "mcp" or event.payload["question"]["request_id"]
        return ("parked", {}) if parks else None
    # an agent goes on with the answer itself, the loop when it is resumed
    goes_on = "review_answered" if driver == "mcp" else "resumed"
    return ("resumed", {}) if event.kind == goes_on else None


def _nanoseconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp() * 1_000_000_000)
