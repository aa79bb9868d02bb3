import errno
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest

from index.faults import StorageTrouble
from server.brief_file import Shelf, brief_stem, save_brief, sweep
from server.dig_state import BriefFile
from tests.decided import sha256

STEM = "2026-11-30-the-long-winter"
TEXT = "---\ntitle: x\n---\n\n> Jeg frøs.\r\n> \n"
REPOSITORY = Path(__file__).resolve().parent.parent

# Saves a brief, and dies by SIGKILL just before the n-th thing that it asks of the system.
DYING = """
import os, signal, sys
from pathlib import Path
from server import brief_file
from server.brief_file import Shelf

left = int(sys.argv[2])

def counted(call):
    def asked(*arguments, **options):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **options)
    return asked

for name in ("open", "mkdir", "fsync", "link", "unlink", "close"):
    setattr(os, name, counted(getattr(os, name)))
save = brief_file.save_brief
save(Shelf(Path(sys.argv[1])), sys.argv[3], sys.stdin.read(), None, lambda brief: None)
"""


class Announced(list[BriefFile]):
    """What was announced, and what the shelf held at each time."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.held: list[list[str]] = []

    def __call__(self, brief: BriefFile) -> None:
        self.append(brief)
        self.held.append(names(self.folder))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def failing(call: Callable[..., Any], code: int, *, at: int) -> Callable[..., Any]:
    """The call, which fails with this error the `at`-th time."""
    calls = 0

    def wrapped(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == at:
            raise OSError(code, os.strerror(code))
        return call(*arguments, **options)

    return wrapped


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "Agent_Briefs")


@pytest.fixture
def announced(shelf: Shelf) -> Announced:
    return Announced(shelf.folder)


def test_a_brief_is_announced_before_it_is_there(shelf: Shelf, announced: Announced) -> None:
    saved = save_brief(shelf, STEM, TEXT, None, announced)
    path = shelf.folder / f"{STEM}.md"
    assert saved == BriefFile(str(path), sha256(TEXT))
    assert announced == [saved]
    assert announced.held == [[]]
    assert path.read_bytes() == TEXT.encode()
    assert names(shelf.folder) == [path.name]
    assert path.stat().st_nlink == 1


def test_the_folder_is_made_and_others_may_read_but_not_write_it(shelf: Shelf) -> None:
    before = os.umask(0o022)
    try:
        save_brief(shelf, STEM, TEXT, None, lambda _: None)
    finally:
        os.umask(before)
    assert shelf.folder.stat().st_mode & 0o777 == 0o755
    assert (shelf.folder / f"{STEM}.md").stat().st_mode & 0o777 == 0o644


@pytest.mark.requirement("brief:never-overwrites")
def test_a_taken_name_gets_a_number(shelf: Shelf, announced: Announced) -> None:
    shelf.folder.mkdir()
    (shelf.folder / f"{STEM}.md").write_text("another brief")
    (shelf.folder / f"{STEM}-2.md").symlink_to("nowhere")
    assert save_brief(shelf, STEM, TEXT, None, announced).path.endswith(f"{STEM}-3.md")
    assert (shelf.folder / f"{STEM}.md").read_text() == "another brief"


def test_a_name_that_is_taken_after_it_was_announced_is_announced_anew(shelf: Shelf) -> None:
    announced: list[str] = []

    def announce(brief: BriefFile) -> None:
        announced.append(Path(brief.path).name)
        if len(announced) == 1:
            Path(brief.path).write_text("somebody was faster")

    saved = save_brief(shelf, STEM, TEXT, None, announce)
    assert announced == [f"{STEM}.md", f"{STEM}-2.md"]
    assert Path(saved.path).read_bytes() == TEXT.encode()


def test_a_rival_with_another_rendering_is_adopted_and_no_second_file_made(shelf: Shelf) -> None:
    rival = "as the index was a moment ago\n"
    before = BriefFile(str(shelf.folder / f"{STEM}.md"), sha256(rival))

    def announce(_: BriefFile) -> None:
        Path(before.path).write_text(rival)

    assert save_brief(shelf, STEM, TEXT, before, announce) == before
    assert names(shelf.folder) == [f"{STEM}.md"]


def test_nothing_is_written_if_the_announcement_fails(shelf: Shelf) -> None:
    def lost(_: BriefFile) -> None:
        raise LookupError("somebody else appended first")

    with pytest.raises(LookupError):
        save_brief(shelf, STEM, TEXT, None, lost)
    assert names(shelf.folder) == []


class TestAfterACrash:
    def before(self, shelf: Shelf, text: str = TEXT) -> BriefFile:
        shelf.folder.mkdir()
        return BriefFile(str(shelf.folder / f"{STEM}.md"), sha256(text))

    def test_the_same_file_is_adopted(self, shelf: Shelf, announced: Announced) -> None:
        before = self.before(shelf)
        Path(before.path).write_bytes(TEXT.encode())
        assert save_brief(shelf, STEM, TEXT, before, announced) == before
        assert announced == []
        assert names(shelf.folder) == [f"{STEM}.md"]

    def test_an_absent_file_is_written_where_it_was_announced(
        self, shelf: Shelf, announced: Announced
    ) -> None:
        before = self.before(shelf)
        assert save_brief(shelf, STEM, TEXT, before, announced) == before
        assert announced == []
        assert Path(before.path).read_bytes() == TEXT.encode()

    def test_another_file_stays_and_the_next_name_is_announced(
        self, shelf: Shelf, announced: Announced
    ) -> None:
        before = self.before(shelf)
        Path(before.path).write_text("a person's own file")
        saved = save_brief(shelf, STEM, TEXT, before, announced)
        assert saved.path.endswith(f"{STEM}-2.md")
        assert announced == [saved]
        assert Path(before.path).read_text() == "a person's own file"

    def test_a_whole_file_of_an_older_rendering_is_adopted(
        self, shelf: Shelf, announced: Announced
    ) -> None:
        before = self.before(shelf, "as an older program put it\n")
        Path(before.path).write_text("as an older program put it\n")
        assert save_brief(shelf, STEM, TEXT, before, announced) == before
        assert announced == []

    def test_a_new_rendering_of_an_absent_file_is_announced(
        self, shelf: Shelf, announced: Announced
    ) -> None:
        before = self.before(shelf, "as an older program put it\n")
        saved = save_brief(shelf, STEM, TEXT, before, announced)
        assert saved == BriefFile(before.path, sha256(TEXT))
        assert announced == [saved]

    def test_another_folder_for_briefs_is_announced(
        self, tmp_path: Path, shelf: Shelf, announced: Announced
    ) -> None:
        before = BriefFile(str(tmp_path / "gone" / f"{STEM}.md"), sha256(TEXT))
        saved = save_brief(shelf, STEM, TEXT, before, announced)
        assert announced == [saved]
        assert Path(saved.path).parent == shelf.folder

    @pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a FIFO", "a folder"])
    def test_what_is_no_file_is_left_alone(
        self, shelf: Shelf, announced: Announced, make: Callable[[str], None]
    ) -> None:
        before = self.before(shelf)
        make(before.path)
        assert save_brief(shelf, STEM, TEXT, before, announced).path.endswith(f"{STEM}-2.md")


@pytest.mark.requirement("brief:whole-or-absent")
def test_a_kill_between_any_two_steps_leaves_a_whole_brief_or_none(
    tmp_path: Path, announced: Announced
) -> None:
    moment = 0
    finished = False
    left_behind: set[tuple[str, ...]] = set()
    while not finished:
        moment += 1
        shelf = Shelf(tmp_path / f"briefs-{moment}")
        arguments = [sys.executable, "-c", DYING, str(shelf.folder), str(moment), STEM]
        run = subprocess.run(arguments, input=TEXT.encode(), cwd=REPOSITORY, check=False)
        assert run.returncode in (0, -signal.SIGKILL)
        finished = run.returncode == 0
        path = shelf.folder / f"{STEM}.md"
        assert not path.exists() or path.read_bytes() == TEXT.encode()
        left_behind.add(tuple(name.partition("-")[0] for name in names(shelf.folder)))
        before = BriefFile(str(path), sha256(TEXT))
        assert save_brief(shelf, STEM, TEXT, before, announced) == before
        sweep(shelf)
        assert names(shelf.folder) == [path.name]
    assert announced == []
    # Each kind of remains was really met: nothing, half a file, both names, the brief alone.
    assert left_behind == {(), (".brief",), (".brief", "2026"), ("2026",)}


@pytest.mark.requirement("brief:fsync-fails")
def test_a_brief_that_may_not_be_on_the_disk_gets_no_name(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, announced: Announced
) -> None:
    shelf.folder.mkdir()
    monkeypatch.setattr(os, "fsync", failing(os.fsync, errno.EIO, at=1))
    with pytest.raises(StorageTrouble, match="Input/output error"):
        save_brief(shelf, STEM, TEXT, None, announced)
    assert names(shelf.folder) == []


def test_a_name_that_may_not_be_on_the_disk_is_not_acknowledged_and_adopted_later(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, announced: Announced
) -> None:
    shelf.folder.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing(os.fsync, errno.EIO, at=2))
        with pytest.raises(StorageTrouble, match="Input/output error"):
            save_brief(shelf, STEM, TEXT, None, announced)
    assert names(shelf.folder) == [f"{STEM}.md"]
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    assert save_brief(shelf, STEM, TEXT, announced[0], announced) == announced[0]
    assert len(announced) == 1
    assert len(synced) == 2
    assert names(shelf.folder) == [f"{STEM}.md"]


@pytest.mark.parametrize("at", [1, 2], ids=["the file", "the folder"])
def test_adopting_fails_if_it_cannot_be_made_durable(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    saved = save_brief(shelf, STEM, TEXT, None, lambda _: None)
    monkeypatch.setattr(os, "fsync", failing(os.fsync, errno.EIO, at=at))
    with pytest.raises(StorageTrouble, match="Input/output error"):
        save_brief(shelf, STEM, TEXT, saved, lambda _: None)


def test_a_full_disk_leaves_no_part_of_a_brief(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, announced: Announced
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", failing(os.fdopen, errno.ENOSPC, at=1))
        with pytest.raises(StorageTrouble, match="No space left"):
            save_brief(shelf, STEM, TEXT, None, announced)
    assert names(shelf.folder) == []
    assert save_brief(shelf, STEM, TEXT, announced[0], announced) == announced[0]


def test_a_file_size_limit_leaves_no_part_of_a_brief(shelf: Shelf) -> None:
    script = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n" + DYING
    arguments = [sys.executable, "-c", script, str(shelf.folder), "0", STEM]
    run = subprocess.run(
        arguments, input=b"x" * 4096, cwd=REPOSITORY, capture_output=True, check=False
    )
    assert b"StorageTrouble: the folder for briefs" in run.stderr
    assert b"File too large" in run.stderr
    assert names(shelf.folder) == []


class TestTheFolder:
    def refused(self, shelf: Shelf, reason: str) -> None:
        announced = Announced(shelf.folder)
        with pytest.raises(StorageTrouble, match=reason) as trouble:
            save_brief(shelf, STEM, TEXT, None, announced)
        assert trouble.value.remedy
        assert announced == []

    def test_whose_parent_is_missing_is_refused(self, tmp_path: Path) -> None:
        self.refused(Shelf(tmp_path / "gone" / "briefs"), "it should be in is missing")

    def test_that_is_a_file_is_refused(self, shelf: Shelf) -> None:
        shelf.folder.write_text("mine")
        self.refused(shelf, "it is no folder")
        assert shelf.folder.read_text() == "mine"

    @pytest.mark.requirement("brief:folder")
    def test_that_is_a_symbolic_link_is_refused(self, tmp_path: Path, shelf: Shelf) -> None:
        (tmp_path / "elsewhere").mkdir()
        shelf.folder.symlink_to("elsewhere")
        self.refused(shelf, "symbolic link")
        assert names(tmp_path / "elsewhere") == []

    def test_that_is_a_dangling_link_is_refused(self, tmp_path: Path, shelf: Shelf) -> None:
        shelf.folder.symlink_to("elsewhere")
        self.refused(shelf, "symbolic link")
        assert not (tmp_path / "elsewhere").exists()

    def test_that_may_not_be_written_is_refused(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened = os.open

        def read_only(path: str, flags: int, *mode: int, dir_fd: int | None = None) -> int:
            if flags & os.O_CREAT:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            return opened(path, flags, *mode, dir_fd=dir_fd)

        monkeypatch.setattr(os, "open", read_only)
        with pytest.raises(StorageTrouble, match="Read-only file system"):
            save_brief(shelf, STEM, TEXT, None, lambda _: None)
        assert names(shelf.folder) == []

    def test_on_a_file_system_without_hard_links_is_refused(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "link", failing(os.link, errno.EPERM, at=1))
        with pytest.raises(StorageTrouble, match="no hard links"):
            save_brief(shelf, STEM, TEXT, None, lambda _: None)
        assert names(shelf.folder) == []

    @pytest.mark.parametrize("inside", ["", "deeper/briefs"], ids=["the base", "below it"])
    def test_inside_a_base_is_refused(self, tmp_path: Path, inside: str) -> None:
        base = tmp_path / "base"
        base.mkdir()
        self.refused(Shelf(base / inside, (base,)), "lies inside a base")
        assert names(base) == []

    def test_that_leads_into_a_base_by_a_link_is_refused(self, tmp_path: Path) -> None:
        base = tmp_path / "base"
        base.mkdir()
        (tmp_path / "link").symlink_to("base")
        self.refused(Shelf(tmp_path / "link" / "briefs", (base,)), "lies inside a base")
        assert names(base) == []


@pytest.mark.parametrize(
    "stem",
    ["../2026-11-30-x", "2026-11-30-a/b", "2026-11-30-", "x", "2026-11-30-x\n", ""],
)
def test_a_name_that_no_gate_let_pass_is_refused(shelf: Shelf, stem: str) -> None:
    with pytest.raises(StorageTrouble, match="cannot be called"):
        save_brief(shelf, stem, TEXT, None, lambda _: None)
    assert names(shelf.folder) == []


def test_the_name_is_the_day_of_the_decision_and_the_slug() -> None:
    assert brief_stem("2026-11-30T23:59:59.999Z", "ice") == "2026-11-30-ice"


def test_a_sweep_takes_what_the_dead_left_and_spares_the_living(shelf: Shelf) -> None:
    import fcntl

    shelf.folder.mkdir()
    dead, living, foreign = ".brief-" + "0" * 16 + ".tmp", ".brief-" + "1" * 16 + ".tmp", "x.tmp"
    for name in (dead, living, foreign):
        (shelf.folder / name).write_text("half")
    with (shelf.folder / living).open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert sweep(shelf) == 1
    assert names(shelf.folder) == [living, foreign]


def test_what_cannot_be_swept_stops_no_brief(shelf: Shelf) -> None:
    shelf.folder.mkdir()
    (shelf.folder / (".brief-" + "0" * 16 + ".tmp")).mkdir()
    (shelf.folder / (".brief-" + "1" * 16 + ".tmp")).symlink_to("nowhere")
    save_brief(shelf, STEM, TEXT, None, lambda _: None)
    assert len(names(shelf.folder)) == 3


def test_there_is_nothing_to_sweep_before_the_first_brief(shelf: Shelf) -> None:
    assert sweep(shelf) == 0
    assert not shelf.folder.exists()


def publish_in_step(folder: Path, rounds: int, barrier: Barrier) -> None:
    for number in range(rounds):
        path = folder / f"{STEM}-{number}.md"
        before = BriefFile(str(path), sha256(TEXT))
        barrier.wait()
        save_brief(Shelf(folder), STEM, TEXT, before, never)


def never(brief: BriefFile) -> None:
    raise AssertionError(f"announced a second time: {brief}")


@pytest.mark.requirement("brief:one-file")
def test_two_processes_that_publish_the_same_dig_make_one_file(shelf: Shelf) -> None:
    rounds = 30
    shelf.folder.mkdir()
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    arguments = (shelf.folder, rounds, barrier)
    processes = [context.Process(target=publish_in_step, args=arguments) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert names(shelf.folder) == sorted(f"{STEM}-{number}.md" for number in range(rounds))
