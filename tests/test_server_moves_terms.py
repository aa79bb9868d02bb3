"""Step 1 and what it leads to: terms counted, held against keyword and title, and searched."""

import pytest

from server.dig import Digs
from server.refusals import Refusal
from server.replies import Answer, Batch
from server.review import Review
from tests.digging import COSTUMES, NOTHING, TERMS, drive, open_dig

# Six that leave the words of keyword, title and blaze, and four that do not.
ENOUGH = (*TERMS[:6], "patience", "kilns", "unopened door", "keeps")
# Five are too few.
FEW = (*TERMS[:5], "patience", "kilns", "unopened door", "keeps", "kept")
NINE = (
    "patience",
    "kiln",
    "kilns",
    "keeps",
    "keep",
    "kept",
    "unopened",
    "closed kilns",
    "kiln door",
)
SAME = (*NINE, "patience kept")


def refused(answer: Answer, flag: str) -> Refusal:
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == flag, answer.text
    return answer


def searched(answer: Answer) -> Batch:
    assert isinstance(answer, Batch), answer.text
    return answer


@pytest.mark.requirement("dig:terms")
@pytest.mark.parametrize(
    "sent",
    [
        pytest.param([], id="none"),
        pytest.param(list(TERMS[:9]), id="nine"),
        pytest.param([*TERMS, "thirteenth"], id="thirteen"),
        pytest.param([*TERMS[:9], "  "], id="a blank"),
        pytest.param([*TERMS[:9], "TIDE"], id="a repeat in capitals"),
        pytest.param([*TERMS[:11], 7], id="a number"),
        pytest.param([*TERMS[:11], "x" * 61], id="a long one"),
        pytest.param([*TERMS[:11], "\ud800"], id="a lone surrogate"),
        pytest.param("tide", id="no list"),
        pytest.param(None, id="nothing"),
        pytest.param({"tide": 1}, id="a mapping"),
        pytest.param(list(NINE), id="counted before they are held against the keyword"),
    ],
)
def test_a_wrong_count_is_refused_first(sent: object, digs: Digs) -> None:
    refused(digs.retrieve_candidates(open_dig(digs), sent), "TERM_COUNT")


@pytest.mark.requirement("dig:terms")
def test_too_few_distinct_terms_are_refused_by_name(digs: Digs) -> None:
    dig = open_dig(digs)
    refusal = refused(digs.retrieve_candidates(dig, list(FEW)), "TERM_FANOUT")
    assert refusal.reason.startswith("5 terms of 10 ")
    assert all(f"'{term}'" in refusal.reason for term in FEW[5:])
    assert not any(f"'{term}'" in refusal.reason for term in FEW[:5])


@pytest.mark.requirement("dig:terms")
def test_with_six_distinct_terms_all_are_searched_and_the_others_are_named(digs: Digs) -> None:
    dig = open_dig(digs)
    answer = searched(digs.retrieve_candidates(dig, list(ENOUGH)))
    state = digs.load(dig)
    assert state.terms == ENOUGH
    assert answer.weak_terms == state.weak_terms == ENOUGH[6:]
    assert answer.flags == ()
    assert "Not counted as distinct: patience, kilns, unopened door, keeps" in answer.text
    by_keyword = [c for c in state.candidates.values() if "patience" in dict(c.hits)]
    assert [c.row.path for c in by_keyword] == ["Logs/kiln.md"]


@pytest.mark.requirement("dig:terms-weak")
def test_too_few_distinct_a_second_time_go_on_alone_and_flagged(digs: Digs) -> None:
    dig = open_dig(digs)
    refused(digs.retrieve_candidates(dig, list(COSTUMES)), "TERM_FANOUT")
    answer = searched(digs.retrieve_candidates(dig, list(FEW)))
    state = digs.load(dig)
    assert answer.flags == ("TERM_FANOUT_WEAK",)
    assert state.terms == FEW[:5]
    assert answer.weak_terms == FEW[5:]
    assert not any("patience" in dict(c.hits) for c in state.candidates.values())
    report = drive(digs, dig).report
    assert report is not None
    assert "TERM_FANOUT_WEAK" in report.flags
    assert f"Searched:     {', '.join(FEW[:5])} · " in report.text


@pytest.mark.requirement("dig:terms-weak")
def test_a_refused_count_is_a_first_violation_too(digs: Digs) -> None:
    dig = open_dig(digs)
    refused(digs.retrieve_candidates(dig, list(TERMS[:9])), "TERM_COUNT")
    answer = searched(digs.retrieve_candidates(dig, list(FEW)))
    assert answer.flags == ("TERM_FANOUT_WEAK",)


@pytest.mark.requirement("dig:terms-weak")
@pytest.mark.parametrize(
    ("second", "reason"),
    [
        pytest.param(SAME, "0 terms of 10 leave", id="none distinct"),
        pytest.param(TERMS[:9], "9 usable terms of 9 sent", id="a wrong count"),
    ],
)
def test_none_distinct_or_a_wrong_count_a_second_time_fails_the_step(
    second: tuple[str, ...], reason: str, digs: Digs
) -> None:
    dig = open_dig(digs)
    refused(digs.retrieve_candidates(dig, list(COSTUMES)), "TERM_FANOUT")
    answer = digs.retrieve_candidates(dig, list(second))
    assert isinstance(answer, Refusal), answer.text
    assert answer.text.startswith(f"[STEP_1 FAILED — {reason}")
    assert digs.load(dig).state == "failed"


@pytest.mark.requirement("dig:no-candidates")
def test_terms_that_reach_nothing_are_refused_then_fail_step_two(digs: Digs) -> None:
    dig = open_dig(digs)
    refusal = refused(digs.retrieve_candidates(dig, list(NOTHING)), "NO_CANDIDATES")
    assert "none of 14 rows" in refusal.reason
    assert digs.load(dig).state == "opened"
    answer = digs.retrieve_candidates(dig, [f"{term}s" for term in NOTHING])
    assert isinstance(answer, Refusal), answer.text
    assert answer.text.startswith("[STEP_2 FAILED — none of 14 rows")
    Review(digs).reopen(dig)
    assert digs.load(dig).state == "opened"
    searched(digs.retrieve_candidates(dig, list(TERMS)))


@pytest.mark.requirement("dig:no-candidates")
def test_refused_terms_and_terms_that_reach_nothing_are_attempts_at_two_steps(digs: Digs) -> None:
    dig = open_dig(digs)
    refused(digs.retrieve_candidates(dig, list(COSTUMES)), "TERM_FANOUT")
    refused(digs.retrieve_candidates(dig, list(NOTHING)), "NO_CANDIDATES")
    assert digs.load(dig).refusals == ((1, 0), (2, 0))
    assert searched(digs.retrieve_candidates(dig, list(TERMS))).flags == ()


def test_the_words_of_the_blaze_are_to_be_left_too(digs: Digs) -> None:
    honest = ["honest", *TERMS[:9]]
    with_blaze = searched(digs.retrieve_candidates(open_dig(digs, blaze_path=None), honest))
    assert with_blaze.weak_terms == ()
    of_title = ["unopened", *TERMS[:9]]
    found = searched(digs.retrieve_candidates(open_dig(digs), of_title))
    assert found.weak_terms == ("unopened",)
