"""The index behind a call: built, mended or brought up to date first, or said to be on its way."""

import shutil
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from index import building
from index.faults import BaseUnavailable, StorageTrouble
from index.generation import LOCK
from index.private import locked
from index.progress import PROGRESS
from index.publish import prepare
from index.rebuild import Build, rebuild, start_build
from index.records import BaseSettings
from index.request import Outcome, Request
from server import library as module
from server.config import Settings
from server.dig import Digs
from server.foreseen import as_refusals
from server.library import Facts, Library, Unreadable
from server.refusals import Refusal
from server.replies import Batch
from tests.digging import TERMS, digs_of, open_dig

NEW = (
    "---\ntitle: New\nrole: lived\nsummary: A quern in the snow.\n---\n\nI turned it until noon.\n"
)


def base_folder(settings: Settings) -> Path:
    return Path(settings.bases[0].root)


def home(settings: Settings) -> Path:
    return settings.index_home(settings.bases[0])


def facts(library: Library) -> Facts | Refusal:
    return as_refusals("retrieve_candidates", lambda: library.facts(library.settings.bases[0]))


def found(library: Library) -> Facts:
    answer = facts(library)
    assert isinstance(answer, Facts), answer
    return answer


def refused(library: Library, flag: str) -> Refusal:
    answer = facts(library)
    assert isinstance(answer, Refusal), answer
    assert answer.flag == flag, answer.text
    return answer


def whole(library: Library) -> Facts:
    """What the same call repeated gives in the end."""
    for _ in range(300):
        answer = facts(library)
        if isinstance(answer, Facts) and not answer.flags:
            return answer
    raise AssertionError("the build never ends")


@contextmanager
def nobody_builds(settings: Settings) -> Generator[None]:
    """Every build waits while the block runs."""
    prepare(home(settings))
    with locked(home(settings) / LOCK):
        yield


def damage(settings: Settings) -> None:
    """Turn one byte of the rows of the index in force."""
    rows = next(home(settings).glob("gen-*/rows.jsonl"))
    content = bytearray(rows.read_bytes())
    content[len(content) // 2] ^= 1
    rows.write_bytes(content)


@pytest.mark.requirement("library:built-first")
def test_a_base_without_an_index_is_indexed_within_the_call(changing: Settings) -> None:
    shutil.rmtree(changing.state / "index")
    digs = digs_of(changing)
    answer = digs.retrieve_candidates(open_dig(digs, voice="Silicon", blaze_path=None), list(TERMS))
    assert isinstance(answer, Batch), answer.text
    assert answer.flags == ()
    assert len(found(digs.library).rows) == 14


@pytest.mark.requirement("library:building")
def test_a_build_that_takes_long_says_how_far_it_is(changing: Settings) -> None:
    shutil.rmtree(changing.state / "index")
    library = Library(changing, wait=0.1)
    with nobody_builds(changing):
        assert refused(library, "INDEX_BUILDING").reason == "0 of ? files are indexed"
        told = '{"phase": "reading", "done": 3, "total": 14}'
        (home(changing) / PROGRESS).write_text(told, encoding="utf-8")
        refusal = refused(library, "INDEX_BUILDING")
    assert refusal.reason == "3 of 14 files are indexed"
    assert refusal.remedy == "repeat the same call in a moment"
    assert len(whole(library).rows) == 14


@pytest.mark.requirement("library:building")
def test_waiting_for_an_index_counts_as_no_attempt(changing: Settings) -> None:
    shutil.rmtree(changing.state / "index")
    digs = Digs(Library(changing, wait=0.1))
    dig = open_dig(digs, voice="Silicon", blaze_path=None)
    with nobody_builds(changing):
        for _ in range(3):
            answer = digs.retrieve_candidates(dig, list(TERMS))
            assert isinstance(answer, Refusal), answer.text
            assert answer.flag == "INDEX_BUILDING"
    assert digs.load(dig).refusals == ()
    assert {tool for tool, _ in digs.load(dig).answers} == {"open_dig"}
    whole(digs.library)
    assert isinstance(digs.retrieve_candidates(dig, list(TERMS)), Batch)


@pytest.mark.requirement("library:part")
def test_a_part_of_an_index_answers_only_those_who_ask_for_no_more(
    changing: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = changing.bases[0]
    shutil.rmtree(home(changing))
    monkeypatch.setattr(building, "FIRST", 1)
    with pytest.raises(InterruptedError):
        building.build(Request(base, home(changing), "update"), interrupted_once_it_is_known)
    library = Library(changing, wait=0.1)
    with nobody_builds(changing):
        part = library.facts(base, part=True)
        assert (len(part.rows), part.flags) == (1, ("INDEX_BUILDING:1 of 14",))
        assert "1 of 14" in refused(library, "INDEX_BUILDING").text
    assert len(whole(library).rows) == 14


@pytest.mark.requirement("library:part")
def test_a_part_whose_whole_cannot_be_built_says_why(
    changing: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = changing.bases[0]
    shutil.rmtree(home(changing))
    monkeypatch.setattr(building, "FIRST", 1)
    with pytest.raises(InterruptedError):
        building.build(Request(base, home(changing), "update"), interrupted_once_it_is_known)
    (home(changing) / LOCK).unlink(missing_ok=True)
    (home(changing) / LOCK).symlink_to("nowhere")
    library = Library(changing)
    for part in (True, False):
        with pytest.raises(StorageTrouble):
            while True:
                library.facts(base, part=part)


def interrupted_once_it_is_known(phase: str, done: int, total: int) -> None:
    """Stops a build when the first rows are in force and more are being read."""
    if (phase, done) == ("reading", 5):
        raise InterruptedError


@pytest.mark.requirement("library:damaged")
def test_a_damaged_index_is_rebuilt_within_the_call(changing: Settings) -> None:
    damage(changing)
    before = next(home(changing).glob("gen-*")).name
    facts = found(Library(changing))
    assert facts.flags == ()
    assert facts.generation != before
    assert len(facts.rows) == 14


@pytest.mark.requirement("library:damaged")
def test_a_damaged_index_answers_nothing_while_it_is_rebuilt(changing: Settings) -> None:
    damage(changing)
    library = Library(changing, wait=0.1)
    with nobody_builds(changing):
        refusal = refused(library, "INDEX_REBUILDING")
    assert refusal.remedy == "repeat the same call in a moment"
    assert len(whole(library).rows) == 14


@pytest.mark.requirement("library:damaged")
def test_an_index_damaged_while_it_serves_is_rebuilt_too(changing: Settings) -> None:
    library = Library(changing)
    found(library)
    (home(changing) / "CURRENT").write_text("gen-9 nonsense\n", encoding="utf-8")
    assert len(found(library).rows) == 14
    assert (home(changing) / "CURRENT").read_text("utf-8") != "gen-9 nonsense\n"


@pytest.mark.requirement("library:stale")
def test_a_file_that_came_since_is_found_by_the_next_call(
    changing: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LISTED_SECONDS", 0.0)
    library = Library(changing)
    assert "Logs/new.md" not in found(library).by_path
    (base_folder(changing) / "Logs/new.md").write_text(NEW, encoding="utf-8")
    facts = found(library)
    assert facts.flags == ()
    assert "Logs/new.md" in facts.by_path
    assert [hit.path for hit in facts.search("quern", 5)] == ["Logs/new.md"]


@pytest.mark.requirement("library:stale")
def test_a_stale_index_answers_flagged_while_its_update_takes_long(changing: Settings) -> None:
    (base_folder(changing) / "Logs/new.md").write_text(NEW, encoding="utf-8")
    digs = Digs(Library(changing, wait=0.1))
    dig = open_dig(digs, voice="Silicon", blaze_path=None)
    with nobody_builds(changing):
        answer = digs.retrieve_candidates(dig, list(TERMS))
    assert isinstance(answer, Batch), answer.text
    assert answer.flags == ("INDEX_STALE:1 new",)
    assert digs.load(dig).flags == ("INDEX_STALE:1 new",)
    assert "Logs/new.md" in whole(digs.library).by_path


@pytest.mark.requirement("library:stale")
def test_a_stale_index_answers_flagged_where_its_update_fails(changing: Settings) -> None:
    (base_folder(changing) / "Logs/new.md").write_text(NEW, encoding="utf-8")
    (home(changing) / LOCK).unlink()
    (home(changing) / LOCK).symlink_to("nowhere")
    facts = found(Library(changing))
    assert facts.flags == ("INDEX_STALE:1 new",)
    assert "Logs/new.md" not in facts.by_path


@pytest.mark.requirement("library:base-gone")
def test_a_base_that_is_gone_is_said_to_be(changing: Settings) -> None:
    digs = digs_of(changing)
    dig = open_dig(digs, voice="Silicon", blaze_path=None)
    base_folder(changing).rename(changing.state.with_name("elsewhere"))
    answer = Digs(Library(changing)).retrieve_candidates(dig, list(TERMS))
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == "BASE_UNAVAILABLE"
    assert digs.load(dig).refusals == ()
    changing.state.with_name("elsewhere").rename(base_folder(changing))
    assert isinstance(Digs(Library(changing)).retrieve_candidates(dig, list(TERMS)), Batch)


def test_a_base_whose_disk_is_gone_is_not_an_empty_one(
    changing: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LISTED_SECONDS", 0.0)
    library = Library(changing)
    first = found(library)
    aside = base_folder(changing).with_name("aside")
    base_folder(changing).rename(aside)
    base_folder(changing).mkdir()
    try:
        assert "holds nothing any more" in refused(library, "BASE_UNAVAILABLE").reason
        with pytest.raises(BaseUnavailable):
            library.document(changing.bases[0], first.rows[0].path)
    finally:
        base_folder(changing).rmdir()
        aside.rename(base_folder(changing))
    assert found(library).generation == first.generation


def test_a_file_that_cannot_be_read_is_told_from_one_that_is_gone(changing: Settings) -> None:
    base = base_folder(changing)
    (base / "Logs/link.md").symlink_to(base / "Logs/kiln.md")
    library = Library(changing)
    answers = {
        path: library.document(changing.bases[0], path)
        for path in ("Logs/kiln.md", "Logs/link.md", "Logs/gone.md", "../outside.md")
    }
    flags = {
        path: answer.flag for path, answer in answers.items() if isinstance(answer, Unreadable)
    }
    assert flags == {
        "Logs/link.md": "PATH_REFUSED",
        "Logs/gone.md": "SOURCE_CHANGED",
        "../outside.md": "PATH_REFUSED",
    }


class Held(Build):
    """A build that does its work when somebody waits for it, and then lets another be first."""

    def __init__(self, settings: Settings, first: Callable[[], object]) -> None:
        self._settings, self._first, self._ended = settings, first, False

    def wait(self, timeout: float | None = None) -> bool:
        if not self._ended:
            self._outcome = rebuild(self._settings.bases[0], home(self._settings))
            self._ended = True
            self._first()
        return True

    def done(self) -> bool:
        return self._ended

    def result(self) -> Outcome:
        return self._outcome


@pytest.mark.requirement("index:first-answer")
def test_whoever_waits_for_a_build_is_answered_though_a_watch_took_it_first(
    changing: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(home(changing))
    library = Library(changing)
    # the second to be started is the watch's own
    does = iter([lambda: library.refresh(changing.bases[0]), lambda: None])

    def start(*_: object) -> Held:
        return Held(changing, next(does))

    monkeypatch.setattr(module, "start_build", start)
    assert found(library).rows


@pytest.mark.requirement("index:first-answer")
def test_an_index_that_is_there_answers_while_it_is_looked_through_for_changes(
    changing: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, started = Library(changing), threading.Event()

    def start(base: BaseSettings, at: Path) -> Build:
        started.set()
        return start_build(base, at)

    monkeypatch.setattr(module, "start_build", start)
    with locked(home(changing) / LOCK):
        # the update waits for the lock, and whoever asks does not wait for the update
        watch = threading.Thread(target=library.refresh, args=(changing.bases[0],))
        watch.start()
        assert started.wait(20)
        answer = found(library)
        assert (bool(answer.rows), answer.flags) == (True, ())
    watch.join()
