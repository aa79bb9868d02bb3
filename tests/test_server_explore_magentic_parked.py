"""A plan of the orchestrated loop before a person: at the terminal, or parked and resumed."""

import json
import stat
from collections.abc import Sequence
from pathlib import Path

import click.testing
import pytest

from server.cli import expedition
from server.config import Settings
from server.explore.doors import Doors, complaint
from server.explore.explorations import Explorations
from server.explore.magentic.leg import Reviewer
from server.explore.magentic.run import Refused
from server.explore.magentic.scripted import Reply
from server.explore.magentic.signals import CheckpointUnreadable
from server.explore.parked import ParkedStateError
from server.explore.review import PlanReviewInputError, Said
from server.explore.state import Exhausted, RunState
from tests.exploring import CONTRACT, REVIEWED, settings_at
from tests.orchestrated import FINAL, PLAN, Rehearsal, assessed, calls, ended, said, state_of
from tests.test_server_explore_magentic import DECLARE, IDEA, READS

GOES_ON = (assessed("hypothesiser"), assessed(satisfied=True), FINAL)


class Lines:
    """A terminal whose input was typed before."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.shown = list(lines), ""

    def read(self) -> str | None:
        return self.lines.pop(0) if self.lines else None

    def write(self, text: str) -> None:
        self.shown += text


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


def park(settings: Settings, *manager: Reply, **contract: object) -> RunState:
    """A run that waits for its first answer."""
    rehearsal = Rehearsal(settings, manager=manager or PLAN)
    folder = str(settings.state / "checkpoints")
    return rehearsal.start(contract={**REVIEWED, **contract}, checkpoints=folder)


def answered(settings: Settings, decision: str = "approve", feedback: str = "") -> RunState:
    """The open question answered by a person elsewhere."""
    question = state_of(settings).question
    assert question is not None
    said_ = Said(question.index, decision, feedback)  # type: ignore[arg-type]
    Explorations(settings).answer_review("r1", said_)
    return state_of(settings)


def resumed(settings: Settings, retry: bool = False, **roles: Sequence[Reply]) -> Rehearsal:
    """Another process that takes the run up."""
    rehearsal = Rehearsal(settings, None, **roles)
    rehearsal.loop.resume("r1", retry)
    return rehearsal


@pytest.mark.requirement("explore:E102")
@pytest.mark.requirement("explore:E104")
@pytest.mark.requirement("explore:E110")
def test_a_parked_loop_goes_on_in_another_process(settings: Settings) -> None:
    parked = park(settings)
    assert parked.question is not None and parked.question.checkpoint_id
    folder = settings.state / "checkpoints" / "r1"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    answered(settings)
    resumed(
        settings,
        manager=(assessed(), *GOES_ON),
        navigator=(READS, said("Read.")),
        hypothesiser=(DECLARE, calls(("commit_hypothesis", IDEA)), said("Done.")),
    )
    state = state_of(settings)
    assert ended(state).name == "concluded"
    assert (state.resumed, len(state.rows), len(state.hypotheses)) == (1, 3, 1)


@pytest.mark.requirement("explore:E110")
def test_an_answer_in_the_inbox_is_taken_up_and_silence_leaves_it_parked(
    settings: Settings,
) -> None:
    state = park(settings)
    assert resumed(settings).asked == 0
    inbox = Path(state.opening.inbox)
    inbox.mkdir(parents=True, exist_ok=True)
    path = inbox / "r1-plan-review-answer.json"
    path.write_text('{"run": "r1", "index": 0, "decision": "yes"}')
    with pytest.raises(Refused, match="neither approve nor revise"):
        resumed(settings)
    path.write_text('{"run": "r1", "index": 0, "decision": "approve"}')
    resumed(settings, manager=(assessed(satisfied=True), FINAL))
    assert ended(state_of(settings)).name == "concluded"


@pytest.mark.requirement("explore:E112")
def test_a_plan_is_sent_back_parks_again_and_the_next_revise_ends_the_run(
    settings: Settings,
) -> None:
    park(settings)
    answered(settings, "revise", "Look at kerbs first.")
    second = resumed(settings, manager=PLAN)
    assert "Look at kerbs first." in second.clients["manager"].asked[0]
    assert (state_of(settings).question or pytest.fail("not parked")).index == 1
    answered(settings, "revise", "Again.")
    assert resumed(settings).asked == 0
    assert ended(state_of(settings)).stop == "plan_revisions_exhausted"


@pytest.mark.requirement("explore:E112")
def test_one_process_takes_an_answer_up_and_after_a_crash_another_may(settings: Settings) -> None:
    park(settings)
    state = answered(settings)
    Explorations(settings, driver="magentic").resumed("r1", 0, False)
    with pytest.raises(Refused, match="taken up already"):
        resumed(settings)
    resumed(settings, True, manager=(assessed(satisfied=True), FINAL))
    after = state_of(settings)
    assert ended(after).name == "concluded"
    assert after.spent == state.spent + 20


@pytest.mark.requirement("explore:E112")
def test_rounds_before_a_crash_count_after_it(settings: Settings) -> None:
    park(settings)
    answered(settings)
    crashed = Explorations(settings, driver="magentic")
    crashed.resumed("r1", 0, False)
    row = {
        "round_index": 1,
        "is_request_satisfied": False,
        "is_in_loop": False,
        "is_progress_being_made": True,
        "next_speaker": "navigator",
        "instruction_or_question": "Go on.",
        "tokens": 0,
    }
    crashed.record_round("r1", row)
    crashed.charged("r1", "manager", 70)
    turns = (said("One."), said("Two."))
    resumed(settings, True, manager=(assessed(), assessed()), navigator=turns)
    state = state_of(settings)
    assert [row.round_index for row in state.rows] == [1, 2, 3]
    assert ended(state).exhausted == Exhausted("rounds", 3, 3)
    assert state.spent == 20 + 70 + 40


@pytest.mark.requirement("explore:E111")
@pytest.mark.requirement("explore:E110")
def test_what_was_spent_before_the_park_is_spent(settings: Settings) -> None:
    park(settings, said("Facts.", 4_500), said("Plan.", 4_500))
    answered(settings)
    second = resumed(settings, manager=(assessed(usage=1_500),))
    assert state_of(settings).exhausted == Exhausted("tokens", 10_000, 10_500)
    assert second.asked == 1


@pytest.mark.requirement("explore:E105")
@pytest.mark.parametrize("fault", ["gone", "changed"])
def test_a_checkpoint_that_is_not_the_parked_one_takes_no_answer(
    settings: Settings, fault: str
) -> None:
    question = park(settings).question
    assert question is not None
    path = settings.state / "checkpoints" / "r1" / f"{question.checkpoint_id}.json"
    if fault == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes() + b" ")
    answered(settings)
    with pytest.raises(CheckpointUnreadable):
        resumed(settings)


@pytest.mark.requirement("explore:E105")
def test_without_a_checkpoint_nothing_is_parked(settings: Settings) -> None:
    with pytest.raises(CheckpointUnreadable):
        Rehearsal(settings, manager=PLAN).start(contract=REVIEWED)
    state = state_of(settings)
    assert state.failed == "CheckpointUnreadable"
    assert not (Path(state.opening.artefacts) / "r1-plan-review.json").exists()


@pytest.mark.requirement("explore:E110")
def test_a_parked_state_with_one_byte_changed_is_not_believed(settings: Settings) -> None:
    state = park(settings)
    path = Path(state.opening.artefacts) / "r1-plan-review.json"
    path.write_bytes(path.read_bytes().replace(b"Save on roads", b"Save on rails"))
    answered(settings)
    with pytest.raises(ParkedStateError):
        resumed(settings)


@pytest.mark.requirement("explore:E101")
def test_a_person_at_the_terminal_answers_at_once(settings: Settings) -> None:
    lines = Lines("", "APPROVE", "revise look closer", "approve")
    rehearsal = Rehearsal(
        settings,
        Reviewer(lines, "local"),
        manager=(*PLAN, *PLAN, assessed(satisfied=True), FINAL),
    )
    state = rehearsal.start(contract=REVIEWED)
    assert [review.decision for review in state.reviews] == ["revise", "approve"]
    assert lines.shown.count("Not an answer") == 2
    assert "(no progress ledger yet)" in lines.shown
    assert ended(state).name == "concluded"


@pytest.mark.requirement("explore:E101")
def test_silence_at_the_terminal_approves_nothing(settings: Settings) -> None:
    rehearsal = Rehearsal(settings, Reviewer(Lines(""), "local"), manager=PLAN)
    with pytest.raises(PlanReviewInputError):
        rehearsal.start(contract=REVIEWED)
    state = state_of(settings)
    assert (state.failed, state.reviews) == ("PlanReviewInputError", ())


@pytest.mark.requirement("explore:E98")
@pytest.mark.requirement("explore:E101")
def test_a_stalled_plan_that_cannot_run_is_put_to_nobody(settings: Settings) -> None:
    lines = Lines("approve")
    manager = (*PLAN, assessed(progress=False))
    rehearsal = Rehearsal(settings, Reviewer(lines, "local"), manager=manager)
    state = rehearsal.start(contract={**REVIEWED, "max_stall_count": 0, "max_reset_count": 1})
    assert ended(state).stop == "stalled"
    assert lines.shown.count("PLAN REVIEW") == 1


@pytest.mark.requirement("explore:E101")
@pytest.mark.parametrize(
    ("doors", "review", "why"),
    [
        (Doors(True, True), True, "two doors"),
        (Doors(True, True), False, "two doors"),
        (Doors(), True, "nobody could answer"),
        (Doors(park=True), False, "nothing would ever park"),
        (Doors(here=True), False, "never be asked"),
        (Doors(here=True), True, ""),
        (Doors(park=True), True, ""),
        (Doors(), False, ""),
    ],
)
def test_a_plan_has_exactly_one_door(doors: Doors, review: bool, why: str) -> None:
    found = complaint(doors, review)
    assert (why in found) if why else not found


@pytest.mark.requirement("explore:E117")
@pytest.mark.requirement("explore:E102")
@pytest.mark.requirement("explore:E116")
def test_the_command_parks_resumes_and_tells_how_it_ended(
    settings: Settings, tmp_path: Path
) -> None:
    contract = tmp_path / "contract.json"
    contract.write_text(json.dumps({**CONTRACT, **REVIEWED}))
    plan, rest = tmp_path / "plan.json", tmp_path / "rest.json"
    plan.write_text(json.dumps({"manager": [one.model_dump() for one in PLAN]}))
    replies = (assessed(satisfied=True), FINAL)
    rest.write_text(json.dumps({"manager": [one.model_dump() for one in replies]}))
    where = ["--kb", str(tmp_path / "veg"), "--state", str(settings.state)]
    told = ["--objective", "Save", "--contract", str(contract), "--base", "roads", "--run", "r1"]
    runner = click.testing.CliRunner()

    def explore(*words: str) -> click.testing.Result:
        return runner.invoke(expedition, ["explore", *words, *where])

    refused = explore("run", *told, "--rehearse", str(plan))
    assert refused.exit_code == 1 and "nobody could answer" in refused.stderr
    inside = explore("run", *told, "--rehearse", str(plan), "--park", str(tmp_path / "veg" / "p"))
    assert "lies inside the base" in inside.stderr
    parked = explore("run", *told, "--rehearse", str(plan), "--park", str(tmp_path / "park"))
    assert parked.exit_code == 6, parked.output
    assert "expedition explore resume r1" in parked.stdout and "Look, then" not in parked.stdout
    assert (
        runner.invoke(expedition, ["explore", "review", "r1", *where], input="approve\n").exit_code
        == 0
    )
    after = explore("resume", "r1", "--rehearse", str(rest))
    assert after.exit_code == 0, after.output
    line = "Exploration: concluded after 1 round(s); 0 approach(es) to evaluate"
    assert after.stdout.strip() == line
    assert explore("resume", "r2", "--rehearse", str(rest)).exit_code == 3


@pytest.mark.requirement("explore:E116")
def test_without_the_extra_the_command_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(name: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", nothing)
    words = ["explore", "resume", "r1", "--state", str(tmp_path / "state")]
    found = click.testing.CliRunner().invoke(expedition, words)
    assert found.exit_code == 1
    assert "pip install 'corpus-expedition[magentic]'" in found.stderr
