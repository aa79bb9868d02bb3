"""The border of exploration: what it hands on, what its numbers are worth, what it never writes."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from server.app import build_app
from server.config import Overrides, Settings, load_settings
from server.explore.explorations import Explorations
from server.explore.marked import HypothesisParseError
from server.explore.states import TOOLS
from tests.conftest import REPOSITORY
from tests.explore_base import write_roads, write_small
from tests.exploring import REVIEWED, ROUNDABOUT, Agent, facts, flag_of, settings_at
from tests.nobody import as_nobody
from tests.orchestrated import PLAN, Rehearsal, assessed, said
from tests.test_gates_savings import CASES
from tests.test_server_explore_magentic import LINE, READS


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


def artefacts(settings: Settings) -> dict[str, Any]:
    """The files of all runs by their kinds."""
    folder = settings.state / "explorations"
    found = {path.name.partition("-")[2]: path for path in folder.iterdir()}
    return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in found.items()}


@pytest.mark.requirement("explore:E1")
def test_the_closing_prose_of_a_loop_is_no_proposal(settings: Settings) -> None:
    prose = f"In short: save 5,000,000 on kerbs.\n{LINE}"
    manager = (*PLAN, assessed(), assessed(satisfied=True), said(prose))
    expert = {"id": "e", "label": "Fewer lanes", "base": "small"}
    rehearsal = Rehearsal(settings, manager=manager, navigator=(READS, said("Read.")))
    rehearsal.start(expert_approaches=[expert])
    found = artefacts(settings)
    assert set(found) == {"exploration.json", "mandate.json"}
    assert [one["id"] for one in found["mandate.json"]["approaches"]] == ["e"]
    assert "In short" not in json.dumps(found)


@pytest.mark.requirement("explore:E2")
def test_every_number_of_the_check_says_that_it_is_advisory(settings: Settings) -> None:
    agent = Agent(settings, max_tokens=100_000).begin()
    text = CASES["W1"][0]
    answer = facts(agent.explorations.quick_validate(agent.run, "roads", text))
    assert (answer["decision"], answer["advisory"]) == ("validated", True)
    agent.commit(requirement=None, why_none="none binds", claimed_saving=150_000)
    agent.round(2, is_request_satisfied=True)
    agent.close()
    found = artefacts(settings)
    (row,) = found["exploration.json"]["quick_validations"]
    assert row["verdict"]["advisory"] is True
    # what was claimed is handed on; what the check said of it is not
    (approach,) = found["mandate.json"]["approaches"]
    assert approach["claimed_saving"] == 150_000
    assert "validated" not in json.dumps(found["mandate.json"])


@pytest.mark.requirement("explore:E2")
def test_the_levels_are_named_where_numbers_are_described(settings: Settings) -> None:
    async def descriptions() -> dict[str, str]:
        async with Client(build_app(settings, "explore")) as client:
            tools = (await client.list_tools()).tools
            return {tool.name: tool.description or "" for tool in tools}

    told = anyio.run(descriptions)
    assert "dvisory" in told["quick_validate"] and "Binds nobody" in told["quick_validate"]
    assert set(told) == set(TOOLS)
    page = (REPOSITORY / "docs" / "exploration.md").read_text(encoding="utf-8")
    for level in ("| 1 advisory |", "| 2 blocking |", "| 3 write |"):
        assert level in page


def seal(settings: Settings) -> str:
    """Names, modes, times and bytes of everything in every base."""
    found = hashlib.sha256()
    for base in settings.bases:
        for path in sorted(Path(base.root).rglob("*")):
            status = path.lstat()
            facts_ = (str(path), status.st_mode, status.st_mtime_ns, status.st_size)
            found.update(repr(facts_).encode() + (path.read_bytes() if path.is_file() else b""))
    return found.hexdigest()


def concludes(settings: Settings) -> str:
    agent = Agent(settings, max_tokens=100_000).begin()
    agent.look_around()
    assert flag_of(agent.declare(ROUNDABOUT, "4.1.2-1")) == "ok"
    assert flag_of(agent.commit()) == "ok"
    facts(agent.explorations.quick_validate(agent.run, "roads", CASES["W9"][0]))
    agent.round(2, is_request_satisfied=True)
    assert facts(agent.close())["completed"] is True
    return agent.run


def runs_out(settings: Settings) -> str:
    agent = Agent(settings).begin()
    agent.read(ROUNDABOUT)
    agent.round(2, tokens=20_000)
    assert facts(agent.close())["exhausted"]
    return agent.run


def parks(settings: Settings) -> str:
    agent = Agent(settings, **REVIEWED)
    agent.open()
    assert facts(agent.plan())["state"] == "awaiting_review"
    return agent.run


def loop_parks(settings: Settings) -> str:
    sent = {"contract": REVIEWED, "checkpoints": str(settings.state / "park")}
    state = Rehearsal(settings, manager=PLAN).start("parked", **sent)  # type: ignore[arg-type]
    assert state.question is not None
    return state.run


def loop_fails(settings: Settings) -> str:
    manager = (*PLAN, assessed("hypothesiser"))
    turn = (READS, said("HYPOTHESIS: {"))
    with suppress(HypothesisParseError):
        Rehearsal(settings, manager=manager, hypothesiser=turn).start("failed")
    assert Explorations(settings).load("failed").failed == "HypothesisParseError"
    return "failed"


ENDINGS = (concludes, runs_out, parks, loop_parks, loop_fails)


@pytest.mark.requirement("explore:E3")
@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.__name__)
def test_every_base_is_as_it_was_whatever_ended_a_run(
    ending: Callable[[Settings], str], settings: Settings
) -> None:
    before = seal(settings)
    run = ending(settings)
    assert seal(settings) == before
    assert (settings.state / "explorations" / f"{run}-exploration.json").is_file()


@pytest.fixture
def read_only(tmp_path: Path) -> Generator[Settings]:
    """Two bases that nobody may write to, owned by somebody who is not root."""
    concludes(settings_at(tmp_path / "first"))  # what is imported late is imported now
    with as_nobody():
        folder = Path(tempfile.mkdtemp(prefix="explore-"))
        roots = (write_roads(folder), write_small(folder))
        places = [path for root in roots for path in (root, *root.rglob("*"))]
        for path in places:
            path.chmod(0o555 if path.is_dir() else 0o444)
    settings = load_settings(Overrides(kb=roots, state=folder / "state"), {})
    with as_nobody():
        yield settings
        for path in places:
            path.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.requirement("explore:E3")
def test_a_run_over_bases_that_are_read_only_is_a_run_like_any_other(read_only: Settings) -> None:
    with pytest.raises(PermissionError):
        os.open(Path(read_only.bases[0].root) / "new", os.O_CREAT | os.O_WRONLY)
    before = seal(read_only)
    for ending in ENDINGS:
        ending(read_only)
    assert seal(read_only) == before
