"""The talk at the terminal in which a person decides, candidate by candidate."""

from dataclasses import dataclass, field

import click

from server.anchors import anchors_in, may_vouch
from server.dig_state import DigState
from server.refusals import Refusal
from server.replies import Answer
from server.report import shown_ids
from server.review import Choices, Hand, Review
from server.shown import quoted, visible_line
from server.store import UnknownRun

END_OF_TEXT = "."


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
    state = _loaded(review, dig)
    if isinstance(state, Refusal):
        return state
    click.echo(f"\n{visible_line(state.context.title)} — {state.dig}\n")
    assert state.report is not None  # what _loaded makes sure of
    click.echo(state.report.text)
    while True:
        notes = _candidates(review, state)
        if notes is None:
            return None
        if isinstance(notes, DigState):
            state = notes  # another passage was taken: the report is new, so all is asked anew
            continue
        answer = _conclude(review, state, notes)
        if not isinstance(answer, Refusal):
            return answer
        click.echo(f"\n{answer.text}\n")


def _loaded(review: Review, dig: str) -> DigState | Refusal:
    from server import refusals, steps

    try:
        state = review.digs.load(dig)
    except UnknownRun:
        return refusals.unknown_dig("decide")
    if state.report is None or not steps.permits(state.state, "add_passage"):
        return refusals.wrong_step("decide", state.state, steps.TOOLS[state.state], state.dig)
    return state


def _candidates(review: Review, state: DigState) -> Notes | DigState | None:
    notes = Notes()
    assert state.report is not None
    shown = shown_ids(state, state.report.anchors)
    for number, id_ in enumerate(shown, start=1):
        click.echo("\n" + _described(state, id_, f"{number} of {len(shown)}"))
        match _asked("[k]eep, [d]rop, [n]ext passage of this file, [q]uit", "kdnq"):
            case "k":
                notes.keep.append(id_)
                _vouch(state, id_, notes)
            case "d":
                notes.drop.append(id_)
            case "n":
                hand = Hand("local", "terminal", state.report.sha256)
                answer = review.another_passage(state.dig, hand, id_)
                if isinstance(answer, Refusal):
                    click.echo(answer.text)
                return review.digs.load(state.dig)
            case _:
                return None
    return notes


def _conclude(review: Review, state: DigState, notes: Notes) -> Answer | None:
    kept, dropped = (", ".join(ids) or "none" for ids in (notes.keep, notes.drop))
    click.echo(f"\nKeep: {kept}. Drop: {dropped}.")
    if state.context.voice == "Carbon" and not _anchored(state, notes):
        click.echo("No kept excerpt anchors the voice: point to a file, or dictate a passage.")
    question = "[c]onfirm, [r]edirect the dig, [p]oint to a file, d[i]ctate, start [o]ver, [q]uit"
    letter = _asked(question, "crpioq")
    if letter == "o":
        return interview(review, state.dig)
    return None if letter == "q" else _done(review, state, notes.choices(), letter)


def _done(review: Review, state: DigState, choices: Choices, letter: str) -> Answer:
    assert state.report is not None
    hand = Hand("local", "terminal", state.report.sha256)
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


def _described(state: DigState, id_: str, place: str) -> str:
    candidate = state.candidates[id_]
    score = state.scores.get(id_)
    role = candidate.row.role or "no role"
    lines = [f"--- {place}: {id_}  {visible_line(candidate.row.path)}  ({role})"]
    if id_ in state.connections:
        lines.append(f"    the agent's words: {visible_line(state.connections[id_])}")
    if score is not None:
        lines.append(f"    the agent scored it {score.embodies}: {visible_line(score.why)}")
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


def _asked(question: str, letters: str) -> str:
    answer: str = click.prompt(
        question, type=click.Choice(list(letters), case_sensitive=False), show_choices=False
    )
    return answer.lower()


def _written(label: str) -> str:
    """Several lines from the person, ended by a line that holds only a full stop."""
    click.echo(f"{label} (end with a line that holds only {END_OF_TEXT}):")
    lines: list[str] = []
    while (line := click.prompt("", prompt_suffix="> ", default="", show_default=False)) != ".":
        lines.append(line)
    return "\n".join(lines)
