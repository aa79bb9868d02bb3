"""The scoring gate: a batch's ids each once, whole numbers 0 to 3, a short reason."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.scoring import scores_complete, scores_vary
from tests.junk import JSON

IDS = ("row_1", "row_2")


def score(id_: object = "row_2", embodies: object = 1, why: object = "same loss") -> dict[str, Any]:
    return {"id": id_, "embodies": embodies, "why": why}


FIRST = score("row_1", 3)


def test_a_whole_batch_in_form_passes() -> None:
    assert scores_complete(IDS, [FIRST, score(embodies=0)]).passed


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        pytest.param([FIRST], "row_2 is not scored", id="one left out"),
        pytest.param([FIRST, score(), score()], "row_2 is scored 2 times", id="one twice"),
        pytest.param([FIRST, score("row_3")], "id 'row_3' is not in this batch", id="of another"),
        pytest.param([FIRST, score(None)], "id nothing is not in this batch", id="no id"),
        pytest.param([FIRST, score(["row_2"])], "id a list is not", id="a list as id"),
        pytest.param([FIRST, score(embodies=True)], "row_2: embodies is not", id="a boolean"),
        pytest.param([FIRST, score(embodies=2.0)], "row_2: embodies is not", id="a float"),
        pytest.param([FIRST, score(embodies="2")], "row_2: embodies is not", id="a string"),
        pytest.param([FIRST, score(embodies=4)], "row_2: embodies is not", id="too high"),
        pytest.param([FIRST, score(embodies=-1)], "row_2: embodies is not", id="negative"),
        pytest.param([FIRST, score(embodies=10**5000)], "row_2: embodies is not", id="endless"),
        pytest.param([FIRST, score(embodies=None)], "row_2: embodies is not", id="nothing"),
        pytest.param([FIRST, score(why="")], "row_2: why has 0 words", id="no reason"),
        pytest.param([FIRST, score(why="\u200b…")], "row_2: why has 0 words", id="a blank reason"),
        pytest.param(
            [FIRST, score(why="so " * 13)], "row_2: why has 13 words", id="too many words"
        ),
        pytest.param([FIRST, score(why="x" * 201)], "more than 200 characters", id="a long word"),
        pytest.param([FIRST, score(why=7)], "row_2: why is no text", id="a number as reason"),
        pytest.param([FIRST, score(why="\ud800")], "row_2: why is no text", id="broken text"),
        pytest.param([FIRST, 7], "a number is no score", id="a number"),
        pytest.param([FIRST, score(), [FIRST]], "a list is no score", id="a nested list"),
        pytest.param({"row_1": 3}, "the scores are an object, not a list", id="an object"),
        pytest.param("row_1", "the scores are 'row_1', not a list", id="text"),
        pytest.param(None, "the scores are nothing, not a list", id="nothing at all"),
        pytest.param([FIRST] + [None] * 10_000, "and 9995 more", id="ten thousand"),
    ],
)
def test_scores_out_of_form_are_refused_with_the_fault(sent: object, fault: str) -> None:
    verdict = scores_complete(IDS, sent)
    assert verdict.flag == "SCORES_INVALID"
    assert fault in verdict.reason
    assert "row_1, row_2" in verdict.remedy


@pytest.mark.parametrize("why", ["so", "so " * 12, "x" * 200], ids=["one", "twelve", "long"])
def test_one_to_twelve_words_are_reason_enough(why: str) -> None:
    assert scores_complete(("row_2",), [score(why=why)]).passed


@given(JSON | st.lists(JSON))
def test_whatever_is_sent_gets_a_verdict(sent: object) -> None:
    verdict = scores_complete(IDS, sent)
    assert verdict.outcome == "refused"
    assert verdict.reason.encode()


@given(st.lists(st.integers(0, 3), min_size=2, max_size=10), st.randoms())
def test_order_does_not_matter(values: list[int], random: Any) -> None:
    ids = [f"row_{at}" for at in range(len(values))]
    sent = [score(id_, value) for id_, value in zip(ids, values, strict=True)]
    random.shuffle(sent)
    assert scores_complete(ids, sent).passed


@pytest.mark.parametrize(
    ("values", "flag"),
    [
        pytest.param([3, 3, 3], "SCORES_FLAT", id="all the same"),
        pytest.param([3, 3, 2], "", id="one differs"),
        pytest.param([3], "", id="a single row cannot vary"),
        pytest.param([], "", id="no row"),
    ],
)
def test_a_flat_batch_is_flagged_and_passes(values: list[int], flag: str) -> None:
    assert scores_vary(values).passed
    assert scores_vary(values).flag == flag
