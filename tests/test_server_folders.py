from pathlib import Path

import pytest

from index.faults import StorageTrouble
from server.folders import lies_inside, make_private


@pytest.mark.requirement("state:private")
def test_a_state_directory_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    state = make_private(tmp_path / "a" / "state")
    assert state.stat().st_mode & 0o777 == 0o700
    assert make_private(state) == state


@pytest.mark.requirement("state:private")
def test_a_state_directory_that_others_could_change_is_refused(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "file").touch()
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o770)
    for name, reason in (
        ("link", "symbolic link"),
        ("file", "exists"),
        ("shared", "written by others"),
    ):
        with pytest.raises(StorageTrouble, match=reason):
            make_private(tmp_path / name)


def test_a_state_directory_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(StorageTrouble, match="belongs to another user"):
        make_private(tmp_path)


def test_inside_means_the_same_folder_and_not_the_same_spelling(tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    (tmp_path / "link").symlink_to(base)
    assert lies_inside(tmp_path / "link" / "not" / "there", base)
    assert not lies_inside(tmp_path / "base-evil", base)
    assert not lies_inside(tmp_path, base)
