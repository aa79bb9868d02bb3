import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.tokens import LONGEST, asked, counts, words


@pytest.mark.requirement("engine:as-typed")
@given(st.text())
def test_a_text_holds_every_token_that_it_would_ask_for(text: str) -> None:
    assert set(asked(text)) <= counts(text).keys()


@given(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")))
def test_words_stand_in_a_longer_text_as_they_stand_alone(one: str, other: str) -> None:
    assert words(f"{one}\n{other}") == words(one) + words(other)


@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        pytest.param("Swimming swims", ["swim"], id="English stems, each once"),
        pytest.param("4.1.2-1", ["4.1.2-1"], id="a number with dots and hyphens is one token"),
        pytest.param("4.1.2\u20111", ["4.1.2-1"], id="whatever the hyphen"),
        pytest.param("GPT-4", ["gpt-4", "gpt"], id="a name with a number"),
        pytest.param("cold-water", ["cold", "water"], id="a hyphen joins two words"),
        pytest.param("co\u00adoperate", ["cooper"], id="a soft hyphen is not there"),
        pytest.param("l'été d'hier", ["l", "été", "d", "hier"], id="an elided article"),
        pytest.param("Straße", ["strass"], id="folded, then stemmed"),
        pytest.param("水の中", ["水の", "の中"], id="Japanese by pairs"),
        pytest.param("水", ["水"], id="a single ideograph"),
        pytest.param("ภาษา", ["ภา", "าษ", "ษา"], id="Thai by pairs"),
        pytest.param("हिन्दी में", ["हिन्दी", "में"], id="vowel signs belong to the word"),
        pytest.param("第4.1.2条", ["第", "4.1.2", "条"], id="a number between ideographs"),
        pytest.param("snake_case", ["snake", "case"], id="an underscore parts"),
        pytest.param("… — !?", [], id="punctuation only"),
        pytest.param("", [], id="nothing"),
        pytest.param("x1" * 99, [("x1" * 99)[:LONGEST]], id="encoded data is cut"),
    ],
)
def test_a_query_asks_for_these_tokens(query: str, tokens: list[str]) -> None:
    assert asked(query) == tokens


def test_a_document_also_holds_the_parts_of_a_number() -> None:
    assert dict(counts("see 4.1.2-1")) == {"see": 1, "4.1.2-1": 1, "4": 1, "1": 2, "2": 1}


def test_a_document_also_holds_single_ideographs() -> None:
    assert dict(counts("水水")) == {"水水": 1, "水": 2}


def test_words_of_other_alphabets_are_not_stemmed() -> None:
    assert list(counts("größer идущие")) == ["grösser", "идущие"]
