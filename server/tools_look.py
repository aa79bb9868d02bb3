"""The tools for looking: where a dig stands, what the corpus holds, what a draft borrows."""

from typing import Annotated

from anyio.to_thread import run_sync
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from server.dig import Digs
from server.looking import search_base
from server.replies import Draft, Found, Status
from server.results import READS, Text, Whole, YesNo, as_result, make_tool


def look_tools(digs: Digs) -> list[Tool]:
    """The three tools that change nothing; their answers are computed anew each time."""

    async def dig_status(dig_id: Text | None = None) -> Annotated[CallToolResult, Status]:
        """Where a dig stands and the next move; without an id, the open digs."""
        return as_result(await run_sync(digs.dig_status, dig_id))

    async def search_corpus(
        query: Text,
        base: Text | None = None,
        limit: Whole | None = None,
        neighbours: YesNo | None = None,
    ) -> Annotated[CallToolResult, Found]:
        """Look around: ranked files with the lines that match; neighbours: and the files they
        link to and are linked from. Not a step of a dig."""
        near = bool(neighbours)
        return as_result(await run_sync(search_base, digs, query, base, limit, near))

    async def check_draft(brief: Text, text: Text) -> Annotated[CallToolResult, Draft]:
        """Check a draft against a brief (a dig id or the brief's file name): banned phrases it
        uses and quotations the brief does not hold, by line."""
        from server.drafts import check_against_brief

        return as_result(await run_sync(check_against_brief, digs, brief, text))

    return [
        make_tool(dig_status, "Where a dig stands", READS),
        make_tool(search_corpus, "Search the corpus", READS),
        make_tool(check_draft, "Check a draft", READS),
    ]
