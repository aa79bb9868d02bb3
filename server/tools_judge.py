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
from server.judge import Judge, Metered
from server.refusals import Refusal
from server.replies import Answer, Opened, Reported
from server.results import RECORDS, Text, as_result, make_tool


def judge_tools(digs: Digs) -> list[Tool]:
    """`run_dig`, if the configuration names a judge."""
    if not digs.settings.judge_named:
        return []
    driven: set[str] = set()

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
        digging = _Digging(digs, ctx, driven)
        try:
            return as_result(await run_sync(digging.run, sent, abandon_on_cancel=True))
        finally:
            digging.stop()

    return [make_tool(run_dig, "Have a judge dig", RECORDS)]


class _Digging:
    """A whole dig in a thread; the client is told how far it is, and may cancel."""

    def __init__(self, digs: Digs, ctx: Context[Any, Any], driven: set[str]) -> None:
        self._digs = digs
        self._ctx = ctx
        # the digs that this server drives now: nobody pays twice for the same answers
        self._driven = driven
        self._judge: Judge | None = None
        self._stopped = False

    def run(self, sent: dict[str, str | None]) -> Answer:
        """Open the dig and drive it."""
        opened = self._digs.open_dig(sent)
        if isinstance(opened, Refusal):
            return opened
        assert isinstance(opened, Opened)  # what open_dig answers when it does not refuse
        if opened.dig_id in self._driven:
            return refusals.driven("run_dig", opened.dig_id)
        self._driven.add(opened.dig_id)
        try:
            return self._driven_to_its_report(opened)
        finally:
            self._driven.discard(opened.dig_id)

    def _driven_to_its_report(self, opened: Opened) -> Answer:
        from server.driving import drive, stand_of
        from server.judges.routed import choose_judge

        digs = self._digs
        settings = digs.settings
        try:
            choice = choose_judge(None, settings)
            judge = choice.open_judge(settings.base(opened.base), digs.library)
        except BadSettings as wrong:
            return refusals.unreachable("run_dig", wrong.message, wrong.remedy, opened.dig_id)
        self._judge = judge
        if self._stopped:
            self.stop()
        # the threads that the judge is asked in know nothing of the call
        asking = digs.asker()
        judged = Digs(digs.library, "judge", judge.flags, lambda: asking)

        def tell(_: Answer) -> None:
            stand = stand_of(judged.load(opened.dig_id))
            if not self._stopped:
                report = self._ctx.report_progress
                from_thread.run(report, stand.done, stand.total or None, stand.text)

        return drive(judged, opened.dig_id, judge, tell)

    def stop(self) -> None:
        """Have the judge give up what it is being asked; the dig stays, and can be resumed."""
        self._stopped = True
        if isinstance(self._judge, Metered):
            self._judge.stop()
