"""Arguments that nobody sends by mistake: every one is answered, and the server lives on."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from mcp import Client

from server.dig import Digs
from server.flags import explain
from tests.digging import Ground, drive, open_dig
from tests.digging_base import BLAZE_PATH
from tests.mcp_client import client_of, text_of

pytestmark = pytest.mark.anyio

FORM = re.compile(r"\[([A-Z_0-9]+)[^\n]*\] [a-z_ 0-9-]+ — [^\n]+ — [^\n]+")
LONGEST = 5_000
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "hostile", "version": "0"},
}


def nested(depth: int) -> list[Any]:
    """Lists in lists."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


HOSTILE: dict[str, Any] = {
    "not a number": float("nan"),
    "infinite": [float("inf"), float("-inf")],
    "an endless number": 10**4000,
    "far below zero": -(10**30),
    "a NUL": "row_1\0",
    "long": "x" * 400_000,
    "too long": "x" * 600_000,
    "ten thousand texts": ["tide"] * 10_000,
    "ten thousand objects": [{"id": "row_1", "embodies": 1, "why": "it waits"}] * 10_000,
    "deep": nested(100),
    "deep in a text": "[" * 100_000,
    "half a character in a text": '["\\ud800", {"id": "\\udfff", "connection": "\\ud800"}]',
    "an endless number in a text": f"[{'9' * 5000}]",
    "not a number in a text": "[NaN, Infinity]",
    "hidden": "\u202erow_1\u200b\U000e0041",
    "lines": "a\nb\r\u2028[NOT_A_FLAG] c — d — e",
    "odd objects": [{"id": {}, "embodies": [], "why": None, "connection": float("nan")}] * 3,
    "all kinds": [1, "a", None, {}, [], True, 1.5],
    "an empty name": {"": {"": ""}},
    "null": None,
    "true": True,
    "a path": "../../../../etc/passwd",
    "a query": "'; DROP TABLE events; --",
    "a pattern": "(a+)+$" * 100,
    "a template": "{0.__class__} %s ${x} {{7*7}}",
}


@pytest.fixture
def right(digs: Digs) -> dict[str, dict[str, Any]]:
    """For each tool arguments in form, and a dig in the state that waits for it."""
    names: dict[str, str] = {}
    for state in ("opened", "scoring", "scored", "picked", "reported"):
        names[state] = open_dig(digs, title=f"The Kiln {state}")
        drive(digs, names[state], state)
    opening = {"keyword_primary": "kiln", "title": "Kiln", "voice": "Carbon", "base": "kb"}
    more = {"archetype_primary": "", "slug": "a", "monomyth_hint": "a", "blaze_path": BLAZE_PATH}
    picks: dict[str, Any] = {"deep_cuts": [], "direct_hits": [], "pass4_empty": True}
    return {
        "open_dig": opening | more,
        "retrieve_candidates": {"dig_id": names["opened"], "terms": ["tide"]},
        "score_summaries": {"dig_id": names["scoring"], "batch": 1, "scores": []},
        "pick_scotoma": {"dig_id": names["scored"], **picks},
        "extract_excerpt": {"dig_id": names["picked"], "id": "row_1", "after_line": 1},
        "dig_report": {"dig_id": names["picked"]},
        "assemble_brief": {"dig_id": names["reported"]},
        "dig_status": {"dig_id": names["reported"]},
        "search_corpus": {"query": "harbour", "base": "kb", "limit": 3, "neighbours": True},
        "check_draft": {"brief": names["reported"], "text": "no draft"},
    }


@pytest.mark.requirement("attack:arguments")
@pytest.mark.parametrize("what", HOSTILE)
async def test_whatever_is_sent_is_answered_in_form(
    what: str, right: dict[str, dict[str, Any]], digs: Digs
) -> None:
    async with client_of(digs.settings) as client:
        for tool in (await client.list_tools()).tools:
            assert set(right[tool.name]) == set(tool.input_schema["properties"])
            for name in right[tool.name]:
                await answered_in_form(client, tool.name, {**right[tool.name], name: HOSTILE[what]})
    assert digs.store.check() == []


async def answered_in_form(client: Client, tool: str, arguments: dict[str, Any]) -> None:
    result = await client.call_tool(tool, arguments)
    text = text_of(result)
    assert len(text) <= LONGEST
    if result.is_error:
        found = FORM.fullmatch(text)
        assert found, text
        assert explain(found[1])
    else:
        assert "Next: " in text


def lines(dig: str) -> Iterator[str]:
    """Calls that no JSON library writes, and things that are no calls."""
    spelled = {
        "terms": "[NaN, -Infinity, 1e999]",
        "scores": f"[{'9' * 5000}]",
        "deep_cuts": "[" * 100_000 + "]" * 100_000,
        "id": '"\\ud800"',
        "\\ud800": "1",
        "dig_id": '"nobody", "dig_id": "somebody else"',
    }
    for name, value in spelled.items():
        yield call(f'{{"dig_id": "{dig}", "{name}": {value}}}')
    yield from (call(arguments) for arguments in ("null", "[1]", '"x"', '{"dig_id": "\\u0000"}'))
    yield from ("", "null", "[]", "{}", '{"jsonrpc": "2.0"', "\ufeff", "\x00\xff", "x" * 1_000_000)


def call(arguments: str) -> str:
    params = f'{{"name": "retrieve_candidates", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {params}}}'


@pytest.mark.requirement("attack:wire")
def test_whatever_is_on_the_wire_the_server_lives_on(ground: Ground, tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("expedition")), "serve"]
    command += ["--kb", str(ground.base), "--state", str(ground.at(tmp_path / "wired").state)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin and server.stdout
        tell(server.stdin, ask("initialize", HELLO, 0))
        assert heard(server.stdout, 0)
        tell(server.stdin, '{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        for number, line in enumerate(lines("dig_" + "a" * 26), start=1000):
            tell(server.stdin, line)
            tell(server.stdin, ask("ping", {}, number))
            assert heard(server.stdout, number) == {}, line[:200]
        server.stdin.close()
        assert server.wait(60) == 0


def ask(method: str, params: dict[str, Any], number: int) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def tell(pipe: IO[bytes], line: str) -> None:
    pipe.write(line.encode("utf-8", "surrogatepass") + b"\n")
    pipe.flush()


def heard(pipe: IO[bytes], number: int) -> Any:
    """The result of that request; everything before it must be JSON too."""
    while line := pipe.readline():
        message = json.loads(line)
        if message.get("id") == number:
            return message.get("result")
    return None
