"""Step 3: a batch of scores is accepted whole or refused whole; the best eight come back."""

from typing import Any

import pytest

from server.dig import Digs
from server.dig_state import DigState
from server.refusals import Refusal
from server.replies import Answer, Batch
from tests.digging import drive, open_dig, scores_of


def sent(digs: Digs, dig: str) -> list[dict[str, Any]]:
    """Honest scores of the open batch, for a test to spoil."""
    return [dict(entry) for entry in scores_of(digs.load(dig))]


def invalid(answer: Answer) -> Refusal:
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == "SCORES_INVALID", answer.text
    return answer


@pytest.mark.requirement("dig:scores")
@pytest.mark.parametrize(
    ("spoilt", "named"),
    [
        pytest.param({"embodies": True}, "row_2: embodies is not a whole number", id="true"),
        pytest.param({"embodies": "2"}, "row_2: embodies is not a whole number", id="digit"),
        pytest.param({"embodies": 2.0}, "row_2: embodies is not a whole number", id="float"),
        pytest.param({"embodies": 4}, "row_2: embodies is not a whole number", id="four"),
        pytest.param({"embodies": -1}, "row_2: embodies is not a whole number", id="minus one"),
        pytest.param({"embodies": None}, "row_2: embodies is not a whole number", id="nothing"),
        pytest.param({"why": ""}, "row_2: why has 0 words", id="no why"),
        pytest.param({"why": "word " * 13}, "row_2: why has 13 words", id="a long why"),
        pytest.param({"why": 3}, "row_2: why is no text", id="a number for a why"),
        pytest.param({"id": "row_11"}, "id 'row_11' is not in this batch", id="another batch"),
        pytest.param({"id": "row_1"}, "row_1 is scored 2 times", id="an id twice"),
        pytest.param({"id": 2}, "id a number is not in this batch", id="a number for an id"),
    ],
)
def test_one_bad_score_refuses_the_batch_and_names_itself(
    spoilt: dict[str, object], named: str, digs: Digs
) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "scoring")
    scores = sent(digs, dig)
    scores[1] = {**scores[1], **spoilt}
    assert named in invalid(digs.score_summaries(dig, 1, scores)).reason
    assert digs.load(dig).scores == {}


@pytest.mark.requirement("dig:scores")
def test_a_row_left_out_is_named(digs: Digs) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "scoring")
    assert (
        "row_10 is not scored" in invalid(digs.score_summaries(dig, 1, sent(digs, dig)[:-1])).reason
    )


@pytest.mark.requirement("dig:scores")
@pytest.mark.parametrize("batch", [0, 2, 3, -1])
def test_another_batch_than_the_open_one_is_a_wrong_step(batch: int, digs: Digs) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "scoring")
    answer = digs.score_summaries(dig, batch, sent(digs, dig))
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == "WRONG_STEP"
    assert answer.remedy == "call score_summaries of batch 1"
    assert digs.load(dig).refusals == ()


def test_other_scores_for_a_batch_that_is_scored_are_a_wrong_step(digs: Digs) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "scoring")
    first = sent(digs, dig)
    assert isinstance(digs.score_summaries(dig, 1, first), Batch)
    first[0]["embodies"] = 2
    answer = digs.score_summaries(dig, 1, first)
    assert isinstance(answer, Refusal), answer.text
    assert (answer.flag, answer.remedy) == ("WRONG_STEP", "call score_summaries of batch 2")


@pytest.mark.requirement("dig:scores-flat")
def test_a_batch_of_equal_scores_passes_and_is_flagged_to_the_end(digs: Digs) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "scoring")
    digs.score_summaries(dig, 1, sent(digs, dig))
    flat = [{**entry, "embodies": 0} for entry in sent(digs, dig)]
    answer = digs.score_summaries(dig, 2, flat)
    assert isinstance(answer, Batch), answer.text
    assert answer.flags == ("SCORES_FLAT",)
    report = drive(digs, dig).report
    assert report is not None
    assert "SCORES_FLAT" in report.flags


def test_a_why_is_kept_on_one_line(digs: Digs) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "scoring")
    scores = sent(digs, dig)
    scores[0]["why"] = "it waits\n  and\twaits"
    digs.score_summaries(dig, 1, scores)
    assert digs.load(dig).scores["row_1"].why == "it waits and waits"


@pytest.mark.requirement("dig:ranking")
def test_the_best_eight_come_by_score_then_prescore_then_retrieval(digs: Digs) -> None:
    dig = open_dig(digs)
    state = drive(digs, dig, "scoring")
    answer: Answer | None = None
    for batch, ids in enumerate(state.batches, start=1):
        scores = [{"id": id_, "embodies": _by_number(id_), "why": "by number"} for id_ in ids]
        answer = digs.score_summaries(dig, batch, scores)
    assert isinstance(answer, Batch)
    after = digs.load(dig)
    assert after.state == "scored"
    assert [row.id for row in answer.top] == [one.id for one in after.top]
    assert [one.id for one in after.ranked] == _expected(after)
    assert len(answer.top) == 8
    assert answer.top[0].why == "by number"
    assert answer.pattern == state.context.pattern


def _by_number(id_: str) -> int:
    return int(id_.removeprefix("row_")) % 4


def _expected(state: DigState) -> list[str]:
    def order(id_: str) -> tuple[int, int, int]:
        candidate = state.candidates[id_]
        return (-_by_number(id_), -candidate.prescore, candidate.rank)

    return sorted(state.candidates, key=order)


@pytest.mark.requirement("dig:pattern-returned")
def test_the_pattern_comes_with_every_batch_and_with_the_top_rows(digs: Digs) -> None:
    dig = open_dig(digs)
    state = drive(digs, dig, "scoring")
    for batch in range(1, len(state.batches) + 1):
        answer = digs.score_summaries(dig, batch, sent(digs, dig))
        assert isinstance(answer, Batch)
        assert answer.pattern == state.context.pattern
        assert f"Pattern: {state.context.pattern}" in answer.text
