"""Events folded into the state of an exploration: one small function a kind, listed once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from index.faults import StorageTrouble
from server.explore.state import (
    Call,
    Declaration,
    Exhausted,
    Hypothesis,
    Opening,
    Plan,
    PlanReview,
    Question,
    Row,
    RunState,
    Validation,
)
from server.fold import revive
from server.store import Event, Payload, Run


def fold(run: Run, events: Sequence[Event]) -> RunState:
    """The state after all events; raises StorageTrouble where they do not add up."""
    try:
        first = events[0]
        if first.kind != "opened":
            raise KeyError(first.kind)
        opening = revive(Opening, first.payload["opening"])
        state = RunState(run.run, first.seq, first.hash, first.at, opening)
        return advance(state, events[1:], run.state)
    except (KeyError, IndexError, TypeError, ValidationError) as wrong:
        raise StorageTrouble(
            f"{run.run} has an event this program cannot read ({wrong!r})",
            "use the program that wrote it, or restore a backup of the state directory",
        ) from wrong


def advance(state: RunState, events: Sequence[Event], to: str) -> RunState:
    """The state after further events, which must lead to where the run is said to be."""
    for event in events:
        changed = apply(state, event.kind, event.payload, event.at)
        state = replace(changed, seq=event.seq, head=event.hash)
    if state.state != to:
        raise StorageTrouble(f"{state.run} is said to be {to}, its events say {state.state}")
    return state


def apply(state: RunState, kind: str, payload: Payload, at: str) -> RunState:
    """The state after something happened; what it spent and where it led any kind may say."""
    return _consequences(_KINDS[kind](state, payload, at), payload)


def _consequences(state: RunState, payload: Payload) -> RunState:
    changes: dict[str, Any] = {}
    if "state" in payload:
        changes["state"] = payload["state"]
    if payload.get("state") in ("ended", "closed"):
        changes["question"] = None  # nobody is asked for a run that is over
    if "reported" in payload:
        changes["reported"] = state.reported + int(payload["reported"])
    if payload.get("exhausted"):
        changes["exhausted"] = revive(Exhausted, payload["exhausted"])
    return replace(state, **changes) if changes else state


def _begun(state: RunState, payload: Payload, at: str) -> RunState:
    call = revive(Call, {**payload["call"], "seq": len(state.calls) + 1, "at": at})
    return replace(state, calls=(*state.calls, call))


def _ended_call(state: RunState, payload: Payload, at: str) -> RunState:
    number = int(payload["call"])
    calls = list(state.calls)
    calls[number - 1] = replace(calls[number - 1], **payload["entry"])
    changed = replace(
        state, calls=tuple(calls), delivered=state.delivered + int(payload["entry"]["tokens"])
    )
    return _effects(changed, payload.get("effects", {}), at)


def _effects(state: RunState, effects: Mapping[str, Any], at: str) -> RunState:
    """What a call changed beside the trace."""
    if "declaration" in effects:
        made = revive(Declaration, effects["declaration"])
        state = replace(state, declarations=(*state.declarations, made))
    if "validation" in effects:
        asked = revive(Validation, {**effects["validation"], "at": at})
        state = replace(state, validations=(*state.validations, asked))
    if "hypothesis" in effects:
        committed = revive(Hypothesis, effects["hypothesis"])
        state = replace(state, hypotheses=(*state.hypotheses, committed))
    return state


def _planned(state: RunState, payload: Payload, at: str) -> RunState:
    plan = revive(Plan, payload["plan"])
    return replace(state, plans=(*state.plans, plan), stalled=False)


def _asked(state: RunState, payload: Payload, at: str) -> RunState:
    return replace(state, question=revive(Question, payload["question"]))


def _answered(state: RunState, payload: Payload, at: str) -> RunState:
    review = revive(PlanReview, {**payload["review"], "at": at})
    # a plan that was sent back still has to replace the one that stalled
    again = review.is_stalled and review.decision == "revise"
    return replace(
        state,
        reviews=(*state.reviews, review),
        question=None,
        answered=state.question,
        stalled=again,
    )


def _round(state: RunState, payload: Payload, at: str) -> RunState:
    row = revive(Row, {**payload["row"], "at": at})
    return replace(
        state,
        rows=(*state.rows, row),
        stall_count=int(payload["stall_count"]),
        resets=int(payload["resets"]),
        stalled=bool(payload["stalled"]),
        last_reply=payload["reply"],
    )


def _lost(state: RunState, payload: Payload, at: str) -> RunState:
    lost = replace(state, rounds_lost=state.rounds_lost + 1)
    resets = int(payload.get("resets", state.resets))
    return replace(lost, resets=resets, stall_count=0, stalled=True)


def _hypothesised(state: RunState, payload: Payload, at: str) -> RunState:
    return _effects(state, payload["effects"], at)


def _same(state: RunState, payload: Payload, at: str) -> RunState:
    return state


def _parked(state: RunState, payload: Payload, at: str) -> RunState:
    return replace(state, kept=int(payload.get("index", state.kept)))


def _resumed(state: RunState, payload: Payload, at: str) -> RunState:
    taken = int(payload.get("index", state.taken))
    question = None if payload.get("withdrawn") else state.question
    return replace(state, resumed=state.resumed + 1, taken=taken, question=question)


def _ended(state: RunState, payload: Payload, at: str) -> RunState:
    return replace(state, failed=str(payload.get("failed", "")), question=None)


def _closed(state: RunState, payload: Payload, at: str) -> RunState:
    return replace(state, reply=payload["reply"])


_KINDS: Mapping[str, Callable[[RunState, Payload, str], RunState]] = {
    "call_begun": _begun,
    "call_ended": _ended_call,
    "plan_submitted": _planned,
    "review_asked": _asked,
    "review_answered": _answered,
    "round": _round,
    "round_lost": _lost,
    "hypothesised": _hypothesised,
    "charged": _same,
    "parked": _parked,
    "resumed": _resumed,
    "ended": _ended,
    "closed": _closed,
}
