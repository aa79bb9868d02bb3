"""The orchestrated loop after a crash: killed anywhere it goes on, and its budgets with it."""

import random
import secrets
from collections.abc import Sequence
from pathlib import Path

import pytest

from index.faults import StorageTrouble
from server.config import Settings
from server.explore.explorations import Explorations
from server.explore.magentic.leg import Reviewer
from server.explore.magentic.run import Refused
from server.explore.magentic.scripted import Reply
from server.explore.magentic.signals import CheckpointUnreadable
from server.explore.parked import ParkedStateError
from server.explore.review import Said
from server.explore.state import Exhausted
from tests.exploring import REVIEWED, settings_at
from tests.exploring_killed import (
    budgets,
    faults,
    go_on,
    is_over,
    killed_after,
    mandate,
    whole,
)
from tests.orchestrated import FINAL, PLAN, Rehearsal, assessed, ended, said, state_of
from tests.test_server_explore_magentic import LINE

KILLS = 12


class Killed(BaseException):
    """A process that is gone: nothing more of it is recorded."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


def nothing(*_: object) -> None:
    """What a process that is gone records of its own end."""


def crashing(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    rounds: int = 6,
    **roles: Sequence[Reply],
) -> None:
    """A rehearsal whose process dies where its navigator is to speak."""
    monkeypatch.setattr(Explorations, "fail", nothing)
    rehearsal = Rehearsal(settings, None, **roles)

    def dies() -> Reply:
        raise Killed

    monkeypatch.setattr(rehearsal.clients["navigator"], "_next", dies)
    with pytest.raises(Killed):
        rehearsal.start(contract={**ROUNDS, "max_rounds": rounds})
    monkeypatch.undo()


ROUNDS = {"max_rounds": 6, "max_stall_count": 1, "max_reset_count": 3}


def parked(settings: Settings, **contract: object) -> None:
    """A run that waits, its plan approved."""
    folder = str(settings.state / "park")
    Rehearsal(settings, manager=PLAN).start(
        contract={**ROUNDS, **REVIEWED, **contract}, checkpoints=folder
    )
    Explorations(settings).answer_review("r1", Said(0, "approve"))


def rows(settings: Settings, *progress: bool) -> None:
    """The rounds of a leg that died: taken up, some rows, nothing more."""
    crashed = Explorations(settings, driver="magentic")
    crashed.resumed("r1", 0, False)
    for index, made in enumerate(progress, start=1):
        row = {
            "round_index": index,
            "is_request_satisfied": False,
            "is_in_loop": False,
            "is_progress_being_made": made,
            "next_speaker": "navigator",
            "instruction_or_question": "Go on.",
            "tokens": 7,
        }
        crashed.record_round("r1", row)


@pytest.mark.requirement("explore:killed")
@pytest.mark.requirement("explore:E83")
@pytest.mark.requirement("explore:E112")
def test_a_loop_killed_at_a_dozen_points_ends_with_the_same_mandate(settings: Settings) -> None:
    wanted = whole(settings, "whole")
    seed = secrets.randbits(32)
    chance, kills, number = random.Random(seed), 0, 0
    while kills < KILLS:
        run = f"killed-{number}"
        before = budgets(settings, run)
        if killed_after(chance.randrange(24), lambda run=run: go_on(settings, run)):  # type: ignore[misc]
            kills += 1
        after = budgets(settings, run)
        assert all(one <= other for one, other in zip(before, after, strict=True)), seed
        number += is_over(settings, run)
    for run in [f"killed-{one}" for one in range(number + 1)]:
        assert whole(settings, run) == wanted, (seed, run)
        assert faults(settings, run) == [], (seed, run)


@pytest.mark.requirement("explore:E83")
@pytest.mark.requirement("explore:E112")
def test_stalls_before_a_crash_count_in_the_loop_that_goes_on(settings: Settings) -> None:
    parked(settings)
    rows(settings, False)
    after = Rehearsal(settings, manager=(assessed(progress=False), *PLAN))
    after.loop.resume("r1", True)
    state = state_of(settings)
    assert (len(state.rows), state.resets) == (2, 1)
    assert state.question is not None and state.question.plan.is_stalled


@pytest.mark.requirement("explore:E93")
@pytest.mark.requirement("explore:E112")
def test_a_plan_that_a_reset_made_due_is_made_after_a_crash_and_approved(
    settings: Settings,
) -> None:
    parked(settings, max_stall_count=0)
    rows(settings, False)
    assert state_of(settings).state == "planning"
    after = Rehearsal(settings, manager=PLAN)
    after.loop.resume("r1", True)
    state = state_of(settings)
    assert (len(state.rows), state.resets, after.asked) == (1, 1, 2)
    assert state.question is not None and state.question.plan.is_stalled
    Explorations(settings).answer_review("r1", Said(1, "approve"))
    Rehearsal(settings, manager=(assessed(satisfied=True), FINAL)).loop.resume("r1")
    assert ended(state_of(settings)).name == "concluded"


@pytest.mark.requirement("explore:E112")
def test_a_loop_that_died_before_it_was_parked_begins_again_with_what_it_had(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = (*PLAN, assessed("hypothesiser"), assessed(progress=False))
    crashing(settings, monkeypatch, manager=manager, hypothesiser=(said(LINE),))
    before = state_of(settings)
    assert (before.state, len(before.rows), before.stall_count) == ("exploring", 2, 1)
    with pytest.raises(Refused, match="--retry"):
        Rehearsal(settings).loop.resume("r1")
    replies = (*PLAN, assessed("hypothesiser"), assessed(satisfied=True), FINAL)
    after = Rehearsal(settings, manager=replies, hypothesiser=(said(LINE),))
    after.loop.resume("r1", True)
    state = state_of(settings)
    assert ended(state).name == "concluded"
    assert [row.round_index for row in state.rows] == [1, 2, 3, 4]
    assert (len(state.hypotheses), state.resumed) == (1, 1)
    assert state.spent == before.spent + 10 * after.asked


@pytest.mark.requirement("explore:E83")
def test_a_loop_that_used_its_rounds_before_it_died_makes_no_plan(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashing(settings, monkeypatch, rounds=1, manager=(*PLAN, assessed()))
    after = Rehearsal(settings)
    after.loop.resume("r1", True)
    assert after.asked == 0
    assert ended(state_of(settings)).exhausted == Exhausted("rounds", 1, 1)


class Gone:
    """A terminal whose process dies at the question."""

    def read(self) -> str | None:
        raise Killed

    def write(self, text: str) -> None:
        pass


class Approving(Gone):
    """A terminal at which the plan is approved."""

    def read(self) -> str | None:
        return "approve"


@pytest.mark.requirement("explore:E93")
@pytest.mark.requirement("explore:E101")
def test_a_plan_asked_at_a_terminal_that_is_gone_is_made_and_asked_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Explorations, "fail", nothing)
    with pytest.raises(Killed):
        Rehearsal(settings, Reviewer(Gone(), "local"), manager=PLAN).start(contract=REVIEWED)
    monkeypatch.undo()
    assert state_of(settings).state == "awaiting_review"
    with pytest.raises(Refused, match="nobody could answer"):
        Rehearsal(settings).loop.resume("r1", True)
    manager = (*PLAN, assessed(satisfied=True), FINAL)
    after = Rehearsal(settings, Reviewer(Approving(), "local"), manager=manager)
    after.loop.resume("r1", True)
    state = state_of(settings)
    assert ended(state).name == "concluded"
    assert [(one.index, one.decision) for one in state.reviews] == [(0, "approve")]


@pytest.mark.requirement("explore:E105")
def test_a_checkpoint_that_is_mended_takes_the_answer_after_all(settings: Settings) -> None:
    parked(settings)
    answered = state_of(settings).answered
    assert answered is not None
    path = settings.state / "park" / "r1" / f"{answered.checkpoint_id}.json"
    content = path.read_bytes()
    path.write_bytes(content + b" ")
    with pytest.raises(CheckpointUnreadable):
        Rehearsal(settings).loop.resume("r1")
    assert not state_of(settings).failed
    path.write_bytes(content)
    Rehearsal(settings, manager=(assessed(satisfied=True), FINAL)).loop.resume("r1")
    assert mandate(settings, "r1")["stop"] is None


@pytest.mark.requirement("explore:E109")
@pytest.mark.requirement("explore:E112")
def test_a_question_whose_file_a_crash_prevented_is_written_as_it_was_asked(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(Explorations, "show_question", dies)
    monkeypatch.setattr(Explorations, "fail", nothing)
    with pytest.raises(Killed):
        parked(settings)
    monkeypatch.undo()
    path = settings.state / "explorations" / "r1-plan-review.json"
    assert state_of(settings).state == "awaiting_review" and not path.exists()
    Explorations(settings).answer_review("r1", Said(0, "approve"))
    Rehearsal(settings, manager=(assessed(satisfied=True), FINAL)).loop.resume("r1")
    assert ended(state_of(settings)).name == "concluded"
    assert path.is_file()


@pytest.mark.requirement("explore:E109")
def test_a_question_that_was_kept_and_is_gone_is_never_written_again(settings: Settings) -> None:
    parked(settings)
    (settings.state / "explorations" / "r1-plan-review.json").unlink()
    with pytest.raises(ParkedStateError):
        Rehearsal(settings).loop.resume("r1")


@pytest.mark.requirement("explore:E104")
def test_a_loop_is_never_kept_where_a_link_leads(settings: Settings) -> None:
    root = Path(settings.bases[0].root)
    before = sorted(root.rglob("*")), root.stat().st_mode
    for target in (root, settings.state / "elsewhere"):
        park = settings.state / "park"
        for folder in (target, park):
            folder.mkdir(parents=True, exist_ok=True)
        run = target.name
        (park / run).symlink_to(target)
        with pytest.raises(StorageTrouble):
            Rehearsal(settings, manager=PLAN).start(run, REVIEWED, checkpoints=str(park))
    assert (sorted(root.rglob("*")), root.stat().st_mode) == before
