"""The host's form about a report: what it says, and what an answer to it comes to."""

from dataclasses import dataclass
from typing import Literal

from gates.human import strong_enough
from server.config import Settings
from server.dig_state import Decision, DigState
from server.fold import dump
from server.moves.outcome import Outcome
from server.passphrase import weakest_that_counts
from server.refusals import Refusal
from server.report import shown_ids
from server.shown import visible_line
from server.status import page_of, status_of
from server.store import NewEvent

Choice = Literal["keep all", "drop all", "decide elsewhere", "no answer"]


@dataclass(frozen=True, slots=True)
class Question:
    """A form's text, a pure function of the store, and the report it is about."""

    report_sha256: str
    text: str


@dataclass(frozen=True, slots=True)
class Opening:
    """A page to open, why, and the report that waits there."""

    report_sha256: str
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class FormAnswer:
    """What a client said to the form about one report."""

    report_sha256: str
    choice: Choice


def question_about(state: DigState) -> Question | None:
    """The form for this dig, once for each report and only while a decision is missing."""
    report = state.report
    if state.state != "reported" or report is None or report.sha256 in state.asked:
        return None
    # Hosts show three lines and fold the rest: what is decided on stands in the first one.
    text = (
        f"Decide on dig {state.dig}, report {report.sha256[:12]}: keep or drop all of it?\n"
        f"{visible_line(state.context.title)}\n"
        f"One by one, with the evidence: expedition decide {state.dig}\n\n{report.text}"
    )
    return Question(report.sha256, text)


def opening_of(state: DigState, page: str | None) -> Opening | None:
    """The dig's page, once for each report and only while a decision is missing."""
    if page is None or (question := question_about(state)) is None:
        return None
    first, title, *_ = question.text.split("\n")
    return Opening(question.report_sha256, page, f"{first}\n{title}\nThe evidence is on the page.")


def hear(state: DigState, answer: FormAnswer, settings: Settings) -> Outcome:
    """Record what the client answered, unless it is about another report or was recorded already.

    Anything but an explicit keep or drop counts as not asked: the other ways stay open. So does
    every answer where the host's word does not count.
    """
    if (question := question_about(state)) is None or state.report is None:
        return Outcome(status_of(state))
    if question.report_sha256 != answer.report_sha256:
        return Outcome(status_of(state))
    asked = _client("asked", report_sha256=answer.report_sha256, outcome=answer.choice)
    waiting = not_decided(state, page_of(settings, state))
    if not strong_enough("client", weakest_that_counts(settings)).passed:
        return Outcome(waiting, (asked,), "reported", replay=False)
    ids = shown_ids(state, state.report.anchors)
    match answer.choice:
        case "keep all":
            decided = _decision(answer, keep=ids, drop=())
            return Outcome(status_of(state), (asked, decided), "decided", replay=False)
        case "drop all":
            gone = _client("abandoned", reason="every candidate was dropped")
            events = (asked, _decision(answer, keep=(), drop=ids), gone)
            return Outcome(nothing_kept(), events, "abandoned", replay=False)
        case _:
            return Outcome(waiting, (asked,), "reported", replay=False)


def _decision(answer: FormAnswer, keep: tuple[str, ...], drop: tuple[str, ...]) -> NewEvent:
    decision = Decision("client", "elicitation", answer.report_sha256, keep, drop)
    return _client("decided", decision=dump(decision))


def _client(kind: str, **payload: object) -> NewEvent:
    return NewEvent(kind, payload, actor="client")


def not_decided(state: DigState, page: str | None = None) -> Refusal:
    """The brief waits for a person; the way that always works is named, and the page that runs."""
    also = f", or on the page {page}" if page else ""
    return Refusal(
        gate="decided_by_person",
        flag="NOT_DECIDED",
        asked="assemble_brief",
        reason="no person has decided on this report; nothing said in a chat counts",
        remedy=f"end your turn; a person decides with: expedition decide {state.dig}{also}",
    )


def nothing_kept() -> Refusal:
    """The person dropped everything."""
    return Refusal(
        gate="something_kept",
        flag="NOTHING_KEPT",
        asked="assemble_brief",
        reason="the person dropped every candidate",
        remedy="open a new dig",
    )
