"""What is wrong with a form, said before anything is recorded; `review` judges again in the end."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.dig_state import DigState
from server.page.forms import Form
from server.page.pictures import shortened
from server.refusals import Refusal
from server.report import shown_ids
from server.steps import Deed

_NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Complaint:
    """What to mend, and the id of the element on the page where."""

    text: str
    at: str = ""


STALE = Complaint(
    "This page was started anew, or something changed, since the form was made. Nothing was "
    "recorded. What you said is still here: look at it once more, and go on."
)
_OVER = Complaint("This dig does not wait for that any more. Nothing was recorded.")
_VOID = Complaint(
    "The report has changed since you opened this page, so nothing was recorded. This is the "
    "report as it is now: please look at it again."
)


def complaints(form: Form, state: DigState, deeds: Sequence[Deed]) -> tuple[Complaint, ...]:
    """Everything that a person must mend before the form can be recorded; empty if all is well.

    `deeds` are those open to a person now.
    """
    report = state.report
    deed = "add_passage" if form.deed in ("point", "dictate") else form.deed
    if report is None or state.brief is not None:
        return (_OVER,)
    if form.report != report.sha256:
        return (_VOID,)
    if deed and deed not in deeds:
        return (_OVER,)
    found = [*_undecided(form, state, shown_ids(state, report.anchors)), *_unwritten(form)]
    return tuple(found)


def said(refusal: Refusal) -> Complaint:
    """A refusal in the words of the page; its next move is a person's."""
    near = f" Near: {', '.join(refusal.neighbours)}." if refusal.neighbours else ""
    return Complaint(f"Nothing was recorded: {refusal.reason}. Next: {refusal.remedy}.{near}")


def _undecided(form: Form, state: DigState, shown: tuple[str, ...]) -> list[Complaint]:
    found: list[Complaint] = []
    for id_ in shown:
        name = shortened(state.candidates[id_].row.path, _NAME_LENGTH)
        if form.deed != "redirect" and id_ not in form.choices:
            found.append(Complaint(f"Keep or drop {name}?", id_))
        if id_ in form.vouched and form.choices.get(id_) != "keep":
            found.append(Complaint(f"You vouch for {name}, but do not keep it.", id_))
    return found


def _unwritten(form: Form) -> list[Complaint]:
    """What the chosen deed needs in words."""
    found: list[Complaint] = []
    if not form.deed:
        found.append(Complaint("Say what shall happen.", "deed"))
    if form.deed == "point" and not form.file.strip():
        found.append(Complaint("Name the file that you point to.", "file"))
    if form.deed == "point" and not _is_line(form.line):
        found.append(Complaint("The line to start from is a whole number.", "line"))
    if form.deed == "dictate" and not form.passage.strip():
        found.append(Complaint("Write the passage that you dictate.", "passage"))
    if form.deed == "redirect" and not form.words.strip():
        found.append(Complaint("Tell the agent what to look for instead.", "words"))
    return found


def _is_line(text: str) -> bool:
    return not text.strip() or (
        text.strip().isascii() and text.strip().isdigit() and len(text.strip()) <= 7
    )
