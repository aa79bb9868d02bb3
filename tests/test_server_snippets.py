"""The lines a search shows: those that hold words of the query, cut around the first of them."""

from index.markdown import read_document
from server.moves.picks import naming_texts
from server.snippets import WIDTH, snippets_in
from tests.rows_made import make_row


def lines(text: str, query: str) -> list[tuple[int, str]]:
    return snippets_in(read_document("a.md", text.encode()), query)


def test_lines_are_numbered_as_in_the_file() -> None:
    assert lines("---\ntitle: A\n---\n\nThe hull.\n", "hull") == [(5, "The hull.")]


def test_function_words_and_parts_of_words_are_no_match() -> None:
    assert lines("- another thing\n- on the crust\n", "rust on the hull") == []


def test_an_inflection_is_a_match() -> None:
    assert lines("Two hulls lay there.\n", "hull") == [(1, "Two hulls lay there.")]


def test_the_lines_with_most_of_the_words_are_shown_in_the_order_of_the_file() -> None:
    text = "rust\n\nhull\n\nrust on a hull\n\nrust\n\nhull and rust\n"
    assert [number for number, _ in lines(text, "rust hull")] == [1, 5, 9]


def test_a_long_line_is_cut_around_the_match() -> None:
    ((_, shown),) = lines("word " * 200 + "hull " + "word " * 200, "hull")
    assert "hull" in shown and len(shown) <= WIDTH + 2
    assert shown.startswith("…") and shown.endswith("…")


def test_an_unreadable_body_has_no_lines() -> None:
    assert lines("---\nnever closed\n", "closed") == []


def test_a_row_without_a_summary_names_the_keyword_by_what_is_shown_instead() -> None:
    assert "he meant it as an apology" in naming_texts(make_row(lead="he meant it as an apology"))
    shown = naming_texts(make_row(summary="A boat.", lead="he meant it as an apology"))
    assert "he meant it as an apology" not in shown
