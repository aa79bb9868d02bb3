"""The plans of explorations that wait for a person: shown in full, approved or sent back."""

from dataclasses import dataclass

from server.explore.explorations import Explorations
from server.explore.review import NO_PROGRESS, Said, misanswered
from server.explore.state import Choice, Level, Question, RunState
from server.page.complaints import STALE, Complaint, said
from server.page.hand import hand_of
from server.page.posted import Posted
from server.page.rendering import Away, Sheet, Shown
from server.page.security import Seal
from server.page.views import summarised
from server.passphrase import is_set
from server.refusals import Refusal

UNCLEAR = Complaint("Approve the plan, or say what to change: one of the two.", "answer")
ANSWERED = Complaint(
    "This question is not open any more. Nothing was recorded; this is how the run stands now."
)


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A run whose plan waits, in a list."""

    run: str
    objective: str
    number: int
    stalled: bool


class PlanDesk:
    """Shows open plan reviews and records what a person answers; to show one changes nothing."""

    def __init__(self, explorations: Explorations, seal: Seal) -> None:
        self.explorations = explorations
        self.seal = seal

    def waiting(self) -> tuple[PlanLine, ...]:
        """The runs that wait for a person, newest first."""
        lines = [
            PlanLine(
                state.run, state.opening.objective, question.index + 1, question.plan.is_stalled
            )
            for state in reversed(self.explorations.ledger.runs())
            if (question := state.question) is not None
        ]
        return tuple(lines)

    def plan(self, run: str) -> Sheet:
        """The open question of a run, and what was answered before; raises UnknownRun."""
        return self._plan(self.explorations.load(run))

    def record(self, run: str, posted: Posted) -> Shown:
        """Record the answer, if it is one to the very question that was shown."""
        state = self.explorations.load(run)
        question = state.question
        asked = posted.field("question")
        if not self.seal.knows(posted.cookie, posted.field("token"), "plan", run, asked):
            return self._plan(state, STALE, posted, 403)
        if question is None or _name(question) != asked:
            return self._plan(state, ANSWERED, posted, 409)
        decision, feedback = posted.field("decision"), posted.field("feedback")
        if decision not in ("approve", "revise") or misanswered(decision, feedback):
            return self._plan(state, UNCLEAR, posted, 422)
        hand = hand_of(self.explorations.settings.state, posted.fields, "")
        if isinstance(hand, Refusal):
            return self._plan(state, said(hand), posted, 403)
        choice: Choice = "approve" if decision == "approve" else "revise"
        level: Level = "person" if hand.level == "person" else "local"
        words = feedback if choice == "revise" else ""
        answer = Said(question.index, choice, words, way="page", level=level)
        found = self.explorations.answer_review(run, answer)
        if isinstance(found, Refusal):
            return self._plan(self.explorations.load(run), said(found), posted, 409)
        return Away(f"/plans/{run}")

    def _plan(
        self,
        state: RunState,
        wrong: Complaint | None = None,
        posted: Posted | None = None,
        status: int = 200,
    ) -> Sheet:
        question, complaints = state.question, (wrong,) if wrong else ()
        asked = _name(question) if question else ""
        return Sheet(
            "plan.html",
            {
                "run": state.run,
                "objective": state.opening.objective,
                "state": state.state,
                "question": question,
                "number": question.index + 1 if question else 0,
                "progress": (question.plan.current_progress if question else "") or NO_PROGRESS,
                "reviews": state.reviews,
                "asked": asked,
                "feedback": posted.field("feedback") if posted else "",
                "passphrase": is_set(self.explorations.settings.state),
                "complaints": complaints,
                "complaint_title": summarised(complaints),
                "token": self.seal.token("plan", state.run, asked),
            },
            status,
        )


def _name(question: Question) -> str:
    """What tells one question of a run from every other."""
    return f"{question.index} {question.sha256}"
