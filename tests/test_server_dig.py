"""Repetition, attempts and order: what holds for every move of a dig."""

from collections.abc import Callable

import pytest

from server import steps
from server.dig import Digs
from server.refusals import Refusal
from server.replies import Answer
from server.review import Review
from server.steps import State, Tool
from server.store import NewEvent, Run
from tests.digging import (
    COSTUMES,
    TERMS,
    Ground,
    advance,
    decide,
    digs_of,
    drive,
    finish,
    open_dig,
    picks_of,
    scores_of,
)

NOBODY = "dig_aaaaaaaaaaaaaaaaaaaaaaaaaa"
MARK = NewEvent("opened", {})
NO_PICKS: dict[str, object] = {"deep_cuts": [], "direct_hits": [], "pass4_empty": False}

Call = Callable[[Digs, str], Answer]

# For each tool a call that an honest agent did not make before.
ANOTHER: dict[Tool, Call] = {
    "retrieve_candidates": lambda digs, dig: digs.retrieve_candidates(dig, [*TERMS[:11], "other"]),
    "score_summaries": lambda digs, dig: digs.score_summaries(dig, 1, []),
    "pick_scotoma": lambda digs, dig: digs.pick_scotoma(dig, NO_PICKS),
    "extract_excerpt": lambda digs, dig: digs.extract_excerpt(dig, "row_999", None),
    "dig_report": lambda digs, dig: digs.dig_report(dig),
    "assemble_brief": lambda digs, dig: digs.assemble_brief(dig),
}
# In each state that counts refusals, its step, and two calls that are refused.
TWICE: list[tuple[State, int, Call, Call]] = [
    (
        "opened",
        1,
        lambda digs, dig: digs.retrieve_candidates(dig, []),
        lambda digs, dig: digs.retrieve_candidates(dig, list(TERMS[:9])),
    ),
    (
        "scoring",
        3,
        lambda digs, dig: digs.score_summaries(dig, 1, []),
        lambda digs, dig: digs.score_summaries(dig, 1, "all of them are good"),
    ),
    (
        "scored",
        4,
        lambda digs, dig: digs.pick_scotoma(dig, NO_PICKS),
        lambda digs, dig: digs.pick_scotoma(dig, {**NO_PICKS, "pass4_empty": "true"}),
    ),
]
# Their arguments are always the same, so that in these states they are repetitions.
REPEATED: dict[Tool, tuple[State, ...]] = {
    "dig_report": ("reported", "decided", "briefed"),
    "assemble_brief": ("briefed",),
}
OUT_OF_ORDER = [
    (state, tool)
    for state, legal in steps.TOOLS.items()
    for tool in steps.STEP
    if tool not in legal and state not in REPEATED.get(tool, ())
]


def at_state(digs: Digs, state: State) -> str:
    """A dig that stands there, the shortest way."""
    dig = open_dig(digs, title=f"What is {state}")
    match state:
        case "failed":
            digs.retrieve_candidates(dig, [])
            digs.retrieve_candidates(dig, None)
        case "abandoned":
            Review(digs).abandon(dig, "enough")
        case "decided":
            drive(digs, dig)
            decide(digs, dig)
        case "briefed":
            finish(digs, dig)
        case _:
            drive(digs, dig, state)
    assert digs.load(dig).state == state
    return dig


def refused(answer: Answer) -> Refusal:
    assert isinstance(answer, Refusal), answer.text
    return answer


def passed(answer: Answer) -> Answer:
    assert not isinstance(answer, Refusal), answer.text
    return answer


@pytest.mark.requirement("dig:order")
@pytest.mark.parametrize(("state", "tool"), OUT_OF_ORDER)
def test_a_call_out_of_order_names_the_legal_moves_and_counts_nothing(
    state: State, tool: Tool, standing: dict[State, str], many: Digs
) -> None:
    dig = standing[state]
    before = many.load(dig)
    answer = refused(ANOTHER[tool](many, dig))
    assert answer.flag == "WRONG_STEP"
    assert tool in answer.asked
    assert all(legal in answer.remedy for legal in steps.TOOLS[state])
    assert many.load(dig) == before


@pytest.fixture(scope="module")
def many(ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> Digs:
    return digs_of(ground.at(tmp_path_factory.mktemp("many") / "state"))


@pytest.fixture(scope="module")
def standing(many: Digs) -> dict[State, str]:
    """A dig in each state; tests leave them where they are."""
    return {state: at_state(many, state) for state in steps.TOOLS}


@pytest.mark.requirement("dig:repetition")
def test_each_call_of_a_pass_repeated_gives_the_same_answer_and_records_nothing(digs: Digs) -> None:
    dig = open_dig(digs)
    calls: list[tuple[Callable[[], Answer], Answer]] = []
    while (state := digs.load(dig)).state != "reported":
        call = _next_call(digs, dig)
        calls.append((call, passed(call())))
    before = digs.load(dig)
    assert len(calls) > 4
    for call, answer in calls:
        assert call() == answer
        assert call().text == answer.text
    assert digs.load(dig) == before
    assert state == before


def _next_call(digs: Digs, dig: str) -> Callable[[], Answer]:
    state = digs.load(dig)
    match state.state:
        case "opened":
            return lambda: digs.retrieve_candidates(dig, list(TERMS))
        case "scoring":
            batch, scores = state.batches_scored + 1, scores_of(state)
            return lambda: digs.score_summaries(dig, batch, scores)
        case "scored":
            picks = picks_of(state)
            return lambda: digs.pick_scotoma(dig, picks)
        case _:
            missing = [id_ for id_ in state.picks.ids if id_ not in state.evidence]
            if not missing:
                return lambda: digs.dig_report(dig)
            return lambda: digs.extract_excerpt(dig, missing[0], None)


@pytest.mark.requirement("dig:repetition")
def test_a_brief_asked_for_again_is_the_same_brief(digs: Digs) -> None:
    dig = open_dig(digs)
    drive(digs, dig)
    decide(digs, dig)
    first = passed(digs.assemble_brief(dig))
    assert digs.assemble_brief(dig) == first
    assert digs.load(dig).brief is not None


@pytest.mark.requirement("dig:repetition")
def test_a_refused_call_repeated_is_refused_alike_and_uses_up_no_attempt(digs: Digs) -> None:
    dig = open_dig(digs)
    first = refused(digs.retrieve_candidates(dig, list(COSTUMES)))
    assert [digs.retrieve_candidates(dig, list(COSTUMES)) for _ in range(3)] == [first] * 3
    assert digs.load(dig).refusals_of(1) == 1
    assert digs.load(dig).state == "opened"


@pytest.mark.requirement("dig:repetition")
def test_the_call_that_failed_a_step_repeated_says_so_again(digs: Digs) -> None:
    dig = open_dig(digs)
    digs.retrieve_candidates(dig, [])
    failure = refused(digs.retrieve_candidates(dig, None))
    assert failure.flag.startswith("STEP_1 FAILED — ")
    assert digs.retrieve_candidates(dig, None) == failure
    assert refused(digs.retrieve_candidates(dig, list(TERMS))).flag == "WRONG_STEP"


@pytest.mark.requirement("dig:repetition")
def test_another_process_gives_the_same_answer_again(digs: Digs) -> None:
    dig = open_dig(digs)
    answer = passed(digs.retrieve_candidates(dig, list(TERMS)))
    assert digs_of(digs.settings).retrieve_candidates(dig, list(TERMS)) == answer


@pytest.mark.requirement("dig:attempts")
def test_one_refusal_in_each_step_and_batch_fails_nothing(digs: Digs) -> None:
    dig = open_dig(digs)
    refused(digs.retrieve_candidates(dig, []))
    passed(advance(digs, dig))
    for batch in range(1, 1 + len(digs.load(dig).batches)):
        refused(digs.score_summaries(dig, batch, []))
        passed(advance(digs, dig))
    refused(digs.pick_scotoma(dig, NO_PICKS))
    assert digs.load(dig).refusals == ((1, 0), (3, 1), (3, 2), (4, 0))
    assert drive(digs, dig).state == "reported"


@pytest.mark.requirement("dig:attempts")
@pytest.mark.parametrize(("state", "step", "first", "second"), TWICE)
def test_the_second_counted_refusal_fails_the_step_and_only_a_person_reopens_it(
    state: State,
    step: int,
    first: Call,
    second: Call,
    digs: Digs,
) -> None:
    dig = open_dig(digs)
    drive(digs, dig, state)
    refusal = refused(first(digs, dig))
    failure = refused(second(digs, dig))
    assert failure.flag.startswith(f"STEP_{step} FAILED — ")
    assert f"expedition dig --resume {dig}" in failure.remedy
    assert digs.load(dig).state == "failed"
    for call in ANOTHER.values():
        refused(call(digs, dig))
    assert digs.load(dig).state == "failed"
    passed(Review(digs).reopen(dig))
    reopened = digs.load(dig)
    assert (reopened.state, reopened.reopened, reopened.refusals) == (state, 1, ())
    assert first(digs, dig) == refusal
    assert digs.load(dig).state == state
    report = drive(digs, dig).report
    assert report is not None
    assert "REOPENED 1" in report.text


@pytest.mark.requirement("dig:attempts")
def test_calls_that_no_gate_judged_never_count(digs: Digs) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "scoring")
    before = digs.load(dig)
    assert refused(digs.score_summaries(dig, 2, [])).flag == "WRONG_STEP"
    assert refused(digs.score_summaries(dig, 0, [])).flag == "WRONG_STEP"
    assert refused(digs.extract_excerpt(dig, "row_1", None)).flag == "WRONG_STEP"
    assert refused(digs.assemble_brief(dig)).flag == "WRONG_STEP"
    assert digs.load(dig) == before


@pytest.mark.requirement("dig:unknown")
@pytest.mark.parametrize("tool", steps.STEP)
def test_every_tool_refuses_an_unknown_dig_in_the_same_words(tool: Tool, digs: Digs) -> None:
    digs.store.create(
        Run("exp_1", "exploration", "kb", "another kind", "opened", 0, "", ""), [MARK]
    )
    answers = {refused(ANOTHER[tool](digs, dig)).text for dig in (NOBODY, "", "../dig", "exp_1")}
    assert len(answers) == 1
    assert answers.pop().startswith(f"[UNKNOWN_DIG] {tool} — ")


def test_a_dig_goes_on_in_whichever_process(digs: Digs) -> None:
    dig = open_dig(digs)
    while digs.load(dig).state != "reported":
        passed(advance(digs_of(digs.settings), dig))
    assert digs.load(dig).report is not None
