"""The bases of requirements are what their script writes, and what it planted is found."""

import runpy
from pathlib import Path

import pytest

from index.holdings import in_scope
from index.ladder import Level, list_level
from tests.explore_base import holdings_of


def tree(root: Path) -> dict[str, bytes]:
    files = (place for place in root.rglob("*") if place.is_file())
    return {str(place.relative_to(root)): place.read_bytes() for place in files}


def test_the_committed_files_are_those_that_the_script_writes(
    fixtures: Path, tmp_path: Path
) -> None:
    home = fixtures / "requirements"
    script = runpy.run_path(str(home / "make.py"))
    script["make_roads"](tmp_path / "fjordveg")
    script["make_tunnels"](tmp_path / "tunnels-2025", "2025", "12")
    script["make_tunnels"](tmp_path / "tunnels-2026", "2026", "10")
    committed = tree(home)
    assert committed.pop("make.py")
    assert tree(tmp_path) == {
        path: text for path, text in committed.items() if "__pycache__" not in path
    }
    assert sum(map(len, committed.values())) < 600_000


@pytest.mark.parametrize(
    ("words", "below"),
    [("rundkjoring", 7), ("RUNDKJØRING", 7), ("aerfugl", 7), ("2.1-5", 1), ("heron", 0)],
)
def test_a_norwegian_title_is_found_however_it_is_typed(
    fixtures: Path, words: str, below: int
) -> None:
    concepts = in_scope(holdings_of(fixtures / "requirements/fjordveg"), "")
    found = list_level(concepts, "", words)
    assert isinstance(found, Level)
    assert found.matches_below == below
