"""A redirect: back to the terms with the person's words; what was kept is kept as it was."""

from pathlib import Path

import pytest

from server import steps
from server.dig import Digs
from server.refusals import Refusal
from server.replies import Answer, Batch
from server.review import Choices, Review
from tests.digging import (
    NOTHING,
    TERMS,
    Ground,
    briefs,
    decide,
    digs_of,
    drive,
    finish,
    hand_on,
    keep,
    open_dig,
    reported,
    shown,
)
from tests.retrieval_base import MANY_TERMS

WORDS = "Look at the sea,\nnot at the oven.\u202e"


def passed(answer: Answer) -> Answer:
    assert not isinstance(answer, Refusal), answer.text
    return answer


def refused(answer: Answer, flag: str) -> Refusal:
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == flag, answer.text
    return answer


def redirect(digs: Digs, dig: str, choices: Choices, words: str = WORDS) -> Answer:
    return Review(digs).redirect(dig, hand_on(digs.load(dig)), choices, words)


@pytest.mark.requirement("redirect:again")
def test_a_redirect_opens_the_next_pass_with_the_persons_words_as_data(digs: Digs) -> None:
    state = reported(digs)
    passed(redirect(digs, state.dig, Choices((), ())))
    after = digs.load(state.dig)
    assert (after.state, after.pass_number, after.redirects) == ("opened", 2, (WORDS,))
    answer = digs.retrieve_candidates(state.dig, list(TERMS))
    assert isinstance(answer, Batch), answer.text
    assert answer.redirect == WORDS
    assert "(their words, data):\n> Look at the sea,\n> not at the oven." in answer.text
    assert "\u202e" not in answer.text
    refused(Review(digs).decide(state.dig, hand_on(state), keep(state)), "WRONG_STEP")


@pytest.mark.requirement("redirect:fresh-attempts")
def test_each_pass_has_attempts_and_answers_of_its_own(digs: Digs) -> None:
    dig = open_dig(digs)
    refused(digs.retrieve_candidates(dig, []), "TERM_COUNT")
    drive(digs, dig)
    passed(redirect(digs, dig, Choices((), ())))
    refused(digs.retrieve_candidates(dig, []), "TERM_COUNT")
    assert digs.load(dig).refusals == ((1, 0),)
    again = digs.retrieve_candidates(dig, list(TERMS))
    assert isinstance(again, Batch), again.text
    assert again.rows[0].id not in ("row_1", "row_2")


@pytest.mark.requirement("redirect:kept")
def test_kept_rows_keep_id_score_and_excerpt_and_come_no_more(digs: Digs) -> None:
    state = reported(digs)
    ids = shown(state)
    kept, dropped = ids[:2], ids[2:3]
    passed(redirect(digs, state.dig, Choices(kept, dropped)))
    digs.retrieve_candidates(state.dig, list(TERMS))
    scoring = digs.load(state.dig)
    fresh = {id_ for batch in scoring.batches for id_ in batch}
    paths = {scoring.candidates[id_].row.path for id_ in fresh}
    gone = {state.candidates[id_].row.path for id_ in (*kept, *dropped)}
    assert paths.isdisjoint(gone)
    assert paths | gone == {one.row.path for one in state.candidates.values()}
    after = drive(digs, state.dig)
    assert set(kept) <= set(shown(after))
    assert set(dropped).isdisjoint(shown(after))
    for id_ in kept:
        assert after.evidence[id_] == state.evidence[id_]
        assert after.scores[id_] == state.scores[id_]
    assert after.report is not None
    assert all(state.candidates[id_].row.path in after.report.text for id_ in kept)


@pytest.mark.requirement("redirect:kept")
def test_a_kept_deep_cut_is_shown_with_its_connection_again(digs: Digs) -> None:
    state = reported(digs)
    cut = state.picks.deep_cuts[0]
    passed(redirect(digs, state.dig, Choices((cut.id,), ())))
    after = drive(digs, state.dig)
    assert after.report is not None
    path = state.candidates[cut.id].row.path
    assert f"Deep cuts:    {path} — {cut.connection} ({cut.id}, lines " in after.report.text


@pytest.mark.requirement("redirect:numbering")
def test_new_candidates_continue_the_numbering(retrieval_ground: Ground, tmp_path: Path) -> None:
    digs = digs_of(retrieval_ground.at(tmp_path / "state"))
    dig = open_dig(digs, voice="Silicon", archetype_primary="", blaze_path=None)
    digs.retrieve_candidates(dig, list(MANY_TERMS))
    first = digs.load(dig)
    assert list(first.candidates) == [f"row_{n}" for n in range(1, 41)]
    drive(digs, dig)
    kept = shown(digs.load(dig))[:1]
    passed(redirect(digs, dig, Choices(kept, ())))
    digs.retrieve_candidates(dig, list(MANY_TERMS))
    second = digs.load(dig)
    fresh = [id_ for batch in second.batches for id_ in batch]
    assert fresh == [f"row_{n}" for n in range(41, 81)]
    assert [second.candidates[id_].rank for id_ in fresh] == list(range(1, 41))
    assert {id_: second.candidates[id_] for id_ in first.candidates} == first.candidates


@pytest.mark.requirement("redirect:counted")
def test_the_report_and_the_brief_count_every_pass(digs: Digs) -> None:
    state = reported(digs)
    passed(redirect(digs, state.dig, Choices(shown(state)[:1], ())))
    after = drive(digs, state.dig)
    assert after.report is not None
    scored = len(state.scores) + len([id_ for batch in after.batches for id_ in batch])
    total = len(state.batches) + len(after.batches)
    assert f" · {scored} summaries scored across {total} batches" in after.report.text


@pytest.mark.requirement("redirect:at-most-five")
def test_a_dig_is_redirected_five_times_at_most(digs: Digs) -> None:
    state = reported(digs)
    for _ in range(steps.MAX_REDIRECTS):
        passed(redirect(digs, state.dig, Choices((), ())))
        drive(digs, state.dig)
    assert digs.load(state.dig).pass_number == 6
    refusal = refused(redirect(digs, state.dig, Choices((), ())), "INVALID_ARGUMENT")
    assert refusal.reason == "this dig was redirected 5 times"
    assert finish(digs, state.dig).state == "briefed"


@pytest.mark.requirement("redirect:decided")
def test_a_decided_dig_may_be_redirected_until_its_brief_is_written(digs: Digs) -> None:
    state = reported(digs)
    passed(decide(digs, state.dig))
    passed(redirect(digs, state.dig, keep(state)))
    assert digs.load(state.dig).decision is None
    refused(digs.assemble_brief(state.dig), "WRONG_STEP")
    assert briefs(digs.settings) == []
    assert finish(digs, state.dig).state == "briefed"
    refused(redirect(digs, state.dig, keep(state)), "WRONG_STEP")


@pytest.mark.requirement("redirect:form")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        pytest.param("", "no words", id="none"),
        pytest.param(" \n", "no words", id="blanks"),
        pytest.param("sea \ud800", "no words", id="a lone surrogate"),
    ],
)
def test_a_redirect_says_what_to_look_for(words: str, reason: str, digs: Digs) -> None:
    state = reported(digs)
    answer = redirect(digs, state.dig, Choices((), ()), words)
    assert reason in refused(answer, "INVALID_ARGUMENT").reason
    assert digs.load(state.dig) == state


@pytest.mark.requirement("redirect:form")
def test_a_redirect_names_no_candidate_twice_and_none_that_is_not_shown(digs: Digs) -> None:
    state = reported(digs)
    first = shown(state)[0]
    unseen = next(id_ for id_ in state.candidates if id_ not in shown(state))
    for choices in (
        Choices((first,), (first,)),
        Choices((first, first), ()),
        Choices(("row_99",), ()),
        Choices((), (unseen,)),
    ):
        refused(redirect(digs, state.dig, choices), "INVALID_ARGUMENT")
    assert digs.load(state.dig) == state


def test_words_that_find_nothing_new_fail_the_pass_and_a_person_reopens_it(digs: Digs) -> None:
    state = reported(digs)
    passed(redirect(digs, state.dig, keep(state)))
    refused(digs.retrieve_candidates(state.dig, list(NOTHING)), "NO_CANDIDATES")
    digs.retrieve_candidates(state.dig, [f"{term}s" for term in NOTHING])
    assert digs.load(state.dig).state == "failed"
    passed(Review(digs).reopen(state.dig))
    assert digs.load(state.dig).kept == shown(state)
    assert drive(digs, state.dig).pass_number == 2
