"""Where frontmatter ends and what it says: exact fences, plain values, a price for any input."""

import time
from collections.abc import Iterator, Mapping

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from index.frontmatter import Head, read_head
from index.lines import read_lines
from index.records import Limits, Value


def head_of(content: bytes, limits: Limits | None = None) -> Head:
    return read_head("note.md", content, read_lines(content), limits or Limits())


def yaml_head(block: str, limits: Limits | None = None) -> Head:
    return head_of(f"---\n{block}\n---\nBody.\n".encode(), limits)


def data_of(block: str) -> Mapping[str, Value]:
    return yaml_head(block).frontmatter.data


def noted(head: Head) -> list[tuple[str, str]]:
    return [(problem.kind, problem.place) for problem in head.problems]


FENCED = [
    pytest.param(b"---\na: 1\n---\nBody.\n", 13, 4, id="plain"),
    pytest.param(b"\xef\xbb\xbf---\na: 1\n---\nBody.\n", 16, 4, id="after a byte order mark"),
    pytest.param(b"---\r\na: 1\r\n---\r\nBody.\r\n", 16, 4, id="CR LF"),
    pytest.param(b"---\ra: 1\r---\rBody.\r", 13, 4, id="lone CR"),
    pytest.param(b"--- \t\na: 1\n---\t \nBody.\n", 17, 4, id="blanks after the fences"),
    pytest.param(b"---\na: 1\n---x: 2\n---\nBody.\n", 21, 5, id="a key that begins with dashes"),
    pytest.param(b"---\na: |\n  x\n  ---\n---\nBody.\n", 23, 6, id="indented dashes"),
    pytest.param(b"---\na: 1\n----\n---\nBody.\n", 18, 5, id="four dashes"),
    pytest.param(b"---\na: 1\n---", 12, 4, id="the file ends with the fence"),
    pytest.param(b"---\n---\n", 8, 3, id="an empty block, an empty body"),
    pytest.param("---\na: x\u2028---\n---\n".encode(), 19, 4, id="a line separator ends no line"),
    pytest.param("---\na: x\x85---\n---\n".encode(), 18, 4, id="a next-line ends no line"),
    pytest.param(b"---\na: x\x0b---\n---\n", 17, 4, id="a vertical tab ends no line"),
    pytest.param(b"+++\na = 1\n+++\nBody.\n", 14, 4, id="TOML"),
]


@pytest.mark.requirement("frontmatter:fence")
@pytest.mark.parametrize(("content", "start", "line"), FENCED)
def test_the_body_starts_after_the_line_that_closes_the_block(
    content: bytes, start: int, line: int
) -> None:
    head = head_of(content)
    assert (head.body_start, head.body_line) == (start, line)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="an empty file"),
        pytest.param(b"\xef\xbb\xbf", id="a byte order mark alone"),
        pytest.param(b" ---\na: 1\n---\n", id="an indented fence"),
        pytest.param(b"\n---\na: 1\n---\n", id="a blank line first"),
        pytest.param(b"----\na: 1\n----\n", id="four dashes"),
        pytest.param("\u2014\na: 1\n\u2014\n".encode(), id="a long dash"),
        pytest.param(b"---\x0c\na: 1\n---\n", id="a form feed after the dashes"),
        pytest.param(b"Text.\n", id="text"),
    ],
)
def test_without_a_fence_on_line_one_there_is_no_frontmatter(content: bytes) -> None:
    head = head_of(content)
    assert (head.frontmatter.kind, head.body_start, head.body_line) == ("none", 0, 1)
    assert head.problems == ()


@pytest.mark.requirement("frontmatter:unterminated")
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"---\ntitle: A\n\nI walked.\n", id="never closed"),
        pytest.param(b"---\ntitle: A\n ---\nI walked.\n", id="an indented closing fence"),
        pytest.param(b"---\ntitle: A\n+++\nI walked.\n", id="the other closing fence"),
        pytest.param(b"---", id="nothing but the fence"),
        pytest.param(b"+++\ntitle = 'A'\n---\n", id="TOML closed by dashes"),
    ],
)
def test_a_block_that_never_closes_leaves_the_body_unknown(content: bytes) -> None:
    head = head_of(content)
    assert head.frontmatter.kind == "error"
    assert head.frontmatter.error == "unterminated"
    assert (head.body_start, head.body_line, head.frontmatter.data) == (None, None, {})
    assert noted(head) == [("unterminated", "note.md:1")]


SCALARS: list[tuple[str, Value]] = [
    ("2024-03-05", "2024-03-05"),
    ("2024-03-05 10:00:00", "2024-03-05 10:00:00"),
    ("no", "no"),
    ("on", "on"),
    ("true", "true"),
    ("1.10", "1.10"),
    ("0x1F", "0x1F"),
    ("1_000", "1_000"),
    ("1:30", "1:30"),
    (".inf", ".inf"),
    ("C#", "C#"),
    ("a # b", "a"),
    ("", None),
    ("~", None),
    ("null", None),
    ("NULL", None),
    ("nUll", "nUll"),
    ('""', ""),
    ('"null"', "null"),
    ("'~'", "~"),
    ("!!str", ""),
    ("!!str null", "null"),
    ("!!int 12", "12"),
    ("! ~", "~"),
    ("|\n  one\n  two", "one\ntwo\n"),
    (">-\n  one\n  two", "one two"),
    ("[a, 1, ~]", ["a", "1", None]),
    ("{x: 1, y: }", {"x": "1", "y": None}),
    ("a\x85b\u2028c\u2029d", "a\x85b\u2028c\u2029d"),
    ('"a\u2028b"', "a\u2028b"),
    ("\ue000\u2028", "\ue000\u2028"),
]


@pytest.mark.requirement("frontmatter:text")
@pytest.mark.parametrize(("written", "value"), SCALARS, ids=repr)
def test_every_scalar_is_text_and_an_empty_one_is_nothing(written: str, value: Value) -> None:
    assert data_of(f"k: {written}") == {"k": value}


def test_keys_that_are_no_strings_become_text() -> None:
    block = "2024-01-01: a\n12: b\nyes: c\n~: d\n1.10: e\n&k name: f\n? *k\n: g\n? x y\n: h"
    keys = ["2024-01-01", "12", "yes", "~", "1.10", "name", "x y"]
    head = yaml_head(block)
    assert list(head.frontmatter.data) == keys
    assert head.frontmatter.data["name"] == "g"


@pytest.mark.parametrize(
    ("block", "line"),
    [
        pytest.param("title: Part two: the return", 2, id="a colon in plain text"),
        pytest.param("tags:\n\t- river", 3, id="a tab as indentation"),
        pytest.param("a: [1", 3, id="an open bracket"),
        pytest.param("title: {{ title }}", 2, id="a template's placeholder"),
        pytest.param("? [a]\n: b", 2, id="a list as a key"),
        pytest.param("a: *nowhere", 2, id="an alias without its anchor"),
        pytest.param("a: &x [*x]", 2, id="a list inside itself"),
        pytest.param("b: 1\na: &x {y: *x}", 3, id="a mapping inside itself"),
        pytest.param("a: 1\n--- b", 3, id="a second document"),
        pytest.param("a: !!python/object:os.system x", 2, id="a tag that names a class"),
        pytest.param("a: !custom x", 2, id="a tag of one's own"),
        pytest.param("!!python/tuple [a]", 2, id="a tag on the whole block"),
        pytest.param("a: \x07", 2, id="a control character"),
    ],
)
@pytest.mark.requirement("frontmatter:broken")
def test_a_closed_but_broken_block_has_no_keys_and_its_body_is_known(block: str, line: int) -> None:
    head = yaml_head(block)
    assert (head.frontmatter.kind, head.frontmatter.error) == ("error", "yaml")
    assert head.frontmatter.data == {}
    assert head.frontmatter.detail
    assert head.body_line == block.count("\n") + 4
    assert noted(head) == [("yaml", f"note.md:{line}")]


@pytest.mark.parametrize("block", ["- a\n- b", "just text", "42", '""'])
def test_a_block_that_is_no_mapping_is_reported(block: str) -> None:
    head = yaml_head(block)
    assert head.frontmatter.error == "not-a-mapping"
    assert head.body_start is not None


@pytest.mark.parametrize("block", ["", "# only a comment", "~", "{}"])
def test_a_block_without_keys_is_an_empty_mapping(block: str) -> None:
    head = yaml_head(block)
    assert (head.frontmatter.kind, head.frontmatter.data, head.problems) == ("yaml", {}, ())


def test_of_equal_keys_the_last_wins_and_each_repetition_is_reported() -> None:
    head = yaml_head("a: 1\nb: {c: 1, c: 2}\na: 3")
    assert head.frontmatter.data == {"a": "3", "b": {"c": "2"}}
    assert noted(head) == [("duplicate-key", "note.md:3"), ("duplicate-key", "note.md:4")]


def test_a_standard_tag_is_ignored_and_reported() -> None:
    head = yaml_head("a: !!binary aGk=\nb: !!set {x}")
    assert head.frontmatter.data == {"a": "aGk=", "b": {"x": None}}
    assert noted(head) == [("tag-ignored", "note.md:2"), ("tag-ignored", "note.md:3")]


def test_an_alias_stands_for_its_node_and_a_merge_key_is_a_key() -> None:
    data = data_of("a: &x {k: 1}\nb: *x\nc: {<<: *x}")
    assert data == {"a": {"k": "1"}, "b": {"k": "1"}, "c": {"<<": {"k": "1"}}}


def doubling(rounds: int) -> str:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, rounds)]
    return "\n".join(lines)


def nested_by_alias(depth: int) -> str:
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, depth)]
    return "\n".join(lines)


@pytest.mark.requirement("frontmatter:bomb")
@pytest.mark.parametrize(
    ("block", "error"),
    [
        pytest.param(doubling(19), "too-large", id="lists that double"),
        pytest.param(f"a: &a {'x' * 30_000}\nb: [{'*a, ' * 5_000}]", "too-large", id="long text"),
        pytest.param(f"a: &a {'x' * 30_000}\nb: [{'{*a : 1}, ' * 2_000}]", "too-large", id="keys"),
        pytest.param("k:\n" + "- x\n" * 10_001, "too-large", id="more values than the cap"),
        pytest.param("x" * 65_537, "too-large", id="more bytes than the cap"),
        pytest.param("a: " + "[" * 3_000 + "]" * 3_000, "too-deep", id="3,000 brackets"),
        pytest.param("a: " + "[" * 60_000, "too-deep", id="60,000 brackets, none closed"),
        pytest.param("a: " + "{a: " * 3_000, "too-deep", id="3,000 braces"),
        pytest.param("- " * 3_000, "too-deep", id="3,000 dashes"),
        pytest.param("? " * 3_000, "too-deep", id="3,000 question marks"),
        pytest.param(nested_by_alias(21), "too-deep", id="deep by aliases"),
    ],
)
def test_a_bomb_is_a_reported_error_that_takes_no_time(block: str, error: str) -> None:
    started = time.process_time()
    head = yaml_head(block)
    spent = time.process_time() - started
    assert (head.frontmatter.error, head.frontmatter.data) == (error, {})
    assert head.body_start is not None
    # measured at 1-15 ms; a bomb that goes off takes minutes
    assert spent < 1


def test_what_just_fits_the_caps_is_read() -> None:
    deep = "a: " + "[" * 19 + "]" * 19
    assert yaml_head(deep).frontmatter.kind == "yaml"
    assert yaml_head("a: " + "[" * 20 + "]" * 20).frontmatter.error == "too-deep"
    assert yaml_head(nested_by_alias(19)).frontmatter.kind == "yaml"
    assert yaml_head("k:\n" + "- x\n" * 9_997).frontmatter.kind == "yaml"
    assert yaml_head("k: " + "x" * 65_532).frontmatter.kind == "yaml"
    assert yaml_head("k: 1", Limits(frontmatter=4)).frontmatter.error == "too-large"


def test_the_python_parser_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [*(f"k: {written}" for written, _ in SCALARS), "- a", "a: &x [*x]", doubling(19)]
    fast = [(head.frontmatter.data, head.frontmatter.error) for head in map(yaml_head, blocks)]
    monkeypatch.delattr(yaml, "CSafeLoader")
    slow = [(head.frontmatter.data, head.frontmatter.error) for head in map(yaml_head, blocks)]
    assert fast == slow


TOML = """
title = "Low water"
date = 2024-03-05
at = 2024-03-05T10:00:00Z
time = 10:00:00
draft = true
number = 1.10
whole = 0x1F
tags = ["river", 7, []]
[author]
name = "Åse"
"""


def test_toml_values_are_text_too() -> None:
    head = head_of(f"+++{TOML}+++\nBody.\n".encode())
    assert head.frontmatter.kind == "toml"
    assert head.frontmatter.data == {
        "title": "Low water",
        "date": "2024-03-05",
        "at": "2024-03-05T10:00:00+00:00",
        "time": "10:00:00",
        "draft": "true",
        "number": "1.10",
        "whole": "31",
        "tags": ["river", "7", []],
        "author": {"name": "Åse"},
    }


@pytest.mark.parametrize(
    ("block", "error"),
    [
        pytest.param("title = ", "toml", id="no value"),
        pytest.param("a = 1\na = 2", "toml", id="a repeated key"),
        pytest.param("a = " + "1" * 5_000, "toml", id="an endless number"),
        pytest.param("a = 0x" + "f" * 9_000, "toml", id="an endless hexadecimal number"),
        pytest.param("a = " + "[" * 3_000, "too-deep", id="3,000 brackets"),
        pytest.param("a = " + "[" * 30 + "]" * 30, "too-deep", id="30 brackets"),
        pytest.param(".".join("a" * 30) + " = 1", "too-deep", id="a key of 30 parts"),
        pytest.param(".".join("a" * 30_000) + " = 1", "too-deep", id="a key of 30,000 parts"),
        pytest.param('"a".' * 10_000 + "b = 1", "too-deep", id="quoted parts"),
    ],
)
def test_broken_or_deep_toml_is_reported_in_no_time(block: str, error: str) -> None:
    started = time.process_time()
    head = head_of(f"+++\n{block}\n+++\nBody.\n".encode())
    assert head.frontmatter.error == error
    assert head.frontmatter.data == {}
    assert head.body_line == 4 + block.count("\n")
    assert time.process_time() - started < 1


def test_a_text_with_many_full_stops_is_no_deep_key() -> None:
    head = head_of(f'+++\nsummary = "{"No. " * 400}"\n+++\n'.encode())
    assert head.frontmatter.kind == "toml"


def scalars(value: Value) -> Iterator[str | None]:
    if isinstance(value, dict):
        for item in value.values():
            yield from scalars(item)
    elif isinstance(value, list):
        for item in value:
            yield from scalars(item)
    else:
        yield value


MARKUP = st.text(
    st.one_of(st.sampled_from("-:[]{}#&*!|>'\"%@`,?~ \n\t=.x1"), st.characters(codec="utf-8"))
)


@given(MARKUP, st.sampled_from(["---", "+++"]), st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_block_is_read_or_reported_and_never_raises(block: str, fence: str, end: str) -> None:
    content = f"{fence}{end}{block}{end}{fence}{end}Body.".encode()
    head = head_of(content)
    assert head == head_of(content)
    assert head.body_start is not None
    assert content[: head.body_start].rstrip(b"\r\n \t").endswith(fence.encode())
    assert (head.frontmatter.error is None) == (head.frontmatter.kind != "error")
    assert all(
        isinstance(item, str | None)
        for value in head.frontmatter.data.values()
        for item in scalars(value)
    )
