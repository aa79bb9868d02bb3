"""A plan: in force at once, or put to a person first."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from server.explore.answers import Planned
from server.explore.artefacts import QUESTION, file_name, rendered
from server.explore.outcome import Outcome, charge, event, foreseen
from server.explore.parked import question_of
from server.explore.state import Plan, Question, RunState
from server.explore.states import State, moves
from server.fold import dump
from server.store import NewEvent

LONGEST_PLAN = 20_000
ASKED = "submit_plan"


def submit(
    state: RunState, plan: str, progress: str, tokens: int, checkpoint: Mapping[str, str] = {}
) -> Outcome:
    """The plan recorded; with a review the run parks until a person has answered."""
    if gone := charge(state, ASKED, tokens):
        return gone
    record = Plan(plan, progress, state.stalled)
    submitted = event("plan_submitted", plan=dump(record), reported=tokens)
    if not state.opening.contract.enable_plan_review:
        ready = NewEvent("plan_submitted", {**submitted.payload, "state": "ready"})
        return Outcome(_reply("ready"), (ready,), "ready")
    asked = _asked(state, submitted, Question(len(state.reviews), record, **checkpoint))
    reply = _reply("awaiting_review", state.run, len(state.reviews))
    return Outcome(reply, (submitted, asked), "awaiting_review")


def _asked(state: RunState, submitted: NewEvent, question: Question) -> NewEvent:
    """The question with the seal of the file that shows it."""
    waiting = replace(foreseen(state, [submitted]), question=question, state="awaiting_review")
    seal = hashlib.sha256(rendered(question_of(waiting))).hexdigest()
    sealed = replace(question, sha256=seal)
    return event("review_asked", question=dump(sealed), state="awaiting_review")


def _reply(state: State, run: str = "", index: int | None = None) -> Planned:
    waits = index is not None
    return Planned(
        state=state,
        review=index,
        question=file_name(run, QUESTION) if waits else "",
        command=f"expedition explore review {run}" if waits else "",
        flags=("AWAITING_REVIEW",) if waits else (),
        next=moves(state),
    )
