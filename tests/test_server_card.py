"""The card of a report: filled for hosts that show cards, and its decision heard from it alone."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.types import CallToolResult, TextResourceContents

from server.app import build_app
from server.card.face import DECIDE, META, PAGE
from server.card.tickets import TTL_SECONDS, Tickets
from server.config import Settings
from server.dig import Digs
from server.dig_state import DigState
from server.passphrase import Cost, set_passphrase
from server.review import Review
from tests.digging import briefs, digs_of, drive, hand_on, keep, reported, shown
from tests.mcp_client import MODES, Mode, answered, client_of, text_of

pytestmark = pytest.mark.anyio

APPS = advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})
OTHERS = {
    "no extension": [],
    "another kind of card": [advertise(EXTENSION_ID, {"mimeTypes": ["text/html"]})],
    "no kind at all": [advertise(EXTENSION_ID, {})],
}


@pytest.fixture
def settings(digs: Digs) -> Settings:
    return digs.settings


@asynccontextmanager
async def host_of(settings: Settings, mode: Mode = "auto") -> AsyncGenerator[Client]:
    """A host that shows cards."""
    async with Client(build_app(settings), mode=mode, extensions=[APPS]) as client:
        yield client


async def filled(client: Client, dig: str) -> dict[str, Any]:
    """What fills the card of a report."""
    result = await client.call_tool("dig_report", {"dig_id": dig})
    assert result.meta is not None
    contents: dict[str, Any] = result.meta[META]
    return contents


async def page_half(client: Client) -> str:
    """What the page of the card holds, read as its host reads it."""
    (content,) = (await client.read_resource(PAGE)).contents
    assert isinstance(content, TextResourceContents)
    assert content.mime_type == APP_MIME_TYPE
    assert content.meta is not None
    assert not any(content.meta["ui"]["csp"].values())
    return content.text.partition('PAGE_HALF = "')[2].partition('"')[0]


async def sent_by_card(client: Client, state: DigState, **changed: Any) -> dict[str, Any]:
    """What the card of a report sends once everything is kept."""
    contents = await filled(client, state.dig)
    token = f"{await page_half(client)}.{contents['ticket']}"
    arguments = {
        "dig_id": state.dig,
        "report_sha256": contents["report_sha256"],
        "token": token,
        "keep": [one["id"] for one in contents["candidates"]],
        "drop": [],
    }
    return {**arguments, **changed}


async def refused(client: Client, arguments: Mapping[str, Any]) -> str:
    result = await client.call_tool(DECIDE, dict(arguments))
    assert result.is_error
    return text_of(result)


@pytest.mark.requirement("card:decides")
@pytest.mark.parametrize("mode", MODES)
async def test_a_person_decides_on_the_card_and_the_brief_says_so(
    settings: Settings, mode: Mode
) -> None:
    digs = digs_of(settings)
    state = reported(digs)
    first, *others = shown(state)
    async with host_of(settings, mode) as client:
        sent = await sent_by_card(client, state, keep=others, drop=[first])
        result = await client.call_tool(DECIDE, sent)
        assert not result.is_error, text_of(result)
        written = await answered(client, "assemble_brief", dig_id=state.dig)
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert (decision.level, decision.way) == ("client", "app")
    assert (decision.keep, decision.drop) == (tuple(others), (first,))
    assert 'level: "client"' in Path(written["path"]).read_text()
    assert len(briefs(settings)) == 1


@pytest.mark.requirement("card:same-answer")
async def test_the_model_is_told_the_same_with_a_card_and_without(settings: Settings) -> None:
    state = reported(digs_of(settings))
    arguments = {"dig_id": state.dig}
    async with host_of(settings) as host, client_of(settings) as other:
        with_card: CallToolResult = await host.call_tool("dig_report", arguments)
        without = await other.call_tool("dig_report", arguments)
    assert text_of(with_card) == text_of(without)
    assert with_card.structured_content == without.structured_content
    assert META not in (without.meta or {})
    assert with_card.meta is not None
    ticket = with_card.meta[META]["ticket"]
    assert ticket not in json.dumps([text_of(with_card), with_card.structured_content])


@pytest.mark.requirement("card:hidden")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("extensions", OTHERS.values(), ids=OTHERS)
async def test_other_hosts_are_not_told_of_the_tool_and_cannot_call_it(
    settings: Settings, mode: Mode, extensions: list[Any]
) -> None:
    digs = digs_of(settings)
    state = reported(digs)
    async with host_of(settings) as host:
        right = await sent_by_card(host, state)
        assert DECIDE in {tool.name for tool in (await host.list_tools()).tools}
    async with Client(build_app(settings), mode=mode, extensions=extensions) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert DECIDE not in names
        text = await refused(client, right)
        assert text.startswith("[INVALID_ARGUMENT] this tool — there is no such tool")
        assert DECIDE not in text.partition("call one of:")[2]
    assert digs.load(state.dig) == state


@pytest.mark.requirement("card:hidden")
async def test_the_tool_is_for_the_card_and_not_for_the_model(settings: Settings) -> None:
    async with host_of(settings) as host:
        tools = {tool.name: tool for tool in (await host.list_tools()).tools}
    assert tools[DECIDE].meta == {"ui": {"resourceUri": PAGE, "visibility": ["app"]}}
    assert tools["dig_report"].meta == {"ui": {"resourceUri": PAGE}}


@pytest.mark.requirement("card:token")
async def test_neither_half_of_a_token_decides_nor_does_any_other(settings: Settings) -> None:
    digs = digs_of(settings)
    state, other = reported(digs), reported(digs, title="Another")
    async with host_of(settings) as client:
        right = await sent_by_card(client, state)
        half, _, ticket = right["token"].partition(".")
        foreign = await sent_by_card(client, other)
        late = f"{int(ticket.partition('.')[0]) + 1}.{ticket.partition('.')[2]}"
        tokens = ["", half, ticket, f"{half}.", f".{ticket}", f"{half}.{late}", f"{ticket}.{half}"]
        tokens += [foreign["token"], right["token"].upper(), right["token"] + " ", "\udc80.1.x"]
        for token in tokens:
            text = await refused(
                client, {**right, "token": token.encode(errors="replace").decode()}
            )
            assert text.startswith("[NOT_DECIDED] decide_on_card")
        assert digs.load(state.dig) == state
        assert not (await client.call_tool(DECIDE, right)).is_error


@pytest.mark.requirement("card:token")
async def test_a_token_is_used_once_and_for_the_report_it_came_with(settings: Settings) -> None:
    digs = digs_of(settings)
    state = reported(digs)
    async with host_of(settings) as client:
        before = await sent_by_card(client, state)
        Review(digs).redirect(state.dig, hand_on(state), keep(state), "the sea")
        again = drive(digs, state.dig)
        assert again.report is not None
        assert "[REPORT_VOID]" in await refused(client, before)
        renamed = {**before, "report_sha256": again.report.sha256}
        assert "[NOT_DECIDED]" in await refused(client, renamed)
        now = await sent_by_card(client, again)
        assert not (await client.call_tool(DECIDE, now)).is_error
        assert "[WRONG_STEP]" in await refused(client, now)
        result = await client.call_tool("dig_report", {"dig_id": state.dig})
        assert META not in (result.meta or {})


@pytest.mark.requirement("card:token")
def test_a_ticket_ends_after_a_day() -> None:
    tickets = Tickets(b"k" * 32)
    token = f"{tickets.page_half}.{tickets.issue('dig_a', 'f' * 64, 1000.0)}"
    assert tickets.admit(token, "dig_a", "f" * 64, 1000.0 + TTL_SECONDS)
    assert not tickets.admit(token, "dig_a", "f" * 64, 1001.0 + TTL_SECONDS)
    assert not tickets.admit(token, "dig_b", "f" * 64, 1000.0)
    assert not tickets.admit(token, "dig_a", "e" * 64, 1000.0)
    assert not replace(tickets, key=b"x" * 32).admit(token, "dig_a", "f" * 64, 1000.0)


@pytest.mark.requirement("card:decides")
@pytest.mark.parametrize(
    "changed",
    [
        {"keep": [], "drop": []},
        {"keep": "row_1"},
        {"keep": ["row_1", "row_1"]},
        {"keep": [1, None, ["row_1"]]},
        {"keep": ["elsewhere"]},
        {"keep": {"row_1": True}},
    ],
    ids=["nothing", "a text", "one twice", "no texts", "unknown", "a mapping"],
)
async def test_choices_that_do_not_fit_the_report_record_nothing(
    settings: Settings, changed: dict[str, Any]
) -> None:
    digs = digs_of(settings)
    state = reported(digs)
    async with host_of(settings) as client:
        assert "[INVALID_ARGUMENT]" in await refused(
            client, await sent_by_card(client, state, **changed)
        )
    assert digs.load(state.dig) == state


@pytest.mark.requirement("passphrase:only-person")
async def test_with_a_passphrase_no_card_is_filled_and_no_token_counts(settings: Settings) -> None:
    digs = digs_of(settings)
    state = reported(digs)
    async with host_of(settings) as client:
        right = await sent_by_card(client, state)
        set_passphrase(settings.state, "three grey herons", Cost(n=16, r=1, p=1))
        result = await client.call_tool("dig_report", {"dig_id": state.dig})
        assert META not in (result.meta or {})
        assert "[NOT_DECIDED]" in await refused(client, right)
    assert digs.load(state.dig) == state
