"""State directories that older programs left: taken over as they are, by the first who opens one.

`states/schema-N.sql` is what a program of that schema wrote: a dig that was decided on, and another
that was only opened.
"""

import sqlite3
from pathlib import Path

import pytest

from server.dig import Digs
from server.principal import LOCAL, local
from server.replies import Briefed, Status
from server.schema import SCHEMA
from tests.digging import digs_of

STATES = Path(__file__).parent / "states"
OLDER = sorted(STATES.glob("schema-*.sql"))


@pytest.fixture(params=OLDER, ids=lambda path: path.stem)
def older(request: pytest.FixtureRequest, digs: Digs) -> Digs:
    """The digs of a state directory whose store an older program wrote."""
    db = sqlite3.connect(digs.store.path)
    db.executescript(Path(request.param).read_text(encoding="utf-8"))
    db.close()
    return digs_of(digs.settings)


def version_of(digs: Digs) -> int:
    db = sqlite3.connect(digs.store.path)
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    db.close()
    return found


@pytest.mark.requirement("store:older")
def test_there_is_one_for_every_schema_before_this_one() -> None:
    assert [path.stem for path in OLDER] == [f"schema-{number}" for number in range(1, SCHEMA)]


@pytest.mark.requirement("store:older")
def test_an_older_store_goes_on_where_it_was(older: Digs) -> None:
    assert version_of(older) < SCHEMA
    listed = older.dig_status(None)
    assert isinstance(listed, Status)
    assert [line.state for line in listed.digs] == ["opened", "decided"]
    assert version_of(older) == SCHEMA
    assert older.store.check() == []
    brief = older.assemble_brief(listed.digs[1].dig_id)
    assert isinstance(brief, Briefed), brief.text


@pytest.mark.requirement("store:older")
def test_what_is_older_than_principals_belongs_to_this_machine(older: Digs) -> None:
    assert {run.principal for run in older.runs()} == {LOCAL}
    assert len(Digs(older.library, asker=local).runs()) == len(older.runs())
    assert Digs(older.library, asker=lambda: "anna").runs() == []
