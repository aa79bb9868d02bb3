"""`kill -9` at random moments of whole digs: what was said is there, and the dig goes on."""

import json
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

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
