"""The talk at the terminal in which a person decides, candidate by candidate."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import click

from server import refusals, steps
from server.anchors import anchors_in, may_vouch
from server.dig_state import DigState
from server.foreseen import as_refusals
from server.passphrase import is_set, verify
from server.refusals import Refusal
from server.replies import Answer
from server.report import shown_ids
from server.review import Choices, Hand, Review
from server.shown import quoted, visible_line

END_OF_TEXT = "."
_HINT = "##"
_OTHER_WAYS = (
    *("[r]edirect the dig", "[p]oint to a file", "d[i]ctate"),
    *("start [o]ver", "[q]uit"),
)

Again = Literal["again"]


@dataclass(slots=True)
class Notes:
    """What the person has said so far; nothing of it is recorded yet."""

    keep: list[str] = field(default_factory=list[str])
    drop: list[str] = field(default_factory=list[str])
    vouched: list[str] = field(default_factory=list[str])

    def choices(self) -> Choices:
        """The notes as a decision."""
        return Choices(tuple(self.keep), tuple(self.drop), tuple(self.vouched))


def interview(review: Review, dig: str) -> Answer | None:
    """Walk a person through the report; None if they leave without deciding."""
    while True:
        state = loaded(review, dig)
        if isinstance(state, Refusal):
            return state
        _open(review, state)
        answer = _once(review, state)
        if answer != "again":
            return answer
        click.echo("\nFrom the beginning, with the report as it is now:")


def _once(review: Review, state: DigState) -> Answer | Again | None:
    """All candidates, then what becomes of the whole."""
    notes = _candidates(review, state)
    if not isinstance(notes, Notes):
        return notes
    while True:
        answer = _conclude(review, state, notes)
        if not isinstance(answer, Refusal):
            return answer
        click.echo(f"\n{answer.text}")
        if answer.flag == "REPORT_VOID":
            return "again"


def loaded(review: Review, dig: str) -> DigState | Refusal:
    """The dig, if it has a report that something can be done with."""
    state = as_refusals("decide", lambda: review.digs.load(dig))
    if isinstance(state, Refusal):
        return state
    if state.report is None or not steps.permits(state.state, "add_passage"):
        return refusals.wrong_step("decide", state.state, steps.TOOLS[state.state], state.dig)
    return state


def _open(review: Review, state: DigState) -> None:
    assert state.report is not None  # what loaded makes sure of
    click.echo(f"\n{visible_line(state.context.title)} — {state.dig}\n")
    _show(state.report.text)
    if decision := state.decision:
        click.echo(
            f"\nThis report was decided on at {decision.at} ({decision.level}). You may redirect "
            "the dig, or point to a file or dictate and so decide anew."
        )
        if "decide" in review.deeds(state):
            click.echo("That decision does not count any more: decide anew.")


def _candidates(review: Review, state: DigState) -> Notes | Again | None:
    notes = Notes()
    assert state.report is not None
    shown = shown_ids(state, state.report.anchors)
    may_go_on = steps.permits(state.state, "another_passage")
    ways = ("[k]eep", "[d]rop", *(["[n]ext passage of this file"] if may_go_on else []), "[q]uit")
    for number, id_ in enumerate(shown, start=1):
        click.echo("\n" + _described(state, id_, f"{number} of {len(shown)}"))
        while (letter := _asked(ways)) == "n":
            hand = Hand("local", "terminal", state.report.sha256)
            answer = review.another_passage(state.dig, hand, id_)
            if not isinstance(answer, Refusal):
                return "again"
            click.echo(answer.text)
        if letter == "q":
            return None
        (notes.keep if letter == "k" else notes.drop).append(id_)
        if letter == "k":
            _vouch(state, id_, notes)
    return notes


def _conclude(review: Review, state: DigState, notes: Notes) -> Answer | Again | None:
    kept, dropped = (", ".join(ids) or "none" for ids in (notes.keep, notes.drop))
    click.echo(f"\nKeep: {kept}. Drop: {dropped}.")
    if not notes.keep:
        click.echo("Nothing is kept: to confirm that closes the dig for good.")
    elif state.context.voice == "Carbon" and not _anchored(state, notes):
        click.echo("No kept excerpt anchors the voice: point to a file, or dictate a passage.")
    confirm = ["[c]onfirm"] if "decide" in review.deeds(state) else []
    letter = _asked((*confirm, *_OTHER_WAYS))
    match letter:
        case "o":
            return "again"
        case "q":
            return None
        case _:
            return _done(review, state, notes.choices(), letter)


def _done(review: Review, state: DigState, choices: Choices, letter: str) -> Answer:
    assert state.report is not None
    hand = _hand(review, state.report.sha256)
    if isinstance(hand, Refusal):
        return hand
    match letter:
        case "r":
            return review.redirect(state.dig, hand, choices, _written("What to look for instead"))
        case "p":
            path = click.prompt("File, as the base names it")
            line = click.prompt("From line", type=int, default=1)
            return review.point(state.dig, hand, choices, (path, line))
        case "i":
            return review.dictate(state.dig, hand, choices, _written("Your passage"))
        case _:
            return review.decide(state.dig, hand, choices)


def _hand(review: Review, report_sha256: str) -> Hand | Refusal:
    """The hand at this terminal; refused where a passphrase is asked for and another is typed."""
    folder = review.digs.settings.state
    if not is_set(folder):
        return Hand("local", "terminal", report_sha256)
    typed: str = click.prompt("Your passphrase", hide_input=True, default="", show_default=False)
    proof = as_refusals("decide", lambda: verify(folder, typed, "decide"))
    return proof if isinstance(proof, Refusal) else Hand("person", "terminal", report_sha256)


def _described(state: DigState, id_: str, place: str) -> str:
    candidate = state.candidates[id_]
    score = state.scores.get(id_)
    role = candidate.row.role or "no role"
    lines = [f"--- {place}: {id_}  {visible_line(candidate.row.path)}  ({role})"]
    if id_ in state.connections:
        lines.append(f"    {state.judged_by}'s words: {visible_line(state.connections[id_])}")
    if score is not None:
        lines.append(f"    {state.judged_by} scored it {score.embodies}: {visible_line(score.why)}")
    if rejection := state.rejections.get(id_):
        lines.append(f"    no excerpt: {rejection.flag}, {rejection.reason}")
    if evidence := state.evidence.get(id_):
        excerpt, voice = evidence.excerpt, evidence.voice
        lines += [
            f"    lines {excerpt.first_line}-{excerpt.last_line}, {excerpt.words} words, "
            f"first person: {voice.outcome} ({voice.paragraphs} paragraphs)",
            *(f"    flag: {flag}" for flag in evidence.flags),
            quoted(excerpt.text),
        ]
    return "\n".join(lines)


def _vouch(state: DigState, id_: str, notes: Notes) -> None:
    if may_vouch(state, id_) and click.confirm(
        "The program cannot tell whose voice this is. Do you vouch that it is lived?"
    ):
        notes.vouched.append(id_)


def _anchored(state: DigState, notes: Notes) -> bool:
    return bool(anchors_in(state, tuple(notes.keep)) or notes.vouched)


def _asked(ways: Sequence[str]) -> str:
    """The letter in brackets of the way that the person takes."""
    letters = [way[way.index("[") + 1] for way in ways]
    answer: str = click.prompt(
        ", ".join(ways), type=click.Choice(letters, case_sensitive=False), show_choices=False
    )
    return answer.lower()


def _show(text: str) -> None:
    """A text, through the person's own pager where it is longer than the screen."""
    if os.environ.get("PAGER") and text.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(text)
    else:
        click.echo(text)


def _written(label: str) -> str:
    """Several lines from the person: in their own editor, or ended by a lone full stop."""
    if os.environ.get("VISUAL") or os.environ.get("EDITOR"):
        hint = f"\n{_HINT} {label}. Lines like this one are left out.\n"
        try:
            lines = (click.edit(hint) or "").splitlines()
        except (click.ClickException, OSError, ValueError) as trouble:
            # nothing of what was answered before may be lost by it
            click.echo(f"Nothing came back from the editor: {visible_line(str(trouble))}")
            return ""
        return "\n".join(line for line in lines if not line.startswith(_HINT)).strip()
    click.echo(f"{label} (end with a line that holds only {END_OF_TEXT}):")
    line = partial(click.prompt, "", prompt_suffix="> ", default="", show_default=False)
    return "\n".join(iter(line, END_OF_TEXT))
