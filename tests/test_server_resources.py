"""What a client may read beside the tools: reports, briefs, the prompt, the instructions."""

import pytest
from mcp import MCPError
from mcp.types import TextContent, TextResourceContents

from server.config import Settings
from server.dig import Digs
from server.prompts import INSTRUCTIONS
from tests.digging import drive, finish, open_dig, reported
from tests.mcp_client import MODES, Mode, client_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(digs: Digs) -> Settings:
    return digs.settings


async def read(settings: Settings, uri: str, mode: Mode = "auto") -> tuple[str, str | None]:
    """The text behind an address, and its kind."""
    async with client_of(settings, mode) as client:
        (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text, content.mime_type


async def unread(settings: Settings, uri: str) -> str:
    """What a client is told instead of the text behind an address."""
    async with client_of(settings) as client:
        with pytest.raises(MCPError) as error:
            await client.read_resource(uri)
    return str(error.value)


@pytest.mark.requirement("mcp:resources")
@pytest.mark.parametrize("mode", MODES)
async def test_a_report_and_a_brief_are_read_as_they_stand(
    mode: Mode, digs: Digs, settings: Settings
) -> None:
    state = finish(digs, open_dig(digs))
    assert state.report is not None
    assert state.brief is not None
    report = await read(settings, f"dig://{state.dig}/report", mode)
    assert report == (state.report.text, "text/plain")
    text, kind = await read(settings, f"dig://{state.dig}/brief", mode)
    assert kind == "text/markdown"
    assert text == (settings.briefs / state.brief.path).read_bytes().decode("utf-8")


@pytest.mark.requirement("mcp:resources")
@pytest.mark.parametrize("what", ["report", "brief"])
async def test_what_is_not_there_is_an_error(what: str, digs: Digs, settings: Settings) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "picked")
    for name in (dig, "dig_nobody"):
        assert (await unread(settings, f"dig://{name}/{what}")).startswith("no dig ")
    for path in ("..", "a/b"):
        assert (await unread(settings, f"dig://{path}/{what}")).startswith("Unknown resource")


async def test_a_brief_that_was_moved_away_is_an_error(digs: Digs, settings: Settings) -> None:
    state = finish(digs, open_dig(digs))
    assert state.brief is not None
    (settings.briefs / state.brief.path).unlink()
    told = await unread(settings, f"dig://{state.dig}/brief")
    assert told == "the brief of this dig is not on this disk any more"


async def test_an_undecided_dig_has_a_report_and_no_brief(digs: Digs, settings: Settings) -> None:
    state = reported(digs)
    assert (await read(settings, f"dig://{state.dig}/report"))[0].startswith("=== DIG REPORT")
    told = await unread(settings, f"dig://{state.dig}/brief")
    assert told == "no dig of that id has a brief"


@pytest.mark.requirement("mcp:instructions")
@pytest.mark.parametrize("mode", MODES)
async def test_the_instructions_tell_the_order_and_that_the_turn_ends(
    mode: Mode, settings: Settings
) -> None:
    async with client_of(settings, mode) as client:
        assert client.instructions == INSTRUCTIONS
        named = [tool.name for tool in (await client.list_tools()).tools]
    steps = ("open_dig", "retrieve_candidates", "score_summaries", "pick_scotoma", "dig_report")
    places = [INSTRUCTIONS.index(step) for step in steps]
    assert places == sorted(places)
    assert set(steps) <= set(named)
    assert "END YOUR TURN" in INSTRUCTIONS
    assert len(INSTRUCTIONS) < 1000


@pytest.mark.requirement("mcp:prompt")
async def test_the_prompt_starts_a_dig_for_a_keyword_and_a_title(settings: Settings) -> None:
    async with client_of(settings) as client:
        (prompt,) = (await client.list_prompts()).prompts
        assert prompt.name == "dig"
        arguments = {argument.name: argument.required for argument in prompt.arguments or []}
        assert arguments == {"keyword": True, "title": True, "voice": False}
        got = await client.get_prompt("dig", {"keyword": "tide", "title": "What {the} Sea Keeps"})
    (message,) = got.messages
    assert isinstance(message.content, TextContent)
    assert 'Dig for "tide" for a piece called "What {the} Sea Keeps" (voice Carbon).' in (
        message.content.text
    )
