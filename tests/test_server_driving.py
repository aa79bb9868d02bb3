"""A dig driven by a judge: the same moves, the same gates, two attempts, and on from anywhere."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from index.faults import BaseUnavailable
from server import driving
from server.dig import Digs
from server.dig_state import DigState
from server.driving import PASSING, drive
from server.judge import Asked, NoAnswer, PickRequest, ScoresRequest, TermsRequest
from server.library import Building, Library
from server.passphrase import Cost, set_passphrase
from server.refusals import Refusal
from server.replies import Answer, Batch, Reported
from server.review import Choices, Review
from server.steps import State
from server.store import Busy
from tests.digging import (
    COSTUMES,
    NOTHING,
    TERMS,
    advance,
    decide,
    finish,
    hand_on,
    keep,
    open_dig,
    picks_of,
    scores_of,
)
from tests.digging import drive as reported_by_hand

FLAG = "JUDGE_OFFLINE"
NOBODY = "dig_aaaaaaaaaaaaaaaaaaaaaaaaaa"
NO_SCORES: list[object] = []
NO_PICKS: dict[str, object] = {"deep_cuts": [], "direct_hits": [], "pass4_empty": False}


@dataclass
class Scripted:
    """A judge that says what a test wants first, and honest things after that."""

    digs: Digs
    dig: str
    terms: Iterator[object] = field(default_factory=lambda: iter(()))
    scores: Iterator[object] = field(default_factory=lambda: iter(()))
    picks: Iterator[Mapping[str, object]] = field(default_factory=lambda: iter(()))
    heard: list[Asked] = field(default_factory=list[Asked])
    requests: list[Any] = field(default_factory=list[Any])
    flags: tuple[str, ...] = (FLAG,)

    def suggest_terms(self, request: TermsRequest) -> object:
        self._hear(request)
        return next(self.terms, list(TERMS))

    def score_batch(self, request: ScoresRequest) -> object:
        self._hear(request)
        return next(self.scores, scores_of(self.state))

    def pick(self, request: PickRequest) -> Mapping[str, object]:
        self._hear(request)
        return next(self.picks, picks_of(self.state))

    @property
    def state(self) -> DigState:
        return self.digs.load(self.dig)

    def _hear(self, request: Any) -> None:
        self.requests.append(request)
        self.heard.append(request.asked)


Judging = Callable[..., tuple[Digs, str, Scripted]]


@pytest.fixture
def judging(digs: Digs) -> Judging:
    """An open dig and a judge for it; what the judge is to say wrongly comes as lists."""

    def make(**said: list[Any]) -> tuple[Digs, str, Scripted]:
        judged = Digs(digs.library, "judge", (FLAG,))
        dig = open_dig(digs)
        given: dict[str, Any] = {step: iter(answers) for step, answers in said.items()}
        return judged, dig, Scripted(judged, dig, **given)

    return make


@pytest.mark.requirement("judge:same-gates")
def test_a_judge_takes_a_dig_to_its_report(judging: Judging) -> None:
    digs, dig, judge = judging()
    answer = drive(digs, dig, judge)
    assert isinstance(answer, Reported)
    assert digs.load(dig).state == "reported"
    kinds = {event.kind: event.actor for event in digs.store.load(dig)[1]}
    assert kinds == {
        "opened": "agent",
        "retrieved": "judge",
        "scored": "judge",
        "picked": "judge",
        "excerpt_cut": "judge",
        "reported": "judge",
    }


@pytest.mark.requirement("judge:offline-flagged")
def test_every_answer_and_every_event_of_a_judge_is_flagged(judging: Judging) -> None:
    digs, dig, judge = judging()
    told: list[Answer] = []
    drive(digs, dig, judge, told.append)
    assert all(FLAG in answer.flags for answer in told if not isinstance(answer, Refusal))
    flagged = [event for event in digs.store.load(dig)[1] if "flags" in event.payload]
    assert {event.kind for event in flagged} == {"opened", "retrieved", "scored", "picked"}
    assert all(FLAG in event.payload["flags"] for event in flagged if event.kind != "opened")
    assert digs.load(dig).flags.count(FLAG) == 1


def test_a_judge_is_told_what_it_judges(judging: Judging) -> None:
    digs, dig, judge = judging()
    drive(digs, dig, judge)
    terms, scores, pick = judge.requests[0], judge.requests[1], judge.requests[-1]
    state = digs.load(dig)
    assert terms.asked == Asked(state.context)
    assert (scores.batch, scores.terms) == (1, TERMS)
    assert tuple(row.id for row in scores.rows) == state.batches[0]
    assert tuple(candidate for candidate, _ in pick.top) == state.top
    assert {score.id for _, score in pick.top} == {candidate.id for candidate in state.top}


def test_the_owners_guidance_reaches_the_judge(digs: Digs) -> None:
    guided = digs.settings.guidance.model_copy(
        update={"terms": "plain words", "scores": "be strict", "pick": "surprise me"}
    )
    settings = dataclasses.replace(digs.settings, guidance=guided)
    judged = Digs(Library(settings), "judge")
    dig = open_dig(judged)
    judge = Scripted(judged, dig)
    drive(judged, dig, judge)
    told = [asked.guidance for asked in judge.heard]
    assert list(dict.fromkeys(told)) == ["plain words", "be strict", "surprise me"]


WRONG: list[Any] = [
    pytest.param({"terms": [TERMS[:9]]}, "TERM_COUNT", id="terms"),
    pytest.param({"terms": [COSTUMES]}, "TERM_FANOUT", id="costumes"),
    pytest.param({"terms": [NOTHING]}, "NO_CANDIDATES", id="terms that find nothing"),
    pytest.param({"scores": [NO_SCORES]}, "SCORES_INVALID", id="scores"),
    pytest.param({"picks": [NO_PICKS]}, "PICK_INVALID", id="picks"),
]


@pytest.mark.requirement("judge:one-retry")
@pytest.mark.parametrize(("said", "flag"), WRONG)
def test_a_refused_answer_goes_back_once_with_the_refusal(
    judging: Judging, said: dict[str, list[Any]], flag: str
) -> None:
    digs, dig, judge = judging(**said)
    assert isinstance(drive(digs, dig, judge), Reported)
    complaints = [asked.complaint for asked in judge.heard if asked.complaint]
    assert len(complaints) == 1
    assert complaints[0].startswith(f"[{flag}]")


ENDS: list[Any] = [
    pytest.param({"terms": [TERMS[:9]] * 2}, 1, id="the same terms"),
    pytest.param({"terms": [TERMS[:9], TERMS[1:9]]}, 1, id="other terms"),
    pytest.param({"terms": [COSTUMES] * 2}, 1, id="the same costumes"),
    pytest.param({"terms": [NOTHING] * 2}, 2, id="the same terms that find nothing"),
    pytest.param({"terms": [TERMS[:9], NOTHING]}, 2, id="a wrong count, then nothing found"),
    pytest.param({"terms": [NOTHING, TERMS[:9]]}, 1, id="nothing found, then a wrong count"),
    pytest.param({"scores": [NO_SCORES, NO_SCORES]}, 3, id="the same scores"),
    pytest.param({"scores": [NO_SCORES, "none"]}, 3, id="other scores"),
    pytest.param({"picks": [NO_PICKS, NO_PICKS]}, 4, id="the same picks"),
    pytest.param({"picks": [NO_PICKS, {}]}, 4, id="other picks"),
]


@pytest.mark.requirement("judge:one-retry")
@pytest.mark.parametrize(("said", "step"), ENDS)
def test_a_second_refused_answer_ends_the_step_be_it_the_same_or_not(
    judging: Judging, said: dict[str, list[Any]], step: int
) -> None:
    digs, dig, judge = judging(**said)
    answer = drive(digs, dig, judge)
    assert isinstance(answer, Refusal)
    assert answer.flag.startswith(f"STEP_{step} FAILED — ")
    state = digs.load(dig)
    assert state.state == "failed"
    assert state.failure is not None
    assert (state.failure.step, state.failure.batch) == (step, 1 if step == 3 else 0)


def test_few_distinct_terms_in_another_second_answer_let_the_dig_go_on(judging: Judging) -> None:
    digs, dig, judge = judging(terms=[COSTUMES, [*COSTUMES[1:], COSTUMES[0]]])
    assert isinstance(drive(digs, dig, judge), Reported)
    assert "TERM_FANOUT_WEAK" in digs.load(dig).flags


def test_an_answer_refused_in_another_process_was_the_first(judging: Judging) -> None:
    digs, dig, judge = judging(terms=[TERMS[:8]])
    digs.retrieve_candidates(dig, list(TERMS[:9]))
    answer = drive(digs, dig, judge)
    assert isinstance(answer, Refusal)
    assert answer.flag.startswith("STEP_1 FAILED")
    assert len(judge.heard) == 1


@pytest.mark.parametrize(
    ("step", "number"),
    [
        pytest.param("suggest_terms", 1, id="terms"),
        pytest.param("score_batch", 3, id="scores"),
        pytest.param("pick", 4, id="picks"),
    ],
)
def test_a_judge_without_an_answer_ends_the_step_with_its_reason(
    judging: Judging, monkeypatch: pytest.MonkeyPatch, step: str, number: int
) -> None:
    def silent(judge: Scripted, request: object) -> object:
        raise NoAnswer("the well is dry")

    digs, dig, judge = judging()
    monkeypatch.setattr(Scripted, step, silent)
    answer = drive(digs, dig, judge)
    assert isinstance(answer, Refusal)
    assert answer.flag == f"STEP_{number} FAILED — the well is dry"
    assert "two attempts" not in answer.text
    state = digs.load(dig)
    assert state.failure is not None
    assert (state.state, state.failure.reason) == ("failed", "the well is dry")
    # a judge that answered nothing judged nothing
    assert (FLAG in state.flags) is (number > 1)
    assert state.judged_by == ("the offline judge" if number > 3 else "the agent")


@pytest.mark.requirement("judge:resumes")
@pytest.mark.parametrize("moves", range(6))
def test_a_dig_goes_on_from_wherever_it_stands(judging: Judging, moves: int) -> None:
    digs, dig, judge = judging()
    for _ in range(moves):
        advance(digs, dig)
    resumed = drive(digs, dig, judge)
    whole, other, again = judging()
    undisturbed = drive(whole, other, again)
    assert isinstance(resumed, Reported)
    assert isinstance(undisturbed, Reported)
    assert _without_flags(resumed.report) == _without_flags(undisturbed.report)


def test_a_dig_that_waits_for_a_person_gives_its_report_again(judging: Judging) -> None:
    digs, dig, judge = judging()
    first = drive(digs, dig, judge)
    events = digs.load(dig).seq
    assert drive(digs, dig, judge) == first
    assert digs.load(dig).seq == events


def test_after_another_passage_it_gives_the_report_as_it_is_now(judging: Judging) -> None:
    digs, dig, judge = judging()
    first = drive(digs, dig, judge)
    state = digs.load(dig)
    taken = (Review(digs).another_passage(dig, hand_on(state), id_) for id_ in state.evidence)
    assert any(not isinstance(answer, Refusal) for answer in taken)
    now = drive(digs, dig, judge)
    assert isinstance(now, Reported)
    assert isinstance(first, Reported)
    assert now.sha256 != first.sha256
    assert now.sha256 == _sha256(digs.load(dig))


@pytest.mark.parametrize(
    ("state", "way"),
    [
        pytest.param("decided", "expedition brief", id="decided"),
        pytest.param("briefed", "expedition show", id="briefed"),
        pytest.param("failed", "expedition dig --resume", id="failed"),
        pytest.param("abandoned", "open a new dig", id="abandoned"),
    ],
)
def test_where_a_judge_has_nothing_to_do_the_way_on_is_named(
    judging: Judging, state: State, way: str
) -> None:
    digs, dig, judge = judging(terms=[[], []] if state == "failed" else [])
    drive(digs, dig, judge)
    if state in ("decided", "briefed"):
        decide(digs, dig)
    if state == "briefed":
        finish(digs, dig)
    if state == "abandoned":
        Review(digs).abandon(dig, "enough")
    answer = drive(digs, dig, judge)
    assert digs.load(dig).state == state
    assert isinstance(answer, Refusal)
    assert answer.flag == "WRONG_STEP"
    assert way in answer.text


@pytest.mark.requirement("status:decide-anew")
def test_a_decision_that_counts_no_more_sends_a_resumed_dig_to_a_person(judging: Judging) -> None:
    digs, dig, judge = judging()
    drive(digs, dig, judge)
    decide(digs, dig)
    set_passphrase(digs.settings.state, "three grey herons", Cost(n=16, r=1, p=1))
    answer = drive(digs, dig, judge)
    assert isinstance(answer, Refusal)
    assert f"expedition decide {dig}" in answer.text
    assert "expedition brief" not in answer.text


def test_what_a_person_sent_the_dig_back_for_reaches_the_judge(judging: Judging) -> None:
    digs, dig, judge = judging()
    drive(digs, dig, judge)
    state = digs.load(dig)
    choices: Choices = keep(state)
    Review(digs).redirect(dig, hand_on(state), choices, "less ice, more bread")
    judge.heard.clear()
    drive(digs, dig, judge)
    assert judge.heard[0].redirect == "less ice, more bread"


def test_a_reopened_step_is_asked_afresh(judging: Judging) -> None:
    digs, dig, judge = judging(terms=[[], []])
    assert isinstance(drive(digs, dig, judge), Refusal)
    assert not isinstance(Review(digs).reopen(dig), Refusal)
    judge.heard.clear()
    answer = drive(digs, dig, judge)
    assert isinstance(answer, Reported)
    assert judge.heard[0].complaint == ""
    assert "REOPENED 1" in answer.flags


@pytest.mark.requirement("judge:whose-words")
@pytest.mark.parametrize("step", ["suggest_terms", "score_batch", "pick"])
def test_an_agents_words_are_never_told_as_a_judges(
    judging: Judging, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def silent(judge: Scripted, request: object) -> object:
        raise NoAnswer("the well is dry")

    digs, dig, judge = judging()
    monkeypatch.setattr(Scripted, step, silent)
    assert isinstance(drive(digs, dig, judge), Refusal)
    agent = Digs(digs.library)
    Review(agent).reopen(dig)
    state = reported_by_hand(agent, dig)
    assert state.report is not None
    scored = "the offline judge and " if step == "pick" else ""
    assert state.judged_by == f"{scored}the agent"
    assert (FLAG in state.report.flags) is (step != "suggest_terms")


def test_an_index_that_is_being_built_is_waited_for(
    judging: Judging, monkeypatch: pytest.MonkeyPatch
) -> None:
    digs, dig, judge = judging()
    facts, waits = Library.facts, iter([Building(1, 14), Building(9, 14)])

    def building(library: Library, *arguments: Any) -> Any:
        for waiting in waits:
            raise waiting
        return facts(library, *arguments)

    monkeypatch.setattr(Library, "facts", building)
    monkeypatch.setattr(driving, "PAUSE_SECONDS", 0.0)
    told: list[Answer] = []
    assert isinstance(drive(digs, dig, judge, told.append), Reported)
    assert [answer.flag for answer in told if isinstance(answer, Refusal)] == ["INDEX_BUILDING"] * 2
    assert digs.load(dig).refusals == ()


def test_a_store_that_stays_busy_ends_the_run_but_not_the_dig(
    judging: Judging, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*arguments: object) -> Answer:
        raise Busy(dig)

    digs, dig, judge = judging()
    monkeypatch.setattr(digs.store, "append", busy)
    monkeypatch.setattr(driving, "PAUSE_SECONDS", 0.0)
    told: list[Answer] = []
    answer = drive(digs, dig, judge, told.append)
    assert isinstance(answer, Refusal)
    assert answer.flag == "BUSY"
    assert len(told) == PASSING["store"] + 1
    assert digs.load(dig).state == "opened"


def test_a_base_that_is_gone_ends_the_run_but_not_the_dig(
    judging: Judging, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*arguments: object) -> Any:
        raise BaseUnavailable("the folder is gone", "bring it back")

    digs, dig, judge = judging()
    monkeypatch.setattr(Library, "facts", gone)
    answer = drive(digs, dig, judge)
    assert isinstance(answer, Refusal)
    assert answer.flag == "BASE_UNAVAILABLE"
    assert digs.load(dig).state == "opened"


def test_a_dig_that_is_not_there_is_refused(judging: Judging) -> None:
    digs, _, judge = judging()
    answer = drive(digs, NOBODY, judge)
    assert isinstance(answer, Refusal)
    assert answer.flag == "UNKNOWN_DIG"


def test_a_step_that_is_over_cannot_be_given_up(judging: Judging) -> None:
    digs, dig, judge = judging()
    drive(digs, dig, judge)
    answer = digs.fail(dig, 1, "too late")
    assert isinstance(answer, Refusal)
    assert answer.flag == "WRONG_STEP"
    assert digs.load(dig).state == "reported"


def test_who_watches_is_told_each_batch(judging: Judging) -> None:
    digs, dig, judge = judging()
    told: list[Answer] = []
    drive(digs, dig, judge, told.append)
    batches = [(one.batch, one.batches) for one in told if isinstance(one, Batch) and one.rows]
    assert batches == [(1, 2), (2, 2)]


def _without_flags(report: str) -> str:
    """Judgements of the agent who began are not flagged, so all but the flags is compared."""
    return report.partition("Flags:")[0]


def _sha256(state: DigState) -> str:
    assert state.report is not None
    return state.report.sha256
