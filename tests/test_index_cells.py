"""What a cell of a catalogue says, and which file it names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.cells import Form, count_delimiters, is_label, named_file, readings, split_cells


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        pytest.param("| a | b |", ["a", "b"], id="outer pipes"),
        pytest.param("a | b", ["a", "b"], id="no outer pipes"),
        pytest.param("| a | b", ["a", "b"], id="a pipe in front only"),
        pytest.param("a | b |", ["a", "b"], id="a pipe behind only"),
        pytest.param("  | a |\t", ["a"], id="blanks around"),
        pytest.param("| a |  |", ["a", ""], id="an empty cell"),
        pytest.param("||", [""], id="nothing between pipes"),
        pytest.param("| a \\| b |", ["a | b"], id="an escaped pipe"),
        pytest.param("a | b\\|", ["a", "b|"], id="an escaped pipe at the end"),
        pytest.param("\\| a |", ["| a"], id="an escaped pipe in front"),
        pytest.param("| `a|b` |", ["`a", "b`"], id="a pipe in code"),
        pytest.param("| `a\\|b` |", ["`a|b`"], id="an escaped pipe in code"),
        pytest.param("| a\\\\|b |", ["a\\|b"], id="two backslashes before a pipe"),
        pytest.param("| a \\ | b |", ["a \\", "b"], id="a backslash before a blank"),
        pytest.param("|\u00a0a\u00a0|", ["\u00a0a\u00a0"], id="a no-break space is text"),
    ],
)
def test_a_line_is_split_as_on_github(line: str, cells: list[str]) -> None:
    assert split_cells(line) == cells


@given(st.lists(st.text(alphabet="ab|\\` \t[é", min_size=1), min_size=1))
def test_escaped_cells_come_back(cells: list[str]) -> None:
    trimmed = [cell.strip(" \t") for cell in cells]
    line = "".join(f"| {cell.replace('|', chr(92) + '|')} " for cell in trimmed) + "|"
    assert split_cells(line) == trimmed


@pytest.mark.parametrize(
    ("line", "width"),
    [
        pytest.param("|---|---|", 2, id="plain"),
        pytest.param("-|-", 2, id="single dashes"),
        pytest.param(":--|:-:|--:", 3, id="alignments"),
        pytest.param("| :---- | - |", 2, id="blanks"),
        pytest.param("|---|", 1, id="one column"),
        pytest.param("|---|-- -|", 0, id="a blank between dashes"),
        pytest.param("|---||", 0, id="an empty cell"),
        pytest.param("|---|:|", 0, id="a colon alone"),
        pytest.param("|---|::--|", 0, id="two colons"),
        pytest.param("|---|--=|", 0, id="another mark"),
        pytest.param("| |", 0, id="no dash"),
        pytest.param("", 0, id="nothing"),
    ],
)
def test_a_delimiter_row_counts_its_columns(line: str, width: int) -> None:
    assert count_delimiters(line) == width


@pytest.mark.parametrize(
    ("cell", "path", "form"),
    [
        pytest.param("a b & c's > d.md", "a b & c's > d.md", "text", id="text as it is"),
        pytest.param("./a.md", "a.md", "text", id="a leading dot"),
        pytest.param("/a.md", "/a.md", "text", id="a leading slash stays"),
        pytest.param("a%20b.md", "a%20b.md", "text", id="percents in text stay"),
        pytest.param("`a%20b.md`", "a%20b.md", "code", id="percents in code stay"),
        pytest.param("_READ ME_.md", "_READ ME_.md", "text", id="underscores inside a name"),
        pytest.param("**a.md**", "a.md", "text", id="bold"),
        pytest.param("``a`b.md``", "a`b.md", "code", id="code with a backtick"),
        pytest.param("`` `a.md ``", "`a.md", "code", id="code padded with blanks"),
        pytest.param("`a.md` (new)", "a.md", "code", id="code and a remark"),
        pytest.param("`a.md", "`a.md", "text", id="code that never ends"),
        pytest.param("[A](a%20b.md)", "a b.md", "link", id="a link"),
        pytest.param("[A](./a.md)", "a.md", "link", id="a link with a leading dot"),
        pytest.param("[A](<a b.md>)", "a b.md", "link", id="a link in angle brackets"),
        pytest.param("[A](a b.md)", "a b.md", "link", id="a link with a blank"),
        pytest.param('[A](a.md "the title")', "a.md", "link", id="a link with a title"),
        pytest.param("[A](a(1).md)", "a(1).md", "link", id="a link with parentheses"),
        pytest.param("[A](a\\(1.md)", "a(1.md", "link", id="a link with an escape"),
        pytest.param("[A](a&amp;b.md)", "a&b.md", "link", id="a link with an entity"),
        pytest.param("[A](a&copy.md)", "a&copy.md", "link", id="a link with no entity"),
        pytest.param("[A](a.md#part)", "a.md", "link", id="a link to a heading"),
        pytest.param("[A](a%23b.md)", "a#b.md", "link", id="a link with a hash in the name"),
        pytest.param("[A](%ff.md)", "%ff.md", "link", id="a link to no UTF-8"),
        pytest.param("[A [b]](a.md)", "a.md", "link", id="a link whose text has brackets"),
        pytest.param("**[A](a.md)**", "a.md", "link", id="a bold link"),
        pytest.param("📄 [A](a.md)", "a.md", "link", id="a link behind a mark"),
        pytest.param("[A](a.md) new", "a.md", "link", id="a link before a remark"),
        pytest.param("[A](..%2fa.md)", "../a.md", "link", id="a link out of the base"),
        pytest.param("[[Low water]]", "Low water", "wikilink", id="a wikilink"),
        pytest.param("[[a/b|Low]]", "a/b", "wikilink", id="a wikilink with another text"),
        pytest.param("[[b.md#part|Low]]", "b.md", "wikilink", id="a wikilink to a heading"),
        pytest.param("[a].md", "[a].md", "text", id="brackets in a name"),
        pytest.param("", "", "text", id="nothing"),
    ],
)
def test_a_cell_names_a_file(cell: str, path: str, form: Form) -> None:
    assert named_file(cell) == (path, form)


@pytest.mark.parametrize(
    ("cell", "alone", "expected"),
    [
        pytest.param("", True, True, id="nothing"),
        pytest.param("**Rivers**", True, True, id="bold"),
        pytest.param("**Rivers**", False, True, id="bold with more cells"),
        pytest.param("*Rivers*", True, True, id="emphasis"),
        pytest.param("Rivers", True, True, id="a word alone"),
        pytest.param("—", False, True, id="a dash"),
        pytest.param("[Rivers](#rivers)", True, True, id="a link within the page"),
        pytest.param("Rivers", False, False, id="a word with more cells"),
        pytest.param("logs/Rivers", True, False, id="a path without suffix"),
        pytest.param("rivers.md", True, False, id="a file alone"),
        pytest.param("**rivers.md**", True, False, id="a bold file"),
        pytest.param("[[Rivers]]", True, False, id="a wikilink"),
        pytest.param("`Rivers`", True, False, id="code"),
    ],
)
def test_a_cell_that_names_no_file_is_a_label(cell: str, alone: bool, expected: bool) -> None:
    path, form = named_file(cell)
    assert is_label(cell, path, form, alone) is expected


def test_a_path_in_text_may_be_escaped_twice() -> None:
    assert readings("a.md") == ("a.md",)
    assert readings("\\_a\\_ &amp; b.md") == ("\\_a\\_ &amp; b.md", "_a_ &amp; b.md", "_a_ & b.md")


@given(st.text(alphabet="[]()<>`*_\\|#%&;a. \"'/é"))
def test_any_cell_names_something(cell: str) -> None:
    path, form = named_file(cell)
    assert isinstance(path, str)
    assert form in ("text", "code", "link", "wikilink")
