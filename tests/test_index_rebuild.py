import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index import generation, private
from index.building import build
from index.faults import BaseUnavailable, IndexTrouble, StorageTrouble
from index.generation import open_current
from index.progress import Progress, ProgressFile, read_progress
from index.rebuild import Build, rebuild, start_build, update
from index.records import BaseSettings, RoleRule
from index.request import Mode, Outcome, Request, fingerprint
from index.status import Changes, changes, status
from tests.rows_made import make_base, note

COUNT = 60


@pytest.fixture
def base(tmp_path: Path) -> BaseSettings:
    return make_base(tmp_path / "notes", {f"n{n:02}.md": note(n) for n in range(COUNT)})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "state" / "index" / "notes-1"


@contextmanager
def opened(base: BaseSettings, home: Path) -> Generator[generation.Generation]:
    current = open_current(home, base)
    assert current is not None
    with closing(current):
        yield current


def built(settings: BaseSettings, home: Path, mode: Mode) -> Outcome:
    return build(Request(settings, home, mode), lambda phase, done, total: None)


def found(base: BaseSettings, home: Path, query: str) -> list[str]:
    with opened(base, home) as generation:
        return sorted(hit.path for hit in generation.search(query, 99))


def test_a_rebuild_in_its_own_process_puts_an_index_in_force(
    base: BaseSettings, home: Path
) -> None:
    seen: list[Progress] = []
    outcome = rebuild(base, home, seen.append)
    assert outcome == Outcome(
        "gen-1", True, COUNT, COUNT, COUNT, 0, {"files": COUNT, "readable": COUNT, "rows": COUNT}
    )
    assert len(found(base, home, "salt")) == COUNT
    assert {step.phase for step in seen} <= {"waiting", "reading", "writing"}
    assert read_progress(home) is None


def test_an_update_of_nothing_new_publishes_nothing(base: BaseSettings, home: Path) -> None:
    rebuild(base, home)
    outcome = update(base, home)
    assert (outcome.generation, outcome.published, outcome.indexed) == ("gen-1", False, 0)
    assert sorted(path.name for path in home.iterdir()) == ["CURRENT", "gen-1", "lock"]


def test_an_update_without_an_index_builds_one(base: BaseSettings, home: Path) -> None:
    assert update(base, home).indexed == COUNT


@pytest.mark.requirement("index:update")
def test_an_update_reads_and_indexes_only_what_changed(base: BaseSettings, home: Path) -> None:
    rebuild(base, home)
    root = Path(base.root)
    (root / "n00.md").write_text(note(0) + "\nA whale surfaced.\n")
    (root / "n01.md").unlink()
    (root / "new.md").write_text(note(61))
    os.utime(root / "n02.md", ns=(1, 1))
    outcome = update(base, home)
    assert (outcome.generation, outcome.indexed, outcome.removed) == ("gen-2", 2, 1)
    assert found(base, home, "whale") == ["n00.md"]
    assert found(base, home, "word1") == []
    assert found(base, home, "word61") == ["new.md"]
    with opened(base, home) as generation:
        assert generation.by_path["n02.md"].mtime_ns == 1


def test_an_update_shares_files_with_the_generation_before(base: BaseSettings, home: Path) -> None:
    rebuild(base, home)
    Path(base.root, "n00.md").write_text(note(0) + "\nA whale surfaced.\n")
    update(base, home)
    kept = next((home / "gen-1").rglob("*.trm"))
    assert (home / "gen-2" / "whoosh" / kept.name).samefile(kept)


def test_an_update_copies_where_there_are_no_hard_links(
    base: BaseSettings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(base, home, "rebuild")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", refuse)
    Path(base.root, "n00.md").write_text(note(0) + "\nA whale surfaced.\n")
    assert built(base, home, "update").indexed == 1
    assert len(found(base, home, "salt")) == COUNT


def test_other_settings_need_only_an_update(base: BaseSettings, home: Path) -> None:
    built(base, home, "rebuild")
    lived = replace(base, roles=(RoleRule("lived", glob="n0*"),), exclude=("n5*",))
    assert status(lived, home).state == "outdated"
    built(lived, home, "update")
    with opened(lived, home) as generation:
        assert generation.by_path["n09.md"].role == "lived"
        assert "n55.md" not in generation.by_path
        assert len(generation.search("salt", 99)) == 50


NAMES = st.sampled_from([f"{name}.md" for name in "abcd"] + ["sub/e.md", "Ünïcode & blank.md"])
CONTENTS = st.sampled_from(
    [
        "",
        "# Ice\n\nice and salt",
        "---\nsummary: salt of the tide\n---\nice",
        "---\nsummary: salt of the tide\ntags: [ice, tide]\n---\nsnow on the ice",
        "---\nnever closed",
        "---\ntype: verdict\n---\nice",
        "水の中で泳ぐ",
    ]
)
EDITS = st.lists(st.dictionaries(NAMES, CONTENTS | st.none(), max_size=4), min_size=1, max_size=4)


@pytest.mark.requirement("index:update-is-rebuild")
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(edits=EDITS)
def test_updates_come_to_the_same_as_a_rebuild(
    tmp_path_factory: pytest.TempPathFactory, edits: list[dict[str, str | None]]
) -> None:
    place = tmp_path_factory.mktemp("edits")
    base = make_base(place / "notes", {"sub/first.md": "salt"})
    updated, rebuilt = place / "state" / "updated", place / "state" / "rebuilt"
    for moment, batch in enumerate(edits):
        for name, content in batch.items():
            file = Path(base.root, name)
            if content is None:
                file.unlink(missing_ok=True)
            else:
                file.write_text(content, encoding="utf-8")
                os.utime(file, ns=(moment, moment))
        built(base, updated, "update")
    built(base, rebuilt, "rebuild")
    with opened(base, updated) as one, opened(base, rebuilt) as other:
        assert one.rows == other.rows
        assert one.sealed.problems() == other.sealed.problems()
        assert one.sealed.files() == other.sealed.files()
        assert one.manifest.counts == other.manifest.counts
        for query in ("ice salt tide", "snow", "水の中", '"the tide"', "a b c d e"):
            assert one.search(query, 20) == other.search(query, 20)
            assert one.scores(query.split()) == other.scores(query.split())
    assert status(base, updated).state == "fresh"


def test_a_base_that_is_gone_is_said_by_the_parent(home: Path, tmp_path: Path) -> None:
    nowhere = BaseSettings("notes", str(tmp_path / "nowhere"))
    with pytest.raises(BaseUnavailable, match="nowhere"):
        rebuild(nowhere, home)
    assert open_current(home, nowhere) is None


def test_a_base_that_lost_everything_keeps_its_index_until_it_is_built_anew(
    base: BaseSettings, home: Path
) -> None:
    rebuild(base, home)
    before = (home / "CURRENT").read_text()
    for entry in Path(base.root).iterdir():
        entry.unlink()
    with pytest.raises(BaseUnavailable, match="holds nothing any more"):
        update(base, home)
    assert (home / "CURRENT").read_text() == before
    assert rebuild(base, home).documents == 0


def test_a_build_runs_while_its_caller_does_not_wait(base: BaseSettings, home: Path) -> None:
    private.make_folder(home)
    with private.locked(home / "lock"):
        running = start_build(base, home)
        assert not running.wait(0)
        assert not running.done()
        assert running.progress() == Progress("waiting")
    assert running.wait(60)
    assert running.done()
    assert running.result().generation == "gen-1"
    assert running.result() == running.result()


def test_a_stopped_build_is_trouble_and_leaves_the_index(base: BaseSettings, home: Path) -> None:
    rebuild(base, home)
    running = start_build(base, home, "rebuild")
    running.stop()
    with pytest.raises(IndexTrouble, match="stopped"):
        running.result()
    assert len(found(base, home, "salt")) == COUNT


@pytest.mark.requirement("index:killed")
def test_a_build_killed_at_any_moment_leaves_the_old_index_or_the_new(
    base: BaseSettings, home: Path
) -> None:
    rebuild(base, home)
    started = time.monotonic()
    rebuild(base, home)
    whole, chance = time.monotonic() - started, random.Random(20)
    for round_number in range(20):
        Path(base.root, "n00.md").write_text(note(0) + f"\nround{round_number}\n")
        running = start_build(base, home, "rebuild" if round_number % 2 else "update")
        running.wait(chance.uniform(0, whole))
        running.stop()
        with opened(base, home) as generation:
            assert len(generation.search("salt", 99)) == COUNT
    assert update(base, home).documents == COUNT
    assert found(base, home, "round19") == ["n00.md"]
    assert not [path for path in home.iterdir() if path.name.startswith("tmp-")]


@pytest.mark.requirement("index:one-generation")
def test_every_answer_comes_from_one_generation_while_others_are_built(
    tmp_path: Path, home: Path
) -> None:
    root, rounds = tmp_path / "notes", range(6)

    def written(number: int) -> BaseSettings:
        return make_base(root, {f"n{n}.md": f"salt round{number}" for n in range(20)})

    base = written(0)
    rebuild(base, home)
    seen: list[list[int]] = []
    over = threading.Event()

    def reader() -> None:
        while not over.is_set():
            with opened(base, home) as generation:
                counts = [len(generation.search(f"round{n}", 99)) for n in rounds]
                assert len(generation.search("salt", 99)) == 20
                seen.append(counts)

    with ThreadPoolExecutor(2) as threads:
        readers = [threads.submit(reader) for _ in range(2)]
        for number in rounds[1:]:
            written(number)
            (rebuild if number % 2 else update)(base, home)
        over.set()
        for each in readers:
            each.result()
    assert {tuple(sorted(counts)) for counts in seen} == {(0, 0, 0, 0, 0, 20)}
    assert len({tuple(counts) for counts in seen}) > 1


PARENT = """
import sys
from pathlib import Path
from index.records import BaseSettings
from index.rebuild import start_build
running = start_build(BaseSettings("notes", sys.argv[1]), Path(sys.argv[2]), "rebuild")
print("started", flush=True)
running.wait()
"""


@pytest.mark.requirement("index:killed")
def test_a_parent_killed_while_it_builds_leaves_an_index_that_serves(
    base: BaseSettings, home: Path
) -> None:
    rebuild(base, home)
    for delay in (0.0, 0.2, 0.5):
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, base.root, str(home)], stdout=subprocess.PIPE
        )
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"started\n"
        time.sleep(delay)
        parent.send_signal(signal.SIGKILL)
        parent.communicate()
        with opened(base, home) as generation:
            assert len(generation.search("salt", 99)) == COUNT
    # The orphans end by themselves, one after the other.
    assert rebuild(base, home).documents == COUNT
    assert not private.held(home / "lock")


@pytest.mark.requirement("index:one-builder")
def test_of_two_rebuilds_at_once_the_second_takes_over_the_work_of_the_first(
    base: BaseSettings, home: Path
) -> None:
    running = [start_build(base, home, "rebuild") for _ in range(2)]
    outcomes = sorted((each.result() for each in running), key=lambda each: -each.indexed)
    assert [each.indexed for each in outcomes] == [COUNT, 0]
    assert {each.generation for each in outcomes} == {"gen-1"}
    assert len(found(base, home, "salt")) == COUNT


def test_a_build_waits_for_the_one_that_holds_the_lock(base: BaseSettings, home: Path) -> None:
    private.make_folder(home)
    with private.locked(home / "lock"):
        running = start_build(base, home)
        assert not running.wait(0.7)
        assert running.progress() == Progress("waiting")
        shown = ProgressFile(home)
        shown.tell("reading", 3, 9)
        assert running.progress() == Progress("reading", 3, 9)
        found_now = status(base, home)
        assert (found_now.state, found_now.building) == ("absent", Progress("reading", 3, 9))
        shown.end()
    assert running.result().indexed == COUNT


@contextmanager
def limited_files(size: int) -> Generator[None]:
    """No file may grow over so many bytes, here or in a child: what a full disk does, cheaply."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.requirement("index:no-room")
@pytest.mark.parametrize("size", [200, 1_000, 5_000, 20_000])
def test_without_room_the_old_index_serves_on(base: BaseSettings, home: Path, size: int) -> None:
    rebuild(base, home)
    with limited_files(size):
        running = start_build(base, home, "rebuild")
    with pytest.raises(StorageTrouble, match="room"):
        running.result()
    assert len(found(base, home, "salt")) == COUNT
    assert not [path for path in home.iterdir() if path.name.startswith("tmp-")]
    assert rebuild(base, home).generation == "gen-2"


@pytest.mark.requirement("index:no-room")
def test_a_failed_sync_at_any_step_publishes_nothing_or_all(
    base: BaseSettings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(base, home, "rebuild")
    number = 0
    for number in range(1, 99):
        Path(base.root, "n00.md").write_text(note(0) + f"\nround{number}\n")
        steps = iter(range(number))

        def failing(descriptor: int, steps: Iterator[int] = steps) -> None:
            if next(steps, None) is None:
                raise OSError(errno.EIO, "the disk gave up")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", failing)
            try:
                built(base, home, "rebuild")
                break
            except OSError as trouble:
                assert trouble.errno == errno.EIO
        with opened(base, home) as generation:
            assert len(generation.search("salt", 99)) == COUNT
    assert 8 < number < 98
    assert found(base, home, f"round{number}") == ["n00.md"]


def test_the_child_inherits_nothing_that_it_need_not(
    base: BaseSettings, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("A_SECRET", "token")
    # A package of our name where the person happens to stand, and a file that is open.
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "__init__.py").write_text("raise SystemExit('a stranger')")
    monkeypatch.chdir(tmp_path)
    private.make_folder(home)
    with private.locked(home / "lock"), (tmp_path / "open").open("w") as mine:
        os.set_inheritable(mine.fileno(), True)
        running = start_build(base, home)
        process = Path("/proc", str(running.pid))
        links: dict[str, str] = {}
        while str(home / "lock") not in links.values():
            assert not running.wait(0.05)
            # The child opens and closes files while we look.
            with suppress(FileNotFoundError):
                links = {link.name: str(link.readlink()) for link in (process / "fd").iterdir()}
        assert b"A_SECRET" not in (process / "environ").read_bytes()
    assert links.pop("0") == "/dev/null"
    assert links.pop("1") == links.pop("2")
    assert sorted(link.partition(":")[0] for link in links.values()) == sorted(
        [str(home / "lock"), "pipe"]
    )
    assert running.result().indexed == COUNT


def test_a_request_survives_its_journey() -> None:
    settings = BaseSettings(
        "Nötes",
        "/some/folder",
        kind="okf",
        exclude=("a/*", "b"),
        roles=(RoleRule("lived", glob="x"), RoleRule("guidance", key="k", value="v")),
        lang_rules=(("de/*", "de"),),
        hard_links=True,
    )
    request = Request(settings, Path("/home"), "update")
    assert Request.from_json(request.to_json()) == request
    assert json.loads(request.to_json())["home"] == "/home"


def test_every_setting_counts_in_the_fingerprint() -> None:
    plain = BaseSettings("a", "/a")
    others = [
        replace(plain, id="b"),
        replace(plain, lang="nb"),
        replace(plain, exclude=("x",)),
        replace(plain, limits=replace(plain.limits, file=1)),
    ]
    assert len({fingerprint(each) for each in (plain, *others)}) == 5


def test_status_tells_how_an_index_stands(base: BaseSettings, home: Path) -> None:
    assert status(base, home).state == "absent"
    built(base, home, "rebuild")
    fresh = status(base, home)
    assert (fresh.state, fresh.generation, fresh.rows, fresh.documents, fresh.kind) == (
        "fresh",
        "gen-1",
        COUNT,
        COUNT,
        "folder",
    )
    files = [path for path in (home / "gen-1").rglob("*") if path.is_file()]
    assert fresh.disk_bytes == sum(path.stat().st_size for path in files)
    assert not list(home.rglob("progress"))


def test_status_counts_what_changed_since(base: BaseSettings, home: Path) -> None:
    built(base, home, "rebuild")
    root = Path(base.root)
    (root / "n00.md").write_text("other")
    (root / "n01.md").unlink()
    (root / "n02.md").unlink()
    (root / "torn.md").write_text("---\n")
    stale = status(base, home)
    assert (stale.state, stale.changes) == ("stale", Changes(new=1, changed=1, removed=2))
    built(base, home, "update")
    updated = status(base, home)
    assert (updated.state, updated.changes.any) == ("fresh", False)
    assert updated.counts["unterminated"] == 1
    assert [problem.place for problem in updated.problems] == ["torn.md:1"]


def test_status_says_what_is_damaged(base: BaseSettings, home: Path) -> None:
    built(base, home, "rebuild")
    next(home.rglob("*.trm")).write_bytes(b"")
    damaged = status(base, home)
    assert damaged.state == "damaged"
    assert damaged.trouble.endswith("is damaged")


def test_changes_of_a_base_that_is_gone_are_not_zero(tmp_path: Path) -> None:
    with pytest.raises(BaseUnavailable):
        changes(BaseSettings("notes", str(tmp_path / "nowhere")), {"a.md": (1, 1)})


def test_progress_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    (tmp_path / "progress").write_text('{"phase": "read')
    assert read_progress(tmp_path) is None


def test_a_build_without_a_process_is_storage_trouble(
    base: BaseSettings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(StorageTrouble, match="no process"):
        start_build(base, home)


def test_a_caller_that_is_interrupted_stops_its_build(
    base: BaseSettings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[bool] = []
    stop = Build.stop

    def noted(build: Build) -> None:
        stop(build)
        stopped.append(build.done())

    monkeypatch.setattr(Build, "stop", noted)

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    private.make_folder(home)
    with private.locked(home / "lock"), pytest.raises(KeyboardInterrupt):
        rebuild(base, home, interrupt)
    assert stopped == [True]
