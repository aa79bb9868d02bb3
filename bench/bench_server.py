"""What a tool call and a start cost, beside an empty tool of a bare server of the same SDK.

Both servers run in one session, calls interleaved, over stdio; medians and their ratio are printed.

    python bench/bench_server.py [--calls 200] [--starts 15]
"""

import argparse
import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

BARE = """
from mcp.server.mcpserver import MCPServer
app = MCPServer("bare")
@app.tool()
async def empty(text: str) -> str:
    "Does nothing."
    return text
app.run()
"""
CODEX = Path(__file__).resolve().parent.parent / "kb_fixtures" / "codex"
TERMS = [
    "rust",
    "debt",
    "grudge",
    "scraping",
    "unpaid",
    "wound",
    "burden",
    "repair",
    "silence",
    "hull",
]


def servers(folder: Path) -> tuple[StdioServerParameters, StdioServerParameters]:
    """The bare server and ours, over a copy of the codex with a state of its own."""
    bare = folder / "bare.py"
    bare.write_text(BARE, encoding="utf-8")
    command = Path(sys.executable).with_name("expedition")
    codex = shutil.copytree(CODEX, folder / "codex")
    arguments = ["serve", "--kb", str(codex), "--state", str(folder / "state")]
    return (
        StdioServerParameters(command=sys.executable, args=[str(bare)]),
        StdioServerParameters(command=str(command), args=arguments),
    )


async def milliseconds(call: Callable[[], Awaitable[Any]]) -> float:
    """How long one awaited call took."""
    start = time.perf_counter()
    await call()
    return (time.perf_counter() - start) * 1000


async def tool_calls(folder: Path, calls: int) -> None:
    """Each tool that moves a dig, on new digs, between calls of the empty tool."""
    bare, ours = servers(folder)
    empty: list[float] = []
    seen: dict[str, list[float]] = {}
    async with Client(bare) as idle, Client(ours) as client:

        async def timed(tool: str, arguments: dict[str, Any]) -> Any:
            empty.append(await milliseconds(lambda: idle.call_tool("empty", {"text": "x"})))
            start = time.perf_counter()
            result = await client.call_tool(tool, arguments)
            seen.setdefault(tool, []).append((time.perf_counter() - start) * 1000)
            if result.is_error:
                raise SystemExit(result.content)
            return result.structured_content

        await idle.call_tool("empty", {"text": "x"})
        for number in range(calls + 1):
            await one_dig(timed, number)
            if not number:  # the first one builds the index and warms both servers up
                seen.clear()
                empty.clear()
    middle = statistics.median(empty)
    print(f"{'empty tool':22} {middle:8.2f} ms  1.0 x  ({len(empty)} calls)")
    for tool, times in seen.items():
        took = statistics.median(times)
        print(f"{tool:22} {took:8.2f} ms  {took / middle:.1f} x  ({len(times)} calls)")


async def one_dig(timed: Callable[[str, dict[str, Any]], Awaitable[Any]], number: int) -> None:
    """A dig from the opening to the report."""
    opened = await timed(
        "open_dig",
        {
            "keyword_primary": "forgiveness",
            "title": f"Number {number}",
            "voice": "Carbon",
            "archetype_primary": "Mender",
        },
    )
    dig = opened["dig_id"]
    answer = await timed("retrieve_candidates", {"dig_id": dig, "terms": TERMS})
    while rows := answer.get("rows"):
        scores = [
            {"id": row["id"], "embodies": at % 4, "why": "a guess"} for at, row in enumerate(rows)
        ]
        answer = await timed(
            "score_summaries", {"dig_id": dig, "batch": answer["batch"], "scores": scores}
        )
    hits = [row["id"] for row in answer["top"][:2]]
    await timed(
        "pick_scotoma",
        {"dig_id": dig, "deep_cuts": [], "direct_hits": hits, "pass4_empty": True},
    )
    await timed("extract_excerpt", {"dig_id": dig, "id": hits[0]})
    await timed("dig_report", {"dig_id": dig})
    await timed("dig_status", {"dig_id": dig})


async def starts(folder: Path, runs: int) -> None:
    """From nothing to the first answer to tools/list, the two servers in turn."""
    times: dict[str, list[float]] = {"bare server": [], "expedition serve": []}
    for _ in range(runs + 1):
        for name, server in zip(times, servers_again(folder), strict=True):

            async def start(server: StdioServerParameters = server) -> None:
                async with Client(server) as client:
                    await client.list_tools()

            times[name].append(await milliseconds(start))
    bare, ours = (statistics.median(taken[1:]) for taken in times.values())
    print(f"start, bare server     {bare:8.0f} ms  1.0 x  ({runs} starts)")
    print(f"start, expedition      {ours:8.0f} ms  {ours / bare:.2f} x")


def servers_again(folder: Path) -> tuple[StdioServerParameters, StdioServerParameters]:
    """The same two servers, over the files made before."""
    command = Path(sys.executable).with_name("expedition")
    arguments = ["serve", "--kb", str(folder / "codex"), "--state", str(folder / "state")]
    return (
        StdioServerParameters(command=sys.executable, args=[str(folder / "bare.py")]),
        StdioServerParameters(command=str(command), args=arguments),
    )


def main() -> None:
    """Run both measurements in a temporary folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=40, help="digs to time")
    parser.add_argument("--starts", type=int, default=15)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(tool_calls(Path(folder), asked.calls))
        asyncio.run(starts(Path(folder), asked.starts))


if __name__ == "__main__":
    main()
