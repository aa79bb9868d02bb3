"""The digest gate: what somebody else wrote of a file is no quotation from it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.digest import body_not_digest, covered, uncovered_words
from index.records import Digest
from index.text import count_words
from tests.dressed import CAPITALS, CLOTHES

DIGEST = (
    "The narrator returns to the closed boat yard with his brother, and learns that tools left to "
    "rust can teach more about patience than any sermon he has heard, all of it in silence."
)
OWN = (
    "I had carried the key for three weeks before I went. The yard smelled of tar and wet rope, "
    "and nobody had swept since the autumn. My brother stood with his back to me and counted."
)
CHANGES = {**CAPITALS, **CLOTHES}


def accepts(text: str, need: int = 15, *digests: Digest) -> bool:
    return body_not_digest(text, digests or (Digest(DIGEST),), need).passed


@pytest.mark.requirement("digest:subtract-then-judge")
@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        pytest.param(OWN, True, id="own words"),
        pytest.param(DIGEST, False, id="the digest"),
        pytest.param(f"Before lunch. {DIGEST} After lunch.", False, id="between two fillers"),
        pytest.param(f"{OWN} {DIGEST}", True, id="own words and the digest"),
        pytest.param(f"{DIGEST} {OWN}", True, id="the digest and own words"),
        pytest.param(DIGEST[:90] + " " + DIGEST[90:], False, id="a blank put in"),
        pytest.param(DIGEST.replace("boat", "[boat](https://a.b/c)"), False, id="a link put in"),
        pytest.param(DIGEST.replace("to the", "to&nbsp;the"), False, id="an entity put in"),
        pytest.param(DIGEST.replace("rust", "rust[^1]"), False, id="a footnote mark put in"),
        pytest.param(DIGEST.replace("rust", "rust<!-- x -->"), False, id="a comment put in"),
        pytest.param("", False, id="nothing"),
        pytest.param("https://a.b/c/d/e/f/g/h/i/j/k/l/m/n/o/p", False, id="an address is no prose"),
        pytest.param("```\n" + "~ " * 40, False, id="marks are no prose"),
    ],
)
def test_an_excerpt_needs_words_of_its_own(text: str, accepted: bool) -> None:
    assert accepts(text) is accepted


def test_sentences_in_another_order_are_still_the_digest() -> None:
    first = "Two brothers sand a hull in silence. "
    second = "Later they walk the slip and count. "
    third = "The note ends with a list of parts. "
    assert not accepts(third + first + second, 5, Digest(first + second + third))


def test_a_stock_phrase_is_no_copy() -> None:
    stock = "At the end of the day the yard was closed."
    assert (
        covered("At the end of the day I still had the key, and I kept it.", [Digest(stock)]) == []
    )


def test_a_short_digest_counts_whole_and_a_shorter_one_not_at_all() -> None:
    assert covered("they sand a hull in silence", [Digest("Sand a hull in silence.")])
    assert covered("they sand a hull", [Digest("Sand a hull.")]) == []
    assert covered("they sand a hull", [Digest("")]) == []


def test_a_digest_cut_in_mid_word_matches_by_prefix() -> None:
    text = "One two three four five six seven eight nineteen ten."
    cut = "One two three four five six seven eight nine"
    assert covered(text, [Digest(cut, cut=True)]) == [(0, text.index(" ten"))]
    assert covered(text, [Digest(cut)]) == []
    assert covered(text, [Digest("One two", cut=True)]) == []


def test_any_digest_of_the_file_covers() -> None:
    keypoint = "nobody had swept since the autumn"
    assert uncovered_words(OWN, [Digest(DIGEST), Digest(keypoint)]) == count_words(OWN) - 6


def test_covered_stretches_are_places_in_the_text_as_given() -> None:
    text = f"**Before** lu\u200bnch. *{DIGEST}* After."
    ((start, end),) = covered(text, [Digest(DIGEST)])
    assert text[start:end] == DIGEST.rstrip(".")


def test_an_opening_with_a_word_changed_here_and_there_is_a_copy() -> None:
    near = DIGEST.replace("closed", "shut").replace("teach", "tell").replace("heard", "known")
    assert uncovered_words(near, [Digest(DIGEST)]) <= 5
    assert uncovered_words("Short.", [Digest(DIGEST)]) == 1


def test_only_the_opening_of_a_long_digest_is_compared_loosely() -> None:
    digest = Digest(f"{DIGEST} {OWN}")
    near = DIGEST.replace("closed", "shut").replace("teach", "tell").replace("heard", "known")
    assert uncovered_words(f"{near} {'word ' * 90}", [digest]) >= 85


def test_a_single_letter_of_an_alphabet_is_a_whole_word() -> None:
    assert covered("a b c d e f g h i", [Digest("a b c d e f g h i j k")]) == [(0, 17)]
    assert covered("a b c d e f g h", [Digest("a b c d e f g h i j k")]) == []


def test_a_letter_of_a_script_without_blanks_is_half_a_word() -> None:
    digest = Digest("彼は閉じた造船所に兄と戻り道具の錆を見る")
    assert covered("彼は閉じた造船所に兄", [digest]) == []
    assert covered("彼は閉じた造船所に兄と戻り道具の錆を", [digest]) == [(0, 18)]


@pytest.mark.parametrize("change", [pytest.param(CHANGES[name], id=name) for name in CHANGES])
@pytest.mark.parametrize(
    "text", [OWN, DIGEST, f"{OWN}\n\n{DIGEST}"], ids=["own words", "copy", "both"]
)
def test_how_a_text_is_set_changes_no_verdict(change: Callable[[str], str], text: str) -> None:
    assert accepts(change(text)) is accepts(text)
    assert accepts(text, 15, Digest(change(DIGEST))) is accepts(text)


@given(st.text(max_size=200), st.text(max_size=60), st.booleans())
def test_covered_stretches_lie_in_order_within_the_text(text: str, digest: str, cut: bool) -> None:
    spans = covered(text, [Digest(digest, cut)])
    places = [place for span in spans for place in span]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
    assert uncovered_words(text, []) >= uncovered_words(text, [Digest(digest, cut)])


@given(st.lists(st.sampled_from("abcdefg"), min_size=9, max_size=40))
def test_a_text_is_always_covered_by_itself(letters: list[str]) -> None:
    text = " ".join(letters)
    assert uncovered_words(text, [Digest(text)]) == 0
