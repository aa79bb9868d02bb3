"""An answer that somebody laid into the review inbox: taken if it is one, else reported."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from server.explore.artefacts import ANSWER, file_name, kept, loads, write
from server.explore.review import Said, misanswered
from server.explore.state import Choice, PlanReview, RunState

_MOST_BYTES = 256 * 1024
_KEYS = {"run", "index", "decision", "feedback", "question_sha256"}


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why what lies there answers nothing."""

    reason: str


def waiting(state: RunState) -> Said | NoAnswer | None:
    """The answer that lies in the inbox of a run that waits for one."""
    if state.question is None:
        return None
    path = Path(state.opening.inbox) / file_name(state.run, ANSWER)
    try:
        sent = loads(kept(path, _MOST_BYTES))
    except FileNotFoundError:
        return None
    except OSError as trouble:
        return NoAnswer(f"{path.name} cannot be read: {trouble.strerror}")
    except ValueError:
        return NoAnswer(f"{path.name} is no JSON in which each key stands once")
    if not isinstance(sent, dict):
        return NoAnswer(f"{path.name} is no JSON object")
    return _judged(cast("dict[str, Any]", sent), state)


def keep_copy(state: RunState, review: PlanReview) -> Path:
    """The recorded answer as the file that could have brought it."""
    content = {
        "run": state.run,
        "index": review.index,
        "decision": review.decision,
        "feedback": review.feedback,
    }
    return write(Path(state.opening.inbox), state.run, ANSWER, content)


def _judged(sent: dict[str, Any], state: RunState) -> Said | NoAnswer | None:
    question = state.question
    assert question is not None  # what waiting has made sure of
    index, decision, feedback = (
        sent.get("index"),
        sent.get("decision"),
        sent.get("feedback", ""),
    )
    # true and 0.0 are equal to numbers, and are none
    if type(index) is not int or index != question.index:
        if _is_known(state, index, decision, feedback):
            return None  # the copy of an answer that was taken long ago
        return NoAnswer(f"it does not answer question {question.index}, which is open")
    if reason := _complaint(sent, state):
        return NoAnswer(reason)
    choice: Choice = "approve" if decision == "approve" else "revise"
    return Said(index=question.index, decision=choice, feedback=str(feedback), way="inbox")


def _complaint(sent: dict[str, Any], state: RunState) -> str:
    """Why a file that names the open question is no answer to it; empty if it is one."""
    decision, feedback = sent.get("decision"), sent.get("feedback", "")
    seal = state.question.sha256 if state.question else ""
    if unknown := sorted(set(sent) - _KEYS):
        return f"it has an unknown field: {unknown[0]}"
    if sent.get("run") != state.run:
        return "it names another run"
    if not isinstance(decision, str) or not isinstance(feedback, str):
        return "decision and feedback are texts"
    if sent.get("question_sha256", seal) != seal:
        return "it answers another question: question_sha256 differs"
    return misanswered(decision, feedback)


def _is_known(state: RunState, index: object, decision: object, feedback: object) -> bool:
    return any(
        (review.index, review.decision, review.feedback) == (index, decision, feedback)
        for review in state.reviews
    )
