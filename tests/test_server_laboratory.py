"""The laboratory: every gate tried alone, on the given cases and on input out of form."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from index.faults import BadSettings
from server.cli.gate import command
from server.laboratory import GATES, judge
from tests.junk import JSON

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "cases" / "gates_cases.json").read_text(encoding="utf-8")
)
TRIED = [case for case in CASES if case["gate"] in GATES]
BODY = "# Head\n\nOne two three four.\n\nFive six seven.\n\n- eight\n- nine\n\n`x`\n\nTen. Eleven."


def asked(**changed: object) -> dict[str, object]:
    return {"body": BODY, "min_words": 3, "max_words": 9, **changed}


@pytest.mark.requirement("gates:cases")
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case['gate']}: {case['why']}") for case in TRIED]
)
def test_each_gate_says_what_the_cases_expect(case: dict[str, Any]) -> None:
    assert judge(case["gate"], case["input"]) == case["expected"]


def test_every_gate_of_the_cases_but_those_of_other_rooms_can_be_tried() -> None:
    others = {"path", "brief_roundtrip", "dig_state"}
    assert {case["gate"] for case in CASES} == set(GATES) | others


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        pytest.param(
            "\ufeff---\na: 1\n---\nB", {"has_frontmatter": True, "body": "B"}, id="byte order mark"
        ),
        pytest.param(
            "--- \nB", {"has_frontmatter": False, "body": None, "error": "unterminated"}, id="open"
        ),
        pytest.param("B\n---\n", {"has_frontmatter": False, "body": "B\n---\n"}, id="none"),
        pytest.param("+++\na = 1\n+++\nB", {"has_frontmatter": True, "body": "B"}, id="TOML"),
        pytest.param(
            "---\n- a\n---\nB", {"has_frontmatter": True, "body": "B"}, id="a broken block"
        ),
        pytest.param(
            "\ud800",
            {"has_frontmatter": False, "body": None, "error": "encoding"},
            id="broken text",
        ),
    ],
)
def test_the_body_begins_where_the_metadata_ends(text: str, verdict: object) -> None:
    assert judge("frontmatter_split", text) == verdict


@pytest.mark.parametrize(
    ("excerpt", "changed", "verdict"),
    [
        pytest.param("One two three four.", {}, "accept", id="a paragraph"),
        pytest.param("One two three four.\n\nFive six seven.", {}, "accept", id="two"),
        pytest.param(
            "# Head\n\nOne two three four.",
            {"max_words": 4},
            "accept",
            id="a heading is not counted",
        ),
        pytest.param("One two three four.\n", {}, "accept", id="a line end more"),
        pytest.param("two three four.", {}, "reject", id="cut in front"),
        pytest.param("One two three four", {}, "reject", id="cut at the end"),
        pytest.param(
            "One two three four.\n\nFive six seven.", {"max_words": 6}, "reject", id="too long"
        ),
        pytest.param(
            "- eight\n- nine", {"min_words": 2}, "reject", id="a list where prose would do"
        ),
        pytest.param(
            "- eight\n- nine",
            {"min_words": 2, "body": "- eight\n- nine\n\nTen."},
            "accept",
            id="a list where prose is short",
        ),
        pytest.param(
            "Ten.",
            {"min_words": 1, "max_words": 1},
            "accept",
            id="a long paragraph cut at a sentence",
        ),
        pytest.param(
            "One two.", {"body": "One two.", "min_words": 3}, "accept", id="a whole short note"
        ),
        pytest.param(
            "One.", {"body": "One.\n\nTwo.", "min_words": 3}, "reject", id="a part of a short note"
        ),
        pytest.param("`x`", {"min_words": 0}, "reject", id="no prose"),
        pytest.param("", {}, "reject", id="nothing"),
        pytest.param("One", {"body": ""}, "reject", id="an empty body"),
        pytest.param("\ud800", {}, "reject", id="broken text"),
        pytest.param("日本語です", {"body": "日本語です", "max_words": 3}, "accept", id="Japanese"),
    ],
)
def test_an_excerpt_is_whole_quotable_paragraphs(
    excerpt: str, changed: dict[str, object], verdict: str
) -> None:
    assert judge("excerpt_bounds", asked(excerpt=excerpt, **changed)) == verdict


@pytest.mark.parametrize(
    ("gate", "question", "verdict"),
    [
        pytest.param(
            "term_fanout", {"anchor": "boat", "term": "boats"}, "not_counted", id="one anchor"
        ),
        pytest.param("term_fanout", {"anchor": ["boat"], "term": 7}, "not_counted", id="no text"),
        pytest.param("term_fanout", {"anchor": [], "term": "..."}, "not_counted", id="no word"),
        pytest.param(
            "first_person_voice", {"text": "I went.\n\nI slept."}, "needs_human", id="no language"
        ),
        pytest.param(
            "first_person_voice",
            {"text": "I went.", "lang": "en", "min_paragraphs": 1},
            "pass",
            id="one paragraph",
        ),
        pytest.param(
            "must_have_looked",
            {"opened": ["a", "./a", "b"], "declare": "a", "docs_in_base": 9},
            "refuse",
            id="two names of one",
        ),
        pytest.param(
            "must_have_looked",
            {"opened": ["a", "b/../c", "b"], "declare": "c", "docs_in_base": 9},
            "accept",
            id="three",
        ),
        pytest.param("summary_scores", {"ids": [], "scores": 7}, "reject", id="no list"),
        pytest.param("term_list", {"terms": None}, "reject", id="no terms"),
        pytest.param("hidden_text", "a\u202e", "flag", id="hidden"),
    ],
)
def test_what_a_gate_judges_may_be_anything(gate: str, question: object, verdict: str) -> None:
    assert judge(gate, question) == verdict


@pytest.mark.parametrize(
    ("gate", "question", "complaint"),
    [
        pytest.param("hidden_text", 7, "input must be a text", id="a number for a text"),
        pytest.param("digest_copy", [], "input must be an object", id="a list for an object"),
        pytest.param(
            "digest_copy", {"summary": None}, "input.excerpt is missing", id="a field missing"
        ),
        pytest.param(
            "digest_copy",
            {"summary": "", "excerpt": "", "min_words": True},
            "a whole number is asked",
            id="a boolean",
        ),
        pytest.param(
            "digest_copy",
            {"summary": "", "excerpt": "", "min_words": "1"},
            "input.min_words must be a whole number",
            id="a text for a number",
        ),
        pytest.param(
            "summary_scores",
            {"ids": [1], "scores": []},
            "input.ids[0] must be a text",
            id="a number in a list",
        ),
        pytest.param(
            "summary_scores",
            {"ids": "a", "scores": []},
            "input.ids must be a list",
            id="a text for a list",
        ),
        pytest.param("hiden_text", "", "did you mean hidden_text?", id="a name misspelt"),
        pytest.param("zzzzzzzzzzzz", "", "--list names them all", id="no such name"),
    ],
)
def test_input_out_of_form_is_a_usage_error_that_says_how(
    gate: str, question: object, complaint: str
) -> None:
    with pytest.raises(BadSettings) as fault:
        judge(gate, question)
    assert complaint in str(fault.value)
    assert fault.value.exit_code == 2


@given(st.sampled_from(sorted(GATES)), JSON)
def test_any_json_gets_a_verdict_or_a_usage_error(gate: str, question: object) -> None:
    try:
        verdict = judge(gate, question)
    except BadSettings as fault:
        assert fault.remedy or "missing" in fault.message or "asked" in fault.message
    else:
        assert json.dumps(verdict)


@pytest.mark.requirement("gates:laboratory")
def test_the_command_reads_an_input_and_prints_a_verdict() -> None:
    result = CliRunner().invoke(command, ["hidden_text", "--json"], input='{"input": "plain"}')
    assert result.exit_code == 0
    assert json.loads(result.output) == {"gate": "hidden_text", "verdict": "clean"}


def test_the_command_lists_the_gates() -> None:
    plainly = CliRunner().invoke(command, ["--list"])
    assert plainly.output.split() == sorted(GATES)
    as_json = CliRunner().invoke(command, ["--list", "--json"])
    assert json.loads(as_json.output) == {"gates": sorted(GATES)}


def test_the_command_wants_a_name() -> None:
    assert CliRunner().invoke(command, []).exit_code == 2


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="no JSON"),
        pytest.param("\udcff", id="no text"),
        pytest.param("[" * 100_000, id="too deep"),
        pytest.param("[1]", id="no object"),
        pytest.param("{}", id="no input"),
        pytest.param('{"input": ' + "9" * 5000 + "}", id="an endless number"),
    ],
)
def test_standard_input_out_of_form_is_a_usage_error(sent: str) -> None:
    given = sent.encode("utf-8", "surrogateescape")
    result = CliRunner().invoke(command, ["hidden_text"], input=given)
    assert isinstance(result.exception, BadSettings)
    assert '{"input": …}' in str(result.exception)


def test_an_unknown_name_is_told_without_reading_anything() -> None:
    result = CliRunner().invoke(command, ["hiden_text"])
    assert isinstance(result.exception, BadSettings)
    assert "hidden_text" in str(result.exception)
