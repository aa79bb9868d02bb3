"""The tables of the store, made once; the file itself refuses to forget an event."""

import sqlite3
from pathlib import Path

from index.faults import StorageTrouble

SCHEMA = 2
# What a file of an older schema lacks, by that schema; each step brings it to the next.
_STEPS = {1: "ALTER TABLE runs ADD COLUMN principal TEXT NOT NULL DEFAULT 'local'"}

_TABLES = """
CREATE TABLE runs (
  run TEXT PRIMARY KEY, kind TEXT NOT NULL, base TEXT NOT NULL, title TEXT NOT NULL,
  state TEXT NOT NULL, seq INTEGER NOT NULL, head TEXT NOT NULL, opened_at TEXT NOT NULL,
  principal TEXT NOT NULL DEFAULT 'local'
) STRICT;
CREATE TABLE events (
  run TEXT NOT NULL REFERENCES runs(run), seq INTEGER NOT NULL, at TEXT NOT NULL,
  actor TEXT NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL,
  previous TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (run, seq)
) STRICT;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
  BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
  BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER runs_are_never_deleted BEFORE DELETE ON runs
  BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
"""


def prepare(db: sqlite3.Connection, path: Path) -> None:
    """Set a connection up; a new file gets its tables, one of an older schema what it lacks.

    Raises StorageTrouble. An older program refuses the file from then on.
    """
    # WAL loses commits on SQLite before 3.51.3 with several connections; the state is tiny.
    mode = db.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
    if mode != "delete":
        raise StorageTrouble(f"{path} refuses journal_mode=DELETE (it says {mode})")
    db.execute("PRAGMA synchronous = EXTRA")
    db.execute("PRAGMA foreign_keys = ON")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == SCHEMA:
        return
    if version != 0 and version not in _STEPS:
        raise StorageTrouble(
            f"{path} has schema {version}, this program writes {SCHEMA}", "use the newer program"
        )
    db.execute("BEGIN IMMEDIATE")
    # another process may have been first
    version = db.execute("PRAGMA user_version").fetchone()[0]
    for statement in _statements() if version == 0 else _missing(version):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {SCHEMA}")
    db.execute("COMMIT")


def _missing(version: int) -> list[str]:
    return [statement for older, statement in _STEPS.items() if older >= version]


def _statements() -> list[str]:
    """The schema, statement by statement: `executescript` would commit halfway."""
    statements: list[str] = []
    pending = ""
    for line in _TABLES.splitlines():
        pending += line + "\n"
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements
