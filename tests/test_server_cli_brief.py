import json
import multiprocessing
import re
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from click.testing import Result

from server.brief_text import read_brief
from server.config import Settings
from server.dig import Digs
from server.library import Library
from server.refusals import Refusal
from server.replies import Briefed
from tests.decided import Made, Passage, decided_dig, record

Run = Callable[..., Result]

DIG = decided_dig([Passage("I walked out on the ice\r\nand it sang.")], Made(anchors=("row_1",)))


@pytest.fixture
def settings(tmp_path: Path, settings_for: Callable[..., Settings]) -> Settings:
    (tmp_path / "codex").mkdir()
    (tmp_path / "codex" / "another.md").write_text("Another note.\n")
    settings = settings_for(tmp_path / "codex")
    record(settings, DIG)
    return settings


def arguments(settings: Settings) -> list[str]:
    return [DIG.dig, "--kb", settings.bases[0].root, "--state", str(settings.state)]


def test_a_decided_dig_gets_its_brief_once(expedition: Run, settings: Settings) -> None:
    first = expedition("brief", *arguments(settings))
    assert first.exit_code == 0, first.stderr
    (path,) = settings.briefs.iterdir()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-the-long-winter\.md", path.name)
    assert f"Brief saved: {path}" in first.stdout
    assert expedition("brief", *arguments(settings)).stdout == first.stdout
    assert [file.name for file in settings.briefs.iterdir()] == [path.name]


def test_the_brief_itself_is_printed_byte_for_byte(expedition: Run, settings: Settings) -> None:
    result = expedition("brief", *arguments(settings), "--print")
    assert read_brief(result.stdout_bytes.decode()).sources[0].text == (
        "I walked out on the ice\r\nand it sang."
    )


def test_the_answer_is_one_json_object(expedition: Run, settings: Settings) -> None:
    answer = json.loads(expedition("brief", *arguments(settings), "--json").stdout)
    assert answer["saved"] is True
    assert Path(answer["path"]).is_file()


def test_an_unknown_dig_is_not_found(expedition: Run, settings: Settings) -> None:
    result = expedition("brief", "dig_unknown", *arguments(settings)[1:])
    assert result.exit_code == 3
    assert "UNKNOWN_DIG" in result.stderr


def test_a_brief_without_a_voice_anchor_is_missing_and_fails(
    expedition: Run, tmp_path: Path, settings_for: Callable[..., Settings]
) -> None:
    (tmp_path / "codex").mkdir()
    settings = settings_for(tmp_path / "codex")
    record(settings, decided_dig([Passage("The ice sang.", role="")]))
    result = expedition("brief", *arguments(settings))
    assert result.exit_code == 1
    assert "voice_anchor: MISSING" in result.stdout
    assert not settings.briefs.exists()


def test_a_folder_that_cannot_be_written_leaves_the_dig_decided(
    expedition: Run, settings: Settings
) -> None:
    settings.briefs.write_text("a file where the folder should be")
    result = expedition("brief", *arguments(settings))
    assert result.exit_code == 4
    assert "it is no folder" in result.stderr
    assert Digs(Library(settings)).load(DIG.dig).state == "decided"
    settings.briefs.unlink()
    assert expedition("brief", *arguments(settings)).exit_code == 0


def assemble(settings: Settings, barrier: Barrier) -> None:
    digs = Digs(Library(settings))
    barrier.wait()
    answer = digs.assemble_brief(DIG.dig)
    while not isinstance(answer, Briefed):
        assert isinstance(answer, Refusal)
        assert answer.flag == "BUSY", answer.text
        answer = digs.assemble_brief(DIG.dig)


def test_two_processes_that_assemble_the_same_dig_write_one_brief(settings: Settings) -> None:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(3)
    processes = [context.Process(target=assemble, args=(settings, barrier)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert len(list(settings.briefs.iterdir())) == 1
    state = Digs(Library(settings)).load(DIG.dig)
    assert state.state == "briefed"
    assert state.brief is not None
    assert Path(state.brief.path).is_file()
