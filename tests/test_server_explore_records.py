"""The records of an exploration: contract files, parked questions, reviews, answers, mandates."""

import hashlib
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import click.testing
import pytest

from index.faults import StorageTrouble
from server.cli import expedition
from server.config import Settings
from server.explore.explorations import Explorations
from server.explore.review import Said
from server.explore.trace import trace_of
from tests.exploring import (
    CONTRACT,
    REQUIREMENT,
    REVIEWED,
    ROUNDABOUT,
    Agent,
    facts,
    flag_of,
    settings_at,
)

PARKED = """
    run driver objective success_criteria starting_material dimension expert_approaches contract
    bases index plan current_progress is_stalled request_id checkpoint_id checkpoint_sha256 rounds
    rounds_lost plan_reviews hypotheses reads requirements quick_validations tokens stall_count
    resets revisions_applied
"""
REVIEW = "index plan is_stalled decision feedback applied way level at"
MANDATE = "run objective success_criteria allow_own_proposals stop approaches"
APPROACH = """
    id label description base requirement why_none affected_codes claimed_saving origin
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


@pytest.fixture
def waiting(settings: Settings) -> Agent:
    """A run whose first plan waits for a person."""
    agent = Agent(settings, **REVIEWED)
    expert = {"id": "x1", "label": "Fewer lanes", "base": "small"}
    agent.open(success_criteria="Ten per cent", expert_approaches=[expert])
    agent.plan(progress="Nothing yet")
    return agent


def kept(settings: Settings, run: str, what: str) -> dict[str, Any]:
    """One artefact of a run."""
    path = settings.state / "explorations" / f"{run}-{what}.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def explore(settings: Settings, *words: str, typed: str = "") -> click.testing.Result:
    """`expedition explore` with an input that was typed before."""
    where = ["--state", str(settings.state)]
    for base in settings.bases:
        where += ["--kb", str(base.root)]
    return click.testing.CliRunner().invoke(expedition, ["explore", *words, *where], input=typed)


@pytest.mark.requirement("explore:E11")
@pytest.mark.requirement("explore:E117")
@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(None, 2, id="missing"),
        pytest.param(b"\xff", 2, id="no-text"),
        pytest.param(b"{", 2, id="no-json"),
        pytest.param(b"[]", 1, id="no-object"),
        pytest.param(b"{}", 1, id="empty"),
        pytest.param(json.dumps({**CONTRACT, "max_rounds": 0}).encode(), 1, id="out-of-bounds"),
    ],
)
def test_a_contract_file_that_is_none_opens_nothing(
    content: bytes | None, code: int, settings: Settings, tmp_path: Path
) -> None:
    path, script = tmp_path / "contract.json", tmp_path / "script.json"
    script.write_text("{}", encoding="utf-8")
    if content is not None:
        path.write_bytes(content)
    sent = ("--objective", "Save", "--contract", str(path), "--base", "roads")
    refused = explore(settings, "run", *sent, "--rehearse", str(script))
    assert refused.exit_code == code
    assert "contract" in refused.stderr
    assert not Explorations(settings).ledger.runs()


@pytest.mark.requirement("explore:E48")
def test_a_call_whose_beginning_cannot_be_recorded_is_not_made(settings: Settings) -> None:
    agent = Agent(settings).begin()
    before = agent.explorations.load(agent.run)
    with closing(sqlite3.connect(settings.state / "expedition.sqlite3")) as store:
        store.execute(
            "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        store.commit()
        with pytest.raises(StorageTrouble, match="full"):
            agent.read("guide/a.md")
        store.execute("DROP TRIGGER full")
        store.commit()
    assert Explorations(settings).load(agent.run) == before
    assert flag_of(agent.read("guide/a.md")) == "ok"


@pytest.mark.requirement("explore:E103")
def test_the_question_is_the_whole_suspended_run(waiting: Agent) -> None:
    asked = kept(waiting.settings, waiting.run, "plan-review")
    assert set(asked) == set(PARKED.split())
    assert (asked["request_id"], asked["checkpoint_id"], asked["checkpoint_sha256"]) == (
        None,
        None,
        None,
    )
    assert (asked["plan"], asked["current_progress"]) == ("Look, then commit", "Nothing yet")
    path = waiting.settings.state / "explorations" / f"{waiting.run}-plan-review.json"
    question = waiting.explorations.load(waiting.run).question
    assert question is not None
    assert question.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.requirement("explore:E96")
@pytest.mark.requirement("explore:E106")
def test_a_person_at_a_terminal_is_recorded_and_a_copy_laid_into_the_inbox(
    waiting: Agent,
) -> None:
    settings, run = waiting.settings, waiting.run
    said = explore(settings, "review", run, typed="revise Shorter, please.\n")
    assert said.exit_code == 0, said.output
    assert "Look, then commit" in said.output
    path = settings.state / "review-inbox" / f"{run}-plan-review-answer.json"
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "run": run,
        "index": 0,
        "decision": "revise",
        "feedback": "Shorter, please.",
    }
    (review,) = trace_of(waiting.explorations.load(run))["plan_reviews"]
    assert set(review) == set(REVIEW.split())
    assert (review["index"], review["decision"], review["applied"]) == (0, "revise", True)
    assert (review["way"], review["level"]) == ("terminal", "local")


@pytest.mark.requirement("explore:E108")
def test_an_answer_counts_once(waiting: Agent) -> None:
    explorations, run = waiting.explorations, waiting.run
    assert flag_of(explorations.answer_review(run, Said(0, "approve"))) == "ok"
    before = explorations.load(run)
    assert flag_of(explorations.answer_review(run, Said(0, "approve"))) == "ok"
    assert explorations.load(run).reviews == before.reviews
    other = explorations.answer_review(run, Said(0, "revise", "No."))
    assert flag_of(other) != "ok"
    assert explorations.load(run).reviews == before.reviews


@pytest.mark.requirement("explore:E106")
def test_an_answer_to_other_words_than_the_question_is_none(waiting: Agent) -> None:
    box = waiting.settings.state / "review-inbox"
    box.mkdir(mode=0o700)
    path = box / f"{waiting.run}-plan-review-answer.json"
    question = waiting.explorations.load(waiting.run).question
    assert question is not None
    answer = {"run": waiting.run, "index": 0, "decision": "approve", "feedback": ""}
    states: list[str] = []
    for sha256 in ("0" * 64, question.sha256):
        path.write_text(json.dumps({**answer, "question_sha256": sha256}), encoding="utf-8")
        status = facts(waiting.explorations.exploration_status(waiting.run))
        states.append(status["state"])
    assert states == ["awaiting_review", "ready"]


@pytest.mark.requirement("explore:E74")
def test_a_mandate_holds_the_objective_and_each_approach_whole(waiting: Agent) -> None:
    explorations, run = waiting.explorations, waiting.run
    explorations.answer_review(run, Said(0, "approve"))
    waiting.round(1)
    waiting.look_around()
    assert flag_of(waiting.declare(ROUNDABOUT, REQUIREMENT["ref"])) == "ok"
    assert flag_of(waiting.commit(label="Fewer kerbs")) == "ok"
    waiting.round(2, is_request_satisfied=True)
    waiting.close()
    mandate = kept(waiting.settings, run, "mandate")
    assert set(mandate) == set(MANDATE.split())
    assert (mandate["objective"], mandate["success_criteria"]) == (
        "Save on roads",
        "Ten per cent",
    )
    assert mandate["allow_own_proposals"] is True
    expert, own = mandate["approaches"]
    assert set(expert) == set(own) == set(APPROACH.split())
    assert (expert["origin"], own["origin"]) == ("expert", "exploration")


@pytest.mark.requirement("explore:E115")
def test_the_trace_that_is_shown_is_the_one_that_is_written(waiting: Agent) -> None:
    explorations, run = waiting.explorations, waiting.run
    explorations.answer_review(run, Said(0, "approve"))
    waiting.round(1)
    waiting.read("guide/a.md")
    waiting.round(2, is_request_satisfied=True)
    waiting.close()
    shown = explore(waiting.settings, "show", run)
    assert shown.exit_code == 0
    assert json.loads(shown.stdout) == kept(waiting.settings, run, "exploration")
    assert len(json.loads(shown.stdout)["plan_reviews"]) == 1


@pytest.mark.requirement("explore:E117")
def test_commands_of_explorations_end_with_agreed_codes(waiting: Agent, tmp_path: Path) -> None:
    settings, run = waiting.settings, waiting.run
    script = tmp_path / "script.json"
    script.write_text("{}", encoding="utf-8")
    assert explore(settings, "show", "exp_none").exit_code == 3
    assert explore(settings, "review", "exp_none").exit_code == 3
    assert explore(settings, "resume", "exp_none", "--rehearse", str(script)).exit_code == 3
    assert explore(settings, "run").exit_code == 2
    assert explore(settings, "review", run, typed="perhaps\n").exit_code == 1
    assert explore(settings, "review", run, typed="approve\n").exit_code == 0
    assert explore(settings, "review", run, typed="approve\n").exit_code == 1


@pytest.mark.requirement("explore:E6")
def test_all_but_the_orchestrated_loop_stands_without_its_extra() -> None:
    program = (
        "import sys; import server.cli, server.app, server.explore.explorations, "
        "server.explore.closing, server.page; "
        "print([name for name in sys.modules if name.startswith('agent_framework')])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"
