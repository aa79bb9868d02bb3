"""Verdicts, foreign dimensions and our own briefs are nobody's to read."""

import pytest

from index.markdown import read_document
from index.scope import out_of_scope


def reason(text: str, dimension: str = "", path: str = "a.md") -> str | None:
    return out_of_scope(read_document(path, text.encode()), dimension)


@pytest.mark.requirement("scope:verdicts")
@pytest.mark.parametrize(
    "head",
    [
        pytest.param("type: verdict", id="plain"),
        pytest.param('Type: " Verdict "', id="any case, quoted, padded"),
        pytest.param("type: [Decision, VERDICT]", id="in a list"),
        pytest.param("type:\n  - verdict", id="in a block list"),
        pytest.param("type: verdict\ntype: note", id="the first of two keys"),
        pytest.param("type: note\ntype: verdict", id="the second of two keys"),
        pytest.param("type: verdict # sic\nbroken: [", id="in a broken block"),
        pytest.param("a: [\n  type: 'verdict'", id="indented in a broken block"),
        pytest.param("a: [\ntype:\n- verdict", id="a list in a broken block"),
        pytest.param("a: [\n{type: verdict}", id="a flow mapping in a broken block"),
    ],
)
def test_a_verdict_is_out_of_scope(head: str) -> None:
    assert reason(f"---\n{head}\n---\nText") == "verdict"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\ntype: verdicts\n---\n", id="another word"),
        pytest.param("---\nkind: verdict\n---\n", id="another key"),
        pytest.param("---\nmeta:\n  type: verdict\n---\n", id="a nested key of a sound block"),
        pytest.param("type: verdict\n", id="in the body"),
        pytest.param("---\na: 1\n---\ntype: verdict\n", id="below a sound block"),
    ],
)
def test_other_documents_are_in_scope(text: str) -> None:
    assert reason(text) is None


def test_a_fence_that_never_closes_hides_no_verdict() -> None:
    assert reason("---\ntype: verdict\n\nText") == "verdict"
    assert reason('+++\ntype = "verdict"\n\nText') == "verdict"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param("title: A", None, id="none declared"),
        pytest.param("dimension: Cost", None, id="ours"),
        pytest.param("dimension: [safety, ' COST ']", None, id="ours among others"),
        pytest.param("dimension: safety", "foreign", id="another"),
        pytest.param("dimension: ''", None, id="an empty one"),
    ],
)
def test_a_foreign_dimension_is_out_of_scope(head: str, expected: str | None) -> None:
    assert reason(f"---\n{head}\n---\n", dimension="cost") == expected
    assert reason(f"---\n{head}\n---\n") is None


def test_a_brief_is_no_document() -> None:
    assert reason("Text", path="Agent_Briefs/2026-01-01-x.md") == "brief"
    assert reason("---\nformat: 1\ndig: dig_abc\n---\nText") == "brief"
    assert reason("---\nformat: 1\ndig: deep\n---\nText") is None
    assert reason("Text", path="notes/Agent_Briefs.md") is None
