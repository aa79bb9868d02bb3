"""Phrases of the guidance: harvested by how telling they are, found again by line."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.phrases import LONGEST, MOST, SHORTEST, Frequencies, Use, harvest, uses
from index.text import content_words, words

GUIDANCE = (
    "# Keep the harbour lamp lit\n\nThe harbour keeps what the tide forgets to carry home. "
    "We leave the lamp burning for *no one* in particular, and nobody asks.\n\n"
    "```\ncode of the harbour lamp keeper\n```\n"
)
COMMON = {"the": 100, "we": 80, "to": 90, "for": 90, "what": 70, "in": 90, "and": 99, "no": 60}


def base(elsewhere: Sequence[str] = (), documents: int = 100) -> Frequencies:
    return Frequencies(
        documents,
        lambda word: COMMON.get(word, 1),
        lambda phrase: " ".join(phrase) in elsewhere,
    )


def test_the_rarest_words_make_the_phrases() -> None:
    assert harvest([GUIDANCE], base()) == (
        "tide forgets to carry home",
        "particular and nobody asks",
        "leave the lamp burning",
    )


def test_a_phrase_that_another_file_uses_is_not_the_guidances() -> None:
    assert "leave the lamp burning" not in harvest([GUIDANCE], base(["leave the lamp burning"]))


def test_no_guidance_has_no_phrases() -> None:
    assert harvest([], base()) == ()
    assert harvest(["", "One two.", "It is what it is to be."], base()) == ()


@given(
    st.lists(
        st.lists(
            st.sampled_from(["rust", "the", "salt", "of", "lamp", "and", "oath"]), max_size=30
        ),
        max_size=6,
    )
)
def test_phrases_are_few_short_and_begin_and_end_with_matter(sentences: list[list[str]]) -> None:
    text = " ".join(f"{' '.join(sentence)}." for sentence in sentences)
    found = harvest([text], base())
    assert len(found) <= MOST
    assert len(set(found)) == len(found)
    for phrase in found:
        cut = phrase.split(" ")
        assert SHORTEST <= len(cut) <= LONGEST
        assert content_words(cut[0])
        assert content_words(cut[-1])
        assert phrase in " ".join(words(text))


def test_no_more_than_twenty_are_taken_and_the_base_is_not_asked_without_end() -> None:
    texts = [f"Alpha{at} beta{at} gamma{at} delta{at}." for at in range(1000)]
    asked: list[Sequence[str]] = []

    def elsewhere(phrase: Sequence[str]) -> bool:
        asked.append(phrase)
        return True

    assert len(harvest(texts, base())) == MOST
    assert harvest(texts, Frequencies(10, lambda word: 1, elsewhere)) == ()
    assert len(asked) == 400


@pytest.mark.requirement("phrases:found-by-line")
def test_a_draft_is_searched_by_line_however_it_is_set() -> None:
    draft = "Well,\nLEAVE the *lamp*\nburn\u00ading for now.\n\nThe harbour."
    assert uses(draft, ["leave the lamp burning"]) == [
        Use("phrase", 2, 3, "leave the lamp burning")
    ]


def test_seven_words_in_a_row_of_a_guidance_excerpt_are_found() -> None:
    draft = "He says the harbour keeps what\nthe tide forgets to carry away.\nLeave the lamp."
    assert uses(draft, [], [GUIDANCE]) == [
        Use("passage", 1, 2, "the harbour keeps what the tide forgets to carry")
    ]


def test_six_words_are_nobodys() -> None:
    assert uses("the harbour keeps what the tide", [], [GUIDANCE]) == []


def test_two_passages_are_two_finds() -> None:
    draft = "the harbour keeps what the tide forgets, yes, leave the lamp burning for no one in it"
    assert [use.words for use in uses(draft, [], [GUIDANCE])] == [
        "the harbour keeps what the tide forgets",
        "leave the lamp burning for no one in",
    ]


@given(st.text(max_size=100), st.lists(st.text(max_size=20), max_size=3))
def test_any_draft_can_be_searched(draft: str, phrases: list[str]) -> None:
    lines = draft.count("\n") + 1
    for use in uses(draft, phrases, [draft]):
        assert 1 <= use.first_line <= use.last_line <= lines
