from collections.abc import Callable
from pathlib import Path

import pytest

from index.faults import NotFound, PathRefused
from server.config import Settings
from server.shelf import find_brief, locate_brief, recorded_dig, shelf_of
from tests.decided import decided_dig, record


@pytest.fixture
def settings(tmp_path: Path, settings_for: Callable[..., Settings]) -> Settings:
    (tmp_path / "codex").mkdir()
    settings = settings_for(tmp_path / "codex")
    settings.state.mkdir()
    settings.briefs.mkdir()
    return settings


def briefed(settings: Settings, kind: str = "dig") -> str:
    dig = decided_dig([])
    record(settings, dig, written(settings), kind)
    return dig.dig


def written(settings: Settings) -> Path:
    path = settings.briefs / "written.md"
    path.write_text("x")
    return path


def test_a_brief_is_found_by_its_dig(settings: Settings) -> None:
    assert find_brief(settings, briefed(settings)) == settings.briefs / "written.md"


def test_a_brief_is_found_by_its_name(settings: Settings) -> None:
    (settings.briefs / "2026-11-30-ice.md").write_text("x")
    assert find_brief(settings, "2026-11-30-ice.md") == settings.briefs / "2026-11-30-ice.md"


@pytest.mark.requirement("brief:named-never-a-path")
@pytest.mark.parametrize("name", ["", ".", "..", "../x.md", "/etc/passwd", "a\\b", "a\0b", "a/b"])
def test_a_name_that_is_a_path_is_refused(settings: Settings, name: str) -> None:
    with pytest.raises(PathRefused):
        find_brief(settings, name)


@pytest.mark.parametrize("name", ["dig_unknown", "absent.md"])
def test_what_nobody_knows_is_not_found(settings: Settings, name: str) -> None:
    with pytest.raises(NotFound):
        find_brief(settings, name)


def test_a_person_may_name_a_path(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "copy.md").write_text("x")
    assert locate_brief(settings, str(tmp_path / "copy.md")) == tmp_path / "copy.md"
    assert locate_brief(settings, briefed(settings)) == settings.briefs / "written.md"


def test_another_kind_of_run_is_no_dig(settings: Settings) -> None:
    assert recorded_dig(settings.state, briefed(settings, "exploration")) is None


def test_looking_makes_no_store(settings: Settings) -> None:
    assert recorded_dig(settings.state / "absent", "dig_x") is None
    assert not (settings.state / "absent").exists()


def test_the_shelf_keeps_out_of_every_base(settings: Settings, tmp_path: Path) -> None:
    assert shelf_of(settings).bases == (tmp_path / "codex",)
