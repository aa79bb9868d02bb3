"""Quotation marks of every style: what others say is found, what is none is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.quotes import quoted


@pytest.mark.parametrize(
    ("paragraph", "speech"),
    [
        pytest.param("He said \u201cno\u201d to it.", ["\u201cno\u201d"], id="curly"),
        pytest.param('He said "no" to it.', ['"no"'], id="straight"),
        pytest.param('It is 5" long and 3" wide.', [], id="inches"),
        pytest.param("He said 'no' to it.", ["'no'"], id="single"),
        pytest.param("The boys' house, the '90s, 'twas.", [], id="apostrophes"),
        pytest.param(
            "\u2018The boys\u2019 house,\u2019 he said.",
            ["\u2018The boys\u2019 house,\u2019"],
            id="both",
        ),
        pytest.param(
            "\u2018Yes\u2019 and \u2018no\u2019.",
            ["\u2018Yes\u2019", "\u2018no\u2019"],
            id="two words in s",
        ),
        pytest.param("\u00abJa\u00bb, sa hun.", ["\u00abJa\u00bb"], id="guillemets"),
        pytest.param("\u00bbJa\u00ab, sagte sie.", ["\u00bbJa\u00ab"], id="turned guillemets"),
        pytest.param(
            "\u00ab\u00a0Oui\u00a0\u00bb, dit-elle.",
            ["\u00ab\u00a0Oui\u00a0\u00bb"],
            id="with blanks",
        ),
        pytest.param("\u201eJa\u201c, sagte sie.", ["\u201eJa\u201c"], id="low and high"),
        pytest.param("\u201dJa\u201d, sade hon.", ["\u201dJa\u201d"], id="Swedish"),
        pytest.param(
            "\u300c\u306f\u3044\u300d\u3068\u8a00\u3063\u305f\u3002",
            ["\u300c\u306f\u3044\u300d"],
            id="corners",
        ),
        pytest.param(
            "\u300c\u4e00\u300e\u4e8c\u300f\u4e09\u300d\u56db",
            ["\u300c\u4e00\u300e\u4e8c\u300f\u4e09\u300d"],
            id="corners in corners",
        ),
        pytest.param(
            "\u201cA \u201cb\u201d c\u201d d", ["\u201cA \u201cb\u201d c\u201d"], id="nested"
        ),
        pytest.param("\u201cIt goes on.", ["\u201cIt goes on."], id="never closed"),
        pytest.param("\u00bb Et plus.", ["\u00bb Et plus."], id="continued in the French way"),
        pytest.param("a \u00bb b", [], id="a stray closing mark"),
        pytest.param("He wept. \u2014 A dash.", [], id="a dash inside"),
        pytest.param("She:\n\u2014 Yes.\nNo.", ["\u2014 Yes.\nNo."], id="a dash opens dialogue"),
        pytest.param("--Yes, he said.", ["--Yes, he said."], id="two hyphens"),
        pytest.param('"The 5"x2 plank," he said.', ['"The 5"x2 plank,"'], id="an inch in speech"),
        pytest.param('He left ("no") it.', ['"no"'], id="in brackets"),
        pytest.param('He left x"no" it.', [], id="after a letter"),
        pytest.param('a "', [], id="a mark at the end"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_the_stretches_that_others_speak_are_found(paragraph: str, speech: list[str]) -> None:
    assert [paragraph[start:end] for start, end in quoted(paragraph)] == speech


def test_a_hyphen_opens_dialogue_where_somebody_is_said_to_speak() -> None:
    assert quoted("Yes, he said.", listed=True) == [(0, 13)]
    assert quoted("Yes, he slept.", listed=True) == []


def test_an_apostrophe_opens_speech_that_the_next_paragraph_opens_again() -> None:
    assert quoted("\u2018It goes on.", following="\u2018") == [(0, 12)]
    assert quoted("\u2018Tis gone.", following="T") == []
    assert quoted("T \u2018tis gone.", following="T") == []


@given(
    st.text(
        st.sampled_from("ab \n,s'\"\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u2014"),
        max_size=40,
    )
)
def test_stretches_lie_apart_and_in_order(paragraph: str) -> None:
    places = [place for span in quoted(paragraph) for place in span]
    assert places == sorted(places)
    assert all(0 <= place <= len(paragraph) for place in places)
