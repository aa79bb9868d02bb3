"""The rehearsal that docs/exploration.md shows: its files, as a newcomer uses them."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import click.testing
import pytest

from server.config import Overrides, load_settings
from server.explore.explorations import Explorations
from server.explore.review import Said
from tests.conftest import REPOSITORY

FOLDER = REPOSITORY / "kb_fixtures" / "rehearsal"
BASE = REPOSITORY / "kb_fixtures" / "requirements" / "fjordveg"
Command = Callable[..., click.testing.Result]


@pytest.mark.requirement("docs:rehearsal")
def test_the_contract_on_the_page_is_the_one_in_the_folder() -> None:
    page = (REPOSITORY / "docs" / "exploration.md").read_text(encoding="utf-8")
    shown = re.search(r"The contract is\n\n```json\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    assert json.loads(shown[1]) == json.loads((FOLDER / "contract.json").read_text())


@pytest.mark.requirement("docs:rehearsal")
def test_a_plan_is_parked_answered_and_gone_on_with(
    expedition: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPEDITION_STATE", str(tmp_path / "state"))
    monkeypatch.chdir(FOLDER)
    base = ("--kb", "../requirements/fjordveg")
    asked = ("--objective", "Save on roundabouts", "--contract", "reviewed.json")
    place = ("--base", "roads", "--park", tmp_path / "parked")
    parked = expedition(
        "explore", "run", "--run", "r1", *asked, "--rehearse", "script.json", *base, *place
    )
    assert parked.exit_code == 6, parked.output
    settings = load_settings(Overrides(kb=(BASE,), state=tmp_path / "state"), {})
    # as a process leaves it that was killed while it wrote
    (tmp_path / "state" / "explorations" / ".r1-exploration.json.999999999.new").touch()
    Explorations(settings).answer_review("r1", Said(0, "approve"))
    done = expedition("explore", "resume", "r1", "--rehearse", "after-review.json", *base)
    assert done.exit_code == 0, done.output
    assert not list((tmp_path / "state" / "explorations").glob(".*.new"))
    assert "1 approach(es) to evaluate" in done.output


@pytest.mark.requirement("docs:rehearsal")
@pytest.mark.parametrize("script", ["nowhere.json", "."])
def test_a_script_that_is_not_there_is_a_wrong_setting(
    expedition: Command, tmp_path: Path, script: str
) -> None:
    asked = ("--objective", "Save", "--contract", FOLDER / "contract.json", "--base", "roads")
    answer = expedition("explore", "run", *asked, "--kb", BASE, "--rehearse", tmp_path / script)
    assert answer.exit_code == 2, answer.output
    assert answer.stderr.count("\n") == 1
