import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from server.brief import compose_brief
from server.brief_text import render_brief
from tests.decided import ANCHOR, Passage, decided_dig

Run = Callable[..., Result]


@pytest.fixture
def brief(tmp_path: Path) -> Path:
    dig = decided_dig([Passage("I walked out on the ice and it sang.")])
    brief = tmp_path / "brief.md"
    text = render_brief(compose_brief(dig, ANCHOR, ["never raises her voice"]))
    brief.write_bytes(text.encode())
    return brief


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    return tmp_path / "draft.md"


def test_a_clean_draft_passes(expedition: Run, brief: Path, draft: Path) -> None:
    draft.write_text("# Ice\n\n> I walked out on the ice\n\nWinter is quiet.\n")
    result = expedition("check", draft, "--brief", brief)
    assert (result.exit_code, result.stdout) == (0, "Nothing found.\n")


def test_findings_are_named_by_line_and_fail(expedition: Run, brief: Path, draft: Path) -> None:
    draft.write_text("# Ice\n\nShe never raises her voice.\n\n> I ran out on the thin ice\n")
    result = expedition("check", draft, "--brief", brief)
    assert result.exit_code == 1
    assert result.stdout == (
        f"{draft}:3: banned phrase: never raises her voice\n"
        f"{draft}:5: quotation not in the brief: I ran out on the thin ice\n"
        "2 findings\n"
    )


def test_check_gives_one_json_object(expedition: Run, brief: Path, draft: Path) -> None:
    draft.write_text("She never raises her voice.")
    result = expedition("check", draft, "--brief", brief, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "brief": str(brief),
        "draft": str(draft),
        "findings": [{"kind": "banned phrase", "line": 1, "text": "never raises her voice"}],
    }


def test_a_draft_over_the_limit_is_refused(expedition: Run, brief: Path, draft: Path) -> None:
    draft.write_text("x" * (256 * 1024 + 1))
    result = expedition("check", draft, "--brief", brief)
    assert result.exit_code == 1
    assert "longer than 262144 bytes" in result.stderr


def test_a_draft_that_is_not_there_is_not_found(expedition: Run, brief: Path, draft: Path) -> None:
    assert expedition("check", draft, "--brief", brief).exit_code == 3


def test_a_draft_that_is_no_text_is_refused(expedition: Run, brief: Path, draft: Path) -> None:
    draft.write_bytes(b"\xff\xfe")
    result = expedition("check", draft, "--brief", brief)
    assert result.exit_code == 1
    assert "no UTF-8" in result.stderr


def test_a_check_needs_a_brief(expedition: Run, draft: Path) -> None:
    assert expedition("check", draft).exit_code == 2
