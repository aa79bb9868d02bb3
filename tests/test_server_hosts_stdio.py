"""Hosts that show cards or open links, before the real server process, in both protocol eras."""

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.types import ElicitRequestURLParams, ElicitResult, TextResourceContents

from server.brief_text import read_brief
from server.card.face import DECIDE, META, PAGE
from server.config import Settings
from server.dig import Digs
from tests.digging import briefs, decide, digs_of, reported, shown
from tests.mcp_client import MODES, Mode, answered, refused, text_of

pytestmark = pytest.mark.anyio

GREETING = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "somebody", "version": "1"},
}
APPS = advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})


@asynccontextmanager
async def served(settings: Settings, *options: str, **host: Any) -> AsyncGenerator[Client]:
    """A client of a server process over the same state."""
    where = ["--kb", settings.bases[0].root, "--state", str(settings.state)]
    command = str(Path(sys.executable).with_name("expedition"))
    server = StdioServerParameters(command=command, args=["serve", *where, *options])
    async with Client(server, **host) as client:
        yield client


@pytest.mark.requirement("card:over-stdio")
@pytest.mark.parametrize("mode", MODES)
async def test_a_card_decides_over_stdio_and_a_host_without_cards_cannot(
    digs: Digs, mode: Mode
) -> None:
    settings = digs.settings
    state = reported(digs)
    async with served(settings, mode=mode, extensions=[APPS]) as host:
        report = await host.call_tool("dig_report", {"dig_id": state.dig})
        assert report.meta is not None
        (page,) = (await host.read_resource(PAGE)).contents
        assert isinstance(page, TextResourceContents)
        half = page.text.partition('PAGE_HALF = "')[2].partition('"')[0]
        sent = {
            "dig_id": state.dig,
            "report_sha256": report.meta[META]["report_sha256"],
            "token": f"{half}.{report.meta[META]['ticket']}",
            "keep": list(shown(state)),
            "drop": [],
        }
        async with served(settings, mode=mode) as other:
            assert DECIDE not in {tool.name for tool in (await other.list_tools()).tools}
            assert "there is no such tool" in await refused(other, DECIDE, sent)
        assert digs_of(settings).load(state.dig) == state
        result = await host.call_tool(DECIDE, sent)
        assert not result.is_error, text_of(result)
        written = await answered(host, "assemble_brief", dig_id=state.dig)
    decided = read_brief(Path(written["path"]).read_text("utf-8")).decided
    assert (decided.level, decided.way) == ("client", "app")


@pytest.mark.requirement("page:over-stdio")
@pytest.mark.parametrize("mode", MODES)
async def test_a_link_that_the_host_opens_leads_to_the_dig_and_decides_nothing(
    digs: Digs, mode: Mode
) -> None:
    settings = digs.settings
    state = reported(digs)
    seen: list[str] = []

    async def opens(context: Any, params: Any) -> ElicitResult:
        assert isinstance(params, ElicitRequestURLParams)
        with urllib.request.urlopen(params.url) as page:
            seen.append(page.read().decode())
        return ElicitResult(action="accept")

    async with served(settings, "--page", mode=mode, elicitation_callback=opens) as client:
        text = await refused(client, "assemble_brief", {"dig_id": state.dig})
        assert text.startswith("[NOT_DECIDED] assemble_brief")
        assert briefs(settings) == []
        decide(digs, state.dig)
        written = await answered(client, "assemble_brief", dig_id=state.dig)
    assert written["saved"] is True
    assert len(seen) == 1
    assert state.dig in seen[0]


@pytest.mark.requirement("serve:interrupted")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_server_that_waits_for_its_client(
    digs: Digs, number: signal.Signals
) -> None:
    where = ["--kb", digs.settings.bases[0].root, "--state", str(digs.settings.state)]
    command = [str(Path(sys.executable).with_name("expedition")), "serve", *where]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": GREETING}
        process.stdin.write(f"{json.dumps(greeting)}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(number)
        assert process.wait(20) == -number
