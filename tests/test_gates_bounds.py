"""The bounds of an excerpt: its length, its bytes, its whole paragraphs."""

import pytest

from gates.bounds import prose_words, verbatim, whole_paragraphs, within_bounds
from index.records import Block, BlockKind


def blocks(*parts: tuple[BlockKind, str]) -> list[Block]:
    """Blocks one after the other with a blank line between."""
    found: list[Block] = []
    at = 0
    for number, (kind, text) in enumerate(parts):
        end = at + len(text.encode())
        found.append(Block(kind, at, end, 2 * number + 1, 2 * number + 1, text, text))
        at = end + 2
    return found


@pytest.mark.parametrize(
    ("words", "flags", "outcome", "flag"),
    [
        pytest.param(150, (), "passed", "", id="the least"),
        pytest.param(500, (), "passed", "", id="the most"),
        pytest.param(149, (), "refused", "SHORT_PASSAGE", id="one less"),
        pytest.param(501, (), "refused", "LONG_CUT", id="one more"),
        pytest.param(90, ("SHORT_NOTE",), "passed", "SHORT_NOTE", id="a whole short note"),
        pytest.param(90, ("SHORT_PASSAGE",), "passed", "SHORT_PASSAGE", id="the longest run"),
        pytest.param(501, ("SHORT_NOTE",), "refused", "LONG_CUT", id="no short note is long"),
        pytest.param(0, ("SHORT_NOTE",), "refused", "NO_PROSE", id="no word at all"),
    ],
)
def test_an_excerpt_keeps_its_length(
    words: int, flags: tuple[str, ...], outcome: str, flag: str
) -> None:
    verdict = within_bounds(words, 150, 500, flags)
    assert (verdict.outcome, verdict.flag) == (outcome, flag)


@pytest.mark.parametrize(
    ("start", "end", "text", "same"),
    [
        pytest.param(0, 5, "b\u00f8lge"[:4], True, id="the bytes"),
        pytest.param(0, 6, "b\u00f8lge", True, id="all of them"),
        pytest.param(0, 6, "bo\u0338lge", False, id="another spelling"),
        pytest.param(1, 6, "b\u00f8lge", False, id="another place"),
        pytest.param(0, 99, "b\u00f8lge", False, id="beyond the end"),
        pytest.param(-6, 6, "b\u00f8lge", False, id="before the start"),
        pytest.param(3, 3, "", False, id="nothing"),
        pytest.param(0, 1, "\ud800", False, id="broken text"),
    ],
)
def test_an_excerpt_is_the_bytes_of_its_file(start: int, end: int, text: str, same: bool) -> None:
    assert verbatim("b\u00f8lge".encode(), start, end, text).passed is same


PROSE = blocks(
    ("heading", "# Head"), ("paragraph", "One two three."), ("code", "x = 1"), ("list_item", "four")
)


@pytest.mark.parametrize(
    ("first", "last", "whole"),
    [
        pytest.param(0, 1, True, id="heading and paragraph"),
        pytest.param(1, 1, True, id="one paragraph"),
        pytest.param(3, 3, True, id="a list item"),
        pytest.param(1, 2, False, id="code in it"),
        pytest.param(1, 3, False, id="over code"),
    ],
)
def test_an_excerpt_is_whole_paragraphs(first: int, last: int, whole: bool) -> None:
    assert whole_paragraphs(PROSE, PROSE[first].start, PROSE[last].end, 500).passed is whole


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param(9, 22, id="cut in front"),
        pytest.param(8, 11, id="cut"),
        pytest.param(6, 7, id="gap"),
    ],
)
def test_a_piece_of_a_paragraph_is_refused(start: int, end: int) -> None:
    assert not whole_paragraphs(PROSE, start, end, 500).passed


LONG = blocks(("paragraph", "Én to tre. Fire fem sex. Syv åtte ni."))
CODE = blocks(("code", "One two three. Four five six. Seven."))


@pytest.mark.parametrize(
    ("text", "most", "passed"),
    [
        pytest.param("Én to tre. Fire fem sex.", 6, True, id="at a sentence end"),
        pytest.param("Én to tre.", 6, True, id="at another"),
        pytest.param("Én to tre. Fire", 6, False, id="in a sentence"),
        pytest.param("Én to tre. Fire fem sex.", 9, False, id="a paragraph that is not long"),
    ],
)
def test_a_long_paragraph_may_be_cut_where_a_sentence_ends(
    text: str, most: int, passed: bool
) -> None:
    verdict = whole_paragraphs(LONG, 0, len(text.encode()), most)
    assert verdict.passed is passed
    assert verdict.flag == ("LONG_CUT" if passed else "SHORT_PASSAGE")


def test_a_long_paragraph_may_be_cut_wherever_it_stands() -> None:
    parts = blocks(("heading", "# Ø"), ("paragraph", "Én to tre. Fire fem sex. Syv åtte ni."))
    start = parts[1].start
    assert whole_paragraphs(parts, start, start + len("Én to tre.".encode()), 6).passed
    assert not whole_paragraphs(parts, start, start + len("Én to".encode()), 6).passed


def test_no_letter_is_cut_in_two() -> None:
    assert not whole_paragraphs(LONG, 0, 1, 6).passed


def test_code_is_not_cut_at_its_sentences() -> None:
    assert not whole_paragraphs(CODE, 0, 14, 3).passed


def test_headings_and_code_hold_no_words_to_quote() -> None:
    assert prose_words(PROSE) == 4
    assert prose_words(PROSE, ["paragraph"]) == 3
