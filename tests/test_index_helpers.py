"""Helper processes: what comes of a build does not depend on them, whatever becomes of them."""

import os
import signal
from array import array
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index import building, corpus, crew, whoosh_press, whoosh_writer
from index.building import build
from index.corpus import Way, load
from index.crew import Crew, Helper, HelperLost
from index.engine import Entry, Hit
from index.generation import open_current
from index.paths import BaseFolder
from index.records import BaseSettings, Row
from index.request import Outcome, Request
from index.rows import UNLISTED
from index.taking import Taken, Taker, Task
from index.walk import walk
from index.whoosh_engine import MAKER
from index.whoosh_postings import Gathered, ListWriter, Posted
from index.whoosh_writer import WhooshWriter
from tests.rows_made import make_base, note

COUNT = 60


@pytest.fixture
def base(tmp_path: Path) -> BaseSettings:
    made = make_base(tmp_path / "notes", {f"n{n:02}.md": note(n) for n in range(COUNT)})
    root = Path(made.root)
    (root / "latin.md").write_bytes(b"# Caf\xe9\n\nnot in UTF-8\n")
    (root / "verdict.md").write_text("---\ntype: Verdict\n---\n\nSo it is.\n", encoding="utf-8")
    (root / "broken.md").write_text("---\ntitle: [\n---\n\nText goes on.\n", encoding="utf-8")
    return made


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is enough to work for."""
    monkeypatch.setattr(corpus, "WORTH_HELP", 1)
    monkeypatch.setattr(corpus, "_MOST", 7)
    monkeypatch.setattr(whoosh_writer, "WORTH_HELP", 10)
    monkeypatch.setattr(whoosh_writer, "BATCH", 100)


@contextmanager
def crew_of(
    base: BaseSettings, count: int
) -> Generator[tuple[Crew[list[Task], list[Taken]], Taker]]:
    taker = Taker(base, "folder", date(2026, 12, 1), searched=True)
    with BaseFolder.open(base.root) as folder:

        def alone(batch: list[Task]) -> list[Taken]:
            return [taker.take(folder, task) for task in batch]

        with closing(Crew[list[Task], list[Taken]]("index.taking_hand", taker, count, alone)) as it:
            yield it, taker


def tasks(base: BaseSettings) -> list[list[Task]]:
    with BaseFolder.open(base.root) as folder:
        files = walk(folder, (), False).files
    return [[Task(file.path, file, (), UNLISTED, "")] for file in files]


@pytest.mark.requirement("helpers:same")
def test_files_read_by_helpers_make_the_same_rows_entries_and_problems(base: BaseSettings) -> None:
    seen: list[list[tuple[Row, Entry]]] = [[], [], []]

    def keep(hands: int, row: Row, entry: Entry) -> None:
        seen[hands].append((row, entry))

    read = [load(base, on_entry=partial(keep, hands), way=Way(hands)) for hands in range(3)]
    assert read[2] == read[1] == read[0]
    assert seen[2] == seen[1] == seen[0]
    assert len(seen[0]) > COUNT


def kill(helper: Helper) -> None:
    os.kill(helper.pid, signal.SIGKILL)


def stop(helper: Helper) -> None:
    os.kill(helper.pid, signal.SIGSTOP)


@pytest.mark.requirement("helpers:lost")
@pytest.mark.parametrize("end", [kill, stop])
@pytest.mark.parametrize("lost", [1, 2])
def test_whoever_is_lost_every_file_is_read(
    base: BaseSettings, end: Callable[[Helper], None], lost: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "SECONDS", 0.5)
    batches = tasks(base)
    with crew_of(base, 0) as (one, _):
        expected = list(one.answers(batches))
    with crew_of(base, 2) as (several, _), closing(several.answers(batches)) as answers:
        found = [next(answers)]
        for helper in several._helpers[:lost]:  # pyright: ignore[reportPrivateUsage]
            end(helper)
        found += answers
        assert several.lost == lost
    assert found == expected


ENTRIES = [
    Entry(f"{n:03}.md", f"Title {n}", (), (), (), f"word{n % 7} salt{n % 3} water {n}")
    for n in range(90)
]


@pytest.mark.requirement("helpers:same")
def test_segments_of_helpers_answer_as_one_that_was_written_alone(tmp_path: Path) -> None:
    found: list[list[list[Hit]]] = []
    for helpers in (0, 2):
        place = tmp_path / str(helpers)
        place.mkdir()
        writer = WhooshWriter(place)
        writer.hire(helpers)
        for entry in ENTRIES:
            writer.put(entry)
        writer.commit()
        with closing(MAKER.read(place)) as engine:
            found.append(
                [engine.search(query, 99) for query in ("word3 salt1", "44", '"salt2 water"')]
            )
            assert engine.document_count() == len(ENTRIES)
    assert found[0] == found[1]


@pytest.mark.requirement("helpers:lost")
def test_a_document_that_a_helper_may_have_lost_is_not_published(
    base: BaseSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "hands", lambda: 2)
    monkeypatch.setattr(whoosh_press, "WORK", "index.records")
    outcome = built(base, tmp_path / "state" / "notes")
    assert outcome.documents == outcome.indexed > COUNT


@pytest.mark.requirement("helpers:lost")
def test_a_writer_whose_helper_was_killed_says_so(tmp_path: Path) -> None:
    writer = WhooshWriter(tmp_path)
    writer.hire(1)
    for entry in ENTRIES[:40]:
        writer.put(entry)
    press = writer._press  # pyright: ignore[reportPrivateUsage]
    assert press is not None
    kill(press._helpers[0])  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(HelperLost):
        writer.commit()
    writer.abandon()


@pytest.mark.requirement("helpers:same")
def test_an_index_built_with_helpers_ranks_as_one_built_without(
    base: BaseSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked: list[object] = []
    for hands in (0, 2):
        monkeypatch.setattr(building, "hands", partial(int, hands))
        home = tmp_path / "state" / f"notes-{hands}"
        built(base, home)
        opened = open_current(home, base)
        assert opened is not None
        with closing(opened) as generation:
            ranked.append(
                (
                    generation.rows,
                    generation.scores(["note", "text", "1"]),
                    generation.sealed.problems(),
                )
            )
    assert ranked[0] == ranked[1]


def built(settings: BaseSettings, home: Path) -> Outcome:
    return build(Request(settings, home, "rebuild"), lambda phase, done, total: None)


class Tape:
    """A file that is written once, and keeps no account of it."""

    def __init__(self) -> None:
        self.content = b""

    def tell(self) -> int:
        return 0

    def write(self, content: bytes) -> None:
        self.content = content

    def get(self, start: int, length: int) -> bytes:
        return self.content[start : start + length]

    def set_extent(self, start: int, length: int) -> None:
        assert (start, length) == (0, len(self.content))


LISTS = st.dictionaries(
    st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), min_size=1, max_size=50
)


@given(LISTS)
def test_a_list_of_postings_is_read_as_it_was_written(pairs: dict[int, int]) -> None:
    ids = array("I", sorted(pairs))
    weights = array("I", (pairs[number] for number in ids))
    file = Tape()
    writer = ListWriter(file)
    writer.start_postings(None, file)
    writer.add_posting(ids, weights, b"")
    writer.finish_postings()
    read = Posted(file, 0)
    assert (read.ids, list(read.weights)) == (list(ids), list(weights))


def test_gathered_postings_come_by_field_and_token_in_order() -> None:
    gathered = Gathered()
    gathered.take("row", 0, {"b": 2, "a": 3})
    gathered.take("body", 0, {"é": 1, "z": 5})
    gathered.take("row", 4, {"a": 1})
    assert [
        (field, token, list(ids), list(weights))
        for field, token, ids, weights, _ in gathered.iter_postings()
    ] == [
        ("body", b"z", [0], [5]),
        ("body", "é".encode(), [0], [1]),
        ("row", b"a", [0, 4], [3, 1]),
        ("row", b"b", [0], [2]),
    ]


@pytest.mark.requirement("index:part")
def test_a_large_base_without_an_index_answers_from_its_first_rows_meanwhile(
    base: BaseSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "FIRST", 5)
    homes = [tmp_path / "state" / name for name in ("parted", "whole")]
    held: list[tuple[int, int]] = []

    def look(phase: str, done: int, total: int) -> None:
        opened = open_current(homes[0], base) if phase == "reading" else None
        if opened is not None:
            with closing(opened):
                held.append((len(opened.rows), opened.manifest.counts.get("pending", 0)))

    outcome = build(Request(base, homes[0], "update"), look)
    assert set(held) == {(5, outcome.counts["files"] - 5)}
    monkeypatch.setattr(building, "FIRST", 0)
    built(base, homes[1])
    parted, whole = (open_current(home, base) for home in homes)
    assert parted is not None and whole is not None
    with closing(parted), closing(whole):
        assert parted.rows == whole.rows
        assert parted.manifest.counts == whole.manifest.counts
        assert parted.sealed.files() == whole.sealed.files()
        assert parted.scores(["note"]) == whole.scores(["note"])
