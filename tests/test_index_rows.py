"""A row is what a catalogue and a file say of it, and survives being written down."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.markdown import read_document
from index.records import BaseSettings, Digest, Row
from index.rows import Cells, Seen, build_row, row_from_json, row_to_json

SETTINGS = BaseSettings("base", "/nowhere", lang="en")
FULL = "A letter about the weir: why it was built, who paid for it, and what it cost them all."


def built(cells: dict[str, str], head: str = "", cut: tuple[str, ...] = ()) -> Row:
    text = f"---\n{head}\n---\nThe weir is old.\n" if head else "The weir is old.\n"
    document = read_document("a.md", text.encode())
    return build_row(
        SETTINGS,
        3,
        Cells("a.md", cells, frozenset(cut), listed=True),
        Seen("a.md", document=document),
    )


@pytest.mark.requirement("corpus:fill")
@pytest.mark.parametrize(
    ("cell", "cut", "summary", "origin", "digests"),
    [
        pytest.param("S.", (), "S.", "catalogue", (Digest("S."), Digest(FULL)), id="a cell wins"),
        pytest.param("", (), FULL, "frontmatter", (Digest(FULL),), id="an empty cell is filled"),
        pytest.param(
            "A letter…",
            ("summary",),
            FULL,
            "frontmatter",
            (Digest("A letter", cut=True), Digest(FULL)),
            id="a cut cell is filled",
        ),
        pytest.param(
            FULL[:50],
            (),
            FULL,
            "frontmatter",
            (Digest(FULL[:50], cut=True), Digest(FULL)),
            id="a long beginning of the file's own was cut",
        ),
        pytest.param(
            FULL[:8],
            (),
            FULL[:8],
            "catalogue",
            (Digest(FULL[:8]), Digest(FULL)),
            id="a short beginning is a title of its own",
        ),
        pytest.param(FULL, (), FULL, "catalogue", (Digest(FULL),), id="equal texts are one digest"),
    ],
)
def test_a_summary_is_the_best_there_is(
    cell: str, cut: tuple[str, ...], summary: str, origin: str, digests: tuple[Digest, ...]
) -> None:
    row = built({"summary": cell}, f"summary: '{FULL}'", cut)
    assert (row.summary, row.summary_origin, row.digests) == (summary, origin, digests)


def test_a_cut_cell_stays_where_the_file_has_nothing_better() -> None:
    row = built({"summary": "A letter abou", "tags": "weir, low-wat"}, cut=("summary", "tags"))
    assert (row.summary, row.summary_origin) == ("A letter abou", "catalogue")
    assert row.digests == (Digest("A letter abou", cut=True),)
    assert row.tags == ("weir", "low-wat")


def test_lists_are_filled_whole() -> None:
    row = built(
        {"tags": "weir, low-wat", "keypoints": ""}, "tags: [weir, low-water]\nhighlights: x"
    )
    assert row.tags == ("weir", "low-wat")
    assert row.keypoints == ("x",)
    assert built({"tags": "weir, low-wat"}, "tags: [a, b]", ("tags",)).tags == ("a", "b")


def test_a_row_without_a_file_has_what_its_cells_say() -> None:
    row = build_row(
        SETTINGS, 0, Cells("x", {"summary": "S", "role": "Lived"}, listed=True), Seen("x/y.md")
    )
    assert (row.title, row.summary, row.role, row.lang) == ("y", "S", "lived", "en")
    assert (row.sha256, row.words, row.lead, row.size) == (None, 0, "", 0)


def test_a_heading_as_long_as_a_paragraph_is_no_title() -> None:
    document = read_document("a.md", b"# " + b"word " * 1000)
    row = build_row(SETTINGS, 0, Cells(), Seen("a.md", document=document))
    assert len(row.title) <= 200


texts = st.text(max_size=10)
rows = st.builds(
    Row,
    **{field.name: texts for field in fields(Row) if field.type in ("str", str)},
    position=st.integers(0, 10),
    summary_origin=st.sampled_from(["catalogue", "frontmatter", "lead", "none"]),
    digests=st.lists(st.builds(Digest, texts, st.booleans())).map(tuple),
    keypoints=st.lists(texts).map(tuple),
    tags=st.lists(texts).map(tuple),
    facets=st.lists(st.tuples(texts, texts)).map(tuple),
    listed=st.booleans(),
    problems=st.lists(texts).map(tuple),
    size=st.integers(0),
    mtime_ns=st.integers(0),
    words=st.integers(0),
    sha256=st.one_of(st.none(), texts),
)


@pytest.mark.requirement("rows:json")
@given(rows)
def test_a_row_written_as_json_is_the_same_row(row: Row) -> None:
    assert row_from_json(json.loads(json.dumps(row_to_json(row)))) == row
    assert row_from_json(row_to_json(replace(row, position=0))) == replace(row, position=0)
