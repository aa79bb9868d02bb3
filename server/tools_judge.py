"""The tool that has a judge dig, offered only where the owner named one."""

from typing import Annotated, Any

from anyio import from_thread
from anyio.to_thread import run_sync
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from index.faults import BadSettings
from server import refusals
from server.dig import Digs
from server.refusals import Refusal
from server.replies import Answer, Opened, Reported
from server.results import RECORDS, Text, as_result, make_tool


def judge_tools(digs: Digs) -> list[Tool]:
    """`run_dig`, if the configuration names a judge."""
    if not digs.settings.judge_named:
        return []

    async def run_dig(  # noqa: PLR0913, PLR0917 - the context of a dig, by the contract's names
        keyword_primary: Annotated[Text, Field(description="what to dig for")],
        title: Annotated[Text, Field(description="of the piece to be written")],
        voice: Annotated[Text, Field(description="Carbon, Si-C or Silicon")],
        ctx: Context[Any, Any],
        archetype_primary: Annotated[Text, Field(description="rows of it come first")] = "",
        base: Annotated[Text | None, Field(description="if there are several")] = None,
    ) -> Annotated[CallToolResult, Reported]:
        """Have the owner's judge dig up to the report, which may take minutes. Show the report and
        end your turn: a person decides."""
        sent = {
            "keyword_primary": keyword_primary,
            "title": title,
            "voice": voice,
            "archetype_primary": archetype_primary,
            "base": base,
        }
        return as_result(await run_sync(_dug, digs, sent, ctx))

    return [make_tool(run_dig, "Have a judge dig", RECORDS)]


def _dug(digs: Digs, sent: dict[str, str | None], ctx: Context[Any, Any]) -> Answer:
    """A whole dig in this thread; the client is told how far it is, and may cancel."""
    from server.driving import drive, stand_of
    from server.judges.routed import choose_judge

    opened = digs.open_dig(sent)
    if isinstance(opened, Refusal):
        return opened
    assert isinstance(opened, Opened)  # what open_dig answers when it does not refuse
    settings = digs.settings
    try:
        choice = choose_judge(None, settings)
        judge = choice.open_judge(settings.base(opened.base), digs.library)
    except BadSettings as wrong:
        return refusals.unreachable("run_dig", wrong.message, wrong.remedy, opened.dig_id)
    judged = Digs(digs.library, "judge", judge.flags)

    def tell(_: Answer) -> None:
        stand = stand_of(judged.load(opened.dig_id))
        from_thread.run(ctx.report_progress, stand.done, stand.total or None, stand.text)

    return drive(judged, opened.dig_id, judge, tell)
