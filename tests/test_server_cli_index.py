import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result

from tests.rows_made import make_base, note

Run = Callable[..., Result]


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    files = {f"n{number}.md": note(number) for number in range(4)}
    make_base(tmp_path / "notes", files | {"torn.md": "---\nnever: closed\n"})
    return tmp_path / "notes"


@pytest.fixture
def index(expedition: Run, tmp_path: Path, kb: Path) -> Run:
    """`expedition index …` over the base and a state directory of its own."""
    state = tmp_path / "state"
    return lambda *words: expedition("index", *words, "--kb", kb, "--state", state)


def test_rebuild_says_what_is_in_force_now(index: Run) -> None:
    result = index("rebuild")
    assert result.exit_code == 0
    assert result.stdout == (
        "notes is now gen-1: 5 rows, 5 documents (5 indexed, 0 removed)\n  unterminated: 1\n"
    )
    assert result.stderr == ""


def test_update_says_when_there_was_nothing_to_do(index: Run) -> None:
    index("update")
    assert index("update").stdout.startswith("notes is still gen-1: 5 rows, 5 documents (0 ")


@pytest.mark.parametrize("verb", ["rebuild", "update"])
def test_a_build_gives_one_json_object(index: Run, verb: str) -> None:
    result = index(verb, "--json")
    assert json.loads(result.stdout) == {
        "bases": [
            {
                "base": "notes",
                "counts": {"files": 5, "readable": 5, "rows": 5, "unterminated": 1},
                "documents": 5,
                "generation": "gen-1",
                "indexed": 5,
                "published": True,
                "removed": 0,
                "rows": 5,
            }
        ]
    }


def test_status_of_nothing_names_the_command(index: Run) -> None:
    result = index("status")
    assert result.exit_code == 0
    assert result.stdout == "notes: absent\n  build it: expedition index rebuild\n"


def test_status_counts_problems_and_what_changed_since(index: Run, kb: Path) -> None:
    index("rebuild")
    (kb / "n1.md").unlink()
    (kb / "new.md").write_text("new")
    lines = index("status").stdout.splitlines()
    assert lines[0] == "notes: stale"
    assert lines[1].startswith("  gen-1 of 20")
    assert lines[2:6] == [
        "  5 rows, 5 documents",
        "  files since: 1 new, 0 changed, 1 removed",
        "  bring it up to date: expedition index update",
        "  unterminated: 1",
    ]
    assert lines[6].startswith("  torn.md:1: ")
    assert lines[6].endswith("(unterminated)")


@pytest.mark.requirement("index:status")
def test_status_gives_one_json_object(index: Run, kb: Path) -> None:
    index("rebuild")
    (kb / "n1.md").write_text("changed")
    (found,) = json.loads(index("status", "--json").stdout)["bases"]
    assert found["state"] == "stale"
    assert found["changes"] == {"new": 0, "changed": 1, "removed": 0}
    assert found["counts"]["unterminated"] == 1
    assert [problem["place"] for problem in found["problems"]] == ["torn.md:1"]
    assert found["disk_bytes"] > 1000
    assert found["building"] is None


def test_status_shows_the_first_problems_and_says_that_there_are_more(index: Run, kb: Path) -> None:
    for number in range(30):
        (kb / f"torn{number}.md").write_text("---\n")
    index("rebuild")
    lines = index("status").stdout.splitlines()
    assert sum(line.endswith("(unterminated)") for line in lines) == 20
    assert lines[-1] == "  … and 11 more: --json names them"


def test_status_of_a_damaged_index_exits_with_4(index: Run, tmp_path: Path) -> None:
    index("rebuild")
    next((tmp_path / "state").rglob("rows.jsonl")).write_text("{}\n")
    result = index("status")
    assert result.exit_code == 4
    assert result.stdout == ("notes: damaged\n  rows.jsonl is damaged — expedition index rebuild\n")
    assert index("update").exit_code == 0
    assert index("status").exit_code == 0


def test_all_bases_are_built_even_if_one_cannot_be(
    expedition: Run, kb: Path, tmp_path: Path
) -> None:
    for name in ("first", "other"):
        make_base(tmp_path / name, {"a.md": "x"})
    folders = [
        argument for name in ("first", "notes", "other") for argument in ("--kb", tmp_path / name)
    ]
    state = tmp_path / "state"
    assert expedition("index", "rebuild", *folders, "--state", state).exit_code == 0
    first = next((state / "index").glob("first-*"))
    first.rename(tmp_path / "moved")
    first.symlink_to(tmp_path / "moved")
    result = expedition("index", "update", *folders, "--state", state, "--json")
    assert result.exit_code == 4
    assert [each["base"] for each in json.loads(result.stdout)["bases"]] == ["notes", "other"]
    assert result.stderr.startswith("first: ")
    chosen = expedition("index", "update", *folders, "--state", state, "--base", "other")
    assert chosen.stdout.startswith("other is still gen-1")


def test_an_unknown_base_is_not_found(index: Run) -> None:
    assert index("rebuild", "--base", "nobody").exit_code == 3


@pytest.mark.parametrize("verb", ["rebuild", "update", "status"])
def test_a_base_that_is_no_folder_is_trouble(expedition: Run, tmp_path: Path, verb: str) -> None:
    result = expedition("index", verb, "--kb", tmp_path / "nowhere")
    assert result.exit_code != 0
    assert result.stdout == ""
    assert "nowhere" in result.stderr


def test_a_bar_follows_the_build(index: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    moves: list[tuple[int, int]] = []

    @contextmanager
    def bar(label: str, unit: str) -> Generator[Callable[[int, int], None]]:
        assert (label, unit) == ("indexing notes", "files")
        yield lambda done, total: moves.append((done, total))

    monkeypatch.setattr("server.cli.index.progress", bar)
    assert index("rebuild").exit_code == 0
    assert set(moves) <= {(done, total) for done in range(6) for total in (0, 5)}
    assert moves
