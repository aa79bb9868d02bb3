"""The demo, with the real server process, in a folder of the test's own."""

import hashlib
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from index.faults import Fault
from server.demo import prepare

DEADLINE_SECONDS = 120
# Each run is a process of its own: what the demo starts needs a real stderr.
RUN = """
import sys
from pathlib import Path
from server import demo
from server.cli import main
demo.FOLDER = Path(sys.argv.pop(1))
{before}
main()
"""
# A demo whose script sends too few terms.
NINE_TERMS = """
from dataclasses import replace
whole = demo.prepare()
short = {**whole.script, "terms": whole.script["terms"][:9]}
demo.prepare = lambda: replace(whole, script=short)
"""


class Demo:
    """`expedition demo` in a folder of the test's own, in place of the checkout's .demo/."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def command(self, *words: str, before: str = "") -> list[str]:
        return [sys.executable, "-c", RUN.format(before=before), str(self.folder), "demo", *words]

    def __call__(self, *words: str, before: str = "") -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*words, before=before),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
        )


@pytest.fixture
def demo(tmp_path: Path) -> Demo:
    return Demo(tmp_path / "demo")


@pytest.mark.requirement("setup:demo")
def test_keeping_all_ends_in_a_brief_that_says_how_it_was_decided(
    demo: Demo, fixtures: Path
) -> None:
    before = _sealed(fixtures / "codex")
    result = demo("--decision", "keep")
    assert result.returncode == 0, result.stderr
    assert "[NOT_DECIDED] assemble_brief" in result.stdout
    (brief,) = (demo.folder / "Agent_Briefs").iterdir()
    assert result.stdout.endswith(brief.read_text(encoding="utf-8"))
    assert 'level: "relayed"' in result.stdout
    assert "Scraping the Havdis.md`, lines" in result.stdout
    assert _sealed(fixtures / "codex") == before


@pytest.mark.requirement("setup:demo")
def test_without_a_decision_or_a_terminal_it_names_the_ways(demo: Demo) -> None:
    result = demo()
    assert result.returncode == 1
    assert "make demo DECISION=keep" in result.stdout
    assert f"--config {demo.folder / 'expedition.yaml'}" in result.stdout
    assert not (demo.folder / "Agent_Briefs").exists()


def test_dropping_all_ends_without_a_brief_and_it_can_be_run_again(demo: Demo) -> None:
    for _ in range(2):
        result = demo("--decision", "drop")
        assert result.returncode == 0, result.stderr
        assert "abandoned" in result.stdout
    assert not (demo.folder / "Agent_Briefs").exists()


@pytest.mark.requirement("setup:demo")
def test_at_a_terminal_the_person_is_asked(demo: Demo) -> None:
    parent, child = pty.openpty()
    with subprocess.Popen(demo.command(), stdin=child, stdout=child, stderr=child) as process:
        os.close(child)
        said = _answered(parent, [*"kkkkk", "c"])
        assert process.wait(DEADLINE_SECONDS) == 0, said
    assert "--- 1 of 5" in said
    assert 'level: "local"' in said


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_stands_in_the_way_is_said_and_left_alone(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "demo"
    place.touch() if kind == "file" else place.symlink_to(tmp_path)
    with pytest.raises(Fault, match=str(place)):
        prepare(place)
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]


def test_without_the_fixtures_it_says_where_they_are(demo: Demo) -> None:
    result = demo(before="demo.FIXTURES = Path('/nowhere')")
    assert result.returncode == 3
    assert "clone the repository" in result.stderr
    assert not demo.folder.exists()


def test_a_refusal_that_should_not_come_stops_the_demo(demo: Demo) -> None:
    result = demo("--decision", "keep", before=NINE_TERMS)
    assert result.returncode == 1
    assert "[TERM_COUNT]" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_new_demo_removes_what_the_old_one_made_and_nothing_else(tmp_path: Path) -> None:
    stage = prepare(tmp_path)
    (stage.settings.state / "old").touch()
    (tmp_path / "mine.txt").touch()
    prepare(tmp_path)
    assert list(stage.settings.state.iterdir()) == []
    assert (tmp_path / "mine.txt").exists()


def _answered(terminal: int, answers: list[str]) -> str:
    """Everything that was said; each question for a letter gets the next answer."""
    said = ""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 1)
        if not ready:
            continue
        try:
            said += os.read(terminal, 65536).decode("utf-8", "replace")
        except OSError:  # the other end is closed
            break
        if answers and said.endswith("[q]uit: "):
            os.write(terminal, f"{answers.pop(0)}\n".encode())
    os.close(terminal)
    return said


def _sealed(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
