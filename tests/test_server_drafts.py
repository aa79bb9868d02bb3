from collections.abc import Callable
from pathlib import Path

import pytest

from server.brief import compose_brief
from server.brief_text import render_brief
from server.config import Settings
from server.dig import Digs
from server.drafts import check_against_brief
from server.library import Library
from server.refusals import Refusal
from server.replies import Draft
from tests.decided import ANCHOR, Passage, decided_dig, record

DIG = decided_dig([Passage("I walked out on the ice and it sang.")])


@pytest.fixture
def digs(tmp_path: Path, settings_for: Callable[..., Settings]) -> Digs:
    (tmp_path / "codex").mkdir()
    settings = settings_for(tmp_path / "codex")
    settings.briefs.mkdir(parents=True)
    brief = settings.briefs / "ice.md"
    text = render_brief(compose_brief(DIG, ANCHOR, ["never raises her voice"]))
    brief.write_bytes(text.encode())
    record(settings, DIG, brief)
    return Digs(Library(settings))


@pytest.mark.parametrize("named", [DIG.dig, "ice.md"], ids=["the dig", "the file's name"])
def test_a_draft_is_checked_against_the_brief_that_is_named(digs: Digs, named: str) -> None:
    answer = check_against_brief(digs, named, "x\n\nShe never raises her voice.")
    assert isinstance(answer, Draft)
    assert [(f.line, f.kind) for f in answer.findings] == [(3, "banned phrase")]
    assert (answer.brief, answer.next.tool) == ("ice.md", "check_draft")


def test_a_clean_draft_needs_no_further_move(digs: Digs) -> None:
    answer = check_against_brief(digs, DIG.dig, "> I walked out on the ice")
    assert isinstance(answer, Draft)
    assert (answer.findings, answer.next.tool) == ((), "none")


@pytest.mark.parametrize(
    ("named", "text", "flag"),
    [
        pytest.param("dig_unknown", "x", "INVALID_ARGUMENT", id="an unknown dig"),
        pytest.param("../codex/a.md", "x", "PATH_REFUSED", id="a path"),
        pytest.param("ice.md", "å" * 131_073, "INVALID_ARGUMENT", id="too long a draft"),
        pytest.param("note.md", "x", "INVALID_ARGUMENT", id="a file that is no brief"),
    ],
)
def test_what_cannot_be_checked_is_refused(digs: Digs, named: str, text: str, flag: str) -> None:
    (digs.settings.briefs / "note.md").write_text("no brief")
    answer = check_against_brief(digs, named, text)
    assert isinstance(answer, Refusal)
    assert answer.flag == flag
    assert answer.remedy


def test_broken_characters_in_a_draft_do_no_harm(digs: Digs) -> None:
    answer = check_against_brief(digs, DIG.dig, "\ud800 never raises her voice \udfff")
    assert isinstance(answer, Draft)
    assert len(answer.findings) == 1
