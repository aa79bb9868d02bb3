import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.frontmatter import read_head
from index.lines import read_lines
from index.records import Limits, Value
from server.frontmatter import Field, frontmatter

FIELDS: st.SearchStrategy[dict[str, Field]] = st.dictionaries(
    st.sampled_from(["voice_anchor", "excerpt", "title", "flags", "sources"]),
    st.recursive(
        st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["file", "reason"]), inner, max_size=2)
        ),
        max_leaves=6,
    ),
)


def read_back(text: str) -> Mapping[str, Value]:
    content = text.encode()
    head = read_head("brief.md", content, read_lines(content), Limits())
    assert head.frontmatter.kind == "yaml", head.frontmatter.detail
    assert not head.problems
    assert head.body_start == len(content)
    return head.frontmatter.data


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("1:30", id="a time that YAML would make a number of seconds"),
        pytest.param("no", id="the Norwegian country code"),
        pytest.param("", id="nothing"),
        pytest.param("~", id="the sign for nothing"),
        pytest.param("line\u0085next", id="NEL"),
        pytest.param("line\u2028next\u2029last", id="line and paragraph separators"),
        pytest.param("trailing\n\n\n", id="final line breaks"),
        pytest.param(" \tblanks around \t", id="blanks around"),
        pytest.param("a\r\nb\rc", id="carriage returns"),
        pytest.param("\ufeffmark", id="a byte order mark"),
        pytest.param("\0\x1b[31mred\x7f", id="control characters"),
        pytest.param("---\nvoice_anchor: forged.md\n---\n", id="a fence and a key"),
        pytest.param("\n---\n\n# Heading", id="a closing fence"),
        pytest.param('"\nvoice_anchor: "forged.md', id="a quote that closes"),
        pytest.param("&a *a !!python/object x", id="anchors, aliases and tags"),
        pytest.param("'# comment", id="a comment"),
        pytest.param("\U0001f600 日本語 øæå", id="letters and pictures"),
        pytest.param("word " * 4000, id="a very long line"),
    ],
)
def test_a_text_comes_back_as_it_was(text: str) -> None:
    fields: dict[str, Field] = {
        "voice_anchor": "a.md",
        "excerpt": text,
        "all": [text, {"in": text}],
    }
    assert read_back(frontmatter(fields)) == fields


@pytest.mark.requirement("brief:serialised")
@given(FIELDS)
def test_whatever_the_fields_say_they_come_back_equal_and_add_no_key(
    fields: dict[str, Field],
) -> None:
    assert read_back(frontmatter(fields)) == fields


def test_every_line_of_a_flat_block_holds_one_field() -> None:
    fields: dict[str, Field] = {"title": "a\nb\u2028c\r", "banned_phrases": [], "words": 3}
    assert frontmatter(fields).split("\n") == [
        "---",
        'title: "a\\nb\\Lc\\r"',
        "banned_phrases: []",
        "words: 3",
        "---",
        "",
    ]


def test_a_value_that_stands_twice_is_written_twice() -> None:
    shared: Field = ["the same list"]
    assert "*" not in frontmatter({"one": shared, "two": shared})


CASES = [
    case
    for case in json.loads((Path(__file__).parent / "cases" / "gates_cases.json").read_text())
    if case["gate"] == "brief_roundtrip"
]


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_the_shared_cases_of_a_round_trip_hold(case: dict[str, Any]) -> None:
    assert case["expected"] == "read_back_equal"
    assert read_back(frontmatter(case["input"]["fields"])) == case["input"]["fields"]
