import hmac
import os
import pickle
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from index import generation, private
from index.building import build
from index.faults import IndexTrouble, StorageTrouble
from index.generation import Generation, open_current, read_pointer
from index.records import BaseSettings
from index.request import Mode, Outcome, Request
from tests.rows_made import make_base, note


@pytest.fixture
def base(tmp_path: Path) -> BaseSettings:
    files = {f"n{number}.md": note(number) for number in range(6)}
    return make_base(tmp_path / "notes", files | {"torn.md": "---\nnever: closed\n"})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "state" / "index" / "notes-1"


def built(settings: BaseSettings, home: Path, mode: Mode = "rebuild") -> Outcome:
    return build(Request(settings, home, mode), lambda phase, done, total: None)


def current(settings: BaseSettings, home: Path) -> Generation:
    opened = open_current(home, settings)
    assert opened is not None
    return opened


def paths(settings: BaseSettings, home: Path, query: str = "salt") -> list[str]:
    with closing(current(settings, home)) as opened:
        return sorted(hit.path for hit in opened.search(query, 20))


ALL = [f"n{number}.md" for number in range(6)]


def test_before_the_first_build_there_is_no_generation(base: BaseSettings, home: Path) -> None:
    assert open_current(home, base) is None


def test_a_generation_answers_from_rows_and_bodies(base: BaseSettings, home: Path) -> None:
    outcome = built(base, home)
    assert (outcome.generation, outcome.rows, outcome.documents) == ("gen-1", 7, 7)
    with closing(current(base, home)) as opened:
        assert [row.path for row in opened.rows] == [*ALL, "torn.md"]
        assert opened.by_path["n1.md"].summary == "A note on the glacier, number 1"
        assert opened.matches(["GLACIER"])[1] == (("GLACIER", ("summary",)),)
        assert opened.scores(["word3"]).keys() == {"n3.md"}
        assert [hit.path for hit in opened.search("word4", 5)] == ["n4.md"]
        assert [hit.path for hit in opened.search("torn", 5)] == ["torn.md"]
        assert opened.manifest.counts["unterminated"] == 1
        assert [problem.kind for problem in opened.sealed.problems()] == ["unterminated"]
        assert opened.sealed.files().keys() == {*ALL, "torn.md"}
        assert opened.is_current()


def test_the_index_is_closed_to_others(base: BaseSettings, home: Path) -> None:
    built(base, home)
    folders = [home.parent, home, *(path for path in home.rglob("*") if path.is_dir())]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}
    assert (home.parent / "index.key").stat().st_mode & 0o777 == 0o600


def test_the_one_before_the_last_stays_and_older_ones_go(base: BaseSettings, home: Path) -> None:
    for _ in range(4):
        built(base, home)
    assert sorted(path.name for path in home.iterdir()) == ["CURRENT", "gen-3", "gen-4", "lock"]


def test_a_reader_keeps_its_generation(base: BaseSettings, home: Path) -> None:
    built(base, home)
    with closing(current(base, home)) as reader:
        Path(base.root, "n7.md").write_text(note(7))
        for _ in range(3):
            built(base, home)
        assert not reader.is_current()
        assert sorted(hit.path for hit in reader.search("salt", 20)) == ALL
        assert [hit.path for hit in reader.search('"the harbour keeps word3"', 20)] == ["n3.md"]
    assert paths(base, home) == [*ALL, "n7.md"]


def test_an_opening_that_a_switch_overtakes_begins_again(
    base: BaseSettings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(base, home)
    first, switches = read_pointer(home), [built, built]

    def overtaken(home: Path) -> generation.Pointer | None:
        pointer = read_pointer(home)
        if pointer == first and switches:
            while switches:
                switches.pop()(base, home)
        return pointer

    monkeypatch.setattr(generation, "read_pointer", overtaken)
    with closing(current(base, home)) as opened:
        assert opened.name == "gen-3"


# Every way in which a file of a generation may be other than it was written.
Spoiler = Callable[[Path], object]


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _gone(path: Path) -> Path:
    path.unlink()
    return path


SPOILERS: dict[str, Spoiler] = {
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\n"),
    "a bit flipped": flipped,
    "gone": lambda path: path.unlink(),
    "a link": lambda path: path.rename(f"{path}.x").with_name(path.name).symlink_to(f"{path}.x"),
    "a folder": lambda path: _gone(path).mkdir(),
    "a pipe": lambda path: os.mkfifo(_gone(path)),
}
JSONS = ["manifest.json", "rows.jsonl", "problems.jsonl", "files.jsonl"]


@pytest.mark.requirement("index:damage")
@pytest.mark.parametrize("file", ["CURRENT", *JSONS, "*.toc", "*.trm", "*.pst", "*.col"])
@pytest.mark.parametrize("spoiled", SPOILERS)
def test_damage_is_trouble_and_a_rebuild_cures_it(
    base: BaseSettings, home: Path, file: str, spoiled: str
) -> None:
    built(base, home)
    SPOILERS[spoiled](next(home.rglob(file)))
    if (file, spoiled) == ("CURRENT", "gone"):
        assert open_current(home, base) is None
    else:
        with pytest.raises(IndexTrouble, match=r"rebuild|remove"):
            open_current(home, base)
    assert built(base, home, "update").documents == 7
    assert paths(base, home) == ALL


@pytest.mark.requirement("index:damage")
def test_no_byte_of_a_generation_may_differ(base: BaseSettings, home: Path) -> None:
    built(base, home)
    for path in [path for path in home.rglob("*") if path.is_file() and path.name != "lock"]:
        whole = path.read_bytes()
        for at in range(0, len(whole), max(1, len(whole) // 25)):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1 :])
            with pytest.raises(IndexTrouble):
                open_current(home, base)
        path.write_bytes(whole)
    assert paths(base, home) == ALL


class Marker:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return (os.mkdir, (str(self.mark),))


@pytest.mark.requirement("index:planted")
@pytest.mark.parametrize("file", ["*.toc", "*.trm", "_MAIN_99.toc", "extra.pickle"])
def test_a_planted_pickle_is_never_opened(
    base: BaseSettings, home: Path, tmp_path: Path, file: str
) -> None:
    built(base, home)
    engine = home / "gen-1" / "whoosh"
    target = next(engine.glob(file), engine / file)
    target.write_bytes(pickle.dumps(Marker(tmp_path / "mark")))
    with pytest.raises(IndexTrouble):
        open_current(home, base)
    built(base, home, "update")
    assert paths(base, home) == ALL
    assert not (tmp_path / "mark").exists()


@pytest.mark.requirement("index:planted")
def test_an_index_of_another_state_directory_is_not_believed(
    base: BaseSettings, home: Path, tmp_path: Path
) -> None:
    """Whole, ours, private and made for this very base: but nobody knows who wrote it."""
    elsewhere = tmp_path / "other" / "index" / home.name
    built(base, elsewhere)
    private.make_folder(home.parent)
    shutil.copytree(elsewhere, home)
    with pytest.raises(IndexTrouble, match="key of the seals is gone"):
        open_current(home, base)
    generation.make_key(home)
    with pytest.raises(IndexTrouble, match="not the one that was sealed"):
        open_current(home, base)


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(b"short", id="short"),
        pytest.param(b"", id="empty"),
        pytest.param(b"k" * 32, id="another"),
    ],
)
def test_a_lost_key_is_made_anew_by_the_next_build(
    base: BaseSettings, home: Path, key: bytes
) -> None:
    built(base, home)
    (home.parent / "index.key").write_bytes(key)
    with pytest.raises(IndexTrouble):
        open_current(home, base)
    built(base, home, "update")
    assert paths(base, home) == ALL


def test_a_key_that_others_can_read_is_no_key(base: BaseSettings, home: Path) -> None:
    built(base, home)
    (home.parent / "index.key").chmod(0o644)
    with pytest.raises(IndexTrouble, match="key"):
        open_current(home, base)
    built(base, home)
    assert (home.parent / "index.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("place", ["", "gen-1", "gen-1/whoosh"])
def test_a_folder_that_others_may_enter_is_trouble(
    base: BaseSettings, home: Path, place: str
) -> None:
    built(base, home)
    (home / place).chmod(0o755)
    with pytest.raises(IndexTrouble, match="open to other users"):
        open_current(home, base)
    built(base, home)
    assert paths(base, home) == ALL


@pytest.mark.parametrize("place", ["", "gen-1", "gen-1/whoosh"])
def test_a_link_in_the_place_of_a_folder_is_trouble(
    base: BaseSettings, home: Path, place: str
) -> None:
    built(base, home)
    folder = home / place
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))
    with pytest.raises(IndexTrouble, match="link"):
        open_current(home, base)


def test_no_index_is_built_through_a_link(base: BaseSettings, home: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    home.parent.mkdir(parents=True)
    home.symlink_to(target)
    with pytest.raises(StorageTrouble):
        built(base, home)
    assert list(target.iterdir()) == []


def test_folders_of_another_user_are_neither_read_nor_written(
    base: BaseSettings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(base, home)
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)
    with pytest.raises(IndexTrouble, match="another user"):
        open_current(home, base)
    with pytest.raises(StorageTrouble, match="another user"):
        built(base, home)


def test_a_file_of_another_user_is_no_file_of_ours(
    base: BaseSettings, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(base, home)
    monkeypatch.setattr(private, "check_folder", print)
    monkeypatch.setattr(os, "geteuid", lambda: -1)
    with pytest.raises(IndexTrouble, match="no plain file of ours"):
        open_current(home, base)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"id": "other"}, "another base", id="another id"),
        pytest.param({"root": "/elsewhere"}, "another base", id="another folder"),
        pytest.param({"lang": "nb"}, "other settings", id="another language"),
        pytest.param({"exclude": ("x",)}, "other settings", id="another exclude"),
    ],
)
def test_an_index_is_of_one_base_under_one_setting(
    base: BaseSettings, home: Path, change: dict[str, Any], reason: str
) -> None:
    built(base, home)
    with pytest.raises(IndexTrouble, match=reason):
        open_current(home, replace(base, **change))


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        pytest.param("format", 99, "format of another version", id="format"),
        pytest.param("engine", "whoosh 0", "version of the engine", id="engine"),
        pytest.param("documents", 99, "lacks documents", id="fewer documents than were sealed"),
    ],
)
def test_a_generation_of_another_version_is_trouble(
    base: BaseSettings, home: Path, field: str, value: Any, reason: str
) -> None:
    built(base, home)
    manifest = home / "gen-1" / "manifest.json"
    with closing(current(base, home)) as opened:
        changed = replace(opened.manifest, **{field: value})
    manifest.write_bytes(generation.manifest_bytes(changed))
    key = (home.parent / "index.key").read_bytes()
    seal = hmac.new(key, manifest.read_bytes(), "sha256").hexdigest()
    (home / "CURRENT").write_text(f"gen-1 {seal}\n")
    with pytest.raises(IndexTrouble, match=reason):
        open_current(home, base)
    assert built(base, home, "update").indexed == 7
    assert paths(base, home) == ALL


def test_what_a_killed_build_left_is_removed(base: BaseSettings, home: Path) -> None:
    built(base, home)
    (home / "tmp-1" / "whoosh").mkdir(parents=True)
    (home / "CURRENT.0123.new").write_text("x")
    (home / "gen-7").mkdir()
    assert built(base, home).generation == "gen-8"
    assert sorted(path.name for path in home.iterdir()) == ["CURRENT", "gen-1", "gen-8", "lock"]
