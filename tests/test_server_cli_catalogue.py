"""`expedition catalogue`: look at one, or build one where there is none."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click.testing
import pytest

CASES = Path(__file__).resolve().parent / "cases" / "catalogue"
MANIFEST: dict[str, Any] = json.loads((CASES / "manifest.json").read_text(encoding="utf-8"))

Run = Callable[..., click.testing.Result]


@pytest.mark.requirement("catalogue:cases")
@pytest.mark.parametrize("case", MANIFEST["cases"], ids=lambda case: case["file"])
def test_show_prints_the_tables_of_the_manifest(expedition: Run, case: dict[str, Any]) -> None:
    result = expedition("catalogue", "show", CASES / case["file"], "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["tables"] == case["tables"]


def test_show_tells_a_person_what_is_in_a_file(expedition: Run, tmp_path: Path) -> None:
    place = tmp_path / "my index.md"
    place.write_bytes(b"# Logs\n| file | title |\n|-|-|\n| a.md | A |\n| | B |\n| b.md | \xff |\n")
    lines = expedition("catalogue", "show", place).stdout.splitlines()
    assert lines == [
        "Logs: 2 rows (line 2)",
        "  a.md — A",
        "  b.md — \ufffd",
        "encoding: 1",
        "group-rows: 1",
        "my index.md:6: the line is no UTF-8 (encoding)",
    ]
    place.write_text("# Nothing")
    assert "no table" in expedition("catalogue", "show", place).stdout


def test_show_follows_a_link_and_knows_an_absent_file(expedition: Run, tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to(CASES / "c01-wide-single-table.md")
    shown = expedition("catalogue", "show", tmp_path / "link.md").stdout
    assert shown.startswith("Corpus Index: 5 rows")
    (tmp_path / "loop.md").symlink_to("loop.md")
    assert expedition("catalogue", "show", tmp_path / "loop.md").exit_code == 3
    assert expedition("catalogue", "show", tmp_path / "nothing.md").exit_code == 3
    assert expedition("catalogue", "show", tmp_path / "nowhere" / "a.md").exit_code == 3
    assert expedition("catalogue", "show", tmp_path).exit_code == 1


@pytest.fixture
def base(tmp_path: Path) -> Path:
    base = tmp_path / "base"
    base.mkdir()
    (base / "a.md").write_text("The river had been low all summer.\n")
    (base / "b.md").write_bytes(b"\xff")
    return base


@pytest.mark.requirement("catalogue:build")
def test_build_prints_and_writes_nothing_unless_told(expedition: Run, base: Path) -> None:
    result = expedition("catalogue", "build", "--kb", base)
    assert "| a.md | a | The river had been low all summer. |" in result.stdout
    assert "1 rows have no file" in result.stderr
    assert sorted(place.name for place in base.iterdir()) == ["a.md", "b.md"]


@pytest.mark.requirement("catalogue:build")
def test_build_writes_into_the_base_only_with_write(
    expedition: Run, base: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "out.md"
    assert expedition("catalogue", "build", "--kb", base, "--output", outside).stdout == ""
    assert outside.read_text().startswith("# Corpus Index")
    inside = base / "sub.md"
    refused = expedition("catalogue", "build", "--kb", base, "--output", inside)
    assert (refused.exit_code, inside.exists()) == (2, False)
    assert "--write" in refused.stderr
    expedition("catalogue", "build", "--kb", base, "--output", inside, "--write")
    assert inside.read_text() == outside.read_text()
    expedition("catalogue", "build", "--kb", base, "--write")
    assert (base / "corpus_index.md").exists()
    assert (base / "a.md").read_text() == "The river had been low all summer.\n"


def test_build_does_not_replace_what_somebody_wrote(expedition: Run, base: Path) -> None:
    (base / "corpus_index.md").write_text("| file |\n|-|\n| a.md |\n")
    refused = expedition("catalogue", "build", "--kb", base, "--write")
    assert refused.exit_code == 1
    assert "somebody else" in refused.stderr
    assert (base / "corpus_index.md").read_text().startswith("| file |")
