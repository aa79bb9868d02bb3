"""`run_dig`: offered where a judge is named, and it stops where every dig stops."""

import json
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from server.config import Settings
from server.config_judges import JudgeChoice, JudgeEntry
from server.dig import Digs
from server.driving import Stand, stand_of
from tests.digging import Ground, open_dig
from tests.honest import PROGRAM
from tests.mcp_client import MODES, Mode, client_of, refused, text_of
from tests.terminal import COMMAND

pytestmark = pytest.mark.anyio

# A program that writes down who it is, and takes its time.
SLOW = "import os, time; open('{file}', 'w').write(str(os.getpid())); time.sleep(60)"
WORDS = {"keyword_primary": "patience", "title": "What Rises", "voice": "Carbon"}


def named(settings: Settings, *command: str) -> Settings:
    entry = JudgeEntry.model_validate(
        {"kind": "command", "command": list(command), "tries": "1", "timeout_seconds": "20"}
    )
    return replace(
        settings,
        judge=JudgeChoice(default="mine"),
        judges={"mine": entry},
        judge_named=True,
    )


@pytest.mark.requirement("judge:run-dig")
async def test_without_a_judge_that_was_named_there_is_no_such_tool(digs: Digs) -> None:
    async with client_of(digs.settings) as client:
        assert "run_dig" not in [tool.name for tool in (await client.list_tools()).tools]


@pytest.mark.requirement("judge:run-dig")
@pytest.mark.parametrize("mode", MODES)
async def test_a_judge_digs_tells_how_far_it_is_and_stops_at_the_report(
    digs: Digs, mode: Mode
) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with client_of(named(digs.settings, sys.executable, "-I", PROGRAM), mode) as client:
        result = await client.call_tool("run_dig", WORDS, progress_callback=hear)
        assert not result.is_error, text_of(result)
        text = text_of(result)
        assert text.startswith("=== DIG REPORT ===")
        assert "A reply in this chat is not a decision." in text
        assert result.structured_content is not None
        dig: str = result.structured_content["dig_id"]
        assert "NOT_DECIDED" in await refused(client, "assemble_brief", {"dig_id": dig})
    assert told[0][2] == "step 3, batch 1 of 2"
    assert told[-1] == (5, 5, "reported")
    assert [one[0] for one in told] == sorted(one[0] for one in told)


@pytest.mark.requirement("judge:run-dig")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param(("echo", "no"), "[STEP_1 FAILED — ", id="a failed step"),
        pytest.param(("/no/such/program",), "[JUDGE_UNREACHABLE] ", id="no judge"),
    ],
)
async def test_what_stops_a_judge_is_a_refusal_with_the_way_on(
    digs: Digs, command: tuple[str, ...], said: str
) -> None:
    async with client_of(named(digs.settings, *command)) as client:
        text = await refused(client, "run_dig", WORDS)
    assert text.startswith(said)
    assert "expedition dig --resume dig_" in text


@pytest.mark.requirement("judge:cancelled")
async def test_a_client_that_cancels_ends_the_judge_and_the_dig_can_be_resumed(
    digs: Digs, tmp_path: Path
) -> None:
    slow = SLOW.format(file=tmp_path / "pid")
    async with client_of(named(digs.settings, sys.executable, "-I", "-S", "-c", slow)) as client:
        with anyio.CancelScope() as calling:
            async with anyio.create_task_group() as calls:
                calls.start_soon(client.call_tool, "run_dig", WORDS)
                await told(tmp_path / "pid")
                # nobody pays twice for the same answers
                again = await refused(client, "run_dig", WORDS)
                assert again.startswith("[BUSY] run_dig — the judge is at this dig already")
                calling.cancel()
        await gone(await told(tmp_path / "pid"))
    (line,) = digs.store.runs("dig")
    assert line.state == "opened"


async def told(file: Path) -> int:
    """The process id that a program wrote down, once it has."""
    with anyio.fail_after(20):
        while not (file.exists() and file.read_text()):
            await anyio.sleep(0.02)
    return int(file.read_text())


async def gone(pid: int) -> None:
    """Wait until a process has ended."""
    with anyio.fail_after(20):
        while Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes():
            await anyio.sleep(0.02)


@pytest.mark.requirement("judge:ends-with-us")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_that_ends_a_dig_ends_its_program_too(
    ground: Ground, tmp_path: Path, number: signal.Signals
) -> None:
    slow = SLOW.format(file=tmp_path / "pid")
    settings = ground.at(tmp_path / "state")
    command = json.dumps([sys.executable, "-I", "-S", "-c", slow])
    config = tmp_path / "expedition.yaml"
    config.write_text(
        f"bases: ['{ground.base}']\njudges: {{mine: {{kind: command, command: {command}}}}}\n"
    )
    where = ["--config", str(config), "--state", str(settings.state), "--judge", "mine"]
    words = ["--keyword", "patience", "--title", "What Rises", "--voice", "Carbon"]
    process = await anyio.open_process([COMMAND, "dig", *words, *where], stdin=None)
    try:
        pid = await told(tmp_path / "pid")
        process.send_signal(number)
        assert await process.wait() == -number
        await gone(pid)
    finally:
        with suppress(ProcessLookupError):
            process.kill()


async def test_what_no_dig_can_be_opened_with_is_refused_as_elsewhere(digs: Digs) -> None:
    sent: dict[str, Any] = {**WORDS, "voice": "Tenor"}
    async with client_of(named(digs.settings, "cat")) as client:
        assert "[INVALID_ARGUMENT]" in await refused(client, "run_dig", sent)
        assert "keyword_primary missing" in await refused(
            client, "run_dig", {"title": "T"} | {"voice": "Carbon"}
        )


def test_how_far_a_dig_is_counts_terms_batches_pick_and_report(digs: Digs) -> None:
    assert stand_of(digs.load(open_dig(digs))) == Stand(0, 0, "step 1, terms")
