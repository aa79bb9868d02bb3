"""Clients that others wrote, each through a whole dig over stdio, a person deciding in between."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from server.brief_text import read_brief
from tests.terminal import at_terminal

EXPEDITION = str(Path(sys.executable).with_name("expedition"))
FIXTURES = Path(__file__).resolve().parent.parent / "kb_fixtures"
OPENING = {
    "keyword_primary": "refund",
    "title": "What a customer is owed",
    "voice": "Si-C",
    "archetype_primary": "Metric",
}
TERMS = (
    *("order", "return", "stock", "policy", "customer", "metric"),
    *("payment", "discount", "margin", "table", "day", "sale"),
)


class Agent:
    """A script that looks only at the last answer; it ends its turn with the report."""

    def next_move(self, tool: str, answer: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """The tool to call after an answer; None ends the turn."""
        if not tool:
            return "open_dig", dict(OPENING)
        dig = {"dig_id": answer["dig_id"]}
        if tool == "open_dig":
            return "retrieve_candidates", {**dig, "terms": list(TERMS)}
        if rows := answer.get("rows"):
            scores = [
                {"id": row["id"], "embodies": at % 4, "why": "by its place"}
                for at, row in enumerate(rows)
            ]
            return "score_summaries", {**dig, "batch": answer["batch"], "scores": scores}
        if top := answer.get("top"):
            hits = [row["id"] for row in top[:2]]
            picks = {"deep_cuts": [], "direct_hits": hits, "pass4_empty": True}
            return "pick_scotoma", {**dig, **picks}
        return ("dig_report", dig) if tool == "pick_scotoma" else None


def decide(dig: str, options: Sequence[str]) -> None:
    """A person at a terminal keeps everything."""
    with at_terminal(["decide", dig, *options]) as terminal:
        for _ in range(2):
            terminal.type_in("[q]uit: ", "k")
        terminal.type_in("[c]onfirm", "c")
        assert terminal.end() == 0


def assert_brief(path: str) -> None:
    """The brief quotes what the person kept, and says how they decided."""
    brief = read_brief(Path(path).read_text(encoding="utf-8"))
    assert brief.decided.level == "local"
    assert brief.decided.way == "terminal"
    assert brief.sources


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    bundle = shutil.copytree(FIXTURES / "okf", tmp_path / "okf")
    return ["--kb", str(bundle), "--state", str(tmp_path / "state")]


def scripted(messages: Any, info: Any) -> Any:
    """A model that is a script; it is told "dig", or for which dig to ask for the brief."""
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart

    parts: list[Any] = messages[-1].parts
    returns: list[Any] = [part for part in parts if isinstance(part, ToolReturnPart)]
    tool = returns[-1].tool_name if returns else ""
    answer: Any = returns[-1].content if returns else {}
    prompt = messages[0].parts[-1].content
    wanted = Agent().next_move(tool, answer)
    if prompt != "dig":
        wanted = None if returns else ("assemble_brief", json.loads(prompt))
    part = ToolCallPart(*wanted) if wanted else TextPart(json.dumps(answer))
    return ModelResponse(parts=[part])


@pytest.mark.anyio
@pytest.mark.requirement("clients:agent-framework")
async def test_an_agent_of_pydantic_ai_digs_ends_its_turn_and_goes_on_after_the_person(
    options: list[str],
) -> None:
    pydantic_ai = pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed")
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.models.function import FunctionModel

    server = StdioTransport(EXPEDITION, ["serve", *options])
    agent = pydantic_ai.Agent(FunctionModel(scripted), toolsets=[MCPToolset(server)])
    report = json.loads((await agent.run("dig")).output)
    assert "=== DIG REPORT ===" in report["report"]
    decide(report["dig_id"], options)
    brief = json.loads((await agent.run(json.dumps({"dig_id": report["dig_id"]}))).output)
    assert_brief(brief["path"])


class Inspector:
    """The inspector's command line: a client of its own for every call."""

    def __init__(self, command: str, era: str, options: Sequence[str]) -> None:
        self.start = [command, "--cli", EXPEDITION, "serve", *options, "--protocol-era", era]

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """One process; its answer as JSON."""
        command = [*self.start, *arguments, "--format", "json"]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The structured answer of a tool."""
        pairs = [
            f"{name}={value if isinstance(value, str) else json.dumps(value)}"
            for name, value in arguments.items()
        ]
        done = self.run("--method", "tools/call", "--tool-name", tool, "--tool-arg", *pairs)
        assert done.returncode == 0, done.stdout + done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)["result"]["structuredContent"]
        return answer


@pytest.mark.requirement("clients:inspector")
@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_the_inspector_finds_the_tools_in_form_and_digs(era: str, options: list[str]) -> None:
    command = shutil.which("mcp-inspector")
    if command is None:
        pytest.skip("no inspector: npm install node@24 @modelcontextprotocol/inspector")
    inspector, script = Inspector(command, era, options), Agent()
    listed = inspector.run("--method", "tools/list", "--strict")
    assert listed.returncode == 0, listed.stderr
    tool, answer = "", dict[str, Any]()
    while move := script.next_move(tool, answer):
        tool, arguments = move
        answer = inspector.call(tool, arguments)
    assert "=== DIG REPORT ===" in answer["report"]
    dig = {"dig_id": answer["dig_id"]}
    early = ("--method", "tools/call", "--tool-name", "assemble_brief", "--tool-arg")
    refused = inspector.run(*early, f"dig_id={dig['dig_id']}")
    assert refused.returncode == 5
    assert "[NOT_DECIDED] assemble_brief" in refused.stdout + refused.stderr
    decide(dig["dig_id"], options)
    assert_brief(inspector.call("assemble_brief", dig)["path"])
