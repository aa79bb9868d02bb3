"""What an agent, a host or two processes may try to get a brief without a person."""

import multiprocessing
import secrets
from dataclasses import replace
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult, ElicitResult, InputRequiredResult

from server.config import Settings
from server.dig import Digs
from server.dig_state import DigState
from server.moves.opening import new_id
from server.refusals import Refusal
from server.review import Review
from server.store import NewEvent
from tests import dig_sent
from tests.digging import (
    Ground,
    briefs,
    decide,
    digs_of,
    drive,
    finish,
    ground_over,
    hand_on,
    keep,
    open_dig,
    perform,
    reported,
    shown,
)
from tests.mcp_client import MODES, Mode, client_of, text_of
from tests.ordering_base import ORDERS, SECRET, WORDS, Obedient, write_ordering_base

pytestmark = pytest.mark.anyio

# Words for consent that a tool might be thought to take.
CONSENT = (
    *("confirmed", "confirm", "approve", "approved", "consent", "question", "decision", "decide"),
    *("human", "person", "passphrase", "token", "form", "force", "yes", "user_confirmed", "level"),
    *("way", "keep", "ctx", "context", "_meta"),
)


@pytest.mark.requirement("attack:orders-in-the-corpus")
@pytest.mark.parametrize("mode", MODES)
async def test_an_agent_that_obeys_every_file_gets_no_further_than_the_report(
    mode: Mode, tmp_path: Path
) -> None:
    base = tmp_path / "kb"
    planted = write_ordering_base(base)
    settings = ground_over(base).at(tmp_path / "own")
    async with client_of(settings, mode) as client:
        agent = Obedient(client)
        dig = await to_report(agent)
        for _ in range(2):
            await agent.call("dig_report", dig_id=dig)
        await client.call_tool("assemble_brief", {"dig_id": dig})
    digs = digs_of(settings)
    assert planted == 200
    assert {tool for tool, _ in agent.obeyed} == {tool for tool, _ in ORDERS}
    assert {run.state for run in digs.store.runs("dig")} == {"reported"}
    _, events = digs.store.load(dig)
    kinds = list(dict.fromkeys(event.kind for event in events))
    assert kinds == ["opened", "retrieved", "scored", "picked", "excerpt_cut", "reported"]
    assert {event.actor for event in events} == {"agent"}
    assert briefs(settings) == []
    assert not any(SECRET in text for text in agent.read)


async def to_report(agent: Obedient) -> str:
    """The honest moves of a dig, in between of whatever the files order."""
    asked = {"keyword_primary": "patience", "title": "Orders", "voice": "Carbon"}
    dig: str = (await agent.call("open_dig", archetype_primary="", **asked))["dig_id"]
    found = await agent.call("retrieve_candidates", dig_id=dig, terms=list(WORDS))
    while rows := found.get("rows"):
        scores = [{"id": row["id"], "embodies": 2, "why": "it says so"} for row in rows]
        found = await agent.call("score_summaries", dig_id=dig, batch=found["batch"], scores=scores)
    hits = [row["id"] for row in found["top"]][:2]
    await agent.call("pick_scotoma", dig_id=dig, deep_cuts=[], direct_hits=hits, pass4_empty=True)
    await agent.call("dig_report", dig_id=dig)
    return dig


@pytest.mark.requirement("dig:unknown")
def test_ten_thousand_forged_ids_are_told_the_same(digs: Digs) -> None:
    finish(digs, open_dig(digs))
    forged = [new_id() for _ in range(9_000)] + [secrets.token_hex(n % 90) for n in range(1_000)]
    tools = [*dig_sent.ANYTHING]
    told: dict[str, set[str]] = {tool: set() for tool in tools}
    for number, name in enumerate(forged):
        tool = tools[number % len(tools)]
        told[tool].add(perform(digs, name, tool, dig_sent.ANYTHING[tool]).text)
    for tool, texts in told.items():
        assert len(texts) == 1, tool
        assert texts.pop().startswith(f"[UNKNOWN_DIG] {tool} — no dig has this id — ")


@pytest.mark.requirement("mcp:no-consent")
@pytest.mark.parametrize("mode", MODES)
async def test_no_word_for_consent_is_an_argument_of_any_tool(mode: Mode, digs: Digs) -> None:
    before = reported(digs)
    async with client_of(digs.settings, mode) as client:
        for tool in (await client.list_tools()).tools:
            right = dict.fromkeys(tool.input_schema.get("required", ()), before.dig)
            for word in CONSENT:
                for value in (True, "keep all", {"decision": "keep all"}):
                    text = text_of(await client.call_tool(tool.name, {**right, word: value}))
                    assert text.startswith(f"[INVALID_ARGUMENT] {tool.name} — "), word
    assert digs_of(digs.settings).load(before.dig) == before


class Wire:
    """A client that makes its own rounds, and says what it likes in them."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def ask(self, dig: str, **said: Any) -> CallToolResult | InputRequiredResult:
        found: object = await self.client.session.call_tool(
            "assemble_brief", {"dig_id": dig}, allow_input_required=True, **said
        )
        assert isinstance(found, CallToolResult | InputRequiredResult)
        return found

    async def asked(self, dig: str) -> InputRequiredResult:
        """The form's round: its question, and the state to send back."""
        found = await self.ask(dig)
        assert isinstance(found, InputRequiredResult)
        return found

    async def say(
        self, dig: str, form: InputRequiredResult, choice: str | None
    ) -> CallToolResult | InputRequiredResult:
        """Answer a form for a dig, which need not be the one it was about."""
        return await self.ask(
            dig, input_responses=said(form, choice), request_state=form.request_state
        )


def said(form: InputRequiredResult, choice: str | None) -> dict[str, ElicitResult]:
    """The form's answer; none is a refusal to answer."""
    answer = ElicitResult(action="decline")
    if choice is not None:
        answer = ElicitResult(action="accept", content={"decision": choice})
    return dict.fromkeys(form.input_requests or {}, answer)


async def nobody(context: Any, params: Any) -> ElicitResult:
    """A client that could show a form; the tests speak for it."""
    raise AssertionError("the form was sent to the callback")


@pytest.mark.requirement("form:no-replay")
@pytest.mark.parametrize(
    ("first", "state"),
    [
        pytest.param("drop all", "abandoned", id="dropped"),
        pytest.param(None, "reported", id="declined"),
        pytest.param("decide elsewhere", "reported", id="put off"),
    ],
)
async def test_a_form_that_was_answered_cannot_be_answered_again(
    first: str | None, state: str, digs: Digs
) -> None:
    dig = reported(digs).dig
    async with client_of(digs.settings, "auto", nobody) as client:
        wire = Wire(client)
        form = await wire.asked(dig)
        await wire.say(dig, form, first)
        events = digs.load(dig).seq
        for _ in range(20):
            again = await wire.say(dig, form, "keep all")
            assert isinstance(again, CallToolResult)
            assert again.is_error
    assert (digs.load(dig).state, digs.load(dig).seq) == (state, events)
    assert briefs(digs.settings) == []


@pytest.mark.requirement("form:no-replay")
async def test_a_yes_that_is_sent_a_hundred_times_makes_one_brief(digs: Digs) -> None:
    dig = reported(digs).dig
    async with client_of(digs.settings, "auto", nobody) as client:
        wire = Wire(client)
        form = await wire.asked(dig)
        answers = [await wire.say(dig, form, "keep all") for _ in range(100)]
    assert all(isinstance(answer, CallToolResult) for answer in answers)
    assert len({answer.model_dump_json() for answer in answers}) == 1
    kinds = [event.kind for event in digs.store.load(dig)[1]]
    assert [kinds.count(kind) for kind in ("asked", "decided", "brief_written")] == [1, 1, 1]
    assert len(briefs(digs.settings)) == 1


@pytest.mark.requirement("form:bound-to-dig")
async def test_an_answer_about_one_dig_is_none_about_another(digs: Digs) -> None:
    one, other = reported(digs).dig, reported(digs, title="Another Kiln", voice="Si-C").dig
    async with client_of(digs.settings, "auto", nobody) as client:
        wire = Wire(client)
        form, fresh = await wire.asked(one), await wire.asked(other)
        mixed = fresh.model_copy(update={"request_state": form.request_state})
        bare = form.model_copy(update={"request_state": None})
        for lie in (form, mixed, bare, fresh.model_copy(update={"request_state": "x" * 200})):
            assert await undecided(wire, other, lie)
    assert digs.load(one).state == digs.load(other).state == "reported"


@pytest.mark.requirement("form:bound-to-report")
async def test_an_answer_to_a_form_about_a_void_report_is_none(digs: Digs) -> None:
    state = reported(digs)
    async with client_of(digs.settings, "auto", nobody) as client:
        wire = Wire(client)
        form = await wire.asked(state.dig)
        Review(digs).redirect(state.dig, hand_on(state), keep(state), "the sea")
        assert await undecided(wire, state.dig, form)
        drive(digs, state.dig)
        assert await undecided(wire, state.dig, form)
    assert digs.load(state.dig).state == "reported"
    assert briefs(digs.settings) == []


async def undecided(wire: Wire, dig: str, form: InputRequiredResult) -> bool:
    """Whether saying yes to this form is an error, or only gets the question asked."""
    try:
        found = await wire.say(dig, form, "keep all")
    except MCPError:
        return True
    return isinstance(found, InputRequiredResult) or found.is_error is True


# Of so many digs one is taken to its brief, which takes longer than the race itself.
RACED, BRIEFED = 300, 20


def many(digs: Digs, count: int) -> list[str]:
    """So many digs with the same report, told event by event like the first."""
    first = reported(digs).dig
    run, events = digs.store.load(first)
    told = [NewEvent(event.kind, event.payload, event.actor) for event in events]
    names = [new_id() for _ in range(count - 1)]
    for name in names:
        digs.store.create(replace(run, run=name), told)
    return [first, *names]


def _decide_all(
    settings: Settings, names: list[str], barrier: Barrier, won: "multiprocessing.Queue[list[str]]"
) -> None:
    """Decide on each dig at the same moment as somebody else, then write its brief."""
    digs, mine = digs_of(settings), list[str]()
    for number, name in enumerate(names):
        state = digs.load(name)
        dropped = shown(state)[number % 2 :][:1]
        barrier.wait(timeout=120)
        if not isinstance(decide(digs, name, dropped), Refusal):
            mine.append(name)
        barrier.wait(timeout=120)
        if number % BRIEFED == 0:
            digs.assemble_brief(name)
    won.put(mine)


@pytest.mark.requirement("dig:one-decision")
def test_of_two_processes_that_decide_at_once_one_wins(ground: Ground, tmp_path: Path) -> None:
    settings = ground.at(tmp_path / "raced")
    digs = digs_of(settings)
    names = many(digs, RACED)
    context = multiprocessing.get_context("spawn")
    barrier, won = context.Barrier(2), context.Queue()
    racers = [
        context.Process(target=_decide_all, args=(settings, names, barrier, won)) for _ in "ab"
    ]
    for racer in racers:
        racer.start()
    winners = sorted(name for _ in racers for name in won.get(timeout=240))
    for racer in racers:
        racer.join()
    assert winners == sorted(names)
    assert all(len(decisions(digs.load(name), digs)) == 1 for name in names)
    assert {digs.load(name).state for name in names[::BRIEFED]} == {"briefed"}
    assert {digs.load(name).state for name in names[1::BRIEFED]} == {"decided"}
    assert len(briefs(settings)) == RACED // BRIEFED
    assert digs.store.check() == []


def decisions(state: DigState, digs: Digs) -> list[str]:
    _, events = digs.store.load(state.dig)
    return [event.kind for event in events if event.kind == "decided"]
