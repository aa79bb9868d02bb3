import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from server.brief import compose_brief
from server.brief_text import render_brief
from tests.decided import ANCHOR, Passage, decided_dig

Run = Callable[..., Result]

TEXT = "I walked out on the ice and it sang."


@pytest.fixture
def note(tmp_path: Path) -> Path:
    note = tmp_path / "codex" / "ice.md"
    note.parent.mkdir()
    note.write_text(TEXT)
    return note


@pytest.fixture
def brief(tmp_path: Path, note: Path) -> Path:
    dig = decided_dig([Passage(TEXT, path=note.name, file=TEXT.encode())])
    brief = tmp_path / "brief.md"
    brief.write_bytes(render_brief(compose_brief(dig, ANCHOR)).encode())
    return brief


def test_verify_says_of_each_quotation_how_it_stands(
    expedition: Run, brief: Path, note: Path
) -> None:
    result = expedition("verify", brief, "--kb", note.parent)
    assert result.exit_code == 0
    assert result.stdout == (
        "1. verbatim: ice.md, lines 1-1\n"
        f"1 of 1 quotations hold; the brief of dig_{'a' * 26} is unknown here\n"
    )


def test_verify_names_the_quotation_that_changed_and_fails(
    expedition: Run, brief: Path, note: Path
) -> None:
    note.write_text(TEXT.replace("sang", "sank"))
    result = expedition("verify", brief, "--kb", note.parent)
    assert result.exit_code == 1
    assert "1. changed: ice.md, lines 1-1 (nearest text at lines 1-1" in result.stdout
    assert "0 of 1 quotations hold" in result.stdout


def test_verify_gives_one_json_object(expedition: Run, brief: Path, note: Path) -> None:
    note.write_text("A line before.\n" + TEXT + "\n")
    result = expedition("verify", brief, "--kb", note.parent, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "dig": "dig_" + "a" * 26,
        "passages": [
            {
                "base": "codex",
                "detail": "now at lines 2-2",
                "file": "ice.md",
                "kind": "evidence",
                "lines": "1-1",
                "number": 1,
                "standing": "moved",
            }
        ],
        "path": str(brief),
        "record": "unknown here",
    }


@pytest.mark.parametrize(
    ("named", "code"),
    [
        pytest.param("absent/brief.md", 3, id="a path where nothing is"),
        pytest.param("dig_unknown", 3, id="a dig that nobody knows"),
        pytest.param("codex", 1, id="a folder"),
        pytest.param("codex/ice.md", 1, id="a file that is no brief"),
    ],
)
def test_what_is_no_brief_ends_with_its_exit_code(
    expedition: Run,
    note: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    named: str,
    code: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = expedition("verify", named, "--kb", note.parent)
    assert result.exit_code == code
    assert result.stderr.startswith("expedition: ")
    assert result.stdout == ""


def test_a_base_that_is_not_configured_is_not_found(
    expedition: Run, brief: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    result = expedition("verify", brief, "--kb", tmp_path / "other")
    assert result.exit_code == 3
    assert "no base is called codex" in result.stderr
