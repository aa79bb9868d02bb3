"""Every tool and resource, asked about a dig or an exploration of somebody else."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from server.app import build_app
from server.dig import Digs
from server.replies import Status
from tests.digging import ASKED, TERMS, briefs, digs_of, finish, open_dig, reported
from tests.mcp_client import answered, refused, text_of
from tests.page_visitor import visiting

pytestmark = pytest.mark.anyio
NOBODYS = "dig_" + "a" * 26
CONTRACT = {
    "max_rounds": 3,
    "max_tokens": 20_000,
    "max_stall_count": 2,
    "max_reset_count": 1,
    "max_plan_revisions": 0,
    "enable_plan_review": False,
}
# What each tool takes beside the dig; those that take none are asked in tests of their own.
OF_DIGS: dict[str, dict[str, Any]] = {
    "retrieve_candidates": {"terms": list(TERMS)},
    "score_summaries": {"batch": 1, "scores": []},
    "pick_scotoma": {"deep_cuts": [], "direct_hits": [], "pass4_empty": True},
    "extract_excerpt": {"id": "row_1"},
    "dig_report": {},
    "assemble_brief": {},
    "dig_status": {},
}
OF_RUNS: dict[str, dict[str, Any]] = {
    "exploration_status": {},
    "list_bundles": {},
    "read_bundle": {"base": "kb"},
    "read_dir": {"base": "kb", "path": ""},
    "read_file": {"base": "kb", "path": "Essays/quiet.md"},
    "declare_requirement": {"base": "kb", "path": "Essays/quiet.md", "ref": "1"},
    "quick_validate": {"base": "kb", "proposal_json": "{}"},
    "commit_hypothesis": {"label": "a", "rationale": "b", "requirement": None, "why_none": "c"},
    "submit_plan": {"plan": "look", "tokens": 1},
    "record_round": {
        "round_index": 0,
        "is_request_satisfied": False,
        "is_in_loop": False,
        "is_progress_being_made": True,
        "next_speaker": "navigator",
        "instruction_or_question": "look",
        "tokens": 1,
    },
    "close_exploration": {"tokens": 1},
}


class Somebody(str):
    """A principal that asks."""

    __slots__ = ()

    def __call__(self) -> str:
        return str(self)


class Asking:
    """Who asks now; the server asks it anew at every call."""

    name = "anna"

    def __call__(self) -> str:
        return self.name


@asynccontextmanager
async def served(digs: Digs, asking: Asking) -> AsyncGenerator[Client]:
    async with Client(build_app(digs.settings, "all", asking)) as client:
        yield client


@pytest.fixture
def annas(digs: Digs) -> str:
    """A dig of Anna's, up to its brief."""
    own = Digs(digs.library, asker=lambda: "anna")
    return finish(own, open_dig(own)).dig


async def test_every_tool_that_takes_a_dig_or_a_run_is_asked(digs: Digs) -> None:
    async with served(digs, Asking()) as client:
        tools = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
    assert {name for name, of in tools.items() if "dig_id" in of["properties"]} == {*OF_DIGS}
    assert {name for name, of in tools.items() if "run" in of["properties"]} == {*OF_RUNS}


@pytest.mark.requirement("principal:own")
@pytest.mark.parametrize("tool", OF_DIGS)
async def test_another_principals_dig_is_as_unknown_as_none(
    tool: str, digs: Digs, annas: str
) -> None:
    asking = Asking()
    async with served(digs, asking) as client:
        asking.name = "berit"
        told = await refused(client, tool, {"dig_id": annas, **OF_DIGS[tool]})
        assert told == (await refused(client, tool, {"dig_id": NOBODYS, **OF_DIGS[tool]})).replace(
            NOBODYS, annas
        )
        assert "[UNKNOWN_DIG]" in told
        asking.name = "anna"
        answer = await client.call_tool(tool, {"dig_id": annas, **OF_DIGS[tool]})
        assert "[UNKNOWN_DIG]" not in text_of(answer)


@pytest.mark.requirement("principal:own")
@pytest.mark.parametrize("tool", OF_RUNS)
async def test_another_principals_exploration_is_as_unknown_as_none(tool: str, digs: Digs) -> None:
    asking = Asking()
    async with served(digs, asking) as client:
        sent = {"objective": "Find what binds", "contract": CONTRACT}
        run = (await answered(client, "open_exploration", **sent))["run"]
        asking.name = "berit"
        told = await refused(client, tool, {"run": run, **OF_RUNS[tool]})
        assert told == (await refused(client, tool, {"run": NOBODYS, **OF_RUNS[tool]})).replace(
            NOBODYS, run
        )
        assert "[UNKNOWN_RUN]" in told
        asking.name = "anna"
        answer = await client.call_tool(tool, {"run": run, **OF_RUNS[tool]})
        assert "[UNKNOWN_RUN]" not in text_of(answer)


@pytest.mark.requirement("principal:own")
async def test_lists_drafts_and_resources_know_nothing_of_anothers_dig(
    digs: Digs, annas: str
) -> None:
    asking = Asking()
    (brief,) = briefs(digs.settings)
    async with served(digs, asking) as client:
        for name, seen in (("anna", True), ("berit", False)):
            asking.name = name
            unfinished = await answered(client, "dig_status")
            assert "digs" not in unfinished, unfinished
            assert (
                await client.call_tool("check_draft", {"brief": annas, "text": "x"})
            ).is_error is (not seen)
            for resource in ("report", "brief"):
                if seen:
                    assert (await client.read_resource(f"dig://{annas}/{resource}")).contents
                else:
                    with pytest.raises(MCPError, match=r"[Nn]o dig"):
                        await client.read_resource(f"dig://{annas}/{resource}")
            # the shelf is the machine owner's
            told = await refused(client, "check_draft", {"brief": brief, "text": "x"})
            assert "there is no such brief" in told


@pytest.mark.requirement("principal:own")
async def test_the_same_words_of_two_principals_open_two_digs(digs: Digs) -> None:
    asking = Asking()
    async with served(digs, asking) as client:
        words = {key: value for key, value in ASKED.items() if value is not None}
        first = (await answered(client, "open_dig", **words))["dig_id"]
        assert (await answered(client, "open_dig", **words))["dig_id"] == first
        asking.name = "berit"
        second = (await answered(client, "open_dig", **words))["dig_id"]
        status = await answered(client, "dig_status")
    assert second != first
    assert [line["dig_id"] for line in status["digs"]] == [second]
    # the person at the machine sees both
    everything = digs_of(digs.settings).dig_status(None)
    assert isinstance(everything, Status)
    assert {line.dig_id for line in everything.digs} == {first, second}


@pytest.mark.requirement("principal:own")
async def test_only_who_is_at_this_machine_is_sent_to_its_page(digs: Digs) -> None:
    with visiting(digs.settings) as page:
        for name in ("local", "anna"):
            own = Digs(digs.library, asker=Somebody(name))
            dig = reported(own, title=f"Of {name}").dig
            for answer in (own.dig_report(dig), own.dig_status(dig), own.assemble_brief(dig)):
                assert (page.url in answer.text) is (name == "local"), answer.text
            assert (own.opening(dig) is not None) is (name == "local")
