"""A person's answer to a plan, whichever way it came: recorded once for each question."""

from dataclasses import dataclass
from typing import Protocol

from index.text import visible
from server.explore.answers import Answered
from server.explore.outcome import Outcome, event
from server.explore.refusals import refuse
from server.explore.state import Choice, Level, PlanReview, Question, RunState, Way
from server.explore.states import State, moves
from server.fold import dump
from server.refusals import Refusal

ASKED = "review"
NO_PROGRESS = "(no progress ledger yet)"


class PlanReviewInputError(Exception):
    """The input ended before there was an answer; silence approves nothing."""


class Streams(Protocol):
    """Where a question is asked: a line in (None at the end), text out."""

    def read(self) -> str | None:
        """The next line without its end."""
        ...

    def write(self, text: str) -> None:
        """Show a text."""
        ...


@dataclass(frozen=True, slots=True)
class Said:
    """One answer: to which question, what, and in which words."""

    index: int
    decision: Choice
    feedback: str = ""
    way: Way = "terminal"
    level: Level = "local"


def answer(state: RunState, said: Said, person_only: bool = False) -> Outcome:
    """The answer recorded; the same again changes nothing, and another one is refused."""
    for review in state.reviews:
        if review.index == said.index:
            return Outcome(_again(review, said, state))
    question = state.question
    if question is None or question.index != said.index:
        return Outcome(_refused(f"no question #{said.index + 1} is open", state))
    if person_only and said.level != "person":
        reason = "a passphrase is set, so an answer counts only with it"
        return Outcome(_refused(reason, state))
    if complaint := misanswered(said.decision, said.feedback):
        return Outcome(_refused(complaint, state))
    review = _review(state, question, said)
    to: State = "ready"
    if said.decision == "revise":
        to = "planning" if review.applied else "ended"
    recorded = event("review_answered", "person", review=dump(review), state=to)
    return Outcome(Answered(next=moves(to)), (recorded,), to)


def misanswered(decision: str, feedback: str) -> str:
    """Why this is no answer; empty if it is one."""
    if decision not in ("approve", "revise"):
        return "the decision is neither approve nor revise"
    if decision == "approve" and feedback.strip():
        return "an approval carries no words; send revise with them, or approve without"
    if decision == "revise" and not feedback.strip():
        return "a revision says what to change"
    return ""


def heard(line: str) -> tuple[Choice, str] | None:
    """What a typed line answers; None for everything that is no answer."""
    trimmed = line.strip()
    if trimmed == "approve":
        return "approve", ""
    if trimmed.startswith("revise ") and trimmed.removeprefix("revise ").strip():
        return "revise", trimmed.removeprefix("revise ")
    return None


def shown(question: Question) -> str:
    """The question as a person reads it, nothing hidden in it."""
    plan = question.plan
    parts = [f"PLAN REVIEW #{question.index + 1}"]
    if plan.is_stalled:
        parts.append("This plan replaces one that stalled.")
    parts += ["", visible(plan.plan), "", "Progress so far:"]
    parts.append(visible(plan.current_progress) if plan.current_progress else NO_PROGRESS)
    return "\n".join(parts)


def ask(question: Question, streams: Streams) -> tuple[Choice, str]:
    """Ask until there is an answer; raises PlanReviewInputError at the end of the input."""
    streams.write(f"{shown(question)}\n\n")
    while True:
        streams.write("Answer `approve`, or `revise` and what to change: ")
        line = streams.read()
        if line is None:
            raise PlanReviewInputError("the input ended before there was an answer")
        if found := heard(line):
            return found
        streams.write(f"Not an answer: '{visible(line.strip())}'.\n")


def _review(state: RunState, question: Question, said: Said) -> PlanReview:
    cap = state.opening.contract.max_plan_revisions
    return PlanReview(
        index=question.index,
        plan=question.plan.plan,
        is_stalled=question.plan.is_stalled,
        decision=said.decision,
        feedback=said.feedback,
        applied=said.decision == "approve" or state.revisions_applied < cap,
        way=said.way,
        level=said.level,
    )


def _again(review: PlanReview, said: Said, state: RunState) -> Answered | Refusal:
    if (review.decision, review.feedback) == (said.decision, said.feedback):
        return Answered(next=moves(state.state))
    return _refused(f"question #{said.index + 1} was answered with {review.decision}", state)


def _refused(reason: str, state: RunState) -> Refusal:
    remedy = f"see what is open: expedition explore show {state.run}"
    return refuse("INVALID_ARGUMENT", f"{ASKED} {state.run}", reason, remedy)
