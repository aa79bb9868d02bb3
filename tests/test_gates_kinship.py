"""Kin of the keyword: the words that a term may not be, in whatever costume."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.irregular import lemma
from gates.kinship import Anchors
from tests.dressed import CAPITALS, CLOTHES, WIDE

CHANGES: dict[str, Callable[[str], str]] = {
    **CAPITALS,
    **CLOTHES,
    "full width throughout": lambda text: text.translate(WIDE),
    "zero width throughout": "\u200b".join,
    "bold": lambda text: f"**{text}**",
    "blanks around": lambda text: f"  {text}\n",
    "look-alikes": lambda text: text.replace("o", "\u043e"),
    "accents": lambda text: "".join(f"{letter}\u0301" for letter in text),
}


def costume(anchor: str, term: str, lang: str = "") -> str | None:
    kinship = Anchors.of([anchor], lang).kinship(term)
    return None if kinship is None else kinship.costume


@pytest.mark.parametrize(
    ("anchor", "term", "worn"),
    [
        pytest.param("boat", "the boat yard", "", id="the word itself"),
        pytest.param("self reliance", "self-reliance", "", id="hyphen"),
        pytest.param("Daniel", "Daniel's hull", "", id="possessive"),
        pytest.param("boat", "BOAT", "", id="capitals"),
        pytest.param("boat", "**boat**", "", id="emphasis"),
        pytest.param("boat", "ＢＯＡＴ", "", id="full width"),
        pytest.param("boat", "bo\u200bat", "", id="zero width"),
        pytest.param("boat", "b\u043eat", "in other letters", id="Cyrillic letter"),
        pytest.param("boat", "b0at", "in other letters", id="digit"),
        pytest.param("boat", "🅱oat", "in other letters", id="boxed letter"),
        pytest.param("café", "cafe", "in other letters", id="accent left out"),
        pytest.param("brother", "brothers", "inflected", id="plural"),
        pytest.param("forgiveness", "forgiven", "inflected", id="participle"),
        pytest.param("forgiveness", "forgive", "inflected", id="verb of a noun"),
        pytest.param("memory", "memories", "inflected", id="y and ies"),
        pytest.param("child", "children", "inflected", id="old plural"),
        pytest.param("speak", "spoken", "inflected", id="strong verb"),
        pytest.param("wolf", "wolves", "inflected", id="f and ves"),
        pytest.param("grief", "grieving", "inflected", id="f and v"),
        pytest.param("båt", "båter", "inflected", id="Norwegian, undeclared"),
        pytest.param("tilgivelse", "tilgivelsen", "inflected", id="Norwegian definite form"),
        pytest.param("hermano", "hermanos", "inflected", id="Spanish"),
        pytest.param("брат", "братом", "inflected", id="Russian"),
        pytest.param("赦し", "赦す", "", id="Japanese inflection"),
        pytest.param("兄弟の赦し", "兄弟愛", "", id="a shared pair of ideographs"),
        pytest.param("용서", "용서를", "", id="Korean particle"),
        pytest.param("forgiveness", "for-give-ness", "spelled apart", id="hyphens"),
        pytest.param("boat", "b o a t", "spelled apart", id="blanks"),
        pytest.param("boat", "b.o.a.t", "spelled apart", id="dots"),
        pytest.param("brother", "bro thers", "spelled apart", id="apart and inflected"),
        pytest.param("boat yard", "boatyard", "spelled together", id="together"),
        pytest.param("forgiveness", "orgiveness", "a piece of it", id="a letter short in front"),
        pytest.param("forgiveness", "forgivenes", "inflected", id="a letter short at the end"),
        pytest.param("forgiveness", "forgiveniss", "one letter off", id="a letter changed"),
        pytest.param("forgiveness", "forgivenness", "one letter off", id="a letter doubled"),
        pytest.param("forgiveness", "forgivneess", "one letter off", id="letters swapped"),
    ],
)
def test_a_word_in_a_costume_is_recognised(anchor: str, term: str, worn: str) -> None:
    assert costume(anchor, term) == worn


@pytest.mark.parametrize(
    ("anchor", "term"),
    [
        pytest.param("car", "cargo manifest", id="car and cargo"),
        pytest.param("art", "birthday party", id="art and party"),
        pytest.param("car", "care", id="car and care, though French would cut it"),
        pytest.param("mark", "market", id="mark and market, though Norwegian would cut it"),
        pytest.param("brother", "mother", id="brother and mother"),
        pytest.param("brother", "bother", id="brother and bother"),
        pytest.param("wonder", "wander", id="wonder and wander"),
        pytest.param("boat", "boatswain", id="boat and boatswain"),
        pytest.param("transport", "transform", id="a shared beginning"),
        pytest.param("harbor", "harbur", id="six letters are too few to call it misspelt"),
        pytest.param("planes", "planer", id="four letters in common are too few"),
        pytest.param("change", "exchange", id="a shared end"),
        pytest.param("the art of leaving", "end of winter", id="a shared stop word"),
        pytest.param("赦し", "借金", id="Japanese"),
        pytest.param("宽恕", "原谅", id="Chinese"),
        pytest.param("брат", "мать", id="Russian"),
        pytest.param("of the", "rust", id="an anchor of nothing but stop words"),
        pytest.param("", "rust", id="no anchor"),
        pytest.param("café", "cave", id="café and cave"),
    ],
)
def test_shared_letters_are_no_shared_word(anchor: str, term: str) -> None:
    assert costume(anchor, term) is None


def test_a_language_declared_brings_its_own_stems_only() -> None:
    assert costume("Häuser", "Haus", "de") == "inflected"
    assert costume("children", "child", "de") == "inflected"
    assert Anchors.of(["Der lange Weg nach Hause"]).lang == "de"


def test_without_english_no_english_verb_is_bent() -> None:
    norwegian = Anchors("nb", ("nb",), "speak", ("speak",), frozenset(), {}, {})
    assert norwegian.kinship("spoken") is None


def test_a_long_title_is_not_read_as_one_word() -> None:
    title = " ".join("abcdefghij") * 9
    assert costume(title, "abcd") is None
    assert costume(title, "abc") == "spelled together"


@pytest.mark.parametrize("change", [pytest.param(CHANGES[name], id=name) for name in CHANGES])
@given(
    anchor=st.sampled_from(["forgiveness", "boat yard", "self-reliance", "memory", "wolf"]),
    term=st.sampled_from(["forgiven", "boat", "reliance", "memories", "wolves", "rust", "cargo"]),
)
def test_how_a_term_is_set_changes_no_verdict(
    change: Callable[[str], str], anchor: str, term: str
) -> None:
    plainly = costume(anchor, term) is None
    assert (costume(anchor, change(term)) is None) is plainly
    assert (costume(change(anchor), term) is None) is plainly


@given(st.sampled_from(["forgiveness", "boat yard", "赦し", "брат"]), st.text(max_size=60))
def test_a_term_that_holds_the_keyword_is_always_kin(anchor: str, rest: str) -> None:
    assert costume(anchor, f"{anchor} , {rest}") is not None


@pytest.mark.parametrize(
    ("form", "basic"),
    [("mice", "mouse"), ("wolves", "wolf"), ("knife", "knif"), ("of", "of"), ("rust", "rust")],
)
def test_irregular_forms_meet_in_one(form: str, basic: str) -> None:
    assert lemma(form) == basic
