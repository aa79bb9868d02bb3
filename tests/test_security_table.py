"""The threats of SECURITY.md: the tests they name exist, and none is left without a word."""

import ast
import json
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
TEXT = (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if re.match(r"\| T\d+ \|", line)
]
COVERED = {row[0]: row[3] for row in ROWS}
PROOF = re.compile(r"`(test_\w+\.py)::(test_\w+)`")
_LINK = re.compile(r"\]\(([^)#:]+)\)")


def named_in(file: Path) -> set[str]:
    """The names of the tests that a file holds."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    made = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in tree.body if isinstance(node, made)}


def marked(area: str) -> set[str]:
    """The tests, as `file::test`, that claim a requirement of that area."""
    return {
        f"{file.name}::{node.name}"
        for file in sorted((REPOSITORY / "tests").glob("test_*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(f"requirement('{area}:" in ast.unparse(mark) for mark in node.decorator_list)
    }


@pytest.mark.requirement("docs:threats")
def test_threats_are_numbered_without_a_gap_and_each_row_is_full() -> None:
    assert [row[0] for row in ROWS] == [f"T{number}" for number in range(1, len(ROWS) + 1)]
    assert len(ROWS) > 24
    assert [row for row in ROWS if len(row) != 4 or not all(row)] == []


@pytest.mark.requirement("docs:threats")
@pytest.mark.parametrize("threat", COVERED)
def test_a_threat_names_tests_that_exist_or_says_why_there_is_none(threat: str) -> None:
    said = COVERED[threat]
    if said.startswith("not covered: "):
        assert len(said.split()) > 5
        assert not PROOF.search(said)
        return
    assert PROOF.sub("", said).replace(",", "").strip() == "", "only tests stand here"
    named = PROOF.findall(said)
    assert named
    for file, test in named:
        assert test in named_in(REPOSITORY / "tests" / file), f"{file}::{test}"


@pytest.mark.requirement("docs:threats")
def test_each_attack_that_a_test_makes_on_a_dig_is_in_the_table() -> None:
    named = {f"{file}::{test}" for said in COVERED.values() for file, test in PROOF.findall(said)}
    attacks = marked("attack")
    assert attacks
    assert attacks - named - ARGUMENTS == set()


# one attack, made in more ways than the table has room for
ARGUMENTS = {"test_server_hostile.py::test_whatever_is_sent_is_answered_in_form"}


def test_links_of_the_security_page_lead_somewhere() -> None:
    assert [name for name in _LINK.findall(TEXT) if not (REPOSITORY / name).exists()] == []


HOLE: dict[str, Any] = {"id": "PYSEC-1", "fix_versions": ["1.3.1"]}
OURS: dict[str, Any] = {"name": "us", "skip_reason": "not on the index"}
SOUND: dict[str, Any] = {"name": "click", "version": "8.2", "vulns": []}
HOLED: dict[str, Any] = {"name": "starlette", "version": "1.3.0", "vulns": [HOLE]}
UNKNOWN: dict[str, Any] = {"name": "rich", "skip_reason": "not on the index"}


def answer(*listed: dict[str, Any]) -> str:
    return json.dumps({"dependencies": listed, "fixes": []})


@pytest.mark.requirement("setup:audit")
@pytest.mark.parametrize(
    ("written", "complaint", "code", "said"),
    [
        pytest.param(answer(OURS, SOUND), "", 0, "1 packages audited, 0 known holes", id="sound"),
        pytest.param(
            answer(SOUND, HOLED), "", 1, "starlette 1.3.0: PYSEC-1, fixed in 1.3.1", id="a hole"
        ),
        pytest.param(answer(SOUND, UNKNOWN), "", 0, "not audited: rich", id="one is unknown"),
        pytest.param(answer(OURS, UNKNOWN), "", 0, "nothing was audited", id="all are unknown"),
        pytest.param(answer(OURS), "", 1, "nothing to audit", id="an empty environment"),
        pytest.param(
            "", "…\nrequests.exceptions.ConnectionError: no", 0, "nothing was audited", id="no way"
        ),
        pytest.param("", "ERROR: no such option", 1, "no such option", id="a wrong call"),
        pytest.param("", "", 1, "said nothing", id="silence"),
    ],
)
def test_the_audit_fails_on_a_hole_and_says_so_where_it_could_not_ask(
    written: str, complaint: str, code: int, said: str
) -> None:
    audit = runpy.run_path(str(REPOSITORY / ".ci" / "audit.py"))
    judged = cast("Callable[[str, str, str], tuple[int, list[str]]]", audit["judged"])
    found, lines = judged(written, complaint, "us")
    assert found == code
    assert said in "\n".join(lines)
