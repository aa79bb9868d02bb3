"""The term gates: counted first, then held against keyword, title and named phrases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.terms import Terms, enough_terms, read_terms, terms_distinct
from tests.junk import JSON

WORDS = "rust debt harbour winter silence ladder salt oath bread storm anchor lamp"
TWELVE = WORDS.split()


def counts(terms: object) -> bool:
    return enough_terms(read_terms(terms, [])).passed


@pytest.mark.parametrize(
    ("terms", "enough"),
    [
        pytest.param(TWELVE, True, id="twelve"),
        pytest.param(TWELVE[:10], True, id="ten"),
        pytest.param(tuple(TWELVE), True, id="a tuple"),
        pytest.param(TWELVE[:9], False, id="nine"),
        pytest.param([*TWELVE, "rope"], False, id="thirteen"),
        pytest.param([*TWELVE, ""], True, id="a blank does not count"),
        pytest.param([*TWELVE[:9], "   "], False, id="nine and a blank"),
        pytest.param([*TWELVE[:9], "..."], False, id="nine and dots"),
        pytest.param([*TWELVE[:9], "of the"], False, id="nine and stop words"),
        pytest.param([*TWELVE[:9], "тhе"], False, id="nine and a stop word in other letters"),
        pytest.param([*TWELVE[:9], "Rust!"], False, id="nine and a repeat in capitals"),
        pytest.param(
            [*TWELVE[:9], "ru\u200bst"], False, id="nine and a repeat with a hidden blank"
        ),
        pytest.param([*TWELVE[:9], "boat-yard", "boat yard"], True, id="a repeat by hyphen"),
        pytest.param([*TWELVE[:9], "x" * 61], False, id="one too long"),
        pytest.param([*TWELVE[:9], "x" * 60], True, id="one just short enough"),
        pytest.param([*TWELVE, "x" * 61], False, id="twelve and one too long"),
        pytest.param([*TWELVE[:9], "\ufb01" * 30], True, id="one of ligatures, short enough"),
        pytest.param([*TWELVE, "\ufb01" * 31], False, id="twelve and one of too many ligatures"),
        # each stands for eighteen letters: the gate's work would grow with their square
        pytest.param([*TWELVE, "\ufdfa" * 60], False, id="twelve and one of sixty salutations"),
        pytest.param([*TWELVE, 7], False, id="twelve and a number"),
        pytest.param([*TWELVE, True], False, id="twelve and a boolean"),
        pytest.param([*TWELVE, "\ud800x"], False, id="twelve and broken text"),
        pytest.param([*TWELVE, ["rope"]], False, id="twelve and a list"),
        pytest.param("rust debt harbour", False, id="no list"),
        pytest.param(None, False, id="nothing"),
        pytest.param({"terms": TWELVE}, False, id="an object"),
        pytest.param(["", None, 7, "..."] * 2500, False, id="ten thousand entries"),
    ],
)
def test_ten_to_twelve_different_terms_are_asked(terms: object, enough: bool) -> None:
    assert counts(terms) is enough


def test_the_refused_count_names_what_can_be_no_term() -> None:
    verdict = enough_terms(read_terms([*TWELVE, 7, "a\u202eb" * 30], []))
    assert verdict.flag == "TERM_COUNT"
    assert "a number is no text" in verdict.reason
    assert "\\u202e" in verdict.reason
    assert "\u202e" not in verdict.reason


@pytest.mark.requirement("terms:leave-the-keyword")
def test_six_terms_must_leave_the_keyword() -> None:
    anchors = ["rust and debt", "winter harbour silence ladder salt"]
    assert not terms_distinct(read_terms(TWELVE, anchors)).passed
    assert terms_distinct(read_terms(TWELVE, anchors[:1])).passed
    assert terms_distinct(read_terms(TWELVE[:6], [])).passed
    assert not terms_distinct(read_terms(TWELVE[:5], [])).passed


@pytest.mark.requirement("terms:costume")
def test_a_costume_is_named_as_such() -> None:
    terms = read_terms(["brothers", "bо\u0430t", "brother"], ["forgiving a brother", "boat"])
    verdict = terms_distinct(terms)
    assert verdict.flag == "TERM_FANOUT"
    assert "'brothers' (brother, inflected)" in verdict.reason
    assert "(boat, in other letters)" in verdict.reason
    assert "'brother' (brother)" in verdict.reason


def test_the_caller_may_go_on_with_the_distinct_terms() -> None:
    terms = read_terms(["brothers", "rust", "Salt  water"], ["brother"])
    assert terms.distinct == ("rust", "Salt water")
    assert [weak.term for weak in terms.weak] == ["brothers"]


def test_terms_of_a_declared_language_are_read_in_it() -> None:
    assert read_terms(["tilgivelsen", "og det"], ["tilgivelse"], "nb").distinct == ()


@given(JSON | st.lists(JSON, max_size=20))
def test_whatever_is_sent_gets_a_verdict(sent: object) -> None:
    terms = read_terms(sent, ["forgiveness", "the long winter"])
    assert enough_terms(terms).outcome in ("passed", "refused")
    assert terms_distinct(terms).outcome in ("passed", "refused")
    assert enough_terms(terms).reason.encode()
    assert terms_distinct(terms).reason.encode()


@given(st.permutations(TWELVE))
def test_the_order_of_terms_does_not_matter(terms: list[str]) -> None:
    anchors = ["salt and storm"]
    assert set(read_terms(terms, anchors).distinct) == set(read_terms(TWELVE, anchors).distinct)


@given(st.lists(st.sampled_from(TWELVE), max_size=20))
def test_repeats_add_nothing(terms: list[str]) -> None:
    assert isinstance(read_terms(terms, []), Terms)
    assert len(read_terms(terms, []).usable) == len(set(terms))
