import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.tokens import LONGEST, asked, asked_by_word, counts, words


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
        pytest.param("4.1.2\u20131", ["4.1.2-1"], id="or a dash"),
        pytest.param("rundkjøring", ["rundkjor"], id="Nordic letters spelt out"),
        pytest.param("GPT-4", ["gpt-4", "gpt"], id="a name with a number"),
        pytest.param("cold-water", ["cold", "water"], id="a hyphen joins two words"),
        pytest.param("co\u00adoperate", ["cooper"], id="a soft hyphen is not there"),
        pytest.param("l'été d'hier", ["l", "ete", "d", "hier"], id="an elided article"),
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


def test_words_of_other_alphabets_are_no_english() -> None:
    assert list(counts("größer идущие")) == ["grosser", "идущие"]
    assert counts("naïve").keys() == counts("naive").keys()


@pytest.mark.requirement("engine:languages")
@pytest.mark.parametrize(
    ("lang", "written", "typed"),
    [
        ("nb", "hundene", "hund"),
        ("nb", "rundkjøringene", "rundkjoring"),
        ("sv", "flickorna", "flicka"),
        ("de", "Häuser", "haus"),
        ("fr", "élections", "election"),
        ("es", "canciones", "canción"),
        ("ru", "книгами", "книга"),
        ("el", "σκύλοι", "σκύλος"),
        ("en", "naïve", "naive"),
    ],
)
def test_a_word_is_found_in_its_language_however_it_is_inflected_and_accented(
    lang: str, written: str, typed: str
) -> None:
    assert counts(written, lang).keys() & set(asked(typed, (lang,)))


@pytest.mark.requirement("engine:languages")
@given(st.text(), st.sampled_from(["", "nb", "de", "fr", "ru", "fi", "xx"]))
def test_each_word_of_a_text_is_found_whatever_its_language(text: str, lang: str) -> None:
    held = counts(text, lang).keys()
    known: set[str] = set()
    for tokens in asked_by_word(text, ("de", lang)).values():
        known.update(tokens)
        assert known & held


def test_a_query_asks_for_nothing_twice_in_several_languages() -> None:
    tokens = asked("houses Häuser house", ("de", "nb", "en"))
    assert len(tokens) == len(set(tokens))
    assert list(asked_by_word("houses house")) == ["houses"]
