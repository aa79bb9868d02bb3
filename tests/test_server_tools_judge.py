"""`run_dig`: offered where a judge is named, and it stops where every dig stops."""

import sys
from dataclasses import replace
from typing import Any

import pytest

from server.config import Settings
from server.config_judges import JudgeChoice, JudgeEntry
from server.dig import Digs
from server.driving import Stand, stand_of
from tests.digging import open_dig
from tests.honest import PROGRAM
from tests.mcp_client import MODES, Mode, client_of, refused, text_of

pytestmark = pytest.mark.anyio

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


async def test_what_no_dig_can_be_opened_with_is_refused_as_elsewhere(digs: Digs) -> None:
    sent: dict[str, Any] = {**WORDS, "voice": "Tenor"}
    async with client_of(named(digs.settings, "cat")) as client:
        assert "[INVALID_ARGUMENT]" in await refused(client, "run_dig", sent)
        assert "keyword_primary missing" in await refused(
            client, "run_dig", {"title": "T"} | {"voice": "Carbon"}
        )


def test_how_far_a_dig_is_counts_terms_batches_pick_and_report(digs: Digs) -> None:
    assert stand_of(digs.load(open_dig(digs))) == Stand(0, 0, "step 1, terms")
