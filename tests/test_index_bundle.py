"""A bundle is read tolerantly: what does not conform is named, and nothing is refused."""

from collections.abc import Mapping
from datetime import date

import pytest

from index.bundle import (
    concept_date,
    concept_problems,
    declared_version,
    is_reserved,
    reserved_problems,
)
from index.markdown import read_document
from index.records import Value

TODAY = date(2026, 11, 30)


def concept(text: str, path: str = "tables/orders.md") -> list[str]:
    document = read_document(path, text.encode())
    return [problem.kind for problem in concept_problems(document, TODAY)]


def reserved(text: str, path: str = "index.md") -> list[str]:
    return [problem.kind for problem in reserved_problems(read_document(path, text.encode()))]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("index.md", True),
        ("deep/er/log.md", True),
        ("Index.md", False),
        ("index.markdown", False),
        ("index.md/a.md", False),
    ],
)
def test_two_names_are_reserved_at_every_depth(path: str, expected: bool) -> None:
    assert is_reserved(path) is expected


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        pytest.param("---\ntype: Metric\n---\nText", [], id="only a type conforms"),
        pytest.param("Text", ["okf-no-frontmatter"], id="no block"),
        pytest.param('+++\ntype = "Metric"\n+++\nText', ["okf-no-frontmatter"], id="TOML"),
        pytest.param("---\ntitle: A\n---\nText", ["okf-no-type"], id="no type"),
        pytest.param("---\ntype: ''\n---\nText", ["okf-no-type"], id="an empty type"),
        pytest.param("---\ntype: [a\n---\nText", [], id="a broken block is reported elsewhere"),
        pytest.param(
            "---\ntype: A\nstale_after: 2026-11-30\n---\n", ["okf-stale"], id="stale today"
        ),
        pytest.param("---\ntype: A\nstale_after: 2026-12-01T00:00:00Z\n---\n", [], id="not yet"),
        pytest.param("---\ntype: A\nstale_after: soon\n---\n", [], id="no date"),
        pytest.param("---\ntype: A\nstale_after: 2026-02-30\n---\n", [], id="no day"),
    ],
)
def test_a_concept_needs_a_block_with_a_type(text: str, kinds: list[str]) -> None:
    assert concept(text) == kinds


@pytest.mark.parametrize(
    ("path", "text", "kinds"),
    [
        pytest.param("index.md", '---\nokf_version: "0.2"\n---\n# A\n', [], id="a root index"),
        pytest.param("index.md", "# A\n", [], id="a root index without version"),
        pytest.param("index.md", '---\nokf_version: "9"\n---\n', ["okf-version"], id="unknown"),
        pytest.param(
            "index.md", "---\ntitle: A\n---\n", ["okf-reserved-frontmatter"], id="another key"
        ),
        pytest.param(
            "a/index.md",
            '---\nokf_version: "0.2"\n---\n',
            ["okf-reserved-frontmatter"],
            id="a version below the root",
        ),
        pytest.param("log.md", "# Log\n\n## 2026-05-22\n\n* A\n", [], id="a log"),
        pytest.param("log.md", "# Log\n\n## May\n", ["okf-log-heading"], id="no date"),
        pytest.param("log.md", "# Log\n\n## 2026-13-01\n", ["okf-log-heading"], id="no such date"),
        pytest.param(
            "log.md", "---\ntype: Log\n---\n# Log\n", ["okf-reserved-frontmatter"], id="a type"
        ),
    ],
)
def test_reserved_files_hold_navigation_and_history_only(
    path: str, text: str, kinds: list[str]
) -> None:
    assert reserved(text, path) == kinds


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param({"generated": {"at": "2026-06-20T22:53:05Z"}}, "2026-06-20", id="v0.2"),
        pytest.param({"timestamp": "2025-01-02"}, "2025-01-02", id="v0.1"),
        pytest.param({"generated": {}, "timestamp": "2025-01-02"}, "2025-01-02", id="both"),
        pytest.param({"generated": "yesterday"}, "", id="neither"),
        pytest.param({"timestamp": None}, "", id="empty"),
    ],
)
def test_a_concept_is_dated_by_its_last_change(data: Mapping[str, Value], expected: str) -> None:
    assert concept_date(data) == expected


def test_the_declared_version_is_text() -> None:
    assert declared_version({"okf_version": "0.2"}) == "0.2"
    assert declared_version({"okf_version": ["0.2"]}) == ""
    assert declared_version({}) == ""
