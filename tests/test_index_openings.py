"""A body's opening stands in for a summary, short and whole."""

import pytest

from index.markdown import read_document
from index.openings import LONGEST, is_opening, opening
from index.records import Document


def body(text: str) -> Document:
    return read_document("a.md", text.encode())


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        pytest.param("# Head\n\nOne *two*.\nThree.\n\nFour.", "One two. Three. Four.", id="prose"),
        pytest.param("```\ncode\n```\n\n| a |\n|-|\n\nText.", "Text.", id="no code, no tables"),
        pytest.param("- one\n- two\n\n> quoted", "one two", id="a list, if no paragraph"),
        pytest.param("> quoted", "quoted", id="a quotation, if nothing else"),
        pytest.param("# Head", "", id="no prose"),
        pytest.param("", "", id="nothing"),
        pytest.param("Short one. " + "B" * 400 + ".", "Short one.", id="no half sentences"),
        pytest.param("word " * 100, ("word " * 59).rstrip() + "…", id="a long one"),
        pytest.param("x" * 400, "x" * 299 + "…", id="one endless word"),
    ],
)
def test_an_opening_is_the_first_sentences_that_fit(text: str, lead: str) -> None:
    assert opening(body(text)) == lead
    assert len(lead) <= LONGEST
    assert is_opening(lead, body(text)) is bool(lead)


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        pytest.param("One two. Three.", True, id="across lines"),
        pytest.param("ONE two. thr…", True, id="cut, in other letters"),
        pytest.param("Three.", False, id="not at the beginning"),
        pytest.param("One two. Three. Four. Five.", False, id="longer than the body"),
        pytest.param("…", False, id="nothing"),
    ],
)
def test_a_summary_that_only_repeats_the_opening_is_told(summary: str, expected: bool) -> None:
    assert is_opening(summary, body("# Head\n\nOne *two*.\nThree.\n\nFour.")) is expected


def test_an_endless_body_costs_little() -> None:
    document = body("word " * 200_000)
    assert len(opening(document)) <= LONGEST
    assert is_opening("word " * 50, document)
