"""A server that watches its bases: changes are taken in unasked, and no answer is half of one."""

import random
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from index import watching
from index.generation import read_pointer
from index.records import BaseSettings
from index.watching import notices
from server import watch as module
from server.config import Settings
from server.dig import Digs
from server.library import Library
from server.looking import search_base
from server.replies import Found
from server.watch import watched

PATIENCE = 30.0


def text(word: str) -> str:
    return f"---\nrole: lived\nsummary: A note.\n---\n\nI wrote {word} down at noon.\n"


def soon(holds: Callable[[], bool]) -> bool:
    """Whether that comes true before anybody would give up."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def generation(settings: Settings) -> str:
    pointer = read_pointer(settings.index_home(settings.bases[0]))
    return pointer.name if pointer else ""


@pytest.mark.requirement("watch:unasked")
@pytest.mark.parametrize("watches", [True, False], ids=["told by the system", "looking again"])
def test_a_change_is_taken_in_though_nobody_asks(
    changing: Settings, monkeypatch: pytest.MonkeyPatch, watches: bool
) -> None:
    root = Path(changing.bases[0].root)
    if not watches:
        monkeypatch.setattr(watching, "POLL_SECONDS", 0.2)
        monkeypatch.setattr(watching, "_told", none_left)
    before = generation(changing)
    with watched(Library(changing), starts_after=0.0):
        (root / "unasked.md").write_text(text("quagga"), encoding="utf-8")
        assert soon(lambda: generation(changing) != before)
    assert "unasked.md" in Library(changing).facts(changing.bases[0]).by_path


def none_left(settings: BaseSettings, stop: threading.Event) -> None:
    raise OSError("no watches left")


@pytest.mark.requirement("watch:unasked")
def test_a_base_that_was_never_indexed_waits_until_it_is_asked_for(changing: Settings) -> None:
    shutil.rmtree(changing.index_home(changing.bases[0]))
    library = Library(changing)
    with watched(library, starts_after=0.0):
        (Path(changing.bases[0].root) / "new.md").write_text(text("quagga"), encoding="utf-8")
        time.sleep(1.0)
        assert not changing.index_home(changing.bases[0]).exists()


@pytest.mark.requirement("watch:unasked")
def test_an_update_that_failed_is_tried_again(
    changing: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AGAIN_AFTER", 0.1)
    answers = [False, False, True]
    library = Library(changing)

    def refresh(_: BaseSettings) -> bool:
        return answers.pop(0)

    monkeypatch.setattr(library, "refresh", refresh)
    with watched(library, starts_after=0.0):
        assert soon(lambda: not answers)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        pytest.param("a/b.md", True, id="a document"),
        pytest.param("a/B.MARKDOWN", True, id="whatever its suffix is called"),
        pytest.param("renamed", True, id="a folder"),
        pytest.param(".obsidian/workspace.md", False, id="what is in a folder that is left out"),
        pytest.param("a/picture.png", False, id="a picture"),
    ],
)
def test_only_what_may_concern_a_document_is_told(tmp_path: Path, path: str, told: bool) -> None:
    place = tmp_path / path
    place.parent.mkdir(parents=True, exist_ok=True)
    stop = threading.Event()
    seen: list[float] = []

    def follow() -> None:
        for _ in notices(BaseSettings("notes", str(tmp_path)), stop):
            seen.append(time.monotonic())

    with ThreadPoolExecutor(1) as threads:
        following = threads.submit(follow)
        assert soon(lambda: len(seen) == 1)
        if place.suffix:
            place.write_text("x", encoding="utf-8")
        else:
            place.mkdir()
        if not told:
            time.sleep(0.6)
        assert soon(lambda: len(seen) == 1 + told)
        stop.set()
        following.result()


@pytest.mark.requirement("watch:storm")
def test_in_a_storm_of_edits_no_stale_hit_is_fresh_and_no_file_is_lost(changing: Settings) -> None:
    root, base = Path(changing.bases[0].root), changing.bases[0]
    one, other = Library(changing), Library(changing)
    chance, held, stop = random.Random(7), dict[str, str](), threading.Event()
    with (
        watched(one, starts_after=0.0),
        watched(other, starts_after=0.0),
        ThreadPoolExecutor(2) as threads,
    ):
        asking = [threads.submit(ask, Digs(library), held, stop) for library in (one, other)]
        for number in range(40):
            storm(root, held, chance, number)
            time.sleep(0.02)
        stop.set()
        assert sum(client.result() for client in asking)
    for library in (one, other):
        assert soon(partial(knows, library, base, set(held)))
        facts = library.facts(base)
        assert {path for path in facts.by_path if path.startswith("storm")} == set(held)
        for path, word in held.items():
            assert [hit.path for hit in facts.search(word, 5)] == [path]


def knows(library: Library, base: BaseSettings, paths: set[str]) -> bool:
    facts = library.facts(base)
    return not facts.flags and paths <= facts.by_path.keys()


def storm(root: Path, held: dict[str, str], chance: random.Random, number: int) -> None:
    """One more create, edit, rename or delete."""
    what = chance.choice(["create", "edit", "rename", "delete"]) if held else "create"
    old = chance.choice(list(held)) if held else ""
    new = f"storm-{number}.md" if what in ("create", "rename") else old
    if what == "delete":
        del held[old]
        (root / old).unlink()
    elif what == "rename":
        (root / old).rename(root / new)
        held[new] = held.pop(old)
    else:
        (root / new).write_text(text(f"w{number}q"), encoding="utf-8")
        held[new] = f"w{number}q"


def ask(digs: Digs, held: dict[str, str], stop: threading.Event) -> int:
    """Search for words that files hold; how many answers came, each true or flagged."""
    answers = 0
    while not stop.is_set():
        for path, word in list(held.items()):
            found = search_base(digs, word, None, None)
            assert isinstance(found, Found), found.text
            answers += 1
            hits = [hit.file for hit in found.hits]
            if held.get(path) == word and not found.flags:
                assert set(hits) <= {path}
    return answers
