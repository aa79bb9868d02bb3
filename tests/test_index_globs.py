"""A glob names files and folders; what lies in a named folder is named too."""

import pytest

from index.globs import glob_matches


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        pytest.param("VoiceLogs", "VoiceLogs/a.md", True, id="a folder's name"),
        pytest.param("VoiceLogs", "x/VoiceLogs/y/a.md", True, id="a folder's name, deeper"),
        pytest.param("VoiceLogs/", "VoiceLogs/a.md", True, id="a trailing slash"),
        pytest.param("VoiceLogs/*", "VoiceLogs/a.md", True, id="everything in a folder"),
        pytest.param("VoiceLogs/*", "VoiceLogs/y/a.md", True, id="in a folder of a folder"),
        pytest.param("VoiceLogs/*", "x/VoiceLogs/a.md", False, id="two names start at the base"),
        pytest.param("/VoiceLogs", "x/VoiceLogs/a.md", False, id="a slash in front is the base"),
        pytest.param("voicelogs", "VoiceLogs/a.md", False, id="letter case counts"),
        pytest.param("*.md", "a/b.md", True, id="a suffix anywhere"),
        pytest.param("a/*.md", "a/b/c.md", False, id="a star stays in its name"),
        pytest.param("a/**/c.md", "a/c.md", True, id="two stars are no folder"),
        pytest.param("a/**/c.md", "a/b/d/c.md", True, id="two stars are many folders"),
        pytest.param("**/x/**", "x/b.md", True, id="two stars on both sides"),
        pytest.param("x/**", "x", False, id="two stars behind are something"),
        pytest.param("**", "a", True, id="everything"),
        pytest.param("draft-?.md", "draft-1.md", True, id="a question mark"),
        pytest.param("[ab].md", "c.md", False, id="a set"),
        pytest.param("", "a", False, id="nothing"),
    ],
)
def test_a_glob_matches(glob: str, path: str, expected: bool) -> None:
    assert glob_matches(glob, path) is expected


def test_many_stars_cost_no_more_than_their_number() -> None:
    assert not glob_matches("**/" * 50 + "x", "/".join(["a"] * 1000))
