"""What an attacker, an accident or a careless operator may do to an exploration."""

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import anyio
import click.testing
import pytest
from mcp import Client
from mcp.types import CallToolResult

from index.faults import StorageTrouble
from server.app import build_app
from server.cli import expedition
from server.config import Overrides, Settings, load_settings
from server.explore.explorations import Explorations
from server.explore.review import Said
from server.refusals import Refusal
from tests.explore_base import write_files
from tests.exploring import CONTRACT, REVIEWED, ROUNDABOUT, Agent, facts, flag_of, settings_at
from tests.mcp_client import text_of
from tests.terminal import COMMAND

W1 = {
    "label": "Kerbs",
    "currency": "NOK",
    "base_year": 2026,
    "claimed_saving": 150_000,
    "measures": [{"id": "m1", "label": "m", "codes": ["21.1"], "max_share": 0.2}],
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


@pytest.fixture
def agent(settings: Settings) -> Agent:
    return Agent(settings, max_tokens=100_000).begin()


@pytest.fixture
def waiting(settings: Settings) -> Agent:
    """A run whose plan waits for a person."""
    agent = Agent(settings, **REVIEWED)
    agent.open()
    agent.plan()
    return agent


def place(agent: Agent, what: str) -> Path:
    """Where a file of the run lies, its folder made."""
    opening = agent.explorations.load(agent.run).opening
    folder = Path(opening.inbox if what.endswith("answer") else opening.artefacts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{agent.run}-{what}.json"


def called(settings: Settings, tool: str, **sent: object) -> CallToolResult:
    """One call through a client in memory."""

    async def call() -> CallToolResult:
        async with Client(build_app(settings, "explore")) as client:
            return await client.call_tool(tool, sent)

    return anyio.run(call)


@pytest.mark.requirement("explore:E55")
@pytest.mark.requirement("explore:E56")
def test_a_proposal_reaches_the_check_as_the_text_that_it_is(agent: Agent) -> None:
    text = json.dumps(W1)
    sent = {"run": agent.run, "base": "roads", "proposal_json": text}
    result = called(agent.settings, "quick_validate", **sent)
    assert result.structured_content is not None
    assert result.structured_content["decision"] == "validated"
    (row,) = agent.explorations.load(agent.run).validations
    assert row.proposal == text


@pytest.mark.requirement("explore:E46")
@pytest.mark.parametrize("words", ["null", "[1]", '{"a": 1}', "true", "7"])
def test_words_that_happen_to_be_json_stay_words(words: str, agent: Agent) -> None:
    sent = {"run": agent.run, "base": "roads", "path": "krav", "filter": words}
    result = called(agent.settings, "read_dir", **sent)
    assert result.structured_content is not None
    assert result.structured_content["filter"] == words
    assert agent.explorations.load(agent.run).calls[-1].filter == words
    assert called(agent.settings, "read_bundle", run=agent.run, base=7).is_error


@pytest.mark.requirement("explore:inbox")
@pytest.mark.requirement("explore:E107")
@pytest.mark.parametrize("what", ["plan-review-answer", "plan-review"])
def test_a_pipe_in_place_of_a_file_is_waited_for_by_nobody(what: str, waiting: Agent) -> None:
    path = place(waiting, what)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    status = facts(waiting.explorations.exploration_status(waiting.run))
    assert status["state"] == "awaiting_review"
    if what == "plan-review":
        assert json.loads(path.read_bytes())["run"] == waiting.run
    else:
        assert "no regular file" in status["not_an_answer"]


@pytest.mark.requirement("explore:E107")
@pytest.mark.parametrize(
    "text",
    [
        '{"run": "RUN", "index": 0.0, "decision": "approve"}',
        '{"run": "RUN", "index": false, "decision": "approve"}',
        '{"run": "RUN", "index": 0, "decision": "revise", "decision": "approve"}',
        "[" * 100_000,
    ],
    ids=["float", "boolean", "twice", "deep"],
)
def test_what_may_be_read_in_two_ways_is_no_answer(text: str, waiting: Agent) -> None:
    place(waiting, "plan-review-answer").write_text(text.replace("RUN", waiting.run))
    status = facts(waiting.explorations.exploration_status(waiting.run))
    assert status["state"] == "awaiting_review"
    assert status["not_an_answer"]


@pytest.mark.requirement("explore:E71")
def test_another_spelling_of_a_requirement_is_no_other_hypothesis(agent: Agent) -> None:
    agent.look_around()
    for ref in ("4.1.2-1", "Krav 4.1.2-1"):
        assert flag_of(agent.declare(ROUNDABOUT, ref)) == "ok"
    spellings = [
        (ROUNDABOUT, "4.1.2-1"),
        (f"./{ROUNDABOUT}", "4.1.2-1"),
        (ROUNDABOUT.replace("/", "//"), "4.1.2-1"),
        (ROUNDABOUT, "Krav 4.1.2-1"),
    ]
    places = [
        facts(agent.commit(requirement={"path": path, "ref": ref}))["position"]
        for path, ref in spellings
    ]
    assert places == [1, 1, 1, 1]
    assert facts(agent.commit(label="Other kerbs"))["position"] == 2


@pytest.mark.requirement("explore:E11")
@pytest.mark.parametrize(
    "content",
    ["[" * 200_000, json.dumps(CONTRACT).replace("{", '{"max_rounds": 1, ')],
    ids=["deep", "twice"],
)
@pytest.mark.parametrize("option", ["--contract", "--approaches"])
def test_a_file_that_two_readers_could_differ_about_is_refused(
    content: str, option: str, settings: Settings, tmp_path: Path
) -> None:
    odd, contract = tmp_path / "odd.json", tmp_path / "contract.json"
    odd.write_text(content)
    contract.write_text(json.dumps(CONTRACT))
    words = ["--objective", "Save", "--base", "roads", "--contract", str(contract)]
    where = ["--kb", settings.bases[0].root, "--state", str(settings.state)]
    told = click.testing.CliRunner().invoke(
        expedition, ["explore", "run", *words, option, str(odd), *where]
    )
    assert told.exit_code == 2
    assert "is no JSON" in told.stderr


@pytest.mark.requirement("explore:E73")
@pytest.mark.requirement("explore:E113")
@pytest.mark.parametrize(
    "changes",
    [
        {"claimed_saving": float("nan")},
        {"claimed_saving": float("inf")},
        {"claimed_saving": -1},
        {"claimed_saving": 10**4000},
        {"affected_codes": ["\ud800"]},
        {"requirement": {"path": "\ud800", "ref": "1"}},
    ],
    ids=["nan", "infinity", "negative", "huge", "code", "path"],
)
def test_what_could_not_be_written_down_is_no_expert_approach(
    changes: Mapping[str, object], settings: Settings
) -> None:
    expert = {"id": "e", "label": "E", "base": "roads", **changes}
    assert flag_of(Agent(settings).open(expert_approaches=[expert])) == "INVALID_ARGUMENT"


@pytest.mark.requirement("explore:E80")
@pytest.mark.requirement("explore:E89")
@pytest.mark.parametrize(
    ("row", "rounds", "ending"),
    [
        ({"is_request_satisfied": True}, 3, "concluded"),
        ({"next_speaker": "nobody"}, 3, "unknown_speaker"),
        ({}, 1, "rounds"),
    ],
)
def test_how_a_run_ended_stands_whatever_is_asked_after(
    row: Mapping[str, object], rounds: int, ending: str, settings: Settings
) -> None:
    agent = Agent(settings, max_tokens=400, max_rounds=rounds).begin()
    agent.round(2, **row)
    answers = [flag_of(agent.explorations.list_bundles(agent.run)) for _ in range(4)]
    assert answers[-2:] == ["BUDGET_EXHAUSTED"] * 2
    assert agent.explorations.load(agent.run).spent <= 400
    closed = facts(agent.close())
    gone = closed["exhausted"] or {"kind": None}
    assert (closed["stop"] or gone["kind"] or "concluded") == ending


@pytest.mark.requirement("explore:E42")
def test_what_a_document_calls_itself_steers_no_terminal(agent: Agent) -> None:
    number = '---\nrequirement_number: "A \\e[31m \\u202e"\n---\nText.\n'
    write_files(Path(agent.settings.bases[1].root), {"odd.md": number})
    for path in ("p.md", "q.md", "odd.md"):
        agent.read(path, base="small")
    answer = agent.declare("odd.md", "B", base="small")
    assert isinstance(answer, Refusal)
    assert answer.flag == "REQUIREMENT_REF_MISMATCH"
    assert answer.text.isprintable()
    assert "\\u202e" in answer.text


@pytest.mark.requirement("explore:E42")
def test_many_long_ids_leave_room_for_the_reason(tmp_path: Path) -> None:
    roots = [
        write_files(tmp_path / str(at), {"a.md": f"---\nbundle_id: {'x' * 117}-{at}\n---\nA\n"})
        for at in range(14)
    ]
    settings = load_settings(Overrides(kb=tuple(roots), state=tmp_path / "state"), {})
    agent = Agent(settings, max_tokens=100_000).begin()
    none = {"requirement": None, "why_none": "none binds"}
    for answer in (agent.read("a.md"), agent.commit(base="y", **none)):
        assert isinstance(answer, Refusal)
        assert len(answer.text) <= 1200
        assert "run has no base" in answer.reason
        assert answer.remedy.endswith("…")


@pytest.mark.requirement("explore:E3")
def test_a_folder_that_became_a_link_into_a_base_is_not_written_to(agent: Agent) -> None:
    root = Path(agent.settings.bases[0].root)
    before = sorted(root.rglob("*"))
    agent.round(2, is_request_satisfied=True)
    folder = agent.settings.state / "explorations"
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(root)
    result = called(agent.settings, "close_exploration", run=agent.run, tokens=0)
    assert text_of(result).startswith("[STORAGE_FULL] close_exploration")
    assert sorted(root.rglob("*")) == before


@pytest.mark.requirement("explore:E3")
def test_an_answer_is_not_recorded_where_its_copy_would_lie_in_a_base(waiting: Agent) -> None:
    opening = waiting.explorations.load(waiting.run).opening
    Path(opening.inbox).mkdir(parents=True)
    around = replace(waiting.settings.bases[0], root=opening.inbox)
    elsewhere = Explorations(replace(waiting.settings, bases=(around,)))
    with pytest.raises(StorageTrouble, match="lies inside the base"):
        elsewhere.answer_review(waiting.run, Said(0, "approve"))
    assert elsewhere.load(waiting.run).reviews == ()


@pytest.mark.requirement("explore:E113")
@pytest.mark.parametrize("odd", ["the folder", "the question"])
def test_a_folder_that_cannot_be_written_is_told(odd: str, settings: Settings) -> None:
    agent = Agent(settings, **REVIEWED)
    agent.open()
    folder = settings.state / "explorations"
    if odd == "the folder":
        folder.write_text("no folder")
    else:
        (folder / f"{agent.run}-plan-review.json").mkdir(parents=True)
    result = called(settings, "submit_plan", run=agent.run, plan="Look", tokens=0)
    assert text_of(result).startswith("[STORAGE_FULL] submit_plan")
    assert "explorations" in text_of(result)
    assert Explorations(settings).load(agent.run).state == "awaiting_review"


@pytest.mark.requirement("explore:E80")
@pytest.mark.requirement("explore:E108")
@pytest.mark.parametrize("closed", [False, True], ids=["ended", "closed"])
def test_nobody_is_asked_for_a_run_that_is_over(closed: bool, settings: Settings) -> None:
    agent = Agent(settings, **REVIEWED, max_tokens=300)
    agent.open()
    agent.plan()
    while flag_of(agent.explorations.list_bundles(agent.run)) == "ok":
        continue
    before = facts(agent.close()) if closed else None
    status = facts(agent.explorations.exploration_status(agent.run))
    assert (status["state"], status["review"]) == ("closed" if closed else "ended", None)
    assert flag_of(agent.explorations.answer_review(agent.run, Said(0, "approve"))) != "ok"
    answer = {"run": agent.run, "index": 0, "decision": "approve"}
    place(agent, "plan-review-answer").write_text(json.dumps(answer))
    assert flag_of(agent.explorations.read_bundle(agent.run, "roads")) == "WRONG_MOMENT"
    after = facts(agent.close())
    assert after["exhausted"]["kind"] == "tokens"
    assert before in (None, after)


@pytest.mark.requirement("explore:E113")
def test_one_interrupt_ends_a_question_at_the_terminal(settings: Settings, tmp_path: Path) -> None:
    contract, script = tmp_path / "contract.json", tmp_path / "script.json"
    contract.write_text(json.dumps({**CONTRACT, **REVIEWED}))
    script.write_text(json.dumps({"manager": ["Facts.", "Plan."]}))
    words = ["--objective", "o", "--base", "roads", "--run", "r1", "--contract", str(contract)]
    where = ["--kb", settings.bases[0].root, "--state", str(settings.state)]
    told = ["explore", "run", *words, "--rehearse", str(script), "--review-here", *where]
    pipe = subprocess.PIPE
    with subprocess.Popen([COMMAND, *told], stdin=pipe, stdout=pipe, stderr=pipe) as asked:
        assert asked.stdout is not None
        shown = b""
        while not shown.endswith(b"what to change: "):
            shown += asked.stdout.read(1)
        asked.send_signal(signal.SIGINT)
        assert asked.wait(30) == 1
    state = Explorations(settings).load("r1")
    assert (state.failed, state.reviews) == ("KeyboardInterrupt", ())
    assert (settings.state / "explorations" / "r1-exploration.json").is_file()
