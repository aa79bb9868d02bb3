"""What becomes of a dig while folders, files, disks and other servers fail around it."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from server.config import Settings
from server.dig import REMEMBERED, Digs
from server.library import Library
from server.looking import search_base
from server.refusals import Refusal
from server.replies import Answer, Reported
from server.review import Review
from server.steps import State
from tests.digging import (
    DICTATED,
    Ground,
    advance,
    briefs,
    decide,
    digs_of,
    drive,
    finish,
    ground_over,
    hand_on,
    in_memory,
    keep,
    open_dig,
)
from tests.nobody import NOBODY, as_nobody

SECRET = "the combination is 4-19-77"
REACHED: tuple[State, ...] = ("opened", "scoring", "scored", "picked", "reported", "decided")


def flag(answer: Answer) -> str:
    return answer.flag if isinstance(answer, Refusal) else ""


def base_of(settings: Settings) -> Path:
    return Path(settings.bases[0].root)


def brought_to(digs: Digs, state: State) -> str:
    """A dig in this state."""
    name = open_dig(digs)
    drive(digs, name, "reported" if state == "decided" else state)
    if state == "decided":
        decide(digs, name)
    return name


@pytest.mark.requirement("fault:base-gone")
@pytest.mark.parametrize("emptied", [False, True], ids=["gone", "empty"])
@pytest.mark.parametrize("state", REACHED)
def test_a_dig_waits_for_a_base_that_is_gone(
    state: State, emptied: bool, changing: Settings
) -> None:
    name = brought_to(digs_of(changing), state)
    base, aside = base_of(changing), base_of(changing).with_name("aside")
    base.rename(aside)
    if emptied:
        base.mkdir()
    digs = digs_of(changing)
    before = digs.load(name)
    for _ in range(3):
        if digs.load(name).state != "reported":
            answer = advance(digs, name)
            assert flag(answer) in ("", "BASE_UNAVAILABLE"), answer.text
    assert digs.load(name).refusals == ()
    assert digs.load(name).rejections == before.rejections
    assert flag(search_base(digs, "harbour", None, None)) == "BASE_UNAVAILABLE"
    if emptied:
        base.rmdir()
    aside.rename(base)
    finish(digs_of(changing), name)
    assert len(briefs(changing)) == 1


def _link(file: Path, secret: Path) -> None:
    file.symlink_to(secret)


def _hard_link(file: Path, secret: Path) -> None:
    os.link(secret, file)


def _pipe(file: Path, secret: Path) -> None:
    os.mkfifo(file)


def _folder(file: Path, secret: Path) -> None:
    file.mkdir()


def _huge(file: Path, secret: Path) -> None:
    file.touch()
    os.truncate(file, 1 << 40)


def _through_a_folder(file: Path, secret: Path) -> None:
    parent = file.parent
    shutil.rmtree(parent)
    parent.symlink_to(secret.parent)
    (secret.parent / file.name).write_text(secret.read_text())


@pytest.mark.requirement("fault:file-replaced")
@pytest.mark.parametrize(
    "put", [_link, _hard_link, _pipe, _folder, _huge, _through_a_folder], ids=lambda f: f.__name__
)
def test_what_takes_the_place_of_a_picked_file_is_not_read(
    put: Callable[[Path, Path], None], changing: Settings
) -> None:
    digs = digs_of(changing)
    name = brought_to(digs, "picked")
    picked = digs.load(name).picks.ids[0]
    secret = changing.state.parent / "outside" / "secret.md"
    secret.parent.mkdir()
    secret.write_text(f"---\nrole: lived\n---\nI know that {SECRET}.\n\nI keep it to myself.\n")
    file = base_of(changing) / digs.load(name).candidates[picked].row.path
    file.unlink()
    put(file, secret)
    cut = digs.extract_excerpt(name, picked, None)
    assert flag(cut) == "PATH_REFUSED", cut.text
    assert flag(digs.extract_excerpt(name, picked, 3)) == "PATH_REFUSED"
    report = digs.dig_report(name)
    assert isinstance(report, Reported)
    assert f"PATH_REFUSED:{digs.load(name).candidates[picked].row.path}" in report.flags
    decide(digs, name)
    written = digs.assemble_brief(name)
    found = search_base(digs, "combination harbour", None, None)
    told = [cut.text, report.text, written.text, found.text]
    told += [path.read_text() for path in changing.briefs.glob("*")]
    assert not any(SECRET in text for text in told)


def _a_file(folder: Path) -> None:
    folder.write_text("no folder")


def _a_link(folder: Path) -> None:
    folder.symlink_to(folder.with_name("elsewhere"))


def _nowhere(folder: Path) -> None:
    folder.parent.rename(folder.parent.with_name("aside"))


def _mend(folder: Path) -> None:
    aside = folder.parent.with_name("aside")
    if aside.exists():
        aside.rename(folder.parent)
    folder.unlink(missing_ok=True)


@pytest.mark.requirement("fault:briefs-folder")
@pytest.mark.parametrize("spoil", [_a_file, _a_link, _nowhere], ids=lambda f: f.__name__)
def test_a_decision_waits_for_a_folder_that_takes_briefs(
    spoil: Callable[[Path], None], digs: Digs, tmp_path: Path
) -> None:
    folder = tmp_path / "shelf" / "Briefs"
    folder.parent.mkdir()
    own = Digs(Library(replace(digs.settings, briefs=folder)))
    name = brought_to(own, "decided")
    spoil(folder)
    for _ in range(3):
        answer = own.assemble_brief(name)
        assert flag(answer) == "STORAGE_FULL"
        assert "Briefs" in answer.text
        assert own.load(name).state == "decided"
    _mend(folder)
    assert flag(own.assemble_brief(name)) == ""
    assert len(list(folder.iterdir())) == 1


@pytest.fixture
def locked(ground: Ground) -> Iterator[Settings]:
    """Settings whose files belong to nobody, for whom permissions count."""
    with in_memory() as folder:
        # Modules are imported when first needed, which nobody may not be allowed to.
        warm = digs_of(ground.at(folder / "warm"))
        finish(warm, open_dig(warm))
        base = Path(shutil.copytree(ground.base, folder / "kb"))
        settings = ground_over(base).at(folder / "own")
        if os.geteuid() == 0:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
        yield settings


@pytest.mark.requirement("fault:read-only")
@pytest.mark.parametrize("state", REACHED)
def test_a_state_directory_that_cannot_be_written_loses_nothing(
    state: State, locked: Settings
) -> None:
    with as_nobody():
        digs = digs_of(locked)
        name = brought_to(digs, state)
        before = digs.load(name)
        digs.store.path.chmod(0o400)
        locked.state.chmod(0o500)
        try:
            answer = decide(digs, name) if state == "reported" else advance(digs, name)
            assert flag(answer) == "STORAGE_FULL"
            assert digs_of(locked).load(name) == before
        finally:
            locked.state.chmod(0o700)
            digs.store.path.chmod(0o600)
        finish(digs, name)
        assert len(briefs(locked)) == 1


@pytest.mark.requirement("fault:read-only")
def test_a_folder_of_briefs_that_cannot_be_written_loses_nothing(locked: Settings) -> None:
    with as_nobody():
        digs = digs_of(locked)
        name = brought_to(digs, "decided")
        locked.briefs.mkdir()
        locked.briefs.chmod(0o500)
        try:
            assert flag(digs.assemble_brief(name)) == "STORAGE_FULL"
            state = digs.load(name)
            assert (state.state, state.brief is not None) == ("decided", True)
            # What was announced may be on the disk: no second thoughts before it is recorded.
            hand, choices = hand_on(state), keep(state)
            review = Review(digs)
            assert flag(review.redirect(name, hand, choices, "the sea")) == "WRONG_STEP"
            assert flag(review.dictate(name, hand, choices, DICTATED)) == "WRONG_STEP"
            assert flag(review.abandon(name, "enough")) == "WRONG_STEP"
        finally:
            locked.briefs.chmod(0o700)
        finish(digs_of(locked), name)
        assert len(briefs(locked)) == 1


def test_a_damaged_dig_is_no_trouble_of_the_others(digs: Digs) -> None:
    damaged, sound = open_dig(digs), open_dig(digs, title="Another Kiln")
    db = sqlite3.connect(digs.store.path)
    db.execute("DROP TRIGGER events_are_never_changed")
    db.execute("UPDATE events SET payload = '{}' WHERE run = ?", (damaged,))
    db.commit()
    db.close()
    fresh = digs_of(digs.settings)
    assert flag(fresh.retrieve_candidates(damaged, [])) == "STORAGE_FULL"
    assert "backup" in fresh.dig_status(damaged).text
    assert open_dig(fresh) not in (damaged, sound)
    assert open_dig(fresh, title="Another Kiln") == sound
    finish(fresh, sound)
    assert damaged in fresh.dig_status(None).text


def test_two_servers_share_a_dig_move_by_move(digs: Digs) -> None:
    servers = [digs, digs_of(digs.settings)]
    name = open_dig(digs)
    for turn in range(20):
        one, other = servers[turn % 2], servers[(turn + 1) % 2]
        if (state := one.load(name)).state == "reported":
            assert flag(decide(one, name)) == ""
        elif state.state != "briefed":
            assert flag(advance(one, name)) == ""
        assert other.load(name) == one.load(name)
    assert digs.load(name).state == "briefed"


def test_many_threads_drive_more_digs_than_are_remembered(digs: Digs) -> None:
    names = [open_dig(digs, title=f"Kiln {number}") for number in range(REMEMBERED + 16)]
    with ThreadPoolExecutor(8) as pool:
        states = list(pool.map(partial(drive, digs, until="scored"), names))
    assert {state.state for state in states} == {"scored"}
    fresh = digs_of(digs.settings)
    assert [fresh.load(name) for name in names] == [digs.load(name) for name in names]


def test_a_dig_outlives_the_configuration_of_its_base(digs: Digs, tmp_path: Path) -> None:
    name = brought_to(digs, "picked")
    other = replace(digs.settings.bases[0], id="other")
    moved = Digs(Library(replace(digs.settings, bases=(other,))))
    assert flag(moved.dig_report(name)) == "UNKNOWN_BASE"
    assert "picked" in moved.dig_status(name).text
    none = Digs(Library(replace(digs.settings, bases=())))
    assert flag(none.dig_report(name)) == "UNKNOWN_BASE"
    finish(digs, name)
