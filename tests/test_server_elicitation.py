"""The host's form: one choice about one report, asked once; only an explicit choice decides."""

from pathlib import Path
from typing import Any, Literal

import pytest
from mcp.types import ElicitRequestFormParams, ElicitResult

from server.config import Settings
from server.dig import Digs
from server.dig_state import DigState
from server.moves.asking import hear
from server.review import Review
from tests.digging import (
    Ground,
    decide,
    digs_of,
    drive,
    finish,
    form_answer,
    hand_on,
    keep,
    open_dig,
    reported,
    shown,
)
from tests.mcp_client import MODES, Mode, answered, client_of, refused
from tests.voices_base import UNHEARD, reported_on

pytestmark = pytest.mark.anyio

Action = Literal["accept", "decline", "cancel"]


class Host:
    """A host that answers every form alike and remembers what it was shown."""

    def __init__(self, action: Action, content: dict[str, Any] | None = None) -> None:
        self.shown: list[ElicitRequestFormParams] = []
        self.action: Action = action
        self.content = content

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        self.shown.append(params)
        return ElicitResult(action=self.action, content=self.content)


def host(choice: str) -> Host:
    return Host("accept", {"decision": choice})


@pytest.fixture
def settings(digs: Digs) -> Settings:
    return digs.settings


@pytest.fixture
def state(digs: Digs) -> DigState:
    return reported(digs)


@pytest.mark.requirement("form:one-choice")
@pytest.mark.parametrize("mode", MODES)
async def test_the_form_asks_one_thing_about_one_report(
    mode: Mode, state: DigState, settings: Settings
) -> None:
    asked = host("decide elsewhere")
    async with client_of(settings, mode, asked) as client:
        await refused(client, "assemble_brief", {"dig_id": state.dig})
    (form,) = asked.shown
    assert state.report is not None
    first, *_ = form.message.splitlines()
    assert state.dig in first
    assert state.report.sha256[:12] in first
    assert state.report.text in form.message
    schema = form.requested_schema
    assert schema["required"] == ["decision"]
    assert list(schema["properties"]) == ["decision"]
    decision = schema["properties"]["decision"]
    assert decision["enum"] == ["keep all", "drop all", "decide elsewhere"]
    assert "default" not in decision


@pytest.mark.requirement("form:level")
@pytest.mark.parametrize("mode", MODES)
async def test_keep_all_is_a_decision_of_level_client(
    mode: Mode, state: DigState, digs: Digs, settings: Settings
) -> None:
    async with client_of(settings, mode, host("keep all")) as client:
        answer = await answered(client, "assemble_brief", dig_id=state.dig)
        again = await answered(client, "assemble_brief", dig_id=state.dig)
    assert answer["saved"] is True
    assert answer == again
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert (decision.level, decision.way) == ("client", "elicitation")
    assert decision.keep == shown(state)
    actors = {event.kind: event.actor for event in digs.store.load(state.dig)[1]}
    assert actors["asked"] == actors["decided"] == "client"


@pytest.mark.requirement("form:level")
async def test_drop_all_abandons_the_dig(state: DigState, digs: Digs, settings: Settings) -> None:
    async with client_of(settings, "auto", host("drop all")) as client:
        text = await refused(client, "assemble_brief", {"dig_id": state.dig})
    assert text.startswith("[NOTHING_KEPT] assemble_brief — ")
    assert digs.load(state.dig).state == "abandoned"


@pytest.mark.requirement("form:once")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("action", "content"),
    [
        pytest.param("accept", {"decision": "decide elsewhere"}, id="elsewhere"),
        pytest.param("decline", None, id="declined"),
        pytest.param("cancel", None, id="cancelled"),
    ],
)
async def test_anything_but_a_choice_is_refused_with_the_command_and_not_asked_again(
    mode: Mode,
    action: Action,
    content: dict[str, Any] | None,
    state: DigState,
    digs: Digs,
    settings: Settings,
) -> None:
    asked = Host(action, content)
    async with client_of(settings, mode, asked) as client:
        for _ in range(3):
            text = await refused(client, "assemble_brief", {"dig_id": state.dig})
            assert text.startswith("[NOT_DECIDED] assemble_brief — ")
            assert f"expedition decide {state.dig}" in text
    assert len(asked.shown) == 1
    after = digs.load(state.dig)
    assert (after.state, after.decision) == ("reported", None)
    decide(digs, state.dig)
    async with client_of(settings, mode, asked) as client:
        await answered(client, "assemble_brief", dig_id=state.dig)
    assert len(asked.shown) == 1


@pytest.mark.requirement("form:only-a-choice")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "content",
    [
        pytest.param({}, id="nothing chosen"),
        pytest.param({"decision": "yes"}, id="none of the three"),
        pytest.param({"decision": True}, id="true"),
        pytest.param({"confirmed": "keep all"}, id="another field"),
    ],
)
async def test_an_accepted_form_without_one_of_the_three_choices_decides_nothing(
    mode: Mode, content: dict[str, Any], state: DigState, digs: Digs, settings: Settings
) -> None:
    async with client_of(settings, mode, Host("accept", content)) as client:
        text = await refused(client, "assemble_brief", {"dig_id": state.dig})
    assert text.startswith("[NOT_DECIDED] assemble_brief — ")
    assert f"expedition decide {state.dig}" in text
    after = digs.load(state.dig)
    assert (after.state, after.decision) == ("reported", None)


@pytest.mark.requirement("form:no-capability")
@pytest.mark.parametrize("mode", MODES)
async def test_a_client_without_forms_is_sent_to_the_command(
    mode: Mode, state: DigState, digs: Digs, settings: Settings
) -> None:
    async with client_of(settings, mode) as client:
        text = await refused(client, "assemble_brief", {"dig_id": state.dig})
    assert text == (
        "[NOT_DECIDED] assemble_brief — no person has decided on this report; nothing said in a "
        f"chat counts — end your turn; a person decides with: expedition decide {state.dig}"
    )
    assert digs.load(state.dig) == state


@pytest.mark.requirement("form:only-if-it-helps")
async def test_nobody_is_asked_where_the_answer_would_not_open_the_brief(
    digs: Digs, settings: Settings
) -> None:
    asked = host("keep all")
    opened = open_dig(digs)
    picked = open_dig(digs, title="Another Kiln")
    drive(digs, picked, "picked")
    done = open_dig(digs, title="A Third Kiln")
    finish(digs, done)
    async with client_of(settings, "auto", asked) as client:
        for dig in (opened, picked):
            text = await refused(client, "assemble_brief", {"dig_id": dig})
            assert text.startswith("[WRONG_STEP] ")
        await answered(client, "assemble_brief", dig_id=done)
        text = await refused(client, "assemble_brief", {"dig_id": "dig_nobody"})
        assert text.startswith("[UNKNOWN_DIG] ")
    assert asked.shown == []


@pytest.mark.requirement("form:only-if-it-helps")
async def test_nobody_is_asked_about_a_report_without_a_voice_anchor(
    voices_ground: Ground, tmp_path: Path
) -> None:
    digs = digs_of(voices_ground.at(tmp_path / "voices"))
    state = reported_on(digs, [UNHEARD])
    asked = host("keep all")
    async with client_of(digs.settings, "auto", asked) as client:
        text = await refused(client, "assemble_brief", {"dig_id": state.dig})
        assert text.startswith("[NOT_DECIDED] ")
        decide(digs, state.dig)
        answer = await answered(client, "assemble_brief", dig_id=state.dig)
    assert answer["voice_anchor"] == "MISSING"
    assert asked.shown == []


@pytest.mark.requirement("form:once")
async def test_another_report_is_asked_about_anew(
    state: DigState, digs: Digs, settings: Settings
) -> None:
    asked = Host("decline")
    async with client_of(settings, "auto", asked) as client:
        await refused(client, "assemble_brief", {"dig_id": state.dig})
        Review(digs).redirect(state.dig, hand_on(state), keep(state), "the sea")
        drive(digs, state.dig)
        await refused(client, "assemble_brief", {"dig_id": state.dig})
    first, second = (form.message.splitlines()[0] for form in asked.shown)
    assert first != second


@pytest.mark.requirement("form:bound-to-report")
@pytest.mark.parametrize("mode", MODES)
async def test_a_person_who_decides_while_the_form_is_open_is_first(
    mode: Mode, state: DigState, digs: Digs, settings: Settings
) -> None:
    async def slow(context: Any, params: Any) -> ElicitResult:
        decide(digs_of(settings), state.dig, shown(state)[1:])
        return ElicitResult(action="accept", content={"decision": "drop all"})

    async with client_of(settings, mode, slow) as client:
        answer = await answered(client, "assemble_brief", dig_id=state.dig)
    assert answer["saved"] is True
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert (decision.level, decision.keep) == ("local", shown(state)[:1])


@pytest.mark.requirement("form:bound-to-report")
def test_an_answer_about_an_earlier_report_is_none(state: DigState, digs: Digs) -> None:
    answer = form_answer(state, "keep all")
    Review(digs).redirect(state.dig, hand_on(state), keep(state), "the sea")
    after = drive(digs, state.dig)
    assert hear(after, answer, digs.settings).events == ()
    digs.assemble_brief(state.dig, answer)
    assert digs.load(state.dig) == after
