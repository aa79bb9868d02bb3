"""A dig through the tools: by an agent that reads text only, and by one that sends odd kinds."""

import json
import re
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult, ElicitResult

from server.config import Settings
from server.dig import Digs
from server.report import CLOSING, OPENING
from tests.digging import ASKED, TERMS, drive, open_dig, picks_of, scores_of
from tests.mcp_client import MODES, Mode, answered, client_of, refused, text_of

pytestmark = pytest.mark.anyio

CONTEXT = {key: value for key, value in ASKED.items() if value is not None}
NEXT = re.compile(r"^Next: (\w+) — .", re.M)


@pytest.fixture
def settings(digs: Digs) -> Settings:
    return digs.settings


class Reader:
    """An agent that sees the text of each answer and nothing else."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments)
        text = text_of(result)
        assert not result.is_error, text
        return text

    async def whole_dig(self) -> str:
        """From the first call to the answer of the last, by what the texts say."""
        text = await self.call("open_dig", **CONTEXT)
        dig = found(r"Opened (dig_\w+) on base kb", text)
        assert found(NEXT, text) == "retrieve_candidates"
        text = await self.call("retrieve_candidates", dig_id=dig, terms=list(TERMS))
        while found(NEXT, text) == "score_summaries":
            batch = int(found(r"Batch (\d+) of \d+", text))
            rows = re.findall(r"^  (row_\d+): (.+)$", text, re.M)
            scores = [
                {"id": id_, "embodies": 1 + at % 3, "why": f"{summary.split()[0]} so"}
                for at, (id_, summary) in enumerate(rows)
            ]
            text = await self.call("score_summaries", dig_id=dig, batch=batch, scores=scores)
        assert found(NEXT, text) == "pick_scotoma"
        top = re.findall(r"^  (row_\d+): .+ \[embodies (\d): .+\]$", text, re.M)
        hits = [id_ for id_, embodies in top if embodies == "3"]
        picks = {"deep_cuts": [], "direct_hits": hits, "pass4_empty": True}
        text = await self.call("pick_scotoma", dig_id=dig, **picks)
        assert found(NEXT, text) == "dig_report"
        text = await self.call("dig_report", dig_id=dig)
        assert text.startswith(f"{OPENING}\n")
        assert CLOSING in text
        assert found(NEXT, text) == "none"
        return await self.call("assemble_brief", dig_id=dig)


def found(pattern: str | re.Pattern[str], text: str) -> str:
    match = re.search(pattern, text)
    assert match, text
    return match[1]


async def keep_all(context: Any, params: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"decision": "keep all"})


@pytest.mark.requirement("mcp:text-suffices")
@pytest.mark.parametrize("mode", MODES)
async def test_the_texts_alone_lead_an_agent_to_the_brief(mode: Mode, settings: Settings) -> None:
    async with client_of(settings, mode, keep_all) as client:
        text = await Reader(client).whole_dig()
    path = found(r"Brief saved: (.+)", text)
    assert (settings.briefs / path).is_file()


@pytest.mark.requirement("mcp:structured")
async def test_structured_answers_hold_facts_and_no_blanks(settings: Settings) -> None:
    async with client_of(settings) as client:
        opened = await answered(client, "open_dig", **CONTEXT)
        dig = opened["dig_id"]
        batch = await answered(client, "retrieve_candidates", dig_id=dig, terms=list(TERMS))
        status = await answered(client, "dig_status")
    assert set(opened) == {"dig_id", "base", "context", "next"}
    assert set(batch) == {
        *("dig_id", "pattern", "batch", "batches", "rows", "counts", "next"),
    }
    assert set(status) == {"digs", "next"}
    assert all(set(row) == {"id", "summary"} for row in batch["rows"])
    assert None not in (*opened.values(), *batch.values(), *status.values())


@pytest.mark.requirement("mcp:lists-as-text")
async def test_a_list_sent_as_one_json_text_is_a_list(digs: Digs, settings: Settings) -> None:
    async with client_of(settings) as client:
        dig = open_dig(digs)
        await answered(client, "retrieve_candidates", dig_id=dig, terms=json.dumps(TERMS))
        scores = json.dumps(scores_of(digs.load(dig)))
        await answered(client, "score_summaries", dig_id=dig, batch=1, scores=scores)
        picks = picks_of(drive(digs, dig, "scored"))
        sent = {
            "deep_cuts": json.dumps(picks["deep_cuts"]),
            "direct_hits": json.dumps(picks["direct_hits"]),
            "pass4_empty": False,
        }
        await answered(client, "pick_scotoma", dig_id=dig, **sent)
    assert digs.load(dig).state == "picked"
    assert digs.load(dig).terms == TERMS


@pytest.mark.requirement("mcp:nothing-converted")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "embodies",
    [
        pytest.param(True, id="true"),
        pytest.param("2", id="text"),
        pytest.param(2.0, id="float"),
        pytest.param(None, id="nothing"),
    ],
)
async def test_a_score_of_another_kind_reaches_its_gate_as_it_was_sent(
    embodies: object, mode: Mode, digs: Digs, settings: Settings
) -> None:
    dig = open_dig(digs)
    scores = scores_of(drive(digs, dig, "scoring"))
    scores[0]["embodies"] = embodies
    async with client_of(settings, mode) as client:
        arguments = {"dig_id": dig, "batch": 1, "scores": scores}
        text = await refused(client, "score_summaries", arguments)
    assert text.startswith("[SCORES_INVALID] score_summaries of batch 1 — row_1: embodies is not")


@pytest.mark.requirement("mcp:nothing-converted")
@pytest.mark.parametrize("empty", ["true", "false", 1, 0, None, "[]"])
async def test_a_switch_of_another_kind_is_refused_by_its_gate(
    empty: object, digs: Digs, settings: Settings
) -> None:
    dig = open_dig(digs)
    picks = picks_of(drive(digs, dig, "scored"))
    async with client_of(settings) as client:
        arguments = {"dig_id": dig, **picks, "pass4_empty": empty}
        text = await refused(client, "pick_scotoma", arguments)
    assert text.startswith("[PICK_INVALID] pick_scotoma — ")
    assert digs.load(dig).state == "scored"


@pytest.mark.requirement("mcp:nothing-converted")
@pytest.mark.parametrize("terms", ["tide", 7, True, None, {"a": 1}, "{}", "null"])
async def test_terms_that_are_no_list_are_refused_by_their_gate(
    terms: object, digs: Digs, settings: Settings
) -> None:
    async with client_of(settings) as client:
        arguments = {"dig_id": open_dig(digs), "terms": terms}
        text = await refused(client, "retrieve_candidates", arguments)
    assert text.startswith("[TERM_COUNT] retrieve_candidates — 0 usable terms of 0 sent; ")


async def test_arguments_without_end_are_refused(settings: Settings) -> None:
    async with client_of(settings) as client:
        arguments = {"brief": "a.md", "text": "x" * 600_000}
        text = await refused(client, "check_draft", arguments)
        assert text.startswith("[INVALID_ARGUMENT] check_draft — the arguments exceed 524288 bytes")


async def test_a_tool_that_is_none_is_answered_with_those_that_are(settings: Settings) -> None:
    async with client_of(settings) as client:
        text = await refused(client, "confirm_report", {})
    assert text.startswith("[INVALID_ARGUMENT] this tool — there is no such tool — call one of: ")
    assert "confirm" not in text


async def test_a_dig_is_told_by_its_status(digs: Digs, settings: Settings) -> None:
    dig = open_dig(digs)
    digs.retrieve_candidates(dig, [])
    async with client_of(settings) as client:
        status = await answered(client, "dig_status", dig_id=dig)
        assert status["state"] == "opened"
        assert status["attempts"] == ["refused: step 1"]
        assert status["next"]["tool"] == "retrieve_candidates"
        listed = await answered(client, "dig_status")
        assert [line["dig_id"] for line in listed["digs"]] == [dig]
        text = await refused(client, "dig_status", {"dig_id": "dig_nobody"})
        assert text.startswith("[UNKNOWN_DIG] dig_status — no dig has this id — ")


async def test_the_status_of_a_reported_dig_ends_the_turn(digs: Digs, settings: Settings) -> None:
    dig = open_dig(digs)
    drive(digs, dig)
    async with client_of(settings) as client:
        status = await answered(client, "dig_status", dig_id=dig)
    assert status["next"]["tool"] == "none"
    assert f"expedition decide {dig}" in status["waits_for"]


@pytest.mark.requirement("mcp:search")
async def test_a_search_gives_files_with_the_lines_that_match(settings: Settings) -> None:
    async with client_of(settings) as client:
        result: CallToolResult = await client.call_tool("search_corpus", {"query": "lantern rope"})
        text = text_of(result)
        assert "Logs/graft.md" in text or "Logs/long.md" in text
        assert re.search(r"^    \d+: .*lantern", text, re.M)
        for bad in ({"query": " "}, {"query": "x" * 1001}, {"query": "a", "limit": 0}):
            assert (await refused(client, "search_corpus", bad)).startswith("[INVALID_ARGUMENT]")
        text = await refused(client, "search_corpus", {"query": "a", "base": "other"})
        assert text.startswith("[UNKNOWN_BASE] search_corpus — there is no such base — ")
