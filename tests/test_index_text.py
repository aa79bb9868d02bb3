"""Text, compared and cut: three folds, words, sentences, content words, what does not show."""

from collections.abc import Callable
from itertools import pairwise
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index import text as door
from index.text import (
    content_words,
    count_words,
    fold,
    hidden,
    loose,
    plain,
    sentence_spans,
    sentences,
    shingles,
    skeleton,
    stemmed,
    stems,
    stop_words,
    visible,
    without_ignorable,
    word_spans,
    words,
)

# Every letter of the text functions' own concern, mixed at random.
ODD = st.text(
    st.sampled_from(
        "aZ ß\u0301\u0323\u200b\u200d\u00ad\u202e\ufeff\ud800\U000e0041"
        "日かカไ한🇳🏽ﬁİſоⅣ²_*'’.!?…。\n\t\u00a0\u2028\x00"
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Straße", "STRASSE", id="sharp s"),
        pytest.param("caf\u00e9", "cafe\u0301", id="composed and decomposed"),
        pytest.param("ﬁn", "fin", id="ligature"),
        pytest.param("\u212bngstr\u00f6m", "\u00e5ngstr\u00f6m", id="angstrom sign"),
        pytest.param("ΣΊΣΥΦΟΣ", "σίσυφος", id="final sigma"),
    ],
)
def test_the_search_fold_joins_spellings_of_one_word(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_the_search_fold_keeps_accents() -> None:
    assert fold("café") != fold("cafe")


@given(st.text())
def test_the_search_fold_is_the_reference_of_the_index(s: str) -> None:
    assert fold(s) == normalize("NFC", normalize("NFD", s).casefold())


@pytest.mark.parametrize(
    "same",
    [
        pytest.param("THE CLOSED BOAT YARD'S GATE", id="case"),
        pytest.param("the\u00a0closed boat\nyard's   gate ", id="blanks and wraps"),
        pytest.param("the clo\u200bsed boat y\u00adard's gate\ufeff", id="hidden characters"),
        pytest.param("the **closed** _boat_ yard's ~~gate~~", id="emphasis"),
        pytest.param("ｔｈｅ closed boat yard's gate", id="width"),
        pytest.param("the closed boat yard\u2019s gate", id="curly apostrophe"),
    ],
)
def test_the_prose_fold_ignores_how_a_sentence_is_set(same: str) -> None:
    assert loose(same) == "the closed boat yard's gate"


@pytest.mark.parametrize(
    "costume",
    [
        pytest.param("b\u043eat", id="one Cyrillic letter"),
        pytest.param("ВОАТ", id="Cyrillic capitals, one without a small look-alike"),
        pytest.param("ＢＯＡＴ", id="full width"),
        pytest.param("b\u00f3\u00e2t", id="accents"),
        pytest.param("bo\u200dat", id="zero width"),
        pytest.param("b0at", id="digit among letters"),
        pytest.param("b\u00f8at", id="stroke"),
        pytest.param("ʙoaᴛ", id="small capitals"),
        pytest.param("🅱oat", id="boxed"),
        pytest.param("🇧🇴🇦🇹", id="regional indicators"),
        pytest.param("𝕓𝕠𝕒𝕥", id="double-struck"),
    ],
)
def test_the_look_alike_fold_undresses_a_word(costume: str) -> None:
    assert skeleton(costume) == "boat"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("かき", "かぎ", id="the voicing mark of kana"),
        pytest.param("日", "月", id="ideographs"),
        pytest.param("10", "lo", id="a number among numbers"),
        pytest.param("брат", "брак", id="Cyrillic words"),
    ],
)
def test_the_look_alike_fold_keeps_different_words_apart(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_cyrillic_word_in_capitals_meets_itself() -> None:
    assert skeleton("ВЕРА") == skeleton("вера")


@given(ODD)
def test_the_look_alike_fold_is_the_loose_one_and_a_step_more(s: str) -> None:
    assert skeleton(s) == plain(loose(s))


@given(ODD)
def test_removed_characters_are_named_by_their_places(s: str) -> None:
    rest, places = without_ignorable(s, emphasis=True)
    kept = set(range(len(s))) - set(places)
    assert rest == "".join(s[at] for at in sorted(kept))


@pytest.mark.parametrize(
    ("written", "cut"),
    [
        pytest.param("Daniel's co-op", ["Daniel's", "co", "op"], id="apostrophe and hyphen"),
        pytest.param("3.14 and 1,000", ["3.14", "and", "1,000"], id="numbers"),
        pytest.param("_I_ foo_bar_ I/O", ["I", "foo_bar", "I", "O"], id="underscores at the edge"),
        pytest.param("日本語 カタカナ", ["日", "本", "語", "カタカナ"], id="Japanese"),
        pytest.param("e\u0301te\u0301 a\u0308", ["e\u0301te\u0301", "a\u0308"], id="decomposed"),
        pytest.param("… — !", [], id="no letter at all"),
        pytest.param("שלום עולם", ["שלום", "עולם"], id="Hebrew"),
    ],
)
def test_words_are_those_of_the_unicode_rules(written: str, cut: list[str]) -> None:
    assert words(written) == cut


@given(ODD)
def test_word_spans_lie_in_order_and_hold_what_words_says(s: str) -> None:
    spans = word_spans(s)
    assert [s[start:end] for start, end in spans] == words(s)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


@pytest.mark.parametrize(
    ("written", "count"),
    [
        pytest.param("two words", 2, id="English"),
        pytest.param("日本語です", 3, id="five letters of Japanese are three words"),
        pytest.param("私は\n走る", 2, id="a wrap between ideographs adds nothing"),
        pytest.param("カタカナ", 1, id="a katakana word"),
        pytest.param("café 日本", 2, id="mixed"),
        pytest.param("", 0, id="nothing"),
    ],
)
def test_two_letters_of_a_script_without_blanks_count_as_one_word(written: str, count: int) -> None:
    assert count_words(written) == count


@given(
    st.text("aB1_.':,;-@/ \n\t\"\x0b\x1c\x7f", max_size=12)
    | st.text(st.characters(max_codepoint=127))
)
def test_plain_words_are_counted_as_they_are_found(written: str) -> None:
    assert count_words(written) == len(words(written))


def test_shingles_overlap() -> None:
    assert list(shingles(["a", "b", "c"], 2)) == [("a", "b"), ("b", "c")]
    assert list(shingles(["a"], 2)) == []


@pytest.mark.parametrize(
    ("written", "cut"),
    [
        pytest.param("He left. She stayed!", ["He left.", "She stayed!"], id="two"),
        pytest.param("I met Dr. Smith. We ate.", ["I met Dr. Smith.", "We ate."], id="title"),
        pytest.param("J. R. Tolkien wrote. Yes.", ["J. R. Tolkien wrote.", "Yes."], id="initials"),
        pytest.param("He left... and came. So.", ["He left... and came.", "So."], id="pause"),
        pytest.param("“Go!” she said. Now.", ["“Go!” she said.", "Now."], id="speech goes on"),
        pytest.param("i slept. i woke.", ["i slept.", "i woke."], id="a writer of small letters"),
        pytest.param("Jeg gikk f.eks. hjem. Så.", ["Jeg gikk f.eks. hjem.", "Så."], id="Norwegian"),
        pytest.param("私は行った。海だ。", ["私は行った。", "海だ。"], id="Japanese"),
        pytest.param("One\n\nTwo", ["One", "Two"], id="a blank line ends one"),
        pytest.param("v3.14 is out (at last). Go", ["v3.14 is out (at last).", "Go"], id="number"),
        pytest.param("  \n ", [], id="blanks"),
    ],
)
def test_sentences_end_where_a_reader_stops(written: str, cut: list[str]) -> None:
    assert sentences(written) == cut


@given(ODD)
def test_sentences_leave_out_only_blanks(s: str) -> None:
    spans = sentence_spans(s)
    assert "".join(s[start:end] for start, end in spans).split() == s.split() or len(spans) > 1
    kept = "".join("".join(s[start:end].split()) for start, end in spans)
    assert kept == "".join(s.split())


@pytest.mark.parametrize(
    ("written", "lang", "carried"),
    [
        pytest.param("forgiving a brother", "", ["forgiving", "brother"], id="English"),
        pytest.param("self-reliance self_reliance", "", ["self", "reliance"] * 2, id="hyphen"),
        pytest.param("Daniel's hull", "", ["daniel", "hull"], id="possessive"),
        pytest.param("I don't, they're", "", [], id="contractions"),
        pytest.param("l'arte dell'acqua", "it", ["arte", "acqua"], id="elided articles"),
        pytest.param("the of and", "", [], id="stop words"),
        pytest.param("тhе оf", "", [], id="stop words in other letters"),
        pytest.param("får og mål", "nb", ["mal"], id="a stop word and its neighbour"),
        pytest.param("a B 7 x", "", [], id="single letters"),
        pytest.param("1999", "", ["1999"], id="a year"),
        pytest.param("...", "", [], id="dots"),
        pytest.param("赦し", "", ["赦"], id="an ideograph without its ending"),
        pytest.param("兄弟の和解", "", ["兄弟", "和解"], id="bigrams of ideographs"),
        pytest.param("ゆるしです", "", ["ゆるし", "るしで", "しです"], id="kana"),
        pytest.param("ボート", "", ["ボート"], id="katakana"),
        pytest.param("용서를", "", ["용서", "서를"], id="Hangul"),
        pytest.param("รัก", "", ["รัก"], id="Thai"),
    ],
)
def test_content_words_carry_the_matter(written: str, lang: str, carried: list[str]) -> None:
    assert content_words(written, lang) == carried


@pytest.mark.parametrize(
    ("one", "other", "lang"),
    [
        pytest.param("brother", "brothers", "", id="English plural"),
        pytest.param("tilgivelse", "tilgivelsen", "nb", id="Norwegian definite"),
        pytest.param("Bruder", "Brüder", "de", id="German umlaut"),
        pytest.param("pensée", "pensees", "fr", id="French without accents"),
        pytest.param("брат", "братом", "", id="Russian by its letters"),
        pytest.param("赦し", "赦す", "", id="Japanese inflection"),
        pytest.param("b\u043eat", "boats", "", id="a look-alike, inflected"),
    ],
)
def test_inflected_forms_meet_under_one_stem(one: str, other: str, lang: str) -> None:
    assert stems(one, lang) & stems(other, lang)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("car", "cargo", id="shared letters"),
        pytest.param("art", "party", id="inside a word"),
        pytest.param("赦し", "借金", id="other ideographs"),
        pytest.param("コート", "コーヒー", id="other katakana"),
    ],
)
def test_different_words_share_no_stem(one: str, other: str) -> None:
    assert not stems(one) & stems(other)


def test_a_stem_names_the_word_it_comes_from() -> None:
    assert stemmed("forgiving brothers") == {"forgiv": "forgiving", "brother": "brothers"}


def test_an_unknown_language_has_no_stop_words_but_none_named_has_english_ones() -> None:
    assert stop_words("xx") == frozenset()
    assert "the" in stop_words()


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        pytest.param("a\u202eb", "a\\u202eb", id="right-to-left override"),
        pytest.param("a\U000e0069", "a\\U000e0069", id="tag character"),
        pytest.param("a\u200bb", "a\\u200bb", id="zero-width space"),
        pytest.param("می\u200c\u200cخ", "می\\u200c\\u200cخ", id="a joiner too many"),
        pytest.param("a\ufe0fb", "a\\ufe0fb", id="variation selector on a letter"),
        pytest.param("😀\ufe0f\ufe0f", "😀\ufe0f\\ufe0f", id="a second selector carries data"),
        pytest.param("x\x1b[31m", "x\\u001b[31m", id="terminal control"),
        pytest.param("x\u2028y\x85", "x\\u2028y\\u0085", id="line ends that are none"),
        pytest.param("\ud800", "\\ud800", id="lone surrogate"),
        pytest.param("a\u200eb", "a\\u200eb", id="direction mark without such text"),
        pytest.param("a\u00ad\u00adb", "a\\u00ad\\u00adb", id="two soft hyphens"),
        pytest.param("\u3164", "\\u3164", id="a letter that is blank"),
    ],
)
def test_what_does_not_show_is_shown_as_an_escape(written: str, shown: str) -> None:
    assert visible(written) == shown
    assert hidden(written)


@pytest.mark.parametrize(
    "honest",
    [
        pytest.param("café, naïve, øl\r\n\tx\f", id="ordinary text"),
        pytest.param("می\u200cخواهم", id="Persian"),
        pytest.param("क्\u200dष", id="Hindi"),
        pytest.param("שלום\u200f, abc", id="a direction mark beside Hebrew"),
        pytest.param("👨\u200d👩\u200d👧", id="family"),
        pytest.param("👩🏽\u200d🚀", id="skin colour"),
        pytest.param("🏳\ufe0f\u200d🌈", id="rainbow flag"),
        pytest.param("1\ufe0f\u20e3", id="keycap"),
        pytest.param(
            "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", id="flag of Scotland"
        ),
        pytest.param("葛\U000e0100", id="variant of an ideograph"),
        pytest.param("co\u00adop", id="soft hyphen in a word"),
        pytest.param("ไทย\u200bไทย", id="word space of Thai"),
        pytest.param("\ufeffText", id="byte order mark"),
    ],
)
def test_what_a_script_or_an_emoji_needs_is_not_hidden(honest: str) -> None:
    assert hidden(honest) == []
    assert visible(honest) == honest


def test_a_message_in_the_tags_of_a_flag_is_hidden() -> None:
    message = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all rules")
    assert len(hidden(f"🏴{message}\U000e007f")) == len(message) + 1


@given(ODD)
def test_shown_text_can_always_be_written(s: str) -> None:
    assert visible(s).encode().decode() == visible(s)


@pytest.mark.parametrize(
    "function",
    [fold, loose, skeleton, words, count_words, sentences, content_words, stems, hidden, visible],
    ids=lambda function: function.__name__,
)
@given(s=ODD)
def test_no_text_is_too_odd(function: Callable[[str], object], s: str) -> None:
    assert function(s) == function(s)


@pytest.mark.requirement("text:linear")
def test_a_heap_of_accents_is_broken_up_before_it_is_normalized() -> None:
    # unbroken this takes minutes: normalization moves each mark past all others
    heap = "a" + "\u0301" * 130_000 + "\u0323" * 130_000
    assert skeleton(heap) == "a"
    assert loose(heap).startswith("\u00e1")
    assert fold(heap).startswith("\u00e1")


def test_the_door_names_everything_it_lets_through() -> None:
    assert all(hasattr(door, name) for name in door.__all__)
