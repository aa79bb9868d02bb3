"""An exploration through its own door: the acceptance examples of the server level."""

import hashlib
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from index.faults import BadSettings
from server.config import Settings
from server.explore.answers import Answer
from server.explore.artefacts import check_outside
from server.explore.explorations import Explorations
from server.explore.parked import ParkedStateError, read_parked
from server.explore.review import PlanReviewInputError, Said, ask
from server.explore.state import Plan, Question
from server.explore.states import LEGAL, TOOLS, State, moves
from server.explore.tokens import cost_of
from server.passphrase import Cost, set_passphrase
from server.refusals import Refusal
from tests.explore_base import MARKER, write_files
from tests.exploring import REVIEWED, ROUNDABOUT, Agent, facts, flag_of, settings_at


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


@pytest.fixture
def agent(settings: Settings) -> Agent:
    return Agent(settings, max_tokens=100_000).begin()


def artefact(settings: Settings, run: str, what: str) -> dict[str, Any]:
    path = settings.state / "explorations" / f"{run}-{what}.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


@pytest.mark.requirement("explore:opened")
@pytest.mark.requirement("explore:E9")
@pytest.mark.requirement("explore:E12")
@pytest.mark.parametrize(
    ("contract", "words"),
    [
        pytest.param({"max_reset_count": 0}, "max_reset_count", id="A2"),
        pytest.param({"max_plan_revisions": 3}, "enable_plan_review", id="A4"),
        pytest.param({"max_rounds": True}, "max_rounds", id="A5"),
        pytest.param({"max_tokens": 3_000_000}, "ceiling", id="A7"),
    ],
)
def test_a_contract_out_of_bounds_opens_nothing(
    contract: Mapping[str, object], words: str, settings: Settings
) -> None:
    agent = Agent(settings, **contract)
    answer = agent.open()
    assert isinstance(answer, Refusal)
    assert words in answer.text
    assert facts(agent.explorations.exploration_status())["runs"] == []


@pytest.mark.requirement("explore:opened")
@pytest.mark.requirement("explore:E73")
@pytest.mark.parametrize(
    ("sent", "flag"),
    [
        pytest.param({"bases": ["rods"]}, "UNKNOWN_BASE", id="an unknown base"),
        pytest.param(
            {"expert_approaches": [{"id": "x", "label": "X"}]}, "UNROUTABLE_APPROACH", id="A59"
        ),
        pytest.param({"objective": " "}, "INVALID_ARGUMENT", id="a blank objective"),
    ],
)
def test_what_cannot_be_explored_is_refused_before_anything_is_spent(
    sent: Mapping[str, object], flag: str, settings: Settings
) -> None:
    assert flag_of(Agent(settings).open(**sent)) == flag


@pytest.mark.requirement("explore:request-key")
@pytest.mark.requirement("explore:E84")
def test_a_key_opens_one_run_however_often_it_is_sent(settings: Settings) -> None:
    first, again, other = Agent(settings), Agent(settings), Agent(settings)
    first.open(request_key="k")
    again.open(request_key="k")
    assert first.run == again.run
    assert flag_of(other.open(request_key="k", objective="Another")) == "INVALID_ARGUMENT"


@pytest.mark.requirement("explore:unknown-run")
@pytest.mark.requirement("explore:E43")
def test_the_run_of_another_is_as_unknown_as_none(settings: Settings) -> None:
    agent = Agent(settings).begin()
    stranger = Explorations(settings, principal="stranger")
    answers = [stranger.list_bundles(run) for run in (agent.run, "exp_never", 7)]
    assert {flag_of(answer) for answer in answers} == {"UNKNOWN_RUN"}
    assert len({answer.text for answer in answers if isinstance(answer, Refusal)}) == 1
    assert facts(stranger.exploration_status())["runs"] == []


@pytest.mark.requirement("explore:catalogue")
@pytest.mark.requirement("explore:E21")
@pytest.mark.requirement("explore:E38")
def test_the_catalogue_counts_and_holds_no_text(settings: Settings) -> None:
    entries = facts(Explorations(settings).list_bundles())["bases"]
    roads = next(entry for entry in entries if entry["id"] == "roads")
    assert (roads["documents"], roads["verdict_count"], roads["cost_baseline"]) == (4, 1, True)
    agent = Agent(settings)
    agent.open(dimension="cost")
    scoped = facts(agent.explorations.list_bundles(agent.run))["bases"]
    assert next(entry for entry in scoped if entry["id"] == "roads")["documents"] == 3


@pytest.mark.requirement("explore:reading")
@pytest.mark.requirement("explore:E29")
@pytest.mark.requirement("explore:E30")
@pytest.mark.requirement("explore:E35")
@pytest.mark.requirement("explore:E42")
@pytest.mark.parametrize(
    ("path", "flag"),
    [
        ("krav/N100", "DIRECTORY_PATH_REFUSED"),
        ("", "DIRECTORY_PATH_REFUSED"),
        ("krav/N10/x.md", "BUNDLE_PATH_NOT_FOUND"),
        ("../x.md", "PATH_OUTSIDE_BASE"),
        ("krav/../guide/a.md", "PATH_OUTSIDE_BASE"),
        ("/x.md", "PATH_OUTSIDE_BASE"),
        ("guide\\a.md", "PATH_OUTSIDE_BASE"),
        ("%2e%2e/x.md", "BUNDLE_PATH_NOT_FOUND"),
        ("guide/a.md ", "BUNDLE_PATH_NOT_FOUND"),
        ("notes.txt", "NOT_A_DOCUMENT"),
        ("verdicts/v1.md", "VERDICT_LAYER_REFUSED"),
        ("cost-baseline.json", "ok"),
        ("index.md", "ok"),
        (7, "INVALID_ARGUMENT"),
    ],
)
def test_a_path_is_read_or_refused_by_kind(path: Any, flag: str, agent: Agent) -> None:
    answer = agent.read(path)
    assert flag_of(answer) == flag
    assert agent.outcomes == [flag]
    assert agent.explorations.load(agent.run).reads("roads") == {}
    if isinstance(answer, Refusal):
        assert MARKER not in answer.text
        assert len(answer.text) <= 1200


@pytest.mark.requirement("explore:reading")
@pytest.mark.requirement("explore:E25")
@pytest.mark.requirement("explore:E44")
@pytest.mark.parametrize(
    ("sent", "limit", "recorded"),
    [({"limit": "10"}, 10, 10), ({"limit": 0}, 1, 0), ({"limit": 1000}, 200, 1000), ({}, 50, 0)],
)
def test_a_window_is_clamped_and_recorded_as_it_was_asked_for(
    sent: Mapping[str, Any], limit: int, recorded: int, agent: Agent
) -> None:
    assert facts(agent.level("krav/N100", **sent))["limit"] == limit
    assert agent.explorations.load(agent.run).calls[-1].limit == recorded
    assert flag_of(agent.level("krav/N100", limit=True)) == "INVALID_ARGUMENT"
    assert agent.explorations.load(agent.run).calls[-1].limit == 0


@pytest.mark.requirement("explore:reading")
@pytest.mark.requirement("explore:E27")
@pytest.mark.requirement("explore:E32")
def test_a_wrong_rung_names_the_other_one(agent: Agent) -> None:
    listing, document = agent.level(ROUNDABOUT), agent.read("krav/N100")
    assert flag_of(listing) == "DOCUMENT_PATH_REFUSED"
    assert isinstance(listing, Refusal) and "read_file(" in listing.remedy
    assert isinstance(document, Refusal) and "read_dir(" in document.remedy
    assert flag_of(agent.level("verdicts")) == "BUNDLE_PATH_NOT_FOUND"


@pytest.mark.requirement("explore:dimension")
@pytest.mark.requirement("explore:E38")
def test_a_foreign_dimension_is_refused_without_its_name(settings: Settings) -> None:
    agent = Agent(settings).begin(dimension="cost")
    answer = agent.read("krav/N200/rekkverk.md")
    assert isinstance(answer, Refusal)
    assert answer.flag == "DIMENSION_SCOPE_REFUSED"
    assert "safety" not in answer.text
    assert flag_of(agent.read("guide/a.md")) == "ok"


@pytest.mark.requirement("explore:trace")
@pytest.mark.requirement("explore:E34")
@pytest.mark.requirement("explore:E45")
def test_a_file_that_cannot_be_read_is_an_error_and_recorded_as_one(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise PermissionError("no")

    monkeypatch.setattr("server.explore.reading.read_path", broken)
    with pytest.raises(PermissionError):
        agent.read("guide/a.md")
    (call,) = agent.explorations.load(agent.run).calls
    assert (call.outcome, call.error) == ("error", "PermissionError")


@pytest.mark.requirement("explore:trace")
@pytest.mark.requirement("explore:E45")
def test_a_call_that_never_ended_proves_nothing(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("server.explore.reading.read_path", killed)
    with pytest.raises(KeyboardInterrupt):
        agent.read(ROUNDABOUT)
    assert agent.outcomes == ["unfinished"]
    monkeypatch.undo()
    agent.explorations = Explorations(agent.settings)
    assert flag_of(agent.declare(ROUNDABOUT, "4.1.2-1")) == "REQUIREMENT_NOT_READ"


@pytest.mark.requirement("explore:trace")
@pytest.mark.requirement("explore:E44")
@pytest.mark.requirement("explore:E47")
def test_other_spellings_are_entries_of_their_own_and_one_document(agent: Agent) -> None:
    for path in ("guide/a.md", "./guide/a.md", "guide//a.md"):
        assert flag_of(agent.read(path)) == "ok"
    state = agent.explorations.load(agent.run)
    assert [call.path for call in state.calls] == ["guide/a.md", "./guide/a.md", "guide//a.md"]
    assert len(state.reads("roads")) == 1


@pytest.mark.requirement("explore:declaring")
@pytest.mark.requirement("explore:E47")
@pytest.mark.requirement("explore:E49")
@pytest.mark.requirement("explore:E50")
@pytest.mark.parametrize(
    ("reads", "path", "ref", "flag"),
    [
        pytest.param(("x.md", "y.md", "z.md"), "x.md", "1", "REQUIREMENT_NOT_READ", id="A41"),
        pytest.param(("index.md",), "index.md", "1", "REQUIREMENT_NOT_READ", id="A42"),
        pytest.param((ROUNDABOUT,), ROUNDABOUT, "4.1.2-1", "NOT_LOOKED_ENOUGH", id="A46"),
    ],
)
def test_only_what_was_read_among_others_is_declared(
    reads: tuple[str, ...], path: str, ref: str, flag: str, agent: Agent
) -> None:
    for one in reads:
        agent.read(one)
    assert flag_of(agent.declare(path, ref)) == flag


@pytest.mark.requirement("explore:declaring")
@pytest.mark.requirement("explore:E52")
@pytest.mark.requirement("explore:E53")
@pytest.mark.requirement("explore:E54")
def test_a_declaration_gives_what_the_document_says_of_itself(agent: Agent) -> None:
    agent.look_around()
    declared = facts(agent.declare(ROUNDABOUT, "4.1.2-1"))
    assert (declared["title"], declared["number"], declared["ref_matches"]) == (
        "Rundkjøring",
        "Krav 4.1.2-1",
        True,
    )
    assert facts(agent.declare(f"./{ROUNDABOUT}", "4.1.2-1")) == declared
    assert len(agent.explorations.load(agent.run).declarations) == 1
    assert flag_of(agent.declare(ROUNDABOUT, "4.1.2-2")) == "REQUIREMENT_REF_MISMATCH"
    assert facts(agent.declare("guide/a.md", "G1"))["ref_matches"] is None


@pytest.mark.requirement("explore:declaring")
@pytest.mark.requirement("explore:E49")
def test_what_changed_since_it_was_read_is_read_again(agent: Agent) -> None:
    agent.look_around()
    path = Path(agent.settings.bases[0].root) / ROUNDABOUT
    path.write_text(path.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    assert flag_of(agent.declare(ROUNDABOUT, "4.1.2-1")) == "REQUIREMENT_NOT_READ"
    agent.read(ROUNDABOUT)
    assert flag_of(agent.declare(ROUNDABOUT, "4.1.2-1")) == "ok"


@pytest.mark.requirement("explore:validating")
@pytest.mark.requirement("explore:E55")
@pytest.mark.requirement("explore:E56")
def test_every_question_asked_of_the_savings_model_is_kept(agent: Agent) -> None:
    for _ in range(3):
        answer = facts(agent.explorations.quick_validate(agent.run, "rods", "{}"))
        assert (answer["decision"], answer["anchored"], answer["advisory"]) == (
            "refused",
            False,
            True,
        )
    answer = facts(agent.explorations.quick_validate(agent.run, "roads", "{"))
    assert (answer["decision"], answer["anchored"]) == ("unparseable", True)
    rows = agent.explorations.load(agent.run).validations
    assert [row.proposal for row in rows] == ["{}", "{}", "{}", "{"]


@pytest.mark.requirement("explore:committing")
@pytest.mark.requirement("explore:E67")
@pytest.mark.requirement("explore:E68")
@pytest.mark.requirement("explore:E72")
@pytest.mark.parametrize(
    ("changes", "flag"),
    [
        ({"requirement": None}, "HYPOTHESIS_INCOMPLETE"),
        ({}, "REQUIREMENT_NOT_DECLARED"),
        ({"base": None, "requirement": None, "why_none": "none binds"}, "UNROUTABLE_APPROACH"),
        ({"base": "rods", "requirement": None, "why_none": "none binds"}, "UNROUTABLE_APPROACH"),
        ({"requirement": None, "why_none": "none binds"}, "ok"),
    ],
)
def test_a_hypothesis_is_whole_and_rests_on_what_was_declared(
    changes: Mapping[str, object], flag: str, agent: Agent
) -> None:
    assert flag_of(agent.commit(**changes)) == flag


@pytest.mark.requirement("explore:rounds")
@pytest.mark.requirement("explore:E87")
def test_a_round_repeated_is_one_and_another_is_out_of_order(agent: Agent) -> None:
    assert facts(agent.round(1)) == facts(agent.round(1))
    assert len(agent.explorations.load(agent.run).rows) == 1
    assert flag_of(agent.round(1, next_speaker="hypothesiser")) == "ROUND_OUT_OF_ORDER"
    assert flag_of(agent.round(3)) == "ROUND_OUT_OF_ORDER"


@pytest.mark.requirement("explore:rounds")
@pytest.mark.requirement("explore:E79")
@pytest.mark.requirement("explore:E81")
@pytest.mark.parametrize(
    ("contract", "rows", "ending"),
    [
        pytest.param(
            {"max_stall_count": 0, "max_reset_count": 1},
            [{"is_progress_being_made": False}],
            "stalled",
            id="A65",
        ),
        pytest.param({}, [{"next_speaker": "manager"}], "unknown_speaker", id="A66"),
        pytest.param(
            {},
            [{"is_request_satisfied": True, "next_speaker": ""}],
            "unknown_speaker",
            id="A67",
        ),
        pytest.param({}, [{}, {}, {"is_request_satisfied": True}], "concluded", id="A68"),
        pytest.param({}, [{"is_in_loop": False}], "stalled", id="A70"),
        pytest.param({}, [], "stalled", id="A70 without a row"),
    ],
)
def test_a_run_ends_by_counts_and_flags(
    contract: Mapping[str, object],
    rows: list[Mapping[str, object]],
    ending: str,
    settings: Settings,
) -> None:
    agent = Agent(settings, **contract)
    agent.open(expert_approaches=[{"id": "hypothesis-1", "label": "X", "base": "roads"}])
    agent.plan()
    for index, row in enumerate(rows, start=1):
        facts(agent.round(index, **row))
    closed = facts(agent.close())
    assert (closed["completed"], closed["stop"] or "concluded") == (True, ending)
    mandate = artefact(settings, agent.run, "mandate")
    assert [one["id"] for one in mandate["approaches"]] == ["hypothesis-1"]


@pytest.mark.requirement("explore:budgets")
@pytest.mark.requirement("explore:E80")
@pytest.mark.requirement("explore:E81")
def test_rounds_that_run_out_leave_no_mandate(settings: Settings) -> None:
    agent = Agent(settings).begin()
    agent.commit(requirement=None, why_none="none binds")
    for index in (2, 3):
        agent.round(index)
    closed = facts(agent.close())
    assert closed["exhausted"] == {"kind": "rounds", "limit": 3, "spent": 3}
    trace = artefact(settings, agent.run, "exploration")
    assert (trace["completed"], trace["mandate"], len(trace["hypotheses"])) == (False, None, 1)
    assert not list((settings.state / "explorations").glob("*-mandate.json"))


@pytest.mark.requirement("explore:budgets")
def test_the_reply_that_passes_the_cap_is_paid_for_and_not_delivered(settings: Settings) -> None:
    agent = Agent(settings).begin()
    spent = agent.explorations.load(agent.run).spent
    agent.round(2, tokens=9_990 - spent)
    answer = agent.read("guide/a.md")
    assert isinstance(answer, Refusal)
    assert answer.flag == "BUDGET_EXHAUSTED"
    state = agent.explorations.load(agent.run)
    assert state.state == "ended"
    assert state.exhausted is not None and state.exhausted.spent == state.spent > 10_000
    assert state.reads("roads") == {}
    assert artefact(settings, agent.run, "exploration")["exhausted"]["kind"] == "tokens"


@pytest.mark.requirement("explore:budgets")
def test_a_row_that_comes_with_a_report_past_the_cap_is_not_recorded(agent: Agent) -> None:
    answer = agent.round(2, is_request_satisfied=True, tokens=200_000)
    assert flag_of(answer) == "BUDGET_EXHAUSTED"
    assert len(agent.explorations.load(agent.run).rows) == 1
    assert facts(agent.close())["completed"] is False


@pytest.mark.requirement("explore:tokens")
@pytest.mark.requirement("explore:E89")
@pytest.mark.parametrize(("record", "tokens"), [({"a": "x" * 393}, 101), ({"a": 10}, 2)])
def test_a_reply_costs_a_quarter_of_its_bytes(record: Mapping[str, object], tokens: int) -> None:
    assert cost_of(record) == tokens


@pytest.mark.requirement("explore:moments")
@pytest.mark.requirement("explore:E85")
@pytest.mark.parametrize("state", LEGAL)
def test_status_is_legal_always_and_nothing_approves_a_plan(state: State) -> None:
    assert "exploration_status" in moves(state)
    assert set(moves(state)) <= set(TOOLS)
    assert ("list_bundles" in moves(state)) is (state != "closed")


@pytest.mark.requirement("explore:moments")
@pytest.mark.requirement("explore:E85")
@pytest.mark.requirement("explore:E89")
def test_before_a_round_nothing_is_read_and_the_refusal_is_free(settings: Settings) -> None:
    agent = Agent(settings)
    agent.open()
    agent.plan()
    answer = agent.read("guide/a.md")
    assert isinstance(answer, Refusal)
    assert answer.flag == "WRONG_MOMENT" and "record_round" in answer.remedy
    assert agent.explorations.load(agent.run).spent == 0
    assert agent.outcomes == ["WRONG_MOMENT"]


@pytest.mark.requirement("explore:review")
@pytest.mark.requirement("explore:E93")
@pytest.mark.requirement("explore:E95")
def test_a_plan_waits_for_a_person_and_a_revision_past_the_cap_ends_the_run(
    settings: Settings,
) -> None:
    agent = Agent(settings, **REVIEWED)
    agent.open()
    assert facts(agent.plan())["state"] == "awaiting_review"
    waiting = agent.read("guide/a.md")
    assert isinstance(waiting, Refusal) and waiting.flag == "AWAITING_REVIEW"
    assert f"expedition explore review {agent.run}" in waiting.remedy
    revise = Said(0, "revise", "Shorter, please.")
    assert flag_of(Explorations(settings).answer_review(agent.run, revise)) == "ok"
    assert flag_of(agent.explorations.answer_review(agent.run, Said(0, "approve"))) != "ok"
    assert facts(agent.explorations.exploration_status(agent.run))["feedback"] == revise.feedback
    agent.plan("Shorter")
    agent.explorations.answer_review(agent.run, Said(1, "revise", "Again."))
    assert facts(agent.close())["stop"] == "plan_revisions_exhausted"
    reviews = artefact(settings, agent.run, "exploration")["plan_reviews"]
    assert [one["applied"] for one in reviews] == [True, False]


@pytest.mark.requirement("explore:inbox")
@pytest.mark.requirement("explore:E107")
def test_the_inbox_takes_an_answer_and_reports_what_is_none(settings: Settings) -> None:
    agent = Agent(settings, **REVIEWED)
    agent.open()
    agent.plan()
    box = settings.state / "review-inbox"
    box.mkdir(mode=0o700)
    path = box / f"{agent.run}-plan-review-answer.json"
    for sent, words in (
        ("{", "no JSON"),
        ('{"run": "x"}', "does not answer"),
        (json.dumps({"run": agent.run, "index": 0, "decision": "yes"}), "neither"),
    ):
        path.write_text(sent, encoding="utf-8")
        status = facts(agent.explorations.exploration_status(agent.run))
        assert status["state"] == "awaiting_review"
        assert words in status["not_an_answer"]
    answer = {"run": agent.run, "index": 0, "decision": "approve", "feedback": ""}
    path.write_text(json.dumps(answer), encoding="utf-8")
    assert facts(Explorations(settings).exploration_status(agent.run))["state"] == "ready"
    assert flag_of(agent.round(1)) == "ok"


@pytest.mark.requirement("explore:parked")
@pytest.mark.requirement("explore:E109")
def test_the_parked_state_is_believed_only_as_it_was_written(settings: Settings) -> None:
    agent = Agent(settings, **REVIEWED)
    agent.open()
    agent.plan()
    folder, state = settings.state / "explorations", agent.explorations.load(agent.run)
    path = folder / f"{agent.run}-plan-review.json"
    written = path.read_bytes()
    assert read_parked(folder, state)["plan"] == "Look, then commit"
    assert state.question is not None
    assert hashlib.sha256(written).hexdigest() == state.question.sha256
    path.write_bytes(written.replace(b"Look", b"Leap"))
    with pytest.raises(ParkedStateError, match="sha256"):
        read_parked(folder, state)
    path.write_text(json.dumps({**json.loads(written), "index": True}), encoding="utf-8")
    with pytest.raises(ParkedStateError, match="index"):
        read_parked(folder, state)


@pytest.mark.requirement("explore:bases")
@pytest.mark.requirement("explore:E15")
def test_two_bases_of_one_id_are_refused_with_both_folders(tmp_path: Path) -> None:
    settings = settings_at(tmp_path)
    write_files(Path(settings.bases[1].root), {"p.md": "---\nbundle_id: roads\n---\nP\n"})
    answer = Agent(settings).open()
    assert isinstance(answer, Refusal)
    assert "veg" in answer.reason and "small" in answer.reason


@pytest.mark.requirement("explore:bases")
@pytest.mark.requirement("explore:E14")
@pytest.mark.requirement("explore:E16")
@pytest.mark.requirement("explore:E17")
def test_files_that_disagree_on_the_id_close_a_base(settings: Settings) -> None:
    root = Path(settings.bases[1].root)
    for name, declared in (("p.md", "rails"), ("q.md", "tracks")):
        write_files(root, {name: f"---\nbundle_id: {declared}\n---\nText\n"})
    agent = Agent(settings).begin()
    for base, flag in (("small", "BUNDLE_ID_MISMATCH"), ("veg", "UNKNOWN_BASE"), ("roads", "ok")):
        assert flag_of(agent.explorations.read_bundle(agent.run, base)) == flag
    answer = agent.read("p.md", base="small")
    assert isinstance(answer, Refusal)
    assert "rails (1 file), tracks (1 file)" in answer.reason


@pytest.mark.requirement("explore:bases")
@pytest.mark.requirement("explore:E18")
def test_a_base_that_disappears_is_unavailable_and_never_empty(agent: Agent) -> None:
    root = Path(agent.settings.bases[1].root)
    root.rename(root.with_name("elsewhere"))
    assert flag_of(agent.read("p.md", base="small")) == "BASE_UNAVAILABLE"
    entries = facts(agent.explorations.list_bundles(agent.run))["bases"]
    assert {"id": "small", "unavailable": True} in entries


@pytest.mark.requirement("explore:committing")
@pytest.mark.requirement("explore:E71")
@pytest.mark.requirement("explore:E75")
def test_a_mandate_has_the_experts_first_and_each_hypothesis_once(agent: Agent) -> None:
    expert = {"id": "hypothesis-1", "label": "Fewer lanes", "base": "small"}
    agent = Agent(agent.settings).begin(expert_approaches=[expert])
    none = {"requirement": None, "why_none": "none binds"}
    places = [
        facts(agent.commit(label=label, **none))["position"]
        for label in ("Kerbs", "Rails", "KERBS")
    ]
    assert places == [1, 2, 1]
    agent.round(2, is_request_satisfied=True)
    agent.close()
    approaches = artefact(agent.settings, agent.run, "mandate")["approaches"]
    assert [one["id"] for one in approaches] == ["hypothesis-1", "hypothesis-2", "hypothesis-3"]
    assert [one["origin"] for one in approaches] == ["expert", "exploration", "exploration"]


@pytest.mark.requirement("explore:rounds")
@pytest.mark.requirement("explore:E78")
def test_rounds_without_progress_make_a_new_plan_due(settings: Settings) -> None:
    agent = Agent(settings, max_rounds=9)
    agent.open()
    agent.plan()
    found = [
        facts(agent.round(index, is_progress_being_made=progress))
        for index, progress in enumerate((False, True, False, False), start=1)
    ]
    assert [row["stall_count"] for row in found] == [1, 0, 1, 0]
    assert (found[-1]["state"], found[-1]["resets"]) == ("planning", 1)
    agent.plan("Another way")
    assert agent.explorations.load(agent.run).plans[-1].is_stalled


@pytest.mark.requirement("explore:budgets")
@pytest.mark.requirement("explore:E83")
def test_what_was_spent_before_a_park_stays_spent(settings: Settings) -> None:
    agent = Agent(settings, **REVIEWED)
    agent.open()
    agent.plan(tokens=9_000)
    agent.explorations = Explorations(settings)
    agent.explorations.answer_review(agent.run, Said(0, "approve"))
    assert flag_of(agent.round(1, tokens=1_500)) == "BUDGET_EXHAUSTED"
    assert facts(agent.close())["exhausted"] == {"kind": "tokens", "limit": 10_000, "spent": 10_500}


@pytest.mark.requirement("explore:review")
@pytest.mark.requirement("explore:E100")
def test_with_a_passphrase_only_a_person_counts(settings: Settings) -> None:
    set_passphrase(settings.state, "open sesame", Cost(n=2))
    agent = Agent(settings, **REVIEWED)
    agent.open()
    agent.plan()
    weak, strong = Said(0, "approve"), Said(0, "approve", level="person")
    assert flag_of(agent.explorations.answer_review(agent.run, weak)) != "ok"
    assert flag_of(agent.explorations.answer_review(agent.run, strong)) == "ok"


@pytest.mark.requirement("explore:opened")
def test_files_of_runs_never_lie_in_a_base(settings: Settings) -> None:
    root = Path(settings.bases[0].root)
    with pytest.raises(BadSettings, match="lies inside the base"):
        check_outside("the artefacts folder", root / "runs", settings)


class Typed:
    """A terminal on which these lines are typed."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.shown = ""

    def read(self) -> str | None:
        return self.lines.pop(0) if self.lines else None

    def write(self, text: str) -> None:
        self.shown += text


@pytest.mark.requirement("explore:review")
@pytest.mark.requirement("explore:E97")
@pytest.mark.requirement("explore:E99")
def test_only_two_lines_are_answers_and_silence_is_none() -> None:
    question = Question(0, Plan("Look\u202e", "", False))
    typed = Typed("", "APPROVE", "revise", "approve")
    assert ask(question, typed) == ("approve", "")
    assert typed.shown.count("Answer `approve`") == 4
    assert "PLAN REVIEW #1" in typed.shown
    assert "(no progress ledger yet)" in typed.shown
    assert "\\u202e" in typed.shown
    with pytest.raises(PlanReviewInputError):
        ask(question, Typed(""))


@pytest.mark.requirement("explore:writes-nothing")
@pytest.mark.requirement("explore:E3")
@pytest.mark.requirement("explore:E91")
def test_a_run_leaves_every_base_as_it_was(agent: Agent) -> None:
    def seal() -> str:
        found = hashlib.sha256()
        for base in agent.settings.bases:
            for path in sorted(Path(base.root).rglob("*")):
                found.update(str(path).encode() + (path.read_bytes() if path.is_file() else b""))
        return found.hexdigest()

    before = seal()
    agent.look_around()
    agent.declare(ROUNDABOUT, "4.1.2-1")
    assert flag_of(agent.commit()) == "ok"
    agent.round(2, is_request_satisfied=True)
    closed = facts(agent.close())
    assert closed["completed"]
    assert facts(Explorations(agent.settings).close_exploration(agent.run, 5)) == closed
    assert seal() == before


@pytest.mark.requirement("explore:reopened")
@pytest.mark.requirement("explore:E4")
def test_every_move_may_reach_another_process(settings: Settings) -> None:
    agent = Agent(settings, max_tokens=100_000)

    def elsewhere() -> Agent:
        agent.explorations = Explorations(settings)
        return agent

    elsewhere().open()
    elsewhere().plan()
    elsewhere().round(1)
    for path in (ROUNDABOUT, "krav/N100/innledning.md", "guide/a.md"):
        elsewhere().read(path)
    assert flag_of(elsewhere().declare(ROUNDABOUT, "4.1.2-1")) == "ok"
    assert flag_of(elsewhere().commit()) == "ok"
    elsewhere().round(2, is_request_satisfied=True)
    assert facts(elsewhere().close())["approaches"] == 1
    trace = artefact(settings, agent.run, "exploration")
    assert sum(call["tokens"] for call in trace["tool_calls"]) == trace["tokens"]["delivered"]


@pytest.mark.requirement("explore:reopened")
def test_calls_of_two_processes_at_once_are_all_recorded_once(agent: Agent) -> None:
    processes = [Explorations(agent.settings) for _ in range(2)]

    def read(one: Explorations) -> Answer:
        return one.read_file(agent.run, {"base": "roads", "path": "guide/a.md"})

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(read, processes))
    assert [flag_of(answer) for answer in answers] == ["ok", "ok"]
    calls = agent.explorations.load(agent.run).calls
    assert [(call.seq, call.outcome) for call in calls] == [(1, "ok"), (2, "ok")]
