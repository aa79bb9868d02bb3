"""An agent over stdio and the orchestrated loop, the same way through two bases: one mandate."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from server.config import Settings
from server.explore.explorations import Explorations
from server.explore.magentic.scripted import Reply
from server.explore.trace import trace_of
from tests.exploring import CONTRACT, HYPOTHESIS, REVIEWED, ROUNDABOUT, settings_at
from tests.exploring_killed import mandate
from tests.mcp_client import answered, refused
from tests.orchestrated import FINAL, PLAN, assessed, calls, said
from tests.terminal import COMMAND
from tests.test_server_explore_served import ROW, options, served

pytestmark = pytest.mark.anyio

OBJECTIVE = "Save on roads"
BOUNDS = {**CONTRACT, **REVIEWED, "max_tokens": 100_000}
UNREAD = {"base": "roads", "path": "krav/N200/rekkverk.md", "ref": "12.11"}
CLAIM = {"base": "roads", "path": ROUNDABOUT, "ref": "4.1.2-1"}
READS = (
    *(("roads", path) for path in (ROUNDABOUT, "krav/N100/innledning.md", "guide/a.md")),
    ("small", "p.md"),
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


def answer(settings: Settings, run: str, index: int, decision: str, feedback: str = "") -> None:
    """A person lays an answer into the inbox."""
    box = settings.state / "review-inbox"
    box.mkdir(exist_ok=True)
    content = {"run": run, "index": index, "decision": decision, "feedback": feedback}
    (box / f"{run}-plan-review-answer.json").write_text(json.dumps(content), encoding="utf-8")


async def by_agent(settings: Settings) -> str:
    """Two servers, one after the other; the plan sent back between them."""
    async with Client(served(settings)) as client:
        opened = await answered(client, "open_exploration", objective=OBJECTIVE, contract=BOUNDS)
        run: str = opened["run"]
        await answered(client, "submit_plan", run=run, plan="Look", tokens=5)
        answer(settings, run, 0, "revise", "Look twice.")
        await answered(client, "submit_plan", run=run, plan="Look twice", tokens=5)
    answer(settings, run, 1, "approve")
    async with Client(served(settings)) as client:
        await answered(client, "record_round", run=run, round_index=1, **ROW)
        for base, path in READS:
            await answered(client, "read_file", run=run, base=base, path=path)
        await answered(client, "record_round", run=run, round_index=2, **ROW)
        early = await refused(client, "declare_requirement", {"run": run, **UNREAD})
        assert early.startswith("[REQUIREMENT_NOT_READ]")
        await answered(client, "declare_requirement", run=run, **CLAIM)
        await answered(client, "commit_hypothesis", run=run, **HYPOTHESIS)
        last: dict[str, Any] = {**ROW, "is_request_satisfied": True}
        await answered(client, "record_round", run=run, round_index=3, **last)
        await answered(client, "close_exploration", run=run, tokens=0)
    return run


def by_loop(settings: Settings, folder: Path) -> str:
    """Three processes: parked, parked again after a revise, then to the end."""
    contract = folder / "contract.json"
    contract.write_text(json.dumps(BOUNDS), encoding="utf-8")

    def explore(code: int, *words: str, **roles: tuple[Reply, ...]) -> str:
        script = folder / "script.json"
        said_ = {role: [one.model_dump() for one in replies] for role, replies in roles.items()}
        script.write_text(json.dumps(said_), encoding="utf-8")
        command = [str(COMMAND), "explore", *words, "--rehearse", str(script), *options(settings)]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        assert told.returncode == code, told.stderr
        assert told.stderr == ""
        return told.stdout

    words = ["--objective", OBJECTIVE, "--contract", str(contract), "--park", str(folder / "park")]
    bases = ["--base", "roads", "--base", "small"]
    explore(6, "run", "--run", "loop", *words, *bases, manager=PLAN)
    answer(settings, "loop", 0, "revise", "Look twice.")
    assert "plan review #2" in explore(6, "resume", "loop", manager=PLAN)
    answer(settings, "loop", 1, "approve")
    reading = calls(*(("read_file", {"base": base, "path": path}) for base, path in READS))
    claiming = calls(("declare_requirement", UNREAD), ("declare_requirement", CLAIM))
    told = explore(
        0,
        *("resume", "loop"),
        manager=(
            *(assessed("navigator"), assessed("hypothesiser")),
            *(assessed("hypothesiser", satisfied=True), FINAL),
        ),
        navigator=(reading, said("Read.")),
        hypothesiser=(claiming, calls(("commit_hypothesis", HYPOTHESIS)), said("Committed.")),
    )
    assert told.startswith("Exploration: concluded after 3 round(s); 1 approach(es)")
    return "loop"


@pytest.mark.requirement("explore:served")
@pytest.mark.requirement("explore:E5")
@pytest.mark.requirement("explore:E110")
async def test_an_agent_and_the_loop_end_with_the_same_mandate(
    settings: Settings, tmp_path: Path
) -> None:
    runs = (await by_agent(settings), by_loop(settings, tmp_path))
    one, other = (mandate(settings, run) for run in runs)
    assert one == other
    assert [approach["id"] for approach in one["approaches"]] == ["hypothesis-1"]
    traces = [trace_of(Explorations(settings).load(run)) for run in runs]
    for trace in traces:
        assert [review["decision"] for review in trace["plan_reviews"]] == ["revise", "approve"]
        assert trace["completed"] is True
    one_way, other_way = (
        [(call["name"], call["base"], call["path"], call["outcome"]) for call in made["tool_calls"]]
        for made in traces
    )
    assert one_way == other_way
    assert ("declare_requirement", "roads", UNREAD["path"], "REQUIREMENT_NOT_READ") in one_way
    for key in ("hypotheses", "requirements", "stop", "bases"):
        assert traces[0][key] == traces[1][key]
