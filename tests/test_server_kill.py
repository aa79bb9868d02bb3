"""`kill -9` at random moments of whole digs: what was said is there, and the dig goes on."""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from server.brief_file import Shelf, save_brief
from server.dig_state import BriefFile
from tests.conftest import REPOSITORY
from tests.digging import Ground
from tests.killing import TROUBLES


@pytest.mark.requirement("dig:killed")
@pytest.mark.parametrize("half", ["first", "second"])
def test_a_dig_that_is_killed_goes_on_to_its_one_brief(
    half: str, ground: Ground, tmp_path: Path
) -> None:
    seed = secrets.randbits(32)
    arguments = [ground.base, ground.index, tmp_path / "state", 25, seed]
    found = subprocess.run(
        [sys.executable, "-m", "tests.killing", *map(str, arguments)],
        cwd=REPOSITORY,
        capture_output=True,
        check=False,
        text=True,
    )
    assert found.returncode == 0, found.stderr
    counts = json.loads(found.stdout)
    assert {name: counts[name] for name in TROUBLES} == {name: [] for name in TROUBLES}, counts
    assert counts["kills"] >= 25
    assert counts["kills"] - counts["came_too_late"] >= 12


def test_a_brief_found_on_the_disk_is_not_left_beside_its_draft(tmp_path: Path) -> None:
    # Killed between the link that gives a brief its name and the end of its temporary one.
    shelf, announced = Shelf(tmp_path / "briefs"), list[BriefFile]()
    brief = save_brief(shelf, "2026-11-30-kiln", "text", None, announced.append)
    os.link(brief.path, shelf.folder / ".brief-0123456789abcdef.tmp")
    assert save_brief(shelf, "2026-11-30-kiln", "text", brief, announced.append) == brief
    assert [path.name for path in shelf.folder.iterdir()] == ["2026-11-30-kiln.md"]
    assert announced == [brief]
