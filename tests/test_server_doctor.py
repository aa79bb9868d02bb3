import errno
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from server import doctor_bases
from server.doctor import installation
from server.store import Busy, Store

Expedition = Callable[..., Result]


def doctor(expedition: Expedition, *words: str | Path) -> tuple[int, dict[str, dict[str, object]]]:
    result = expedition("doctor", "--json", *words)
    answer = json.loads(result.stdout)
    assert answer["ok"] == (result.exit_code == 0)
    return result.exit_code, {check["name"]: check for check in answer["checks"]}


@pytest.mark.requirement("setup:doctor")
def test_doctor_finds_a_good_installation_well_without_any_base(
    expedition: Expedition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, found = doctor(expedition, "--state", "state")
    assert code == 0
    assert {"python", "platform", "paths", "sqlite", "whoosh", "state", "store"} <= set(found)
    assert found["bases"]["outcome"] == "note"
    assert {check["outcome"] for check in found.values()} == {"ok", "note"}
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["expedition.sqlite3"]


@pytest.mark.requirement("setup:doctor")
def test_doctor_counts_what_is_wrong_with_the_files_of_a_base(
    expedition: Expedition, fixtures: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    words = ("--kb", fixtures / "broken", "--kb", tmp_path / "empty", "--state", tmp_path / "s")
    code, found = doctor(expedition, *words)
    assert code == 0
    assert "unterminated" in str(found["base broken"]["detail"])
    assert "no markdown" in str(found["base empty"]["detail"])
    assert f"--kb {fixtures / 'broken'}" in str(found["clients"]["detail"])


@pytest.mark.requirement("setup:doctor")
@pytest.mark.parametrize(
    ("words", "code", "name"),
    [
        pytest.param(["--kb", "gone"], 1, "settings", id="a base that is not there"),
        pytest.param(["--config", "gone"], 1, "settings", id="no configuration of that name"),
        pytest.param(["--state", "open"], 4, "state", id="a state directory others can write to"),
        pytest.param(["--state", "torn"], 4, "store", id="a store that is no database"),
        pytest.param(["--config", "briefs.yaml"], 4, "briefs", id="briefs where a file is"),
    ],
)
def test_doctor_says_what_to_put_right(
    expedition: Expedition,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    code: int,
    name: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "torn").mkdir(mode=0o700)
    (tmp_path / "torn" / "expedition.sqlite3").write_bytes(b"no database" * 100)
    (tmp_path / "briefs.yaml").write_text("briefs: briefs.yaml", encoding="utf-8")
    found_code, found = doctor(expedition, *words)
    assert found_code == code
    assert found[name]["outcome"] == "trouble"
    assert found[name]["remedy"]


def test_doctor_tells_a_person_line_by_line(expedition: Expedition, tmp_path: Path) -> None:
    (tmp_path / "s").mkdir(mode=0o755)
    result = expedition("doctor", "--state", tmp_path / "s")
    assert "ok    python: 3." in result.stdout
    assert f"note  state: {tmp_path / 's'} can be read by others — chmod 700" in result.stdout
    assert result.stdout.endswith("All is well.\n")


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        pytest.param("python", "sys.hexversion", 0x030A0000, id="an old Python"),
        pytest.param("platform", "os.name", "nt", id="no POSIX"),
        pytest.param("paths", "os.supports_dir_fd", set[object](), id="no openat"),
        pytest.param("sqlite", "sqlite3.sqlite_version_info", (3, 36, 0), id="an old SQLite"),
        pytest.param("whoosh", "whoosh.__version__", (3, 55, 0), id="an untested Whoosh"),
    ],
)
def test_doctor_knows_an_installation_that_cannot_be_relied_on(
    monkeypatch: pytest.MonkeyPatch, name: str, place: str, value: object
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(place, value)
        found = {check.name: check for check in installation()}
    assert found[name].outcome != "ok"
    assert found[name].remedy
    assert [check.name for check in found.values() if check.outcome != "ok"] == [name]


def test_a_disk_that_cannot_promise_to_keep_is_trouble(
    expedition: Expedition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("os.fsync", fail)
    code, found = doctor(expedition, "--state", tmp_path)
    assert code == 4
    assert "Input/output error" in str(found["durability"]["detail"])
    assert [path.name for path in tmp_path.iterdir()] == ["expedition.sqlite3"]


def test_a_store_in_use_is_a_note_and_no_trouble(
    expedition: Expedition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_: Store) -> list[str]:
        raise Busy

    monkeypatch.setattr(Store, "check", busy)
    code, found = doctor(expedition, "--state", tmp_path)
    assert (code, found["store"]["outcome"]) == (0, "note")


def test_doctor_says_of_each_index_whether_it_is_of_use(
    expedition: Expedition, fixtures: Path, tmp_path: Path
) -> None:
    base = Path(shutil.copytree(fixtures / "okf", tmp_path / "okf"))
    words = ("--kb", base, "--state", tmp_path / "state")
    _, unbuilt = doctor(expedition, *words)
    assert expedition("index", "rebuild", *words).exit_code == 0
    code, built = doctor(expedition, *words)
    assert (code, unbuilt["index okf"]["outcome"], built["index okf"]["outcome"]) == (
        0,
        "note",
        "ok",
    )
    assert unbuilt["base okf"] == built["base okf"]
    (base / "new.md").write_text("---\ntype: Note\n---\nNew.\n", encoding="utf-8")
    _, stale = doctor(expedition, *words)
    assert stale["index okf"]["remedy"] == f"expedition index update --kb {base}"
    for current in (tmp_path / "state" / "index").glob("okf-*/CURRENT"):
        current.write_bytes(b"torn")
    code, damaged = doctor(expedition, *words)
    assert (code, damaged["index okf"]["outcome"]) == (4, "trouble")


@pytest.mark.requirement("engine:recommended")
def test_doctor_names_the_engine_for_large_bases_where_a_base_is_large(
    expedition: Expedition, fixtures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "expedition.yaml"
    config.write_text(f"bases: [{fixtures / 'okf'}]\nstate: state\n")
    assert "engine okf" not in doctor(expedition, "--config", config)[1]
    monkeypatch.setattr(doctor_bases, "LARGE", 3)
    code, found = doctor(expedition, "--config", config)
    assert (code, found["engine okf"]["outcome"]) == (0, "note")
    assert 'pip install "corpus-expedition[tantivy]"' in str(found["engine okf"]["remedy"])
    config.write_text(f"{config.read_text()}engine: tantivy\n")
    assert "engine okf" not in doctor(expedition, "--config", config)[1]


@pytest.mark.requirement("engine:extra")
def test_doctor_says_how_a_missing_engine_is_had(
    expedition: Expedition, fixtures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "expedition.yaml"
    config.write_text(f"bases: [{fixtures / 'okf'}]\nstate: state\nengine: tantivy\n")
    assert expedition("index", "rebuild", "--config", config).exit_code == 0
    monkeypatch.setitem(sys.modules, "tantivy", None)
    code, found = doctor(expedition, "--config", config)
    assert (code, found["base okf"]["outcome"]) == (1, "trouble")
    assert found["base okf"]["remedy"] == 'pip install "corpus-expedition[tantivy]"'
