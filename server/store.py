"""Append-only events, hash-chained; the state of a run is changed only by compare-and-swap."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, cast

from index.faults import Fault, StorageTrouble
from server.folders import make_private
from server.principal import LOCAL
from server.schema import prepare

Actor = Literal["agent", "person", "client", "judge", "server"]
Payload = Mapping[str, Any]

LOCK_WAIT_SECONDS = 5.0
GENESIS = "0" * 64


class Conflict(Exception):
    """Somebody else appended first; load again and judge again."""


class Busy(Fault):
    """The store stayed locked for the whole wait, or others won every race."""

    def __init__(self, what: str = "the store") -> None:
        super().__init__(f"another process is writing to {what}", "do the same again")


class UnknownRun(Exception):
    """No run has this id."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a run; `hash` seals it and everything before it."""

    run: str
    seq: int
    at: str
    actor: Actor
    kind: str
    payload: Payload
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event about to be appended."""

    kind: str
    payload: Payload
    actor: Actor = "agent"


@dataclass(frozen=True, slots=True)
class Run:
    """A run as listed: what it is, where it stands, how many events it has."""

    run: str
    kind: str
    base: str
    title: str
    state: str
    seq: int
    head: str
    opened_at: str
    principal: str = LOCAL


def canonical(value: object) -> str:
    """JSON with one spelling: sorted keys, no blanks, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def now() -> str:
    """The current time in UTC, RFC 3339 with `Z`, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seal(columns: Sequence[object], previous: str) -> str:
    """SHA-256 of the previous hash and the canonical JSON of run, seq, at, actor, kind, payload."""
    return hashlib.sha256((previous + canonical(list(columns))).encode("ascii")).hexdigest()


class Store:
    """The events of all runs in one SQLite file of a private state directory."""

    def __init__(self, state: Path) -> None:
        self.path = state / "expedition.sqlite3"

    def create(self, run: Run, events: Sequence[NewEvent]) -> Run:
        """Record a new run and its first events; `seq`, `head` and `opened_at` are set here.

        Raises Conflict if there is a run of this id, Busy, or StorageTrouble when the disk says no.
        """
        with self._writing() as db:
            if db.execute("SELECT 1 FROM runs WHERE run = ?", (run.run,)).fetchone():
                raise Conflict(run.run)
            at = now()
            db.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)",
                (run.run, run.kind, run.base, run.title, run.state, GENESIS, at, run.principal),
            )
            sealed = _append(db, run.run, 0, GENESIS, events)
            head = sealed[-1].hash
            db.execute(
                "UPDATE runs SET seq = ?, head = ? WHERE run = ?", (len(events), head, run.run)
            )
        return replace(run, seq=len(events), head=head, opened_at=at)

    def append(
        self, run: str, seq: int, state: str, events: Sequence[NewEvent]
    ) -> tuple[Event, ...]:
        """Append events and move the run to `state`, if it still has `seq` events.

        Returns them as recorded. Raises Conflict when it has not, Busy, or StorageTrouble.
        """
        with self._writing() as db:
            row = db.execute("SELECT seq, head FROM runs WHERE run = ?", (run,)).fetchone()
            if row is None or row[0] != seq:
                raise Conflict(run)
            sealed = _append(db, run, seq, row[1], events)
            db.execute(
                "UPDATE runs SET state = ?, seq = ?, head = ? WHERE run = ?",
                (state, seq + len(sealed), sealed[-1].hash, run),
            )
        return sealed

    def header(self, run: str) -> Run:
        """A run without its events; raises UnknownRun, Busy or StorageTrouble."""
        with self._reading() as db:
            return _header(db, run)

    def load(self, run: str) -> tuple[Run, tuple[Event, ...]]:
        """A run and all its events in order, the chain checked.

        Raises UnknownRun, Busy, or StorageTrouble when an event was tampered with or lost.
        """
        with self._reading() as db:
            header = _header(db, run)
            rows = db.execute("SELECT * FROM events WHERE run = ? ORDER BY seq", (run,)).fetchall()
        return header, tuple(_checked(header, rows))

    def runs(self, kind: str) -> list[Run]:
        """All runs of one kind, oldest first."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT * FROM runs WHERE kind = ? ORDER BY opened_at, run", (kind,)
            ).fetchall()
        return [Run(*row) for row in rows]

    def check(self) -> list[str]:
        """What is wrong with the file: SQLite's own check, then every chain; empty when whole."""
        with self._reading() as db:
            found = [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
            names = [row[0] for row in db.execute("SELECT run FROM runs ORDER BY run")]
        for name in names:
            try:
                self.load(name)
            except StorageTrouble as trouble:
                found.append(str(trouble))
        return found

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        with self._connected() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                # a full disk has SQLite roll back by itself
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection]:
        with self._connected() as db:
            yield db

    @contextmanager
    def _connected(self) -> Generator[sqlite3.Connection]:
        try:
            with closing(self._open()) as db:
                yield db
        except OSError as error:
            raise StorageTrouble(f"the store {self.path}: {error.strerror}") from error
        except sqlite3.OperationalError as error:
            raise self._trouble(error) from error
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from error

    def _open(self) -> sqlite3.Connection:
        make_private(self.path.parent)
        if not self.path.exists():
            # Created private before SQLite writes to it; an existing file keeps its mode.
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
        db = sqlite3.connect(self.path, timeout=LOCK_WAIT_SECONDS, isolation_level=None)
        try:
            prepare(db, self.path)
        except BaseException:
            db.close()
            raise
        return db

    def _trouble(self, error: sqlite3.OperationalError) -> Exception:
        code = getattr(error, "sqlite_errorname", "")
        if not code:
            # Python's own: a text that is no UTF-8, which its message would quote
            return self._damaged("a text in it is no UTF-8")
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return Busy(str(self.path))
        if code.startswith("SQLITE_FULL"):
            return StorageTrouble(f"no space left for {self.path}", "free space, then repeat")
        return StorageTrouble(f"the store {self.path} cannot be used ({error})", "check its folder")

    def _damaged(self, how: str) -> StorageTrouble:
        return StorageTrouble(
            f"the store {self.path} is damaged ({how})",
            "keep a copy, restore a backup, or start with another --state",
        )


def _header(db: sqlite3.Connection, run: str) -> Run:
    # Ids are ASCII; what SQLite cannot encode is no id either.
    found = run.isascii() and db.execute("SELECT * FROM runs WHERE run = ?", (run,)).fetchone()
    if not found:
        raise UnknownRun(run)
    return Run(*found)


def _append(
    db: sqlite3.Connection, run: str, seq: int, head: str, events: Sequence[NewEvent]
) -> tuple[Event, ...]:
    sealed: list[Event] = []
    for number, event in enumerate(events, start=seq + 1):
        columns = (run, number, now(), event.actor, event.kind, canonical(event.payload))
        mark = seal(columns, head)
        db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*columns, head, mark))
        sealed.append(Event(*columns[:3], event.actor, event.kind, event.payload, head, mark))
        head = mark
    return tuple(sealed)


def _checked(header: Run, rows: Sequence[tuple[Any, ...]]) -> Iterator[Event]:
    """The events of a run, each hash recomputed; the last one must be the run's head."""
    head = GENESIS
    for number, (run, seq, at, actor, kind, payload, previous, sealed) in enumerate(rows, start=1):
        expected = seal((run, seq, at, actor, kind, payload), head)
        if seq != number or previous != head or sealed != expected:
            raise StorageTrouble(
                f"event {number} of {header.run} does not match its hash",
                "the record was changed from outside; restore a backup of the state directory",
            )
        head = sealed
        yield Event(run, seq, at, actor, kind, _read(payload, header), previous, sealed)
    if head != header.head or len(rows) != header.seq:
        raise StorageTrouble(
            f"{header.run} lost events: {len(rows)} of {header.seq} are there",
            "restore a backup of the state directory",
        )


def _read(payload: str, header: Run) -> Payload:
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError) as wrong:
        raise StorageTrouble(
            f"an event of {header.run} holds no JSON that this program writes",
            "restore a backup of the state directory",
        ) from wrong
    return cast(Payload, found)
