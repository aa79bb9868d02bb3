"""A dig belongs to the folder that it was opened on; its record says which, under seal."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from index.faults import StorageTrouble
from server.config import Settings
from server.dig import Digs
from server.refusals import Refusal
from server.replies import Answer
from server.review import Review
from server.store import GENESIS, seal
from tests.digging import (
    TERMS,
    decide,
    digs_of,
    finish,
    hand_on,
    keep,
    open_dig,
    reported,
    settings_over,
)

SECRET = "Logs/secret.md"


@pytest.fixture
def elsewhere(changing: Settings, tmp_path: Path) -> Digs:
    """Another folder of the same name, with a file more, over the same state directory."""
    other = tmp_path / "elsewhere" / "kb"
    shutil.copytree(changing.bases[0].root, other)
    (other / SECRET).write_text("I kept this where nobody looked, and I was ashamed of it.\n")
    return digs_of(settings_over(other, changing.state))


def flag(answer: Answer) -> str:
    assert isinstance(answer, Refusal), answer.text
    return answer.flag


@pytest.mark.requirement("dig:own-folder")
def test_no_move_of_a_dig_reads_another_folder_of_the_same_name(
    changing: Settings, elsewhere: Digs
) -> None:
    here = digs_of(changing)
    state = reported(here)
    review = Review(elsewhere)
    answer = review.point(state.dig, hand_on(state), keep(state), (SECRET, 1))
    assert isinstance(answer, Refusal)
    assert answer.text == (
        "[UNKNOWN_BASE] add_passage — the base kb is another folder now — "
        "name the folder that it was with --kb"
    )
    begun = open_dig(here, title="Begun")
    assert flag(elsewhere.retrieve_candidates(begun, list(TERMS))) == "UNKNOWN_BASE"
    decide(here, state.dig)
    assert flag(elsewhere.assemble_brief(state.dig)) == "UNKNOWN_BASE"
    assert here.load(state.dig).state == "decided"
    finish(here, state.dig)


@pytest.mark.requirement("dig:own-folder")
def test_the_same_words_open_another_dig_on_another_folder(
    changing: Settings, elsewhere: Digs
) -> None:
    here = digs_of(changing)
    first, second = open_dig(here), open_dig(elsewhere)
    assert first != second
    assert (open_dig(here), open_dig(elsewhere)) == (first, second)


@pytest.mark.requirement("dig:own-folder")
def test_a_dig_goes_on_where_its_base_was_moved_to(changing: Settings, tmp_path: Path) -> None:
    dig = open_dig(digs_of(changing))
    moved = tmp_path / "new" / "kb"
    moved.parent.mkdir()
    Path(changing.bases[0].root).rename(moved)
    finish(digs_of(settings_over(moved, changing.state)), dig)


def changed(digs: Digs, statement: str, *values: str) -> Digs:
    """The digs after somebody wrote to the file of the store."""
    db = sqlite3.connect(digs.store.path)
    db.execute("DROP TRIGGER events_are_never_changed")
    db.execute(statement, values)
    db.commit()
    db.close()
    return digs_of(digs.settings)


@pytest.mark.requirement("store:hash-chain")
@pytest.mark.parametrize("column", ["base", "title"])
def test_what_a_run_is_listed_with_is_sealed_in_its_first_event(digs: Digs, column: str) -> None:
    dig = open_dig(digs)
    after = changed(digs, f"UPDATE runs SET {column} = 'other'")
    with pytest.raises(StorageTrouble, match="another base or title"):
        after.load(dig)


def without_base(payload: str) -> str:
    record = json.loads(payload)
    del record["base"]
    return json.dumps(record)


CHANGES: dict[str, tuple[Callable[[str], str], str]] = {
    "cut off": (lambda payload: payload[:-2], "no JSON"),
    "deep": (lambda _: "[" * 100_000, "no JSON"),
    "a huge number": (lambda _: '{"context":' + "9" * 5_000 + "}", "no JSON"),
    "a list": (lambda _: "[]", "cannot read"),
    "another shape": (lambda _: '{"context":{"voice":[]}}', "cannot read"),
    "as older programs wrote it": (without_base, ""),
}


@pytest.mark.parametrize(("change", "trouble"), CHANGES.values(), ids=CHANGES)
def test_an_event_sealed_by_hand_is_read_or_said_to_be_unreadable(
    digs: Digs, change: Callable[[str], str], trouble: str
) -> None:
    dig = open_dig(digs)
    event = digs.store.load(dig)[1][0]
    payload = change(json.dumps(dict(event.payload)))
    sealed = seal((dig, 1, event.at, event.actor, event.kind, payload), GENESIS)
    after = changed(digs, "UPDATE events SET payload = ?, hash = ?", payload, sealed)
    db = sqlite3.connect(digs.store.path)
    db.execute("UPDATE runs SET head = ?", (sealed,))
    db.commit()
    db.close()
    if trouble:
        with pytest.raises(StorageTrouble, match=trouble):
            after.load(dig)
    else:
        finish(after, dig)
