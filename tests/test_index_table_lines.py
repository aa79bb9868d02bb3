"""Only those lines belong to tables that GitHub would show as tables."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from index.catalogue import Catalogue, parse_catalogue
from index.fields import columns
from index.table_lines import LineScanner

TABLE = "| File | Title |\n|---|---|\n| a.md | A |\n"


def parse(text: str) -> Catalogue:
    return parse_catalogue(text.split("\n"))


def found(text: str) -> list[str]:
    return [entry.path for entry in parse(text).entries]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TABLE, id="on its own"),
        pytest.param("Some text\n" + TABLE, id="right after a paragraph"),
        pytest.param("# Head\n" + TABLE, id="right after a heading"),
        pytest.param("   " + TABLE.replace("\n", "\n   "), id="three blanks in front"),
        pytest.param("```\ncode\n```\n" + TABLE, id="after a code fence"),
        pytest.param("<!-- a\n\nb -->\n" + TABLE, id="after a comment"),
        pytest.param("<details>\n\n" + TABLE + "\n</details>", id="between HTML and a blank line"),
        pytest.param("> quoted\n\n" + TABLE, id="after a quotation and a blank line"),
        pytest.param("> # quoted head\n" + TABLE, id="after a quoted heading"),
        pytest.param(">     code\n" + TABLE, id="after quoted code"),
        pytest.param("> >     code\n" + TABLE, id="after code quoted twice"),
        pytest.param("- item\n\n" + TABLE, id="after a list and a blank line"),
        pytest.param("- item\n\n  " + TABLE.replace("\n", "\n  "), id="in a list item"),
        pytest.param("1. " + TABLE.replace("\n", "\n   "), id="opening a list item"),
        pytest.param("***\n" + TABLE, id="after a rule"),
        pytest.param("File | Title\n:-: | -\na.md | A", id="no outer pipes"),
        pytest.param("| File |\n|---|\n| a.md |", id="one column"),
        pytest.param("\\| not | a | header\n\n" + TABLE, id="after a line with pipes"),
        pytest.param("<b>a</b> and text\n" + TABLE, id="after inline HTML"),
    ],
)
def test_a_table_counts(text: str) -> None:
    assert found(text) == ["a.md"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```\n" + TABLE + "```", id="in a code fence"),
        pytest.param("````\n```\n" + TABLE + "````", id="in a longer fence"),
        pytest.param("~~~ md\n" + TABLE, id="in a fence that never ends"),
        pytest.param("- ```\n  " + TABLE.replace("\n", "\n  "), id="in a fence of a list item"),
        pytest.param("    " + TABLE.replace("\n", "\n    "), id="in indented code"),
        pytest.param("\t" + TABLE.replace("\n", "\n\t"), id="in code behind tabs"),
        pytest.param("<!--\n" + TABLE + "-->", id="in a comment"),
        pytest.param("<!--\n\n" + TABLE + "\n-->", id="in a comment with blank lines"),
        pytest.param("<div>\n" + TABLE + "</div>", id="in HTML"),
        pytest.param("<pre>\n\n" + TABLE + "\n</pre>", id="in preformatted HTML"),
        pytest.param("> " + TABLE.replace("\n", "\n> "), id="in a quotation"),
        pytest.param("> quoted\n" + TABLE, id="lazily in a quotation"),
        pytest.param(">    quoted\n" + TABLE, id="lazily after a quotation with blanks"),
        pytest.param(">\tquoted\n" + TABLE, id="lazily after a quotation with a tab"),
        pytest.param("> > quoted\n" + TABLE, id="lazily in a quotation of a quotation"),
        pytest.param("- item\n" + TABLE, id="lazily in a list item"),
        pytest.param("text\n    " + TABLE.replace("\n", "\n    "), id="indented in a paragraph"),
        pytest.param("| File | Title |\n|---|\n| a.md | A |", id="fewer delimiters than headers"),
        pytest.param("| File |\n|---|---|\n| a.md | A |", id="more delimiters than headers"),
        pytest.param("| File | Title |\n\n|---|---|\n| a.md | A |", id="a blank line between"),
        pytest.param("| File | Title |\n|---|-:-|\n| a.md | A |", id="a wrong delimiter"),
        pytest.param("# File | Title\n---|---\na.md | A", id="a heading for a header"),
        pytest.param("File | Title\n---\na.md | A", id="a setext heading"),
        pytest.param("| File | Title |\n    |---|---|\n| a.md | A |", id="an indented delimiter"),
        pytest.param("| Name | Title |\n|---|---|\n| a.md | A |", id="no file column"),
    ],
)
def test_what_is_no_catalogue_table_does_not_count(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("", id="a blank line"),
        pytest.param("# Head | b", id="a heading"),
        pytest.param("> quoted | b", id="a quotation"),
        pytest.param("- item | b", id="a list item"),
        pytest.param("7. item | b", id="a numbered item"),
        pytest.param("***", id="a rule"),
        pytest.param("---", id="dashes"),
        pytest.param("```", id="a fence"),
        pytest.param("<div>", id="HTML"),
        pytest.param("<!-- c -->", id="a comment"),
        pytest.param("    code | b", id="indented code"),
    ],
)
def test_a_table_ends_where_another_block_begins(end: str) -> None:
    assert found(f"{TABLE}{end}\n\nb.md | B") == ["a.md"]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        pytest.param("b.md", "b.md", id="a line without a pipe"),
        pytest.param("   | b.md |", "b.md", id="three blanks in front"),
        pytest.param("#b.md | B", "#b.md", id="a hash that is no heading"),
        pytest.param("-b.md | B", "-b.md", id="a dash that is no item"),
        pytest.param("1.b.md | B", "1.b.md", id="a number that is no item"),
        pytest.param("2024. b.md", "2024. b.md", id="a number with pipes in front"),
    ],
)
def test_other_lines_are_rows(line: str, path: str) -> None:
    row = f"| {line} |" if line.startswith("2024") else line
    assert found(TABLE + row) == ["a.md", path]


@pytest.mark.parametrize(
    ("text", "section"),
    [
        pytest.param("# One\n## Two ##\n" + TABLE, "Two", id="the nearest"),
        pytest.param("One\n===\n\n" + TABLE, "One", id="setext"),
        pytest.param("One\nmore\n---\n\n" + TABLE, "One more", id="setext of two lines"),
        pytest.param("# One\n\n```\n# two\n```\n" + TABLE, "One", id="none in code"),
        pytest.param("# One\n> # Two\n\n" + TABLE, "One", id="none in a quotation"),
        pytest.param("#One\n\n" + TABLE, "", id="no heading without a blank"),
        pytest.param("# A \\# b #\n" + TABLE, "A \\# b", id="only closing hashes go"),
        pytest.param("#\n" + TABLE, "", id="an empty heading"),
        pytest.param(TABLE, "", id="no heading"),
    ],
)
def test_the_section_is_the_nearest_heading_above(text: str, section: str) -> None:
    assert [table.section for table in parse(text).tables] == [section]


def tables_of(text: str) -> list[list[list[str]]]:
    """All tables outside quotations, by markdown-it with its table rule where GitHub has it."""
    parser = MarkdownIt("commonmark").enable("table")
    rules = parser.block.ruler.__rules__
    table = next(rule for rule in rules if rule.name == "table")
    rules.remove(table)
    rules.insert([rule.name for rule in rules].index("lheading"), table)
    parser.block.ruler.__compile__()
    tables: list[list[list[str]]] = []
    quoted = 0
    cells = False
    for token in parser.parse(text):
        quoted += token.nesting if token.type.startswith("blockquote") else 0
        if quoted:
            continue
        if token.type == "table_open":
            tables.append([])
        elif token.type == "tr_open":
            tables[-1].append([])
        elif token.type in ("th_open", "td_open"):
            cells = True
        elif token.type == "inline" and cells:
            tables[-1][-1].append(token.content)
            cells = False
    return tables


# Without what markdown-it and GitHub read differently: lone tags, tables of one column.
PIECES = [
    *(
        "a",
        "b",
        "| a | b |",
        "a | b",
        "file | t\n---|---\n",
        "| file | t |\n|---|---|\n| x | y |\n",
    ),
    *("|---|---|", "--- | ---", "- ", "* ", "1. ", "> ", "# ", "```", "~~~", "    ", "  ", "\t"),
    *("===", "***", "<div>", "<!--", "-->", "\\|", "`", "\n", "\n", "\n", "\n\n", "text", "+ "),
]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_tables_are_those_of_another_parser(text: str) -> None:
    catalogue = parse(text)
    expected = [table for table in tables_of(text) if "file" in columns(table[0])]
    headers = [list(table.header) for table in catalogue.tables]
    assert headers == [table[0] for table in expected]
    counted = len(catalogue.entries) + catalogue.counts.get("group-rows", 0)
    assert counted == sum(len(table) - 1 for table in expected)


@pytest.mark.requirement("catalogue:linear")
@pytest.mark.parametrize(
    "piece",
    ["|", "\\|", "`", "[", "](", "[[", "- ", "- + ", "> ", "#", " #", "<", "<a b=", "*", "=", "\t"],
)
def test_no_line_costs_more_than_its_length(piece: str) -> None:
    line = piece * (256 * 1024 // len(piece)) + "x"
    began = time.process_time()
    LineScanner().read(line)
    parse_catalogue(["| file | t |", "|---|---|", line, f"| {line}", f"{line} | x"])
    assert time.process_time() - began < 1
