"""Step 4: deep cuts that do not name the keyword, direct hits, or an honest nothing."""

from typing import Any

import pytest

from server.dig import Digs
from server.dig_state import DigState
from server.refusals import Refusal
from server.replies import Answer, Picked
from tests.digging import drive, open_dig, picks_of
from tests.digging_base import NAMES_KEYWORD

NOTHING: dict[str, object] = {"deep_cuts": [], "direct_hits": [], "pass4_empty": True}
EMPTY: list[dict[str, object]] = [{}]
LINE = "It is left alone and becomes itself."


@pytest.fixture
def scored(digs: Digs) -> DigState:
    return drive(digs, open_dig(digs), "scored")


def invalid(answer: Answer) -> str:
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == "PICK_INVALID", answer.text
    return answer.reason


def named(state: DigState) -> str:
    return next(one.id for one in state.top if one.row.path in NAMES_KEYWORD)


def cut(id_: object, connection: object = LINE) -> dict[str, object]:
    return {"id": id_, "connection": connection}


@pytest.mark.requirement("dig:picks")
def test_honest_picks_are_accepted_as_sent(scored: DigState, digs: Digs) -> None:
    picks: Any = picks_of(scored)
    answer = digs.pick_scotoma(scored.dig, picks)
    assert isinstance(answer, Picked), answer.text
    assert answer.deep_cuts == tuple(entry["id"] for entry in picks["deep_cuts"])
    assert answer.direct_hits == tuple(picks["direct_hits"])
    assert digs.load(scored.dig).state == "picked"


@pytest.mark.requirement("dig:picks")
def test_a_row_that_names_the_keyword_is_no_deep_cut(scored: DigState, digs: Digs) -> None:
    id_ = named(scored)
    sent = {"deep_cuts": [cut(id_)], "direct_hits": [], "pass4_empty": False}
    assert f"{id_} names the keyword" in invalid(digs.pick_scotoma(scored.dig, sent))
    hit = {**NOTHING, "direct_hits": [id_]}
    assert isinstance(digs.pick_scotoma(scored.dig, hit), Picked)


@pytest.mark.requirement("dig:picks")
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({"deep_cuts": []}, "pass4_empty is false with 0", id="none, not declared"),
        pytest.param({"pass4_empty": True}, "pass4_empty is true with 1", id="declared, not none"),
        pytest.param({"pass4_empty": "false"}, "pass4_empty true or false", id="text"),
        pytest.param({"pass4_empty": 0}, "pass4_empty true or false", id="zero"),
        pytest.param({"deep_cuts": "row_1"}, "must be lists", id="cuts no list"),
        pytest.param({"direct_hits": None}, "must be lists", id="hits nothing"),
        pytest.param({"direct_hits": ["row_99"]}, "'row_99' is none of the top", id="unknown id"),
        pytest.param({"direct_hits": [1]}, "a number is none of the top rows", id="a number"),
        pytest.param({"deep_cuts": EMPTY}, "nothing is none of the top rows", id="an empty cut"),
    ],
)
def test_picks_out_of_form_are_refused(
    changes: dict[str, object], reason: str, scored: DigState, digs: Digs
) -> None:
    answer = digs.pick_scotoma(scored.dig, {**picks_of(scored), **changes})
    assert reason in invalid(answer)
    assert digs.load(scored.dig).state == "scored"


@pytest.mark.requirement("dig:picks")
@pytest.mark.parametrize(
    ("connection", "reason"),
    [
        pytest.param("", "is no text", id="empty"),
        pytest.param(7, "is no text", id="a number"),
        pytest.param("a\nb", "is not one line", id="two lines"),
        pytest.param("a\u2028b", "is not one line", id="two lines in Unicode"),
        pytest.param("x " * 101, "is not one line of at most 200", id="too long"),
    ],
)
def test_a_connection_is_one_line(
    connection: object, reason: str, scored: DigState, digs: Digs
) -> None:
    picks: Any = picks_of(scored)
    spoilt = {**picks, "deep_cuts": [cut(picks["deep_cuts"][0]["id"], connection)]}
    assert reason in invalid(digs.pick_scotoma(scored.dig, spoilt))


@pytest.mark.requirement("dig:picks")
def test_a_row_picked_twice_or_outside_the_top_eight_is_refused(
    scored: DigState, digs: Digs
) -> None:
    picks: Any = picks_of(scored)
    id_ = picks["deep_cuts"][0]["id"]
    outside = scored.ranked[8].id
    sent = {**picks, "direct_hits": [id_, outside]}
    reason = invalid(digs.pick_scotoma(scored.dig, sent))
    assert f"{id_} is picked 2 times" in reason
    assert f"'{outside}' is none of the top rows" in reason


@pytest.mark.requirement("dig:pass4-empty")
def test_no_deep_cut_is_a_legitimate_result_and_the_report_says_so(
    scored: DigState, digs: Digs
) -> None:
    hits = [scored.top[0].id]
    sent = {**NOTHING, "direct_hits": hits}
    answer = digs.pick_scotoma(scored.dig, sent)
    assert isinstance(answer, Picked), answer.text
    report = drive(digs, scored.dig).report
    assert report is not None
    assert "Deep cuts:    Pass 4 empty; pattern may be new to corpus\n" in report.text


@pytest.mark.requirement("dig:pass4-empty")
def test_nothing_at_all_may_be_picked_only_where_nothing_scored(digs: Digs) -> None:
    scored = drive(digs, open_dig(digs), "scored")
    assert "nothing is picked" in invalid(digs.pick_scotoma(scored.dig, NOTHING))
    dig = open_dig(digs, title="Another Kiln")
    state = drive(digs, dig, "scoring")
    for batch, ids in enumerate(state.batches, start=1):
        zeros = [{"id": id_, "embodies": 0, "why": "no trace of it"} for id_ in ids]
        digs.score_summaries(dig, batch, zeros)
    assert isinstance(digs.pick_scotoma(dig, NOTHING), Picked)
    report = drive(digs, dig).report
    assert report is not None
    assert "Direct hits:  none\n" in report.text


def test_a_row_scored_zero_is_no_deep_cut(digs: Digs) -> None:
    dig = open_dig(digs)
    state = drive(digs, dig, "scoring")
    for batch, ids in enumerate(state.batches, start=1):
        digs.score_summaries(
            dig, batch, [{"id": id_, "embodies": int(id_ == "row_1"), "why": "so"} for id_ in ids]
        )
    zero = next(one.id for one in digs.load(dig).top if one.id != "row_1")
    sent = {"deep_cuts": [cut(zero)], "direct_hits": ["row_1"], "pass4_empty": False}
    assert f"{zero} was scored 0" in invalid(digs.pick_scotoma(dig, sent))
