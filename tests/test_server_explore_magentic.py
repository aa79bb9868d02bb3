"""The orchestrated loop, rehearsed with scripts: what it records, and as what it ends."""

import json
from pathlib import Path

import pytest

from server.config import Settings
from server.explore.explorations import Explorations
from server.explore.magentic.run import Refused
from server.explore.magentic.scripted import Reply
from server.explore.magentic.signals import ScriptExhausted
from server.explore.magentic.tools import HYPOTHESISER, NAVIGATOR, Bound, tools_of
from server.explore.marked import HypothesisParseError, marked_lines
from server.explore.state import Exhausted
from tests.exploring import Agent, facts, settings_at
from tests.orchestrated import (
    FINAL,
    PLAN,
    ROUNDABOUT,
    Rehearsal,
    assessed,
    calls,
    ended,
    said,
    state_of,
)

DOCUMENTS = (ROUNDABOUT, "krav/N100/innledning.md", "guide/a.md")
READS = calls(*(("read_file", {"base": "roads", "path": path}) for path in DOCUMENTS))
DECLARE = calls(
    ("declare_requirement", {"base": "roads", "path": ROUNDABOUT, "ref": "4.1.2-1"}),
)
IDEA = {
    "label": "Cheaper kerbs",
    "rationale": "Kerbs cost most.",
    "requirement": {"path": ROUNDABOUT, "ref": "4.1.2-1"},
    "base": "roads",
}
LINE = f"HYPOTHESIS: {json.dumps(IDEA)}"
GARBAGE = said("no ledger at all")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


@pytest.mark.requirement("explore:E119")
@pytest.mark.requirement("explore:E120")
def test_a_loop_reads_declares_commits_and_ends_with_a_mandate(settings: Settings) -> None:
    rehearsal = Rehearsal(
        settings,
        manager=(
            *PLAN,
            assessed(),
            assessed("hypothesiser"),
            assessed("hypothesiser", satisfied=True),
            FINAL,
        ),
        navigator=(READS, said("Read.")),
        hypothesiser=(DECLARE, calls(("commit_hypothesis", IDEA)), said("Committed.")),
    )
    state = rehearsal.start()
    assert ended(state).name == "concluded"
    assert [call.outcome for call in state.calls] == ["ok"] * 5
    assert {call.role for call in state.calls} == {"navigator", "hypothesiser"}
    assert [one.requirement_declared for one in state.hypotheses] == [True]
    folder = Path(state.opening.artefacts)
    mandate = json.loads((folder / "r1-mandate.json").read_text(encoding="utf-8"))
    assert [one["id"] for one in mandate["approaches"]] == ["hypothesis-1"]


@pytest.mark.requirement("explore:E86")
def test_a_plan_that_is_too_long_is_submitted_with_a_word_on_what_is_left_out(
    settings: Settings,
) -> None:
    rehearsal = Rehearsal(
        settings,
        manager=(PLAN[0], said("Look. " * 5_000), assessed(satisfied=True), FINAL),
        navigator=(),
    )
    state = rehearsal.start(contract={"max_tokens": 100_000})
    assert ended(state).name == "concluded"
    events = Explorations(settings).ledger.store.load("r1")[1]
    (plan,) = [event.payload["plan"]["plan"] for event in events if "plan" in event.payload]
    assert len(plan) <= 20_000
    assert plan.endswith("characters more are not shown: ask for a shorter plan]")


@pytest.mark.requirement("explore:E122")
def test_every_model_call_is_charged_once(settings: Settings) -> None:
    rehearsal = Rehearsal(
        settings,
        manager=(*PLAN, assessed(), assessed(satisfied=True), FINAL),
        navigator=(READS, Reply(text="Read.", usage=None)),
    )
    state = rehearsal.start()
    events = Explorations(settings).ledger.store.load("r1")[1]
    charges = [event for event in events if event.kind == "charged"]
    assert len(charges) == rehearsal.asked == 7
    # six calls told their usage; the seventh is charged by its bytes, tool text among them
    assert state.reported > 60 + 20
    assert state.delivered == 0


@pytest.mark.requirement("explore:E82")
@pytest.mark.parametrize("where", ["plan", "row", "turn", "final"])
def test_the_call_that_passes_the_cap_ends_the_run_and_is_the_last(
    settings: Settings, where: str
) -> None:
    much = 20_000
    rehearsal = Rehearsal(
        settings,
        manager=(
            PLAN[0],
            said("Plan.", much if where == "plan" else 10),
            assessed(usage=much if where == "row" else 10),
            assessed(satisfied=True),
            said("Done", much if where == "final" else 10),
        ),
        navigator=(said("Turn.", much if where == "turn" else 10),),
    )
    state = rehearsal.start()
    spent = {"plan": 20_010, "row": 20_020, "turn": 20_030, "final": 20_050}
    assert state.exhausted == Exhausted("tokens", 10_000, spent[where])
    assert rehearsal.asked == {"plan": 2, "row": 3, "turn": 4, "final": 6}[where]
    folder = Path(state.opening.artefacts)
    assert (folder / "r1-exploration.json").exists()
    assert not (folder / "r1-mandate.json").exists()


@pytest.mark.requirement("explore:E126")
@pytest.mark.parametrize("name", ["manager", "Navigator"])
def test_an_unknown_speaker_is_asked_for_three_times_and_ends_the_run(
    settings: Settings, name: str
) -> None:
    rehearsal = Rehearsal(settings, manager=(*PLAN, *(assessed(name),) * 3, FINAL))
    state = rehearsal.start()
    assert ended(state).stop == "unknown_speaker"
    assert [row.speaker_known for row in state.rows] == [False]
    assert rehearsal.asked == 6


@pytest.mark.requirement("explore:E126")
def test_a_satisfied_row_that_names_nobody_is_an_unknown_speaker(settings: Settings) -> None:
    state = Rehearsal(settings, manager=(*PLAN, assessed("", satisfied=True), FINAL)).start()
    assert ended(state).stop == "unknown_speaker"


@pytest.mark.requirement("explore:E124")
def test_the_text_false_is_as_true_as_the_loop_takes_it(settings: Settings) -> None:
    state = Rehearsal(settings, manager=(*PLAN, assessed(satisfied="false"), FINAL)).start()
    assert ended(state).name == "concluded"
    assert state.calls == ()


@pytest.mark.requirement("explore:E125")
def test_a_round_that_was_lost_counts_as_a_round(settings: Settings) -> None:
    rehearsal = Rehearsal(
        settings,
        manager=(*PLAN, assessed(), *(GARBAGE,) * 3, *PLAN, assessed()),
        navigator=(said("One."), said("Two.")),
    )
    state = rehearsal.start()
    assert (len(state.rows), state.rounds_lost) == (2, 1)
    assert ended(state).exhausted == Exhausted("rounds", 3, 3)


@pytest.mark.requirement("explore:E125")
def test_the_reset_that_meets_the_cap_ends_the_run_without_another_plan(
    settings: Settings,
) -> None:
    rehearsal = Rehearsal(settings, manager=(*PLAN, assessed(progress=False)))
    state = rehearsal.start(contract={"max_stall_count": 0, "max_reset_count": 1})
    assert ended(state).stop == "stalled"
    assert rehearsal.asked == 3


@pytest.mark.requirement("explore:E123")
def test_a_used_up_script_fails_the_run(settings: Settings) -> None:
    with pytest.raises(ScriptExhausted, match="manager"):
        Rehearsal(settings, manager=PLAN).start()
    assert state_of(settings).failed == "ScriptExhausted"


@pytest.mark.requirement("explore:E69")
def test_marked_lines_are_kept_declared_or_not(settings: Settings) -> None:
    turn = f"My HYPOTHESIS: cheaper kerbs\r\n  {LINE}\rhypothesis: {{}}"
    rehearsal = Rehearsal(
        settings,
        manager=(*PLAN, assessed("hypothesiser"), assessed(satisfied=True), FINAL),
        hypothesiser=(said(f"{turn}\n{LINE}"),),
    )
    state = rehearsal.start()
    assert [one.requirement_declared for one in state.hypotheses] == [False]
    assert marked_lines(turn) == [f"  {LINE}"]
    assert marked_lines(f"words\u2028{LINE}") == []


@pytest.mark.requirement("explore:E71")
def test_a61_one_hypothesis_by_tool_and_by_line_is_one_approach(settings: Settings) -> None:
    rehearsal = Rehearsal(
        settings,
        manager=(
            *PLAN,
            assessed(),
            assessed("hypothesiser"),
            assessed("hypothesiser", satisfied=True),
            FINAL,
        ),
        navigator=(READS, said("Read.")),
        hypothesiser=(DECLARE, calls(("commit_hypothesis", IDEA)), said(LINE)),
    )
    state = rehearsal.start()
    assert [one.requirement_declared for one in state.hypotheses] == [True]


@pytest.mark.requirement("explore:E70")
@pytest.mark.parametrize(
    "line",
    [
        'HYPOTHESIS: {"label": "x"',
        "HYPOTHESIS: []",
        'HYPOTHESIS: {"label": "x"}',
        LINE.replace("roads", "rods"),
    ],
)
def test_a_marked_line_that_is_no_hypothesis_ends_the_run(settings: Settings, line: str) -> None:
    rehearsal = Rehearsal(
        settings,
        manager=(*PLAN, assessed("hypothesiser"), assessed(satisfied=True), FINAL),
        hypothesiser=(said(line),),
    )
    with pytest.raises(HypothesisParseError) as caught:
        rehearsal.start()
    assert line in str(caught.value)
    state = state_of(settings)
    assert state.failed == "HypothesisParseError"
    folder = Path(state.opening.artefacts)
    assert json.loads((folder / "r1-exploration.json").read_bytes())["mandate"] is None
    assert rehearsal.asked == 4


@pytest.mark.requirement("explore:E119")
def test_an_expert_approach_without_a_base_stops_the_start(settings: Settings) -> None:
    rehearsal = Rehearsal(settings, manager=PLAN)
    with pytest.raises(Refused, match="UNROUTABLE_APPROACH"):
        rehearsal.start(expert_approaches=[{"id": "e", "label": "E"}])
    assert rehearsal.asked == 0


@pytest.mark.requirement("explore:E121")
def test_the_task_is_the_objective_and_the_roles_are_told_their_work(settings: Settings) -> None:
    rehearsal = Rehearsal(
        settings,
        manager=(*PLAN, assessed(), assessed(satisfied=True), FINAL),
        navigator=(said("."),),
    )
    rehearsal.start()
    assert "one level at a time" in rehearsal.clients["navigator"].told
    assert "Never state a saving" in rehearsal.clients["manager"].told
    assert "request:\n\nSave on roads\n\n" in rehearsal.clients["manager"].asked[0]


@pytest.mark.requirement("explore:E5")
def test_a_model_cannot_name_another_run(settings: Settings) -> None:
    agent = Agent(settings).begin()
    bound = Bound(agent.explorations, agent.run, "navigator")
    for tool in tools_of(bound, (*NAVIGATOR, *HYPOTHESISER)):
        assert "run" not in tool.parameters()["properties"]
    given = json.loads(bound.read_file("roads", "guide/a.md"))
    (call,) = agent.explorations.load(agent.run).calls
    assert (call.role, call.outcome) == ("navigator", "ok")
    assert given == facts(agent.read("guide/a.md"))
