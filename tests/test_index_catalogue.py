"""A catalogue is read whole, streamed and bounded; what is odd about it is counted and named."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from index.catalogue import Caps, Catalogue, body_lines, parse_catalogue
from index.catalogue_file import bounded_lines, read_catalogue
from index.faults import NotFound, PathRefused
from index.fields import columns, plain_name
from index.paths import BaseFolder
from index.records import Limits

CASES = Path(__file__).resolve().parent / "cases" / "catalogue"
MANIFEST: dict[str, Any] = json.loads((CASES / "manifest.json").read_text(encoding="utf-8"))
NAMED = ("title", "summary", "tags", "keypoints")


def read(place: Path, limits: Limits | None = None) -> Catalogue:
    with BaseFolder.open(str(place.parent)) as folder:
        return read_catalogue(folder, place.name, limits or Limits())


def parse(*lines: str, caps: Caps | None = None) -> Catalogue:
    return parse_catalogue(lines, "index.md", caps or Caps())


def tables(catalogue: Catalogue) -> list[dict[str, Any]]:
    return [
        {
            "section": table.section,
            "header": list(table.header),
            "file_column": table.file_column,
            "rows": [
                {"path": entry.path, **{name: entry.cell(name) for name in named(entry.fields())}}
                for entry in catalogue.entries
                if entry.table is table
            ],
        }
        for table in catalogue.tables
    ]


def named(fields: Iterable[str]) -> Iterator[str]:
    return (name for name in NAMED if name in set(fields))


@pytest.mark.requirement("catalogue:cases")
@pytest.mark.parametrize("case", MANIFEST["cases"], ids=lambda case: case["file"])
def test_the_cases_are_read_as_their_manifest_says(case: dict[str, Any]) -> None:
    assert tables(read(CASES / case["file"])) == case["tables"]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param(["File", "Title"], {"file": 0, "title": 1}, id="letter case"),
        pytest.param(["File Path"], {"file": 0}, id="a blank"),
        pytest.param(["**file_path**"], {"file": 0}, id="bold and an underscore"),
        pytest.param(["file-name"], {"file": 0}, id="a hyphen"),
        pytest.param(["Note", "Page", "Path"], {"file": 2}, id="the first synonym wins"),
        pytest.param(["Title", "title"], {"title": 0}, id="the first of equal names wins"),
        pytest.param(["Key points"], {"keypoints": 0}, id="key points"),
        pytest.param(["Abstract", "gist", "Description"], {"summary": 2}, id="summaries"),
        pytest.param(["source", "Type"], {"category": 1}, id="categories"),
        pytest.param(["Monomyth Stage", "stage"], {"monomyth": 0}, id="stages"),
        pytest.param(["created", "content_date"], {"date": 1}, id="dates"),
        pytest.param(["Updated", "#", ""], {}, id="no field"),
    ],
)
def test_headers_are_fields_under_their_synonyms(
    header: list[str], expected: dict[str, int]
) -> None:
    assert columns(header) == expected


def test_a_name_is_compared_without_case_blanks_and_marks() -> None:
    assert plain_name("**Content_Date** ") == plain_name("content date") == "contentdate"


def test_other_columns_stay_as_facets() -> None:
    catalogue = parse("file | note | stage | codex", "--|--|--|--", "a.md | n | s | ✓", "b.md")
    first, second = catalogue.entries
    assert first.facets() == (("note", "n"), ("codex", "✓"))
    assert first.fields() == {"file": "a.md", "monomyth": "s"}
    assert second.fields() == {"file": "b.md", "monomyth": ""}
    assert second.facets() == ()


def test_rows_without_a_file_are_counted_as_groups() -> None:
    catalogue = parse("| file | title |", "|-|-|", "| | Rivers |", "| **Mills** | |", "| a.md | |")
    assert [entry.path for entry in catalogue.entries] == ["a.md"]
    assert catalogue.counts == {"group-rows": 2}


def summaries(width: int, count: int, ending: str = "x") -> Iterator[str]:
    yield "| file | summary |"
    yield "|---|---|"
    for number in range(count):
        yield f"| {number}.md | {f'{number:04}'.ljust(width - 1, 'w')}{ending} |"
    yield "| short.md | A whole sentence. |"


@pytest.mark.parametrize(
    ("lines", "width"),
    [
        pytest.param(summaries(120, 3), 120, id="equal length, in mid-word"),
        pytest.param(summaries(120, 3, "."), None, id="equal length, whole sentences"),
        pytest.param(summaries(120, 2), None, id="two may be chance"),
        pytest.param(summaries(20, 9), None, id="short words of one length"),
        pytest.param([*summaries(120, 3), f"| long.md | {'w' * 121} |"], None, id="a longer one"),
    ],
)
def test_cells_of_equal_greatest_length_that_end_in_mid_word_were_cut(
    lines: Iterable[str], width: int | None
) -> None:
    catalogue = parse_catalogue(lines)
    assert catalogue.cut_widths.get("summary") == width
    cell = catalogue.entries[0].cell("summary")
    assert catalogue.is_cut("summary", cell) is (width is not None)


def test_a_cut_behind_a_blank_leaves_one_character_less() -> None:
    catalogue = parse_catalogue([*summaries(120, 3), f"| 4.md | {'w' * 119} |", "| 5.md | w |"])
    cut = [catalogue.is_cut("summary", entry.cell("summary")) for entry in catalogue.entries]
    assert cut == [True, True, True, False, True, False]


def test_an_ellipsis_means_cut() -> None:
    catalogue = parse("file | summary", "-|-", "a.md | A dry summer...")
    assert catalogue.is_cut("summary", "A dry summer...")
    assert catalogue.is_cut("summary", "A dry summer…")
    assert not catalogue.is_cut("summary", "A dry summer.")


@pytest.mark.requirement("catalogue:bounded")
def test_rows_beyond_the_caps_are_counted() -> None:
    rows = [f"| {number}.md | t |" for number in range(10)]
    by_number = parse("| file | t |", "|-|-|", *rows, caps=Caps(rows=3))
    by_size = parse("| file | t |", "|-|-|", *rows, caps=Caps(characters=50))
    assert (len(by_number.entries), by_number.counts) == (3, {"rows-over-cap": 7})
    assert (len(by_size.entries), by_size.counts) == (4, {"rows-over-cap": 6})


@pytest.mark.requirement("catalogue:bounded")
def test_two_million_rows_stream_by() -> None:
    def lines() -> Iterator[str]:
        yield "| file | t |"
        yield "|---|---|"
        yield from (f"| {number}.md | t |" for number in range(20_000))

    catalogue = parse_catalogue(lines(), caps=Caps(rows=100))
    assert len(catalogue.entries) == 100
    assert catalogue.counts["rows-over-cap"] == 19_900


@pytest.mark.requirement("catalogue:bounded")
def test_a_giant_cell_costs_only_its_own_end() -> None:
    catalogue = parse("| file | summary |", "|-|-|", f"| a.md | {'x' * 50_000} |", "| b.md | y |")
    assert len(catalogue.entries[0].cell("summary")) == Caps().cell
    assert catalogue.entries[1].cell("summary") == "y"
    assert [problem.kind for problem in catalogue.problems] == ["oversized-cell"]
    assert catalogue.problems[0].place == "index.md:3"


def test_more_columns_than_anybody_needs_cost_no_memory() -> None:
    header = "|".join(["file", *("x" for _ in range(100_000))])
    catalogue = parse(header, "|".join(["-"] * 100_001), *(f"{number}.md" for number in range(500)))
    assert sum(len(entry.cells) for entry in catalogue.entries) == 500


TABLE = "| file | title |\n|---|---|\n| a.md | A |\n"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(TABLE.encode(), id="LF"),
        pytest.param(TABLE.replace("\n", "\r\n").encode(), id="CR LF"),
        pytest.param(TABLE.replace("\n", "\r").encode(), id="CR"),
        pytest.param(b"\xef\xbb\xbf" + TABLE.encode(), id="a byte order mark"),
        pytest.param(TABLE.rstrip("\n").encode(), id="no line ending at the end"),
        pytest.param(f"---\nfile: x\n---\n{TABLE}".encode(), id="YAML in front"),
        pytest.param(f"+++\nfile = 1\n+++\n{TABLE}".encode(), id="TOML in front"),
    ],
)
def test_every_line_ending_and_head_is_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "index.md").write_bytes(content)
    (entry,) = read(tmp_path / "index.md").entries
    assert (entry.path, entry.cell("title"), entry.table.section) == ("a.md", "A", "")


def test_only_three_characters_end_a_line(tmp_path: Path) -> None:
    text = "| file | title |\n|---|---|\n| a.md | one\u2028two\u0085three\x0bfour |\n"
    (tmp_path / "index.md").write_text(text, encoding="utf-8")
    (entry,) = read(tmp_path / "index.md").entries
    assert entry.cell("title") == "one\u2028two\u0085three\x0bfour"


def test_a_row_that_is_no_utf_8_is_a_remark(tmp_path: Path) -> None:
    content = TABLE.encode() + b"| b.md | caf\xe9 |\n| c.md | C |\n"
    (tmp_path / "index.md").write_bytes(content)
    catalogue = read(tmp_path / "index.md")
    assert [entry.cell("title") for entry in catalogue.entries] == ["A", "caf\ufffd", "C"]
    assert [(problem.kind, problem.place) for problem in catalogue.problems] == [
        ("encoding", "index.md:4")
    ]


def test_an_endless_line_is_a_remark(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("x" * 3_000_000 + "\n\n" + TABLE)
    catalogue = read(tmp_path / "index.md")
    assert [entry.path for entry in catalogue.entries] == ["a.md"]
    assert [problem.kind for problem in catalogue.problems] == ["oversized-line"]


def test_lines_are_bounded_and_none_is_lost(tmp_path: Path) -> None:
    place = tmp_path / "index.md"
    place.write_text("abcdef\nab\nabcd\n\nabcde")
    with place.open() as stream:
        assert list(bounded_lines(stream, 4)) == ["abcd", "ab", "abcd", "", "abcd"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(TABLE.encode("utf-16"), "no text", id="UTF-16"),
        pytest.param(b"\0" * 100, "no text", id="NUL bytes"),
        pytest.param(TABLE.encode() * 2, "are allowed", id="too large"),
    ],
)
def test_a_catalogue_that_cannot_be_read_is_refused(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    (tmp_path / "index.md").write_bytes(content)
    limits = Limits(catalogue=len(TABLE) + 100 if reason == "no text" else len(TABLE))
    with pytest.raises(PathRefused, match=reason):
        read(tmp_path / "index.md", limits)
    with pytest.raises(NotFound):
        read(tmp_path / "nothing.md")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["---", "a", "---", "b"], ["", "", "", "b"], id="closed"),
        pytest.param(["--- ", "a", "---\t", "b"], ["", "", "", "b"], id="blanks behind"),
        pytest.param(["---", "a", "b"], ["---", "a", "b"], id="never closed"),
        pytest.param(["---", "a" * 99, "---"], ["---", "a" * 99, "---"], id="too long"),
        pytest.param(["", "---", "a", "---"], ["", "---", "a", "---"], id="not on line 1"),
        pytest.param(["---", "a", "+++"], ["---", "a", "+++"], id="closed by another fence"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_frontmatter_is_no_part_of_the_body(lines: list[str], expected: list[str]) -> None:
    assert list(body_lines(lines, 50)) == expected


def test_the_known_shape_loads_whole() -> None:
    catalogue = parse_catalogue(known_catalogue(2035))
    assert len(catalogue.entries) == 2035
    assert not catalogue.counts
    assert set(catalogue.cut_widths) == {"summary", "title"}
    names = {entry.path.rpartition("/")[2] for entry in catalogue.entries}
    assert "Log 0 Grandma's mill & weir > path.md" in names


def known_catalogue(rows: int) -> Iterator[str]:
    """The shape of a real one: a folder before each path, empty and cut cells, unknown dates."""
    yield from ("# Corpus Index", "", f"Files indexed: {rows}  ", "")
    yield "| content_date | file_path | title | source | summary | tags | monomyth_stage | codex |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for number in range(rows):
        name = f"Log {number} Grandma's mill & weir > path"
        title = f"{number} {'a title of many words that goes on ' * 9}"[:120].strip()
        summary = "" if number % 3 else f"{number} says {'more of the river ' * 9}"[:120].strip()
        date = "1900-01-01" if number % 2 else "2001-09-30"
        cells = [date, f"Corpus/Logs/{number % 7}/{name}.md", title, "Log", summary, "river, mill"]
        yield f"| {' | '.join([*cells, '01 - Ordinary World', '✓'])} |"
