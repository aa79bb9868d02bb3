"""A catalogue that was built is read back as meant, and replaces nothing of anybody else's."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.catalogue import parse_catalogue
from index.catalogue_writer import COLUMNS, MARK, file_cell, render_catalogue, write_catalogue
from index.cells import named_file, split_cells
from index.corpus import load
from index.faults import PathRefused, StorageTrouble
from index.paths import is_path
from index.records import BaseSettings, Row
from index.rows import UNLISTED, Seen, build_row

ROW = replace(build_row(BaseSettings("b", "/"), 0, UNLISTED, Seen("a.md")), sha256="0" * 64)
SCALARS = ("title", "summary", "date", "category", "archetype", "monomyth", "role")

line = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30).map(
    lambda text: " ".join(text.split())
)
odd = st.text(alphabet="ab|\\`*_[]()<>#&;%./ \t'\"…", max_size=20).map(
    lambda text: " ".join(text.split())
)
item = odd.map(lambda text: " ".join(text.translate({ord(mark): None for mark in ",;#<>"}).split()))
path = st.one_of(
    st.text(alphabet="ab|\\`*_[]()<>#&;%. é", min_size=1, max_size=20), line.filter(bool)
).map(lambda name: f"{name}.md")


def read(rows: list[Row]) -> list[dict[str, str]]:
    text = "".join(render_catalogue(rows))
    return [
        entry.fields() | {"path": entry.path} for entry in parse_catalogue(text.split("\n")).entries
    ]


def spoken(path: str, *scalars: str) -> Row:
    said: dict[str, Any] = dict(zip(SCALARS, scalars, strict=True))
    return replace(ROW, path=path, **said)


@pytest.mark.requirement("catalogue:round-trip")
@given(st.lists(st.tuples(path.filter(is_path), *([st.one_of(line, odd)] * len(SCALARS)))))
def test_what_is_written_is_read_back(values: list[tuple[str, ...]]) -> None:
    rows = [spoken(*texts) for texts in values]
    expected = [(row.path, *(getattr(row, name) for name in SCALARS)) for row in rows]
    assert [(row["path"], *(row[name] for name in SCALARS)) for row in read(rows)] == expected


@pytest.mark.requirement("catalogue:round-trip")
@given(path.filter(is_path))
def test_a_path_is_read_back_byte_for_byte(path: str) -> None:
    assert named_file(split_cells(f"| {file_cell(path)} | x |")[0])[0] == path


@given(st.lists(item.filter(bool), max_size=4))
def test_lists_are_read_back(items: list[str]) -> None:
    (row,) = read([replace(ROW, tags=tuple(items), keypoints=tuple(items))])
    assert row["tags"] == ", ".join(items)
    assert row["keypoints"] == "; ".join(items)


@pytest.mark.parametrize(
    ("path", "cell"),
    [
        pytest.param("a b & c's > d.md", "a b & c's > d.md", id="as it is"),
        pytest.param("a|b.md", "a\\|b.md", id="a pipe"),
        pytest.param(" a.md", "[a.md](%20a.md)", id="a blank in front"),
        pytest.param("[a](b).md", "[a (b).md](%5Ba%5D%28b%29.md)", id="a link in the name"),
    ],
)
def test_a_path_is_a_link_only_where_text_would_mislead(path: str, cell: str) -> None:
    assert file_cell(path) == cell


def test_a_body_lends_its_opening_and_says_so() -> None:
    written, lent, bare = read(
        [
            replace(ROW, summary="S", summary_origin="frontmatter", lead="L"),
            replace(ROW, path="b.md", lead="L"),
            replace(ROW, path="c.md"),
        ]
    )
    assert (written["summary"], written["summary_origin"]) == ("S", "frontmatter")
    assert (lent["summary"], lent["summary_origin"]) == ("L", "lead")
    assert (bare["summary"], bare["summary_origin"]) == ("", "none")


def test_rows_without_a_readable_file_are_left_out() -> None:
    assert read([replace(ROW, sha256=None)]) == []


@pytest.mark.requirement("catalogue:build")
def test_a_base_is_the_same_with_the_catalogue_built_from_it(
    fixtures: Path, tmp_path: Path
) -> None:
    for name in ("vault", "okf"):
        root = tmp_path / name
        shutil.copytree(fixtures / name, root)
        before = load(BaseSettings("b", str(root)))
        write_catalogue(root / "corpus_index.md", render_catalogue(before.rows))
        after = load(BaseSettings("b", str(root)))
        assert after.kind == "catalogue"
        listed = [row for row in after.rows if row.listed]
        readable = [row for row in before.rows if row.sha256]
        for old, new in zip(readable, listed, strict=True):
            assert (new.path, new.title, new.tags) == (old.path, old.title, old.tags)
            assert new.summary == (old.summary or old.lead)
            expected = "lead" if not old.summary and old.lead else "catalogue"
            assert new.summary_origin in (expected, "none")
            assert new.lead == old.lead


@pytest.mark.requirement("catalogue:build")
def test_only_a_catalogue_of_our_own_is_replaced(tmp_path: Path) -> None:
    place = tmp_path / "corpus_index.md"
    write_catalogue(place, render_catalogue([ROW]))
    write_catalogue(place, render_catalogue([ROW, replace(ROW, path="b.md")]))
    assert MARK in place.read_text(encoding="utf-8")
    assert "b.md" in place.read_text(encoding="utf-8")
    place.write_text("# By hand")
    with pytest.raises(PathRefused, match="somebody else"):
        write_catalogue(place, render_catalogue([ROW]))
    assert place.read_text(encoding="utf-8") == "# By hand"
    place.unlink()
    place.symlink_to("elsewhere.md")
    with pytest.raises(PathRefused):
        write_catalogue(place, render_catalogue([ROW]))
    assert [place.name for place in tmp_path.iterdir()] == ["corpus_index.md"]


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    def full() -> Iterator[str]:
        yield "# Corpus Index"
        raise OSError(28, "No space left on device")

    with pytest.raises(StorageTrouble, match="No space left"):
        write_catalogue(tmp_path / "corpus_index.md", full())
    with pytest.raises(StorageTrouble):
        write_catalogue(tmp_path / "nowhere" / "corpus_index.md", ["x"])
    assert not list(tmp_path.iterdir())


def test_every_column_has_a_field() -> None:
    (table,) = parse_catalogue("".join(render_catalogue([ROW])).split("\n")).tables
    assert list(table.columns) == sorted(table.columns, key=list(COLUMNS).index)
    assert set(table.columns) == set(COLUMNS)
