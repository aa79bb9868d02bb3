"""Events are appended, chained and never changed; a run moves only by compare-and-swap."""

import multiprocessing
import resource
import sqlite3
import stat
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from index.faults import StorageTrouble
from server.store import Busy, Conflict, NewEvent, Run, Store, UnknownRun, canonical

RUN = Run("dig_a", "dig", "codex", "A title", "opened", 0, "", "")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path)
    made.create(RUN, [NewEvent("opened", {"n": 1})])
    return made


def test_what_was_appended_is_loaded_in_order(store: Store) -> None:
    store.append("dig_a", 1, "scoring", [NewEvent("retrieved", {"n": 2}), NewEvent("x", {"n": 3})])
    run, events = store.load("dig_a")
    assert (run.state, run.seq) == ("scoring", 3)
    assert [event.payload["n"] for event in events] == [1, 2, 3]
    assert [event.seq for event in events] == [1, 2, 3]


@pytest.mark.requirement("store:hash-chain")
def test_each_event_seals_the_one_before(store: Store) -> None:
    store.append("dig_a", 1, "scoring", [NewEvent("retrieved", {})])
    _, events = store.load("dig_a")
    assert events[1].previous == events[0].hash
    assert events[0].hash != events[1].hash


def test_times_are_utc_with_a_z(store: Store) -> None:
    run, events = store.load("dig_a")
    assert events[0].at.endswith("Z") and run.opened_at.endswith("Z")


def test_an_unknown_run_is_not_an_empty_one(store: Store) -> None:
    with pytest.raises(UnknownRun):
        store.load("dig_b")


@pytest.mark.requirement("store:compare-and-swap")
def test_a_loser_of_a_race_appends_nothing(store: Store) -> None:
    store.append("dig_a", 1, "scoring", [NewEvent("first", {})])
    with pytest.raises(Conflict):
        store.append("dig_a", 1, "scored", [NewEvent("second", {})])
    run, events = store.load("dig_a")
    assert run.state == "scoring"
    assert [event.kind for event in events] == ["opened", "first"]


def test_an_append_to_no_run_is_a_conflict(store: Store) -> None:
    with pytest.raises(Conflict):
        store.append("dig_b", 0, "opened", [NewEvent("x", {})])


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("UPDATE events SET kind = 'decided'", id="change an event"),
        pytest.param("DELETE FROM events", id="delete an event"),
        pytest.param("DELETE FROM runs", id="delete a run"),
    ],
)
@pytest.mark.requirement("store:append-only")
def test_the_file_itself_refuses_to_forget(store: Store, statement: str) -> None:
    db = sqlite3.connect(store.path)
    try:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(statement)
    finally:
        db.close()


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("UPDATE events SET payload = '{\"n\":9}'", id="a payload"),
        pytest.param("UPDATE events SET actor = 'person'", id="an actor"),
        pytest.param("UPDATE events SET kind = 'decided'", id="a kind"),
        pytest.param("UPDATE events SET at = '2020-01-01T00:00:00.000Z'", id="a time"),
        pytest.param("DELETE FROM events WHERE seq = 2", id="the last event gone"),
        pytest.param("UPDATE runs SET seq = 1", id="a shortened run"),
        pytest.param("UPDATE runs SET head = 'f'", id="another head"),
    ],
)
def test_what_was_changed_from_outside_is_noticed(store: Store, statement: str) -> None:
    store.append("dig_a", 1, "scoring", [NewEvent("retrieved", {"n": 2})])
    db = sqlite3.connect(store.path)
    for trigger in ("events_are_never_changed", "events_are_never_deleted"):
        db.execute(f"DROP TRIGGER {trigger}")
    db.execute(statement)
    db.commit()
    db.close()
    with pytest.raises(StorageTrouble):
        store.load("dig_a")
    assert store.check()


def test_a_whole_store_passes_its_check(store: Store) -> None:
    assert store.check() == []


@pytest.mark.parametrize("at", [0, 20, 100, 4096, 5000])
def test_a_damaged_file_is_a_storage_trouble_or_still_whole(store: Store, at: int) -> None:
    content = bytearray(store.path.read_bytes())
    content[at : at + 64] = b"\xff" * 64
    store.path.write_bytes(content)
    try:
        _, events = store.load("dig_a")
    except StorageTrouble as trouble:
        assert str(store.path) in str(trouble) or "dig_a" in str(trouble)
    else:
        assert [event.payload for event in events] == [{"n": 1}]


def test_a_text_that_is_no_utf8_is_damage_and_is_not_quoted(store: Store) -> None:
    with sqlite3.connect(store.path) as db:
        db.execute("UPDATE runs SET title = CAST(x'6b696c6eff' AS TEXT)")
    with pytest.raises(StorageTrouble, match="is damaged") as found:
        store.runs("dig")
    assert "kiln" not in str(found.value)


def test_a_store_that_may_not_grow_says_so_and_stays_whole(store: Store) -> None:
    size = store.path.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        with pytest.raises(StorageTrouble) as found:
            store.append("dig_a", 1, "opened", [NewEvent("x", {"text": "y" * 4 * size})])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    # SQLite has rolled back by itself then; a second time would hide why
    assert "rollback" not in str(found.value)
    assert store.check() == []
    store.append("dig_a", 1, "opened", [NewEvent("x", {})])


def test_a_newer_schema_is_refused_and_left_alone(store: Store) -> None:
    db = sqlite3.connect(store.path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StorageTrouble, match="schema 99"):
        store.load("dig_a")


def test_the_file_is_private(store: Store) -> None:
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


def test_a_lock_that_stays_is_busy(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.store.LOCK_WAIT_SECONDS", 0.05)
    db = sqlite3.connect(store.path, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(Busy):
            store.append("dig_a", 1, "scoring", [NewEvent("x", {})])
    finally:
        db.close()


def test_a_state_directory_that_cannot_be_made_is_a_storage_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StorageTrouble):
        Store(tmp_path / "file" / "state").runs("dig")


def test_a_new_state_directory_is_private(tmp_path: Path) -> None:
    assert Store(tmp_path / "new").runs("dig") == []
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_runs_are_listed_oldest_first_and_by_kind(store: Store) -> None:
    store.create(Run("dig_b", "dig", "codex", "B", "opened", 0, "", ""), [NewEvent("opened", {})])
    store.create(Run("exp_c", "exploration", "x", "C", "opened", 0, "", ""), [NewEvent("o", {})])
    assert [run.run for run in store.runs("dig")] == ["dig_a", "dig_b"]


def test_canonical_json_has_one_spelling() -> None:
    assert canonical({"b": "ø", "a": [1, True]}) == '{"a":[1,true],"b":"\\u00f8"}'


def _race(folder: str, barrier: Barrier, won: "multiprocessing.Queue[int]", number: int) -> None:
    store = Store(Path(folder))
    wins = 0
    for seq in range(1, 21):
        barrier.wait(timeout=60)
        try:
            store.append("dig_a", seq, "opened", [NewEvent("x", {"by": number})])
            wins += 1
        except Conflict:
            pass
    won.put(wins)


def test_two_processes_never_both_win(store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    barrier, won = context.Barrier(2), context.Queue()
    folder = str(store.path.parent)
    racers = [context.Process(target=_race, args=(folder, barrier, won, n)) for n in (1, 2)]
    for racer in racers:
        racer.start()
    total = sum(won.get(timeout=120) for _ in racers)
    for racer in racers:
        racer.join()
    assert total == 20
    assert store.load("dig_a")[0].seq == 21
