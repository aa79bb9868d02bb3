"""The numbered rules of exploration that its other tests leave open."""

import json
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import click.testing
import pytest
from mcp import Client

from index.faults import BadSettings
from server.app import build_app
from server.config import Overrides, Settings, load_settings
from server.explore.answers import record_of
from server.explore.explorations import Explorations
from server.explore.state import RunState
from server.store import Busy
from tests.explore_base import write_files, write_roads
from tests.exploring import CONTRACT, REVIEWED, ROUNDABOUT, Agent, facts, flag_of, settings_at
from tests.exploring_killed import killed_after
from tests.mcp_client import text_of

KILLS = 12
TRACE = """
    run driver objective bases dimension contract completed stop exhausted parked failed tokens
    starting_material mandate hypotheses rounds rounds_lost plan_reviews quick_validations
    tool_calls requirements
"""
HEAD = '---\nokf_version: "0.2"\n---\n'
READS = (ROUNDABOUT, "krav/N100/innledning.md", "guide/a.md")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


@pytest.fixture
def agent(settings: Settings) -> Agent:
    return Agent(settings, max_tokens=100_000).begin()


def compact(record: object) -> int:
    return len(json.dumps(record, ensure_ascii=False, separators=(",", ":")))


@pytest.mark.requirement("explore:E20")
@pytest.mark.parametrize(
    "sign", ["\x01", '"', "a", "\n"], ids=["control", "quote", "letter", "break"]
)
def test_a_base_costs_the_catalogue_little_whatever_its_index_holds(
    sign: str, tmp_path: Path
) -> None:
    root = write_files(tmp_path / "odd", {"index.md": HEAD + sign * 5_000, "a.md": "# A\n"})
    settings = load_settings(Overrides(kb=(root,), state=tmp_path / "state"), {})
    agent = Agent(settings).begin()
    catalogue = facts(agent.explorations.list_bundles(agent.run))
    (entry,) = catalogue["bases"]
    assert compact(entry) <= 800
    assert compact(catalogue) <= 1000
    assert (sign * 5_000).startswith(entry["index_excerpt"])
    assert entry["index_truncated"] is True


async def _busy_over_mcp(settings: Settings) -> Any:
    async with Client(build_app(settings, "explore")) as client:
        sent = {"objective": "o", "contract": CONTRACT}
        return await client.call_tool("open_exploration", sent)


def always_busy(*_: object) -> None:
    raise Busy("state")


@pytest.mark.requirement("explore:busy")
def test_a_store_that_stays_locked_is_told_as_busy(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.Store.create", always_busy)
    result = anyio.run(_busy_over_mcp, settings)
    assert result.is_error
    assert text_of(result).startswith("[BUSY] open_exploration")
    assert result.structured_content["remedy"] == "repeat the same call"


@pytest.mark.requirement("explore:busy")
def test_a_terminal_is_told_that_the_store_is_busy(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from server.cli import expedition

    monkeypatch.setattr("server.store.Store.runs", always_busy)
    words = ["explore", "list", "--kb", settings.bases[0].root, "--state", str(settings.state)]
    result = click.testing.CliRunner().invoke(expedition, words)
    assert result.exit_code == 4
    assert "another process" in result.stderr


@pytest.mark.requirement("explore:E3")
@pytest.mark.parametrize("key", ["artefacts", "inbox"])
def test_a91_a_folder_of_explorations_inside_a_base_stops_the_start(
    key: str, tmp_path: Path
) -> None:
    root = write_roads(tmp_path)
    config = tmp_path / "expedition.json"
    config.write_text(json.dumps({"explore": {key: str(root / "runs")}}), encoding="utf-8")
    overrides = Overrides(config=config, kb=(root,), state=tmp_path / "state")
    with pytest.raises(BadSettings, match="lies inside the base"):
        load_settings(overrides, {})


@pytest.mark.requirement("explore:E44")
@pytest.mark.parametrize("sent", [{"base": 7}, {"path": 7}, {"offset": True}])
def test_an_argument_of_the_wrong_type_is_an_entry_all_the_same(
    sent: dict[str, object], agent: Agent
) -> None:
    asked = {"base": "roads", "path": "guide/a.md", **sent}
    answer = agent.explorations.read_file(agent.run, asked)
    assert flag_of(answer) == "INVALID_ARGUMENT"
    assert agent.outcomes == ["INVALID_ARGUMENT"]


@pytest.mark.requirement("explore:E30")
@pytest.mark.parametrize(
    "target", ["guide/a.md", "../outside.md"], ids=["A29 inside", "A29 outside"]
)
def test_a_link_is_never_followed(target: str, agent: Agent) -> None:
    root = Path(agent.settings.bases[0].root)
    (root / "link.md").symlink_to(root / target)
    assert flag_of(agent.read("link.md")) == "PATH_OUTSIDE_BASE"


@pytest.mark.requirement("explore:E50")
def test_a47_a_small_base_is_declarable(agent: Agent) -> None:
    for path in ("p.md", "q.md"):
        agent.read(path, base="small")
    assert flag_of(agent.declare("p.md", "1", base="small")) == "ok"


@pytest.mark.requirement("explore:E36")
def test_a33_a_broken_block_that_reads_as_a_verdict_is_one(agent: Agent) -> None:
    root = Path(agent.settings.bases[0].root)
    write_files(root, {"guide/v.md": '---\nType: "Verdict "\nbroken: [\n---\nNever shown.\n'})
    answer = agent.read("guide/v.md")
    assert flag_of(answer) == "VERDICT_LAYER_REFUSED"
    assert "Never shown" not in json.dumps(record_of(answer))


@pytest.mark.requirement("explore:E82")
def test_a96_a_satisfied_row_past_the_cap_is_no_row(settings: Settings) -> None:
    agent = Agent(settings).begin()
    answer = agent.round(2, is_request_satisfied=True, tokens=10_001)
    assert flag_of(answer) == "BUDGET_EXHAUSTED"
    assert len(agent.explorations.load(agent.run).rows) == 1
    closed = facts(agent.close())
    assert (closed["completed"], closed["exhausted"]["kind"]) == (False, "tokens")


def walk(settings: Settings, run: str) -> None:
    """From wherever the run stands to its end, each move once if the ledger has it not yet."""
    agent = Agent(settings)
    agent.run = run
    while (state := agent.explorations.load(run)).state != "closed":
        _step(agent, state)


def _step(agent: Agent, state: RunState) -> None:
    if state.state == "planning":
        agent.plan(tokens=11)
    elif state.state == "ready":
        agent.round(1, tokens=13)
    elif state.state == "ended":
        agent.close(17)
    elif len(state.reads("roads")) < len(READS):
        agent.read(READS[len(state.reads("roads"))])
    elif not state.declarations:
        agent.declare(ROUNDABOUT, "4.1.2-1")
    elif not state.hypotheses:
        agent.commit()
    else:
        agent.round(len(state.rows) + 1, is_request_satisfied=True, tokens=19)


@pytest.mark.requirement("explore:killed")
def test_a_run_killed_at_a_dozen_boundaries_ends_with_the_same_mandate(settings: Settings) -> None:
    whole = Agent(settings, max_tokens=100_000)
    whole.open()
    walk(settings, whole.run)
    chance, killed = random.Random(20), Agent(settings, max_tokens=100_000)
    killed.open()
    spent = 0
    for _ in range(KILLS):
        assert killed_after(chance.choice((0, 1, 2, 3)), lambda: walk(settings, killed.run))
        now = Explorations(settings).load(killed.run).spent
        assert now >= spent
        spent = now
    walk(settings, killed.run)
    one, other = (Explorations(settings).load(run) for run in (whole.run, killed.run))
    assert other.spent >= one.spent
    assert other.reported == one.reported
    for state in (one, other):
        assert (len(state.rows), len(state.declarations), len(state.hypotheses)) == (2, 1, 1)
    assert mandate(settings, one.run) == mandate(settings, other.run)
    read = [call.path for call in other.calls if (call.name, call.outcome) == ("read_file", "ok")]
    assert sorted(read) == sorted(READS)
    calls = [call.seq for call in other.calls]
    assert calls == list(range(1, len(calls) + 1))
    with closing(sqlite3.connect(settings.state / "expedition.sqlite3")) as rows:
        assert rows.execute("pragma integrity_check").fetchone() == ("ok",)


@pytest.mark.requirement("explore:killed")
@pytest.mark.requirement("explore:E91")
def test_a_close_killed_before_its_files_were_written_writes_them_when_repeated(
    agent: Agent,
) -> None:
    agent.round(2, is_request_satisfied=True)
    assert killed_after(1, lambda: walk(agent.settings, agent.run))
    assert not list((agent.settings.state / "explorations").glob("*-mandate.json"))
    agent.explorations = Explorations(agent.settings)
    assert agent.explorations.load(agent.run).state == "closed"
    assert facts(agent.close())["completed"] is True
    assert mandate(agent.settings, agent.run)["stop"] is None


@pytest.mark.requirement("explore:E13")
def test_a_ceiling_lowered_later_changes_no_contract(agent: Agent) -> None:
    ceilings = agent.settings.explore.model_copy(update={"require_review": True})
    later = Explorations(replace(agent.settings, explore=ceilings))
    contract = later.load(agent.run).opening.contract
    assert (contract.max_tokens, contract.enable_plan_review) == (100_000, False)
    sent = {"base": "roads", "path": "guide/a.md"}
    assert flag_of(later.read_file(agent.run, sent)) == "ok"


@pytest.mark.requirement("explore:E19")
def test_a_run_knows_only_the_bases_it_named(settings: Settings) -> None:
    agent = Agent(settings).begin(bases=["small"])
    answer = agent.read("guide/a.md")
    assert flag_of(answer) == "UNKNOWN_BASE"
    assert "send base as one of: small" in record_of(answer)["remedy"]
    none = Agent(settings).begin(bases=[])
    assert facts(none.explorations.list_bundles(none.run))["bases"] == []
    assert "none configured" in record_of(none.read("guide/a.md"))["remedy"]


@pytest.mark.requirement("explore:E31")
@pytest.mark.parametrize(
    ("base", "path", "flag"),
    [
        ("rods", "../x.md", "UNKNOWN_BASE"),
        ("roads", "../verdicts/v1.md", "PATH_OUTSIDE_BASE"),
        ("roads", "verdicts", "DIRECTORY_PATH_REFUSED"),
        ("roads", "verdicts/v2.md", "BUNDLE_PATH_NOT_FOUND"),
        ("roads", "verdicts/v1.txt", "NOT_A_DOCUMENT"),
        ("roads", "verdicts/foreign.md", "VERDICT_LAYER_REFUSED"),
        ("roads", "krav/N200/rekkverk.md", "DIMENSION_SCOPE_REFUSED"),
        ("roads", "verdicts/latin.md", "VERDICT_LAYER_REFUSED"),
        ("roads", "krav/latin.md", "DIMENSION_SCOPE_REFUSED"),
        ("roads", "guide/latin.md", "NOT_UTF8_TEXT"),
    ],
)
def test_the_first_gate_that_refuses_is_told(
    base: str, path: str, flag: str, settings: Settings
) -> None:
    files = {
        "verdicts/v1.txt": "no document",
        "verdicts/foreign.md": "---\ntype: verdict\ndimension: safety\n---\nNo.\n",
    }
    root = write_files(Path(settings.bases[0].root), files)
    for place, key in (
        ("verdicts/latin.md", "type: verdict"),
        ("krav/latin.md", "dimension: [safety]"),
        ("guide/latin.md", "dimension: cost"),
    ):
        (root / place).write_bytes(f"---\n{key}\n---\nSkr\xe5ning.\n".encode("latin-1"))
    agent = Agent(settings).begin(dimension="cost")
    assert flag_of(agent.read(path, base=base)) == flag


@pytest.mark.requirement("explore:E40")
@pytest.mark.requirement("explore:E41")
def test_a_refusal_is_known_by_its_keys_and_names_a_move(agent: Agent) -> None:
    refused, given = record_of(agent.read("krav/N100")), record_of(agent.read("guide/a.md"))
    assert {"gate", "flag", "reason", "remedy", "neighbours"} <= set(refused)
    assert not {"flag", "remedy"} & set(given)
    assert refused["remedy"].startswith("read_dir(")
    assert flag_of(agent.level("krav/N100")) == "ok"


@pytest.mark.requirement("explore:E46")
@pytest.mark.requirement("explore:E114")
@pytest.mark.requirement("explore:E113")
def test_a_trace_has_every_key_and_no_text_of_a_document(agent: Agent) -> None:
    agent.read("guide/a.md")
    agent.close()
    path = agent.settings.state / "explorations" / f"{agent.run}-exploration.json"
    text = path.read_text(encoding="utf-8")
    trace = json.loads(text)
    assert text.strip() == json.dumps(trace, indent=2, ensure_ascii=False)
    assert "How to read" not in text
    assert list(trace) == TRACE.split()


@pytest.mark.requirement("explore:E76")
def test_a95_starting_material_never_enters_the_objective(settings: Settings) -> None:
    agent = Agent(settings).begin(starting_material="What we know.")
    assert agent.explorations.load(agent.run).opening.objective == "Save on roads"
    agent.round(2, is_request_satisfied=True)
    agent.close()
    assert mandate(settings, agent.run)["objective"] == "Save on roads"


@pytest.mark.requirement("explore:E86")
@pytest.mark.parametrize("plan", ["", " \n", "x" * 20_001])
def test_a_plan_has_words_and_an_end(plan: str, settings: Settings) -> None:
    agent = Agent(settings)
    agent.open()
    assert flag_of(agent.plan(plan)) == "INVALID_ARGUMENT"
    assert flag_of(agent.plan("x" * 20_000)) == "ok"


@pytest.mark.requirement("explore:E88")
def test_the_last_round_may_be_worked_in_and_no_further_one_begins(settings: Settings) -> None:
    agent = Agent(settings).begin()
    agent.round(2)
    agent.round(3)
    assert flag_of(agent.read("guide/a.md")) == "ok"
    assert flag_of(agent.round(4)) == "BUDGET_EXHAUSTED"
    assert agent.explorations.load(agent.run).state == "ended"


@pytest.mark.requirement("explore:E90")
def test_looking_at_the_status_changes_nothing(agent: Agent) -> None:
    before = agent.explorations.load(agent.run)
    facts(agent.explorations.exploration_status(agent.run))
    after = Explorations(agent.settings).load(agent.run)
    assert (after.seq, after.spent) == (before.seq, before.spent)


@pytest.mark.requirement("explore:E94")
@pytest.mark.parametrize(("decision", "words"), [("yes", ""), ("revise", " "), ("approve", "but")])
def test_there_is_no_third_answer(decision: str, words: str, settings: Settings) -> None:
    agent = Agent(settings, **REVIEWED)
    agent.open()
    agent.plan()
    box = settings.state / "review-inbox"
    box.mkdir(mode=0o700)
    answer = {"run": agent.run, "index": 0, "decision": decision, "feedback": words}
    path = box / f"{agent.run}-plan-review-answer.json"
    path.write_text(json.dumps(answer), encoding="utf-8")
    status = facts(agent.explorations.exploration_status(agent.run))
    assert status["state"] == "awaiting_review"
    assert status["not_an_answer"]


def mandate(settings: Settings, run: str) -> dict[str, Any]:
    path = settings.state / "explorations" / f"{run}-mandate.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {key: value for key, value in content.items() if key != "run"}
