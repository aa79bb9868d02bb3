"""The host's offer to open the page: once for a report, and no answer to it decides anything."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from mcp import Client
from mcp.types import (
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
    InputResponses,
)

from server.app import build_app
from server.config import Settings
from server.dig import Digs
from server.dig_state import DigState
from server.passphrase import Cost, set_passphrase
from server.review import Review
from tests.digging import briefs, decide, digs_of, drive, hand_on, keep, reported
from tests.mcp_client import MODES, Mode, answered, text_of
from tests.page_visitor import Visitor, visiting

pytestmark = pytest.mark.anyio

Action = Literal["accept", "decline", "cancel"]


class Host:
    """A host that opens links, or says so; `then` is what the person does meanwhile."""

    def __init__(self, action: Action = "accept", then: Any = None) -> None:
        self.shown: list[Any] = []
        self.action: Action = action
        self.then = then

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        self.shown.append(params)
        if self.then is not None:
            self.then()
        return ElicitResult(action=self.action)


@pytest.fixture
def settings(digs: Digs) -> Settings:
    return digs.settings


@pytest.fixture
def state(digs: Digs) -> DigState:
    return reported(digs)


@pytest.fixture
def visitor(settings: Settings) -> Iterator[Visitor]:
    with visiting(settings) as somebody:
        yield somebody


async def assembled(client: Client, dig: str) -> str:
    return text_of(await client.call_tool("assemble_brief", {"dig_id": dig}))


@pytest.mark.requirement("page:opened")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
async def test_the_page_is_offered_once_and_no_answer_decides(
    settings: Settings, state: DigState, visitor: Visitor, mode: Mode, action: Action
) -> None:
    host = Host(action)
    async with Client(build_app(settings), mode=mode, elicitation_callback=host) as client:
        for _ in range(2):
            text = await assembled(client, state.dig)
            assert text.startswith("[NOT_DECIDED] assemble_brief")
            assert f"{visitor.url}digs/{state.dig}" in text
    (params,) = host.shown
    assert isinstance(params, ElicitRequestURLParams)
    assert params.url == f"{visitor.url}digs/{state.dig}"
    assert state.report is not None
    first = params.message.split("\n")[0]
    assert state.dig in first
    assert state.report.sha256[:12] in first
    after = digs_of(settings).load(state.dig)
    assert (after.state, after.decision, after.asked) == (
        "reported",
        None,
        (state.report.sha256,),
    )
    assert briefs(settings) == []


@pytest.mark.requirement("page:opened")
@pytest.mark.parametrize("mode", MODES)
async def test_who_decides_on_the_page_meanwhile_has_the_brief_at_once(
    settings: Settings, state: DigState, visitor: Visitor, mode: Mode
) -> None:
    host = Host(then=lambda: decide(digs_of(settings), state.dig))
    async with Client(build_app(settings), mode=mode, elicitation_callback=host) as client:
        answer = await answered(client, "assemble_brief", dig_id=state.dig)
    assert answer["saved"] is True
    assert len(host.shown) == 1


@pytest.mark.requirement("page:opened")
async def test_a_new_report_is_offered_anew(
    settings: Settings, state: DigState, visitor: Visitor
) -> None:
    host, digs = Host(), digs_of(settings)
    async with Client(build_app(settings), elicitation_callback=host) as client:
        await assembled(client, state.dig)
        Review(digs).redirect(state.dig, hand_on(state), keep(state), "the sea")
        drive(digs, state.dig)
        await assembled(client, state.dig)
    assert len({params.message for params in host.shown}) == 2


@pytest.mark.requirement("page:opened")
async def test_an_answer_that_was_never_asked_for_opens_nothing(
    settings: Settings, state: DigState, visitor: Visitor
) -> None:
    forged: InputResponses = {
        "page": ElicitResult(action="accept", content={"decision": "keep all"})
    }
    async with Client(build_app(settings), elicitation_callback=Host()) as client:
        first = await client.session.call_tool(
            "assemble_brief",
            {"dig_id": state.dig},
            input_responses=forged,
            allow_input_required=True,
        )
    assert isinstance(first, InputRequiredResult)
    assert digs_of(settings).load(state.dig) == state
    assert briefs(settings) == []


@pytest.mark.requirement("page:opened")
async def test_where_no_page_runs_the_form_is_shown_instead(
    settings: Settings, state: DigState
) -> None:
    host = Host("decline")
    async with Client(build_app(settings), elicitation_callback=host) as client:
        await assembled(client, state.dig)
    (params,) = host.shown
    assert not isinstance(params, ElicitRequestURLParams)


@pytest.mark.requirement("passphrase:only-person")
async def test_with_a_passphrase_the_page_is_still_offered(
    settings: Settings, state: DigState, visitor: Visitor
) -> None:
    set_passphrase(settings.state, "three grey herons", Cost(n=16, r=1, p=1))
    host = Host()
    async with Client(build_app(settings), elicitation_callback=host) as client:
        text = await assembled(client, state.dig)
    assert text.startswith("[NOT_DECIDED]")
    assert len(host.shown) == 1


@pytest.mark.requirement("page:opened")
async def test_status_says_who_is_waited_for_and_where(
    settings: Settings, state: DigState, visitor: Visitor
) -> None:
    async with Client(build_app(settings)) as client:
        answer = await answered(client, "dig_status", dig_id=state.dig)
    assert f"expedition decide {state.dig}" in answer["waits_for"]
    assert f"{visitor.url}digs/{state.dig}" in answer["waits_for"]
    assert "do not ask again" in answer["next"]["why"]
