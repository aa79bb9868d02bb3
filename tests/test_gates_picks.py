"""The pick gate: honest deep cuts among the top rows, or the word that there are none."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.picks import PickFacts, names_keyword, picks_allowed
from tests.junk import JSON

FACTS = PickFacts(
    top={
        "row_1": ("Rust on the slip", "rust", "Two men sand a hull."),
        "row_2": ("The ladder", "ladder", "A silence that does the work."),
        "row_3": ("Forgiveness at last", "last", "A letter."),
        "row_4": ("Nothing", "nothing", "Weather."),
    },
    embodies={"row_1": 3, "row_2": 2, "row_3": 3, "row_4": 0},
    keyword="forgiveness",
)


def cut(id_: object, connection: object = "sanding is a way of asking pardon") -> dict[str, Any]:
    return {"id": id_, "connection": connection}


def picked(
    cuts: object = (), hits: object = ("row_3",), empty: object = False
) -> dict[str, object]:
    return {"deep_cuts": cuts, "direct_hits": hits, "pass4_empty": empty}


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(picked([cut("row_1")]), id="one deep cut and a hit"),
        pytest.param(picked([cut("row_1"), cut("row_2")], []), id="two deep cuts"),
        pytest.param(picked(empty=True), id="no deep cut, and said so"),
        pytest.param(picked([cut("row_1", "貯" * 200)]), id="a long line"),
        pytest.param(picked([cut("row_1", " a line\n")]), id="a line end around it"),
    ],
)
def test_honest_picks_pass(sent: dict[str, object]) -> None:
    assert picks_allowed(FACTS, sent).passed


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        pytest.param(picked([cut("row_3")], []), "row_3 names the keyword", id="names the keyword"),
        pytest.param(picked([cut("row_4")]), "row_4 was scored 0", id="scored 0"),
        pytest.param(
            picked([cut("row_9")]), "'row_9' is none of the top rows", id="not of the top"
        ),
        pytest.param(picked([cut(7)]), "a number is none of the top rows", id="a number as id"),
        pytest.param(picked([cut("row_1")], ["row_1"]), "row_1 is picked 2 times", id="twice"),
        pytest.param(
            picked([cut("row_1")], ["row_2", "row_2"]), "row_2 is picked 2", id="a hit twice"
        ),
        pytest.param(picked([cut("row_1")] * 3), "3 deep cuts, at most 2", id="three"),
        pytest.param(picked([cut("row_1")], empty=True), "pass4_empty is true with 1", id="both"),
        pytest.param(picked(), "pass4_empty is false with 0", id="none, and not said so"),
        pytest.param(picked([], [], True), "nothing is picked", id="nothing at all"),
        pytest.param(picked([cut("row_1", "")]), "connection of 'row_1' is no text", id="no line"),
        pytest.param(picked([cut("row_1", "…")]), "connection of 'row_1' is no text", id="dots"),
        pytest.param(picked([cut("row_1", 7)]), "connection of 'row_1' is no text", id="a number"),
        pytest.param(picked([cut("row_1", "\ud800a")]), "is no text", id="broken text"),
        pytest.param(picked([cut("row_1", "a\nb")]), "is not one line", id="two lines"),
        pytest.param(picked([cut("row_1", "a\u2028b")]), "is not one line", id="a hidden line end"),
        pytest.param(picked([cut("row_1", "x" * 201)]), "at most 200 characters", id="too long"),
        pytest.param(picked(["row_1"]), "nothing is none of the top rows", id="ids as deep cuts"),
        pytest.param(
            picked([cut("row_1")], [{"id": "row_2"}]), "an object is none", id="an object"
        ),
        pytest.param(picked("row_1"), "must be lists", id="text for a list"),
        pytest.param(picked(hits=None), "must be lists", id="nothing for a list"),
        pytest.param(picked(empty=1), "pass4_empty true or false", id="1 for true"),
        pytest.param(picked(empty="true"), "pass4_empty true or false", id="text for true"),
        pytest.param({}, "must be lists", id="nothing sent"),
        pytest.param(picked([], ["row_9"] * 10_000, True), "and 9994 more", id="ten thousand"),
    ],
)
def test_other_picks_are_refused_with_the_fault(sent: dict[str, object], fault: str) -> None:
    verdict = picks_allowed(FACTS, sent)
    assert verdict.flag == "PICK_INVALID"
    assert fault in verdict.reason
    assert "row_1, row_2, row_3, row_4" in verdict.remedy


def test_nothing_need_be_picked_where_nothing_embodies_the_pattern() -> None:
    facts = PickFacts({"row_4": ("Weather",)}, {"row_4": 0}, "forgiveness")
    assert picks_allowed(facts, picked([], [], True)).passed


@given(st.dictionaries(st.sampled_from(["deep_cuts", "direct_hits", "pass4_empty"]), JSON))
def test_whatever_is_sent_gets_a_verdict(sent: dict[str, object]) -> None:
    verdict = picks_allowed(FACTS, sent)
    assert verdict.outcome in ("passed", "refused")
    assert verdict.reason.encode()


@pytest.mark.parametrize(
    ("keyword", "texts", "named"),
    [
        pytest.param("forgiveness", ["On FORGIVENESS"], True, id="capitals"),
        pytest.param("forgiveness", ["forgiveness's end"], True, id="possessive"),
        pytest.param("forgiveness", ["fоrgiveness"], True, id="another alphabet"),
        pytest.param("self-reliance", ["a self of one's own"], True, id="one word of two"),
        pytest.param("art", ["birthday party"], False, id="inside a word"),
        pytest.param("brother", ["brothers"], False, id="an inflected form is another word"),
        pytest.param("赦し", ["兄弟の赦し"], True, id="Japanese"),
        pytest.param("the it", ["the case of it"], True, id="a keyword of stop words"),
        pytest.param("the it", ["It, the"], True, id="these and nothing else"),
        pytest.param("the it", ["the case"], False, id="one of these alone"),
        pytest.param("...", ["..."], False, id="a keyword without a word"),
    ],
)
def test_a_row_names_the_keyword_by_a_whole_word(
    keyword: str, texts: list[str], named: bool
) -> None:
    assert names_keyword(keyword, texts) is named
