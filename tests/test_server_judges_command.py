"""The judge `command`: a whole dig by a program, its misbehaviour, and digs that were killed."""

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from click.testing import Result

from index.faults import BadSettings
from server.config_judges import JudgeEntry
from server.dig import Digs
from server.driving import drive
from server.judge import Asked, TermsRequest, find_judge
from server.judges.answers import final_part, read_answer
from server.judges.command import open_named
from server.judges.prompted import PromptedJudge, Said
from server.judges.routed import choose_judge
from server.refusals import Refusal
from server.replies import Reported
from server.store import Store
from tests.digging import TERMS, Ground, open_dig
from tests.honest import PROGRAM, honest
from tests.terminal import at_terminal

Expedition = Callable[..., Result]


def program(*words: str, **more: str) -> PromptedJudge:
    values: dict[str, Any] = {"kind": "command", "command": list(words)}
    values |= {"backoff_seconds": "0", "tries": "2", "timeout_seconds": "20", **more}
    return open_named("mine", JudgeEntry.model_validate(values))


def script(text: str, **more: str) -> PromptedJudge:
    return program(sys.executable, "-I", "-S", "-c", text, **more)


def configuration(ground: Ground, tmp_path: Path, text: str) -> tuple[str, ...]:
    file = tmp_path / "expedition.yaml"
    file.write_text(f"bases: ['{ground.base}']\n{text}", encoding="utf-8")
    state = ground.at(tmp_path / "state").state
    return ("--config", str(file), "--state", str(state))


MINE = f"""
judges:
  mine: {{kind: command, command: ['{sys.executable}', -I, '{PROGRAM}', --final], concurrent: 2}}
"""


@pytest.mark.requirement("judge:command")
@pytest.mark.requirement("judge:spent")
def test_a_program_judges_a_whole_dig_and_show_tells_what_it_took(
    ground: Ground, tmp_path: Path, expedition: Expedition
) -> None:
    where = configuration(ground, tmp_path, MINE + "judge: mine\n")
    words = ("--keyword", "patience", "--title", "What Rises", "--voice", "Carbon")
    result = expedition("dig", *words, *where)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("=== DIG REPORT ===")
    assert "JUDGE_OFFLINE" not in result.stdout
    dig = result.stderr.split()[1]
    text = expedition("show", dig, *where).stdout
    assert "judge mine, step 3: 2 calls, 0 tokens in, 0 out, " in text
    spent = json.loads(expedition("show", dig, "--json", *where).stdout)["spent"]
    assert [(one["step"], one["batch"]) for one in spent] == [(1, 0), (3, 1), (3, 2), (4, 0)]


def test_at_a_terminal_a_dig_tells_what_it_is_at(ground: Ground, tmp_path: Path) -> None:
    where = configuration(ground, tmp_path, MINE + "judge: mine\n")
    words = ("--keyword", "patience", "--title", "What Rises", "--voice", "Carbon")
    with at_terminal(["dig", *words, *where], TERM="xterm") as terminal:
        terminal.expect("step 1, terms")
        terminal.expect("=== DIG REPORT ===")
        assert terminal.end() == 0


@pytest.mark.requirement("judge:steps")
def test_each_step_has_the_judge_that_was_named_for_it(
    ground: Ground, tmp_path: Path, expedition: Expedition
) -> None:
    steps = "judge: {default: mine, steps: {pick: offline}}\n"
    where = configuration(ground, tmp_path, MINE + steps)
    words = ("--keyword", "ice", "--title", "What Rises", "--voice", "Carbon")
    result = expedition("dig", *words, *where)
    assert result.exit_code == 0, result.stderr
    assert "JUDGE_OFFLINE" in result.stdout
    dig = result.stderr.split()[1]
    shown = json.loads(expedition("show", dig, "--json", *where).stdout)
    assert [one["step"] for one in shown["spent"]] == [1, 3, 3]
    assert shown["candidates"][0]["why"] == "it waits as the pattern does"


def test_a_failed_step_goes_on_with_another_judge(
    ground: Ground, tmp_path: Path, expedition: Expedition
) -> None:
    broken = "  broken: {kind: command, command: [echo, nothing]}\n"
    where = configuration(ground, tmp_path, MINE + broken + "judge: broken\n")
    words = ("--keyword", "patience", "--title", "What Rises", "--voice", "Carbon")
    failed = expedition("dig", *words, *where)
    assert failed.exit_code == 1
    assert "[STEP_1 FAILED — the answer is not JSON from line 1, column 1 on]" in failed.stderr
    dig = failed.stderr.split()[1]
    again = expedition("dig", "--resume", dig, "--judge", "mine", *where)
    assert again.exit_code == 0, again.stderr
    assert "REOPENED 1" in again.stdout


def test_an_unknown_judge_is_named_with_those_that_are_configured(digs: Digs) -> None:
    entry = JudgeEntry.model_validate({"kind": "command", "command": "cat"})
    settings = replace(digs.settings, judges={"mine": entry})
    with pytest.raises(BadSettings, match="name one of: mine, offline"):
        find_judge("oracle", settings)
    judge = choose_judge("mine", settings).open_judge(settings.base(), digs.library)
    assert isinstance(judge, PromptedJudge)


TROUBLE: list[Any] = [
    pytest.param("raise SystemExit(3)", "the program ended with exit code 3", id="an error"),
    pytest.param("import os; os.kill(os.getpid(), 9)", "ended with signal 9", id="killed"),
    pytest.param("import time; time.sleep(60)", "no answer within 1 seconds", id="silence"),
    pytest.param(
        "import os, time; os.close(1); time.sleep(60)", "no answer within 1 seconds", id="no end"
    ),
]


@pytest.mark.requirement("judge:unreachable")
@pytest.mark.parametrize(("text", "said"), TROUBLE)
def test_a_program_in_trouble_is_run_again_and_then_given_up(
    digs: Digs, text: str, said: str
) -> None:
    judged, dig = Digs(digs.library, "judge"), open_dig(digs)
    stopped = drive(judged, dig, script(text, timeout_seconds="1", tries="2"))
    assert isinstance(stopped, Refusal)
    assert stopped.flag == "JUDGE_UNREACHABLE"
    assert f"{said}, after 2 tries" in stopped.text
    state = digs.load(dig)
    assert (state.state, state.refusals) == ("opened", ())
    assert [one.calls for one in state.spent] == [2]


def test_a_program_that_is_not_there_is_not_run_again(digs: Digs) -> None:
    judged, dig = Digs(digs.library, "judge"), open_dig(digs)
    stopped = drive(judged, dig, program("/no/such/program"))
    assert isinstance(stopped, Refusal)
    assert "its program cannot be started" in stopped.text


ODD: list[Any] = [
    pytest.param("print('x' * 3000)", "longer than 2048 bytes", id="too long"),
    pytest.param("import sys; sys.stdout.buffer.write(b'\\xff{}')", "is no UTF-8", id="bytes"),
    pytest.param("pass", "is empty", id="nothing"),
    pytest.param("print('===FINAL===\\n{}')", "not there exactly once", id="no end mark"),
]


@pytest.mark.parametrize(("text", "said"), ODD)
def test_what_a_program_prints_out_of_form_is_a_refused_answer(
    digs: Digs, text: str, said: str
) -> None:
    judged, dig = Digs(digs.library, "judge"), open_dig(digs)
    ended = drive(judged, dig, script(text, max_bytes="2048"))
    assert isinstance(ended, Refusal)
    assert ended.flag.startswith("STEP_1 FAILED — ")
    assert said in ended.flag
    assert digs.load(dig).refusals == ((1, 0), (1, 0))


@pytest.mark.requirement("judge:command")
@pytest.mark.parametrize("seconds", ["1", "20"])
def test_nothing_that_a_program_started_is_left_running(
    digs: Digs, tmp_path: Path, seconds: str
) -> None:
    note = tmp_path / "pid"
    quiet = "stdout=subprocess.DEVNULL" if seconds == "20" else ""
    text = (
        "import subprocess, sys\n"
        "sleeps = [sys.executable, '-c', 'import time; time.sleep(60)']\n"
        f"child = subprocess.Popen(sleeps, {quiet})\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n"
        "print('{}')\n"
    )
    judged, dig = Digs(digs.library, "judge"), open_dig(digs)
    drive(judged, dig, script(text, timeout_seconds=seconds, tries="1"))
    assert gone(int(note.read_text()))


def gone(pid: int) -> bool:
    """Whether a process ends, in a while that is long enough for any machine."""
    for _ in range(500):
        stat = Path(f"/proc/{pid}/stat")
        try:
            os.kill(pid, 0)
            if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.01)
    return False


def test_a_program_that_reads_nothing_is_heard_all_the_same(digs: Digs) -> None:
    answer = json.dumps({"terms": list(TERMS)})
    judge = script(f"print({answer!r})")
    state = digs.load(open_dig(digs))
    request = TermsRequest(Asked(state.context, guidance="x" * 500_000))
    assert judge.suggest_terms(request) == list(TERMS)


@pytest.mark.requirement("judge:command")
def test_an_answer_counts_though_a_child_keeps_the_output_open(digs: Digs) -> None:
    answer = json.dumps({"terms": list(TERMS)})
    text = (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"print({answer!r})\n"
    )
    state = digs.load(open_dig(digs))
    request = TermsRequest(Asked(state.context))
    assert script(text, tries="1").suggest_terms(request) == list(TERMS)


def test_marks_bound_the_answer() -> None:
    assert final_part("thoughts\n===FINAL===\n{}\n===END===\nbye") == "{}"
    assert final_part("{}") == "{}"
    assert read_answer('```\n{"terms": []}\n```', ["terms"]) == {"terms": []}


class Killed(BaseException):
    """The end of a process, as far as a test can have one."""


class Honest:
    """Honest answers without a process."""

    def ask(self, prompt: str, stop: Event) -> Said:
        return Said(json.dumps(honest(prompt)), 100, 10)


def honest_judge() -> PromptedJudge:
    entry = JudgeEntry.model_validate({"kind": "command", "command": "none"})
    return PromptedJudge("honest", entry, Honest())


@pytest.mark.requirement("judge:killed")
@pytest.mark.parametrize("boundary", range(1, 10))
def test_killed_after_any_event_and_resumed_a_dig_ends_in_the_same_report(
    digs: Digs, boundary: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = Digs(digs.library, "judge")
    whole, cut = open_dig(digs), open_dig(digs, slug="cut")
    expected = drive(judged, whole, honest_judge())
    appended: list[str] = []

    def append(store: Store, run: str, *more: Any) -> Any:
        events = real(store, run, *more)
        appended.extend([run])
        if len(appended) == boundary:
            raise Killed
        return events

    real = Store.append
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Store, "append", append)
        drive(judged, cut, honest_judge())
    fresh = Digs(digs.library, "judge")
    scored = fresh.load(cut).batches_scored
    resumed = drive(fresh, cut, honest_judge())
    assert isinstance(expected, Reported)
    assert isinstance(resumed, Reported)
    assert resumed.report == expected.report
    later = [e for e in fresh.store.load(cut)[1][boundary + 1 :] if e.kind == "scored"]
    assert [event.payload["batch"] for event in later] == list(range(scored + 1, 3))


def test_a_whole_dig_has_as_many_boundaries_as_are_tested(digs: Digs) -> None:
    dig = open_dig(digs)
    drive(Digs(digs.library, "judge"), dig, honest_judge())
    moves = [e.kind for e in digs.store.load(dig)[1] if not e.kind.startswith("excerpt")]
    assert len(moves) == 1 + 9, moves
