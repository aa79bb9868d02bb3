"""`expedition decide`: the interview at a real terminal, and what happens where there is none."""

import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from pathlib import Path

import click.testing
import pytest

from server.brief_text import read_brief
from server.dig import Digs
from server.dig_state import DigState
from server.review import Choices, Review
from server.store import Store
from tests.digging import decide, drive, finish, hand_on, open_dig, reported, shown
from tests.terminal import COMMAND, Terminal, at_terminal

CANDIDATE = "[n]ext passage of this file, [q]uit: "
END = "[c]onfirm, [r]edirect the dig, [p]oint to a file, d[i]ctate, start [o]ver, [q]uit: "
DECIDED_END = "\n[r]edirect the dig, [p]oint to a file, d[i]ctate, start [o]ver, [q]uit: "
DICTATED = ("I waited on the stairs and I did not put the lamp on.", "", "I was proud of the dark.")
Command = Callable[..., click.testing.Result]


@pytest.fixture
def state(digs: Digs) -> DigState:
    return reported(digs)


def options(digs: Digs) -> list[str]:
    return ["--kb", digs.settings.bases[0].root, "--state", str(digs.settings.state)]


@pytest.fixture
def deciding(digs: Digs, state: DigState) -> Callable[[], AbstractContextManager[Terminal]]:
    return lambda: at_terminal(["decide", state.dig, *options(digs)])


Deciding = Callable[[], AbstractContextManager[Terminal]]


@pytest.mark.requirement("decide:terminal")
@pytest.mark.parametrize("by_signal", [True, False], ids=["Ctrl-C", "Ctrl-D"])
def test_who_breaks_off_is_told_that_nothing_was_decided(
    deciding: Deciding, digs: Digs, state: DigState, by_signal: bool
) -> None:
    with deciding() as terminal:
        terminal.expect(CANDIDATE)
        terminal.break_off(by_signal=by_signal)
        assert terminal.end() == 1
    assert "Nothing was decided; the report waits." in terminal.text
    assert digs.load(state.dig) == state


@pytest.mark.requirement("decide:terminal")
def test_a_person_keeps_drops_and_confirms(deciding: Deciding, digs: Digs, state: DigState) -> None:
    first, *others = shown(state)
    with deciding() as terminal:
        terminal.expect("=== END DIG REPORT ===")
        terminal.expect(f"1 of {len(shown(state))}: {first}")
        terminal.type_in(CANDIDATE, "D")
        for _ in others:
            terminal.type_in(CANDIDATE, "k")
        terminal.expect(f"Keep: {', '.join(others)}. Drop: {first}.")
        assert digs.load(state.dig).decision is None
        terminal.type_in(END, "c")
        assert terminal.end() == 0
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert (decision.level, decision.way) == ("local", "terminal")
    assert (decision.keep, decision.drop) == (tuple(others), (first,))
    assert f"{state.dig} is decided\n" in terminal.text
    assert f"expedition brief {state.dig}" in terminal.text


@pytest.mark.requirement("decide:terminal")
def test_the_evidence_is_before_the_persons_eyes(
    deciding: Deciding, digs: Digs, state: DigState
) -> None:
    first = shown(state)[0]
    excerpt = state.evidence[first].excerpt
    with deciding() as terminal:
        terminal.type_in(CANDIDATE, "q")
        assert terminal.end() == 1
    assert all(f"> {line}" in terminal.text for line in excerpt.text.splitlines() if line)
    assert f"lines {excerpt.first_line}-{excerpt.last_line}, {excerpt.words} words" in terminal.text
    assert f"the agent scored it {state.scores[first].embodies}: " in terminal.text
    assert "Nothing was decided; the report waits." in terminal.text
    assert digs.load(state.dig) == state


@pytest.mark.requirement("decide:terminal")
def test_dropping_all_is_said_to_close_the_dig(
    deciding: Deciding, digs: Digs, state: DigState
) -> None:
    with deciding() as terminal:
        for _ in shown(state):
            terminal.type_in(CANDIDATE, "d")
        terminal.expect("Nothing is kept: to confirm that closes the dig for good.")
        terminal.type_in(END, "c")
        assert terminal.end() == 0
    assert digs.load(state.dig).state == "abandoned"


@pytest.mark.requirement("decide:terminal")
def test_a_person_redirects_with_words_of_several_lines(
    deciding: Deciding, digs: Digs, state: DigState
) -> None:
    first, *others = shown(state)
    with deciding() as terminal:
        terminal.type_in(CANDIDATE, "k")
        for _ in others:
            terminal.type_in(CANDIDATE, "d")
        terminal.type_in(END, "r")
        terminal.type_in("What to look for instead", "Look at the sea,", "not the oven.", ".")
        assert terminal.end() == 0
    after = digs.load(state.dig)
    assert after.redirects == ("Look at the sea,\nnot the oven.",)
    assert (after.state, after.kept, after.dropped) == ("opened", (first,), tuple(others))


@pytest.mark.requirement("decide:terminal")
def test_a_person_points_to_a_file_after_a_slip(
    deciding: Deciding, digs: Digs, state: DigState
) -> None:
    with deciding() as terminal:
        for _ in shown(state):
            terminal.type_in(CANDIDATE, "k")
        terminal.type_in(END, "p")
        terminal.type_in("File, as the base names it: ", "Logs/kilm.md")
        terminal.type_in("From line [1]: ", "")
        terminal.expect("(near: Logs/kiln.md")
        terminal.type_in(END, "p")
        terminal.type_in("File, as the base names it: ", "Logs/kiln.md")
        terminal.type_in("From line [1]: ", "7")
        assert terminal.end() == 0
    after = digs.load(state.dig)
    assert after.state == "decided"
    assert after.evidence["added_1"].excerpt.path == "Logs/kiln.md"


@pytest.mark.requirement("decide:terminal")
def test_a_person_dictates_a_passage(deciding: Deciding, digs: Digs, state: DigState) -> None:
    with deciding() as terminal:
        for _ in shown(state):
            terminal.type_in(CANDIDATE, "k")
        terminal.type_in(END, "i")
        terminal.type_in("Your passage", *DICTATED, ".")
        assert terminal.end() == 0
    assert digs.load(state.dig).evidence["dictated_1"].excerpt.text == "\n".join(DICTATED)


@pytest.mark.requirement("decide:terminal")
def test_the_next_passage_of_a_file_makes_a_new_report_and_all_is_asked_again(digs: Digs) -> None:
    dig = open_dig(digs)
    terms = ["jars", "sister", "boat", "shelf", "house", "cold", "lantern", "winter", "father"]
    digs.retrieve_candidates(dig, [*terms, "bricks", "cones", "counted"])
    state = drive(digs, dig)
    long = next(id_ for id_ in shown(state) if state.candidates[id_].row.path == "Logs/long.md")
    with at_terminal(["decide", dig, *options(digs)]) as terminal:
        for id_ in shown(state)[: shown(state).index(long)]:
            terminal.type_in(CANDIDATE, "n")
            terminal.expect("[INVALID_ARGUMENT] another passage — ")
            terminal.type_in(CANDIDATE, "k")
            assert id_ != long
        terminal.type_in(CANDIDATE, "n")
        terminal.expect("From the beginning, with the report as it is now:")
        for _ in shown(state):
            terminal.type_in(CANDIDATE, "k")
        terminal.type_in(END, "c")
        assert terminal.end() == 0
    after = digs.load(dig)
    assert after.state == "decided"
    assert after.evidence[long].excerpt != state.evidence[long].excerpt


@pytest.mark.requirement("decide:once")
def test_a_decided_report_may_be_added_to_but_not_decided_on_again(
    deciding: Deciding, digs: Digs, state: DigState
) -> None:
    decide(digs, state.dig, shown(state)[1:])
    with deciding() as terminal:
        terminal.expect("This report was decided on at ")
        for _ in shown(state):
            terminal.type_in("[k]eep, [d]rop, [q]uit: ", "k")
        terminal.type_in(DECIDED_END, "q")
        assert terminal.end() == 1
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert decision.drop == shown(state)[1:]


@pytest.mark.requirement("decide:terminal")
def test_a_report_that_changed_meanwhile_is_shown_anew(
    deciding: Deciding, digs: Digs, state: DigState
) -> None:
    with deciding() as terminal:
        for _ in shown(state):
            terminal.type_in(CANDIDATE, "k")
        terminal.expect(END)
        Review(digs).redirect(state.dig, hand_on(state), Choices((), ()), "the sea")
        again = drive(digs, state.dig)
        terminal.type_in("", "c")
        terminal.expect("[REPORT_VOID] decide — ")
        terminal.expect("From the beginning")
        terminal.expect("=== END DIG REPORT ===")
        terminal.type_in(CANDIDATE, "q")
        assert terminal.end() == 1
    assert digs.load(state.dig) == again


@pytest.mark.requirement("decide:no-terminal")
def test_without_a_terminal_nothing_is_decided(
    expedition: Command, digs: Digs, state: DigState
) -> None:
    answer = expedition("decide", state.dig, *options(digs), stdin="k\nk\nk\nk\nk\nc\n")
    assert answer.exit_code == 1
    assert "a decision is made at a terminal, and this is none" in answer.stderr
    assert "--from-file" in answer.stderr
    assert answer.stdout == ""
    assert digs.load(state.dig) == state


@pytest.mark.requirement("decide:from-file")
def test_a_file_decides_only_where_the_configuration_says_so(
    expedition: Command, digs: Digs, state: DigState, tmp_path: Path
) -> None:
    assert state.report is not None
    file = tmp_path / "decision.yaml"
    said = f"dig: {state.dig}\nreport_sha256: {state.report.sha256}\nkeep: all\n"
    file.write_text(said, encoding="utf-8")
    closed = expedition("decide", state.dig, "--from-file", file, *options(digs))
    assert (closed.exit_code, closed.stdout) == (1, "")
    assert closed.stderr.startswith("[NOT_DECIDED] decide --from-file — ")
    config = tmp_path / "expedition.yaml"
    config.write_text("decide: {relayed: true}\n", encoding="utf-8")
    opened = ("--config", config, *options(digs))
    answer = expedition("decide", state.dig, "--from-file", file, *opened, "--json")
    assert answer.exit_code == 0, answer.stderr
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert decision.level == "relayed"
    gone = expedition("decide", state.dig, "--from-file", tmp_path / "none.yaml", *opened)
    assert gone.exit_code == 3
    assert gone.stderr.startswith("expedition: ")


@pytest.mark.parametrize(
    ("until", "code", "told"),
    [
        pytest.param("nobody", 3, "[UNKNOWN_DIG] decide — ", id="no such dig"),
        pytest.param("scoring", 1, "[WRONG_STEP] decide — the dig is scoring — ", id="too early"),
        pytest.param("briefed", 1, "[WRONG_STEP] decide — the dig is briefed — ", id="too late"),
    ],
)
def test_where_there_is_nothing_to_decide_it_says_so(
    until: str, code: int, told: str, digs: Digs
) -> None:
    dig = "dig_nobody" if until == "nobody" else open_dig(digs)
    if until == "scoring":
        drive(digs, dig, "scoring")
    elif until == "briefed":
        finish(digs, dig)
    with at_terminal(["decide", dig, *options(digs)]) as terminal:
        terminal.expect(told)
        assert terminal.end() == code


@pytest.mark.requirement("decide:days-later")
def test_a_dig_of_one_process_is_decided_in_another_a_day_later_and_briefed_in_a_third(
    codex: Path, tmp_path: Path
) -> None:
    places = ["--kb", str(codex), "--state", str(tmp_path / "state")]
    words = ["--keyword", "forgiveness", "--title", "When Nobody Says Sorry", "--voice", "Carbon"]
    dug = subprocess.run([COMMAND, "dig", *words, *places], capture_output=True, check=True)
    assert b"=== END DIG REPORT ===" in dug.stdout
    (run,) = Store(tmp_path / "state").runs("dig")
    later = [sys.executable, str(Path(__file__).with_name("later.py")), str(24 * 3600)]
    with at_terminal(["decide", run.run, *places], later) as terminal:
        terminal.expect("1 of ")
        count = int(re.findall(r"1 of (\d+)", terminal.text)[0])
        for _ in range(count):
            terminal.type_in(CANDIDATE, "k")
        terminal.type_in(END, "c")
        assert terminal.end() == 0
    subprocess.run([COMMAND, "brief", run.run, *places], capture_output=True, check=True)
    _, events = Store(tmp_path / "state").load(run.run)
    by_kind = {event.kind: datetime.fromisoformat(event.at) for event in events}
    assert by_kind["decided"] - by_kind["reported"] > timedelta(hours=23)
    (path,) = (tmp_path / "state").rglob("Agent_Briefs/*.md")
    brief = read_brief(path.read_text(encoding="utf-8"))
    assert brief.decided.at == next(event.at for event in events if event.kind == "decided")
    assert path.name.startswith(brief.decided.at[:10])


def program(folder: Path, name: str, does: str) -> str:
    """A program of the person's own."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.requirement("decide:terminal")
@pytest.mark.parametrize(
    "script",
    [
        pytest.param("exit 1", id="fails"),
        pytest.param('rm "$1"', id="takes the file away"),
        pytest.param('rm "$1"; mkdir "$1"', id="makes a folder of it"),
        pytest.param("printf '\\377\\376x' > \"$1\"", id="writes no UTF-8"),
        pytest.param("", id="is not there"),
    ],
)
def test_an_editor_that_brings_nothing_back_costs_no_answer(
    digs: Digs, state: DigState, tmp_path: Path, script: str
) -> None:
    editor = tmp_path / "editor"
    if script:
        editor.write_text(f"#!/bin/sh\n{script}\n")
        editor.chmod(0o755)
    with at_terminal(["decide", state.dig, *options(digs)], EDITOR=str(editor)) as terminal:
        for _ in shown(state):
            terminal.type_in(CANDIDATE, "k")
        terminal.type_in(END, "r")
        terminal.expect("Nothing came back from the editor: ")
        terminal.type_in(END, "c")
        assert terminal.end() == 0
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert set(decision.keep) == set(shown(state))


@pytest.mark.requirement("decide:own-programs")
def test_a_redirect_is_written_in_the_persons_editor(
    digs: Digs, state: DigState, tmp_path: Path
) -> None:
    editor = program(tmp_path, "editor", 'printf "look for\\nthe sea\\n" >> "$1"')
    with at_terminal(["decide", state.dig, *options(digs)], EDITOR=editor) as terminal:
        for _ in shown(state):
            terminal.type_in(CANDIDATE, "k")
        terminal.type_in(END, "r")
        assert terminal.end() == 0
    assert digs.load(state.dig).redirects == ("look for\nthe sea",)


@pytest.mark.requirement("decide:own-programs")
def test_an_editor_that_is_left_empty_redirects_nothing(
    digs: Digs, state: DigState, tmp_path: Path
) -> None:
    editor = program(tmp_path, "editor", "exit 0")
    with at_terminal(["decide", state.dig, *options(digs)], EDITOR=editor) as terminal:
        for _ in shown(state):
            terminal.type_in(CANDIDATE, "k")
        terminal.type_in(END, "r")
        terminal.expect("there are no words")
        terminal.type_in(END, "q")
        assert terminal.end() == 1
    assert digs.load(state.dig) == state


@pytest.mark.requirement("decide:own-programs")
def test_a_report_longer_than_the_screen_goes_through_the_pager(
    digs: Digs, state: DigState, tmp_path: Path
) -> None:
    pager = program(tmp_path, "pager", "echo PAGED; cat")
    for lines, paged in (("5", True), ("500", False)):
        named = {"PAGER": pager, "LINES": lines}
        with at_terminal(["decide", state.dig, *options(digs)], **named) as terminal:
            terminal.type_in(CANDIDATE, "q")
            terminal.end()
        assert ("PAGED" in terminal.text) is paged
        assert "=== END DIG REPORT ===" in terminal.text


def test_a_dig_that_is_none_is_said_before_anything_else(expedition: Command, digs: Digs) -> None:
    answer = expedition("decide", "dig_none", *options(digs))
    assert answer.exit_code == 3
    assert answer.stderr.startswith("[UNKNOWN_DIG]")
