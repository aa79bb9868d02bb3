"""One level of a base: its entries in one order, a window, a filter, and the nearest names."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from index.concepts import Concept
from index.holdings import in_scope
from index.ladder import (
    Level,
    NamesDocument,
    Neighbours,
    NoSuchLevel,
    index_excerpt,
    list_level,
    nearest_level,
)
from index.text import unaccented
from tests.explore_base import holdings_of, write_roads


def made(path: str, title: str = "", number: str = "") -> Concept:
    return Concept(path, "Krav", title, number, 1, (), False, "", 1, 1, 1, 1)


@pytest.fixture
def roads(tmp_path: Path) -> tuple[Concept, ...]:
    return in_scope(holdings_of(write_roads(tmp_path)), "")


def level(
    concepts: tuple[Concept, ...], path: str, words: str = "", offset: int = 0, limit: int = 50
) -> Level:
    found = list_level(concepts, path, words, offset, limit)
    assert isinstance(found, Level)
    return found


def names(found: Level) -> list[str]:
    return [one.path for one in found.directories] + [one.name for one in found.documents]


@pytest.mark.requirement("explore:E23")
@pytest.mark.parametrize("top", ["", ".", "./"])
def test_the_top_names_directories_with_what_is_in_scope_below(
    roads: tuple[Concept, ...], top: str
) -> None:
    found = level(roads, top)
    assert [(one.path, one.documents) for one in found.directories] == [("guide", 1), ("krav", 3)]
    assert (found.path, found.documents, found.total) == ("", (), 2)


@pytest.mark.requirement("explore:E24")
@pytest.mark.parametrize("path", ["krav/N100", "krav/N100/", "./krav//N100"])
def test_a_level_names_its_documents_as_they_are_read(
    roads: tuple[Concept, ...], path: str
) -> None:
    found = level(roads, path)
    assert names(found) == ["krav/N100/innledning.md", "krav/N100/rundkjoring.md"]
    assert found.path == "krav/N100"
    assert (found.total, found.filter) == (2, "")
    assert found.total_matches is found.matches_below is None
    assert (found.documents[1].title, found.documents[1].number) == ("Rundkjøring", "Krav 4.1.2-1")


@pytest.mark.requirement("explore:E24")
def test_directories_come_before_documents_each_by_code_point() -> None:
    given = ["B/x.md", "a.md", "a/x.md", "a0.md", "b-c/x.md", "b/c/x.md", "b/x.md", "é.md", "🌲.md"]
    concepts = tuple(map(made, given))
    assert names(level(concepts, "")) == [
        *("B", "a", "b", "b-c"),
        *("a.md", "a0.md", "é.md", "🌲.md"),
    ]
    assert names(level(concepts, "b")) == ["b/c", "b/x.md"]


@pytest.mark.requirement("explore:E24")
def test_a_long_title_is_cut_and_said_to_be() -> None:
    concepts = (made("a.md", "x" * 200), made("b.md", "x" * 201))
    shown = [(len(one.title), one.title_truncated) for one in level(concepts, "").documents]
    assert shown == [(200, False), (200, True)]


@pytest.mark.requirement("explore:E25")
@pytest.mark.parametrize(
    ("sent", "offset", "limit", "shown"),
    [
        ({"limit": 0}, 0, 1, 1),
        ({"limit": 1000}, 0, 200, 2),
        ({"offset": -3}, 0, 50, 2),
        ({"offset": 9}, 9, 50, 0),
        ({"offset": 1, "limit": 1}, 1, 1, 1),
    ],
)
def test_a_window_is_brought_within_its_bounds(
    roads: tuple[Concept, ...], sent: Mapping[str, int], offset: int, limit: int, shown: int
) -> None:
    found = level(roads, "krav/N100", "", **sent)
    assert (found.offset, found.limit, len(found.documents), found.total) == (
        offset,
        limit,
        shown,
        2,
    )


@pytest.mark.requirement("explore:E25")
def test_windows_one_after_the_other_give_each_entry_once() -> None:
    concepts = tuple(made(f"{one}.md") for one in "cde")
    concepts = (made("a/x.md"), made("b/x.md"), *concepts)
    windows = (level(concepts, "", offset=offset, limit=2) for offset in (0, 2, 4))
    assert [names(window) for window in windows] == [["a", "b"], ["c.md", "d.md"], ["e.md"]]


@pytest.mark.requirement("explore:E26")
@pytest.mark.parametrize(
    ("path", "words", "total", "matches", "below"),
    [
        ("krav/N100", "rundkjoring", 2, 1, 0),
        ("krav/N100", "RUNDKJØRING", 2, 1, 0),
        ("krav/N100", "4.1.2-1 krav", 2, 1, 0),
        ("krav/N100", "krav", 2, 2, 0),
        ("krav/N100", "N100", 2, 0, 0),
        ("krav/N100", "xyz", 2, 0, 0),
        ("krav", "rundkjoring", 2, 0, 1),
        ("krav", "n100", 2, 1, 2),
        ("krav", "rundkjoring rekkverk", 2, 0, 0),
        ("", "guide", 2, 1, 1),
        ("krav", " \t", 2, None, None),
    ],
)
def test_a_filter_keeps_what_holds_every_word(
    roads: tuple[Concept, ...],
    path: str,
    words: str,
    total: int,
    matches: int | None,
    below: int | None,
) -> None:
    found = level(roads, path, words)
    assert (found.total, found.total_matches, found.matches_below) == (total, matches, below)
    assert found.filter == (words if words.split() else "")
    if matches is not None:
        assert len(names(found)) == matches


@pytest.mark.requirement("explore:E26")
def test_the_window_runs_over_the_matches() -> None:
    concepts = tuple(made(f"{n}.md", "odd" if n % 2 else "even") for n in range(8))
    found = level(concepts, "", "odd", offset=1, limit=2)
    assert names(found) == ["3.md", "5.md"]
    assert (found.total, found.total_matches) == (8, 4)


@pytest.mark.requirement("explore:E26")
@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Rundkjøring", "rundkjoring"),
        ("ÆRFUGL", "aerfugl"),
        ("œuvre", "oeuvre"),
        ("Đakovo", "dakovo"),
        ("Borgarfjörður", "borgarfjordur"),
        ("Łódź", "lodz"),
        ("Þingvellir", "thingvellir"),
        ("A\u030angstro\u0308m", "ångström"),
        ("ｋｒａｖ ①", "krav 1"),
        ("STRASSE", "straße"),
        ("ǿ", "o"),
        ("İstanbul", "istanbul"),
    ],
)
def test_a_name_is_found_without_the_keys_for_it(written: str, typed: str) -> None:
    assert unaccented(written) == unaccented(typed)
    assert unaccented(unaccented(written)) == unaccented(written)


@pytest.mark.requirement("explore:E27")
def test_a_level_that_is_not_there_is_never_an_empty_one(roads: tuple[Concept, ...]) -> None:
    for path in ("verdicts", "verdicts/v1.md", "krav/N1", "krav/N100x", "notes.txt", "KRAV"):
        assert list_level(roads, path) == NoSuchLevel(path)
    for path in ("krav/N100/rundkjoring.md", "krav//N100/rundkjoring.md/"):
        assert list_level(roads, path) == NamesDocument("krav/N100/rundkjoring.md")
    assert level((), "").total == 0


@pytest.mark.requirement("explore:E33")
@pytest.mark.parametrize(
    ("path", "where", "directories", "documents"),
    [
        pytest.param("krav/N10/x.md", "krav", ("krav/N100", "krav/N200"), (), id="a level"),
        pytest.param("krav/N2", "krav", ("krav/N200", "krav/N100"), (), id="the likest first"),
        pytest.param(
            "krav/N100/rund.md",
            "krav/N100",
            (),
            ("krav/N100/rundkjoring.md", "krav/N100/innledning.md"),
            id="a document",
        ),
        pytest.param("guide/a.md/b", "guide", (), ("guide/a.md",), id="below a document"),
        pytest.param("verdicts/v2.md", "", ("guide", "krav"), (), id="among verdicts"),
        pytest.param("x", "", ("guide", "krav"), (), id="at the top"),
        pytest.param("", "", ("guide", "krav"), (), id="the top itself"),
    ],
)
def test_an_absent_path_has_its_nearest_level_and_the_likest_names_on_it(
    roads: tuple[Concept, ...],
    path: str,
    where: str,
    directories: tuple[str, ...],
    documents: tuple[str, ...],
) -> None:
    assert nearest_level(roads, path) == Neighbours(where, directories, documents)


@pytest.mark.requirement("explore:E33")
def test_at_most_five_of_each_are_neighbours() -> None:
    concepts = [made(f"d{n}/x.md") for n in range(9)] + [made(f"k{n}.md") for n in range(9)]
    found = nearest_level(tuple(concepts), "k8x")
    assert found.directories == ("d0", "d1", "d2", "d3", "d4")
    assert found.documents == ("k8.md", "k0.md", "k1.md", "k2.md", "k3.md")
    assert nearest_level((), "a/b") == Neighbours("", (), ())


@pytest.mark.requirement("explore:E22")
@pytest.mark.parametrize(
    ("body", "excerpt", "truncated"),
    [
        pytest.param("", "", False, id="none"),
        pytest.param("x" * 150, "x" * 150, False, id="short"),
        pytest.param("x" * 199 + "\n", "x" * 199 + "\n", False, id="just short"),
        pytest.param("x" * 201, "x" * 200, True, id="no break"),
        pytest.param("x" * 120 + "\n" + "y" * 89 + "\n" + "z" * 89, "x" * 120, True, id="a break"),
        pytest.param("x" * 200 + "\n" + "y" * 99, "x" * 200, True, id="at the bound"),
        pytest.param("\n" + "y" * 249 + "\n" + "z" * 49, "\n" + "y" * 199, True, id="before it"),
        pytest.param("x" * 99 + "\r\n" + "y" * 199, "x" * 99, True, id="CR LF"),
        pytest.param("x" * 200 + "\r\n" + "y" * 99, "x" * 200, True, id="CR LF over the bound"),
        pytest.param("\r\n" + "y" * 298, "\r\n" + "y" * 198, True, id="CR LF at the start"),
    ],
)
def test_an_excerpt_is_a_prefix_cut_at_a_line(body: str, excerpt: str, truncated: bool) -> None:
    assert index_excerpt(body) == (excerpt, truncated)
    assert body.startswith(excerpt)
