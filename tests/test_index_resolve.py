"""A catalogue row means a listed file or none: nothing is guessed, nothing leads outside."""

import pytest

from index.resolve import Resolver, unresolved

PATHS = ("notes/a b.md", "notes/c&d.md", "A.md", "a.md", "deep/er/Low water.md", "x/twin.md")


def find(path: str, *more: str, prefix: str = "", folder: str = "") -> str | None:
    return Resolver((*PATHS, "y/twin.md", *more), prefix, folder).find(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("notes/a b.md", "notes/a b.md", id="as listed"),
        pytest.param("a.md", "a.md", id="the file of that letter case"),
        pytest.param("A.md", "A.md", id="the file of the other letter case"),
        pytest.param("NOTES/a b.md", None, id="never another letter case"),
        pytest.param("notes/c&amp;d.md", "notes/c&d.md", id="an entity in text"),
        pytest.param("notes/c\\&d.md", "notes/c&d.md", id="a markdown escape in text"),
        pytest.param("Low water", "deep/er/Low water.md", id="a name without folder and suffix"),
        pytest.param("deep/er/Low water", "deep/er/Low water.md", id="a path without suffix"),
        pytest.param("Low water.md", None, id="a file name does not stand for a path"),
        pytest.param("twin", None, id="a name of two files"),
        pytest.param("../a.md", None, id="outside"),
        pytest.param("/a.md", None, id="absolute"),
    ],
)
def test_a_path_finds_its_file_or_none(path: str, expected: str | None) -> None:
    assert find(path) == expected


def test_a_prefix_is_taken_off() -> None:
    assert find("Corpus/a.md", prefix="Corpus/") == "a.md"
    assert find("Corpus/./a.md", prefix="Corpus/") == "a.md"
    assert find("a.md", prefix="Corpus/") == "a.md"
    assert Resolver(PATHS, "Corpus/").plain("Corpus/gone.md") == "gone.md"


def test_a_catalogue_in_a_folder_may_mean_its_neighbours() -> None:
    assert find("Low water.md", folder="deep/er") == "deep/er/Low water.md"
    assert find("a.md", "notes/a.md", folder="notes") == "a.md"


def test_normal_forms_meet_where_only_one_file_is_meant() -> None:
    assert find("caf\u00e9.md", "cafe\u0301.md") == "cafe\u0301.md"
    both = ("caf\u00e9.md", "cafe\u0301.md")
    assert find("cafe\u0301.md", *both) == "cafe\u0301.md"
    assert find("caf\u00e9.md", *both) == "caf\u00e9.md"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param("gone.md", "missing", id="a path nobody answers to"),
        pytest.param("../a.md", "escape", id="a parent"),
        pytest.param("/a.md", "escape", id="absolute"),
        pytest.param("C:\\a.md", "escape", id="a drive"),
        pytest.param("https://example.org/a.md", "escape", id="a URL"),
    ],
)
def test_what_is_not_found_is_missing_or_an_escape(path: str, kind: str) -> None:
    assert unresolved(path) == kind
