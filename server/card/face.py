"""The card as MCP carries it: its page, the report that fills it, the tool that only it calls."""

import time
from pathlib import Path
from typing import Annotated, Any, cast

from anyio.to_thread import run_sync
from mcp.server.apps import Apps, ResourceCsp, client_supports_apps
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import WithJsonSchema

from gates.human import strong_enough
from index.faults import Fault
from server.card.tickets import Tickets
from server.dig import Digs
from server.passphrase import weakest_that_counts
from server.refusals import Refusal
from server.replies import Answer, Status
from server.results import WRITES, Text, as_result, make_tool
from server.store import Busy, UnknownRun

PAGE = "ui://corpus-expedition/report.html"
META = "corpus-expedition/card"
DECIDE = "decide_on_card"
_HTML = Path(__file__).with_name("card.html")

Ids = Annotated[Any, WithJsonSchema({"type": "array", "items": {"type": "string"}})]


class Card:
    """Shows reports to hosts that declare MCP Apps, and hears the decision made on one."""

    def __init__(self, digs: Digs, key: bytes) -> None:
        self.digs = digs
        self.tickets = Tickets(key)

    def extension(self) -> Apps:
        """The extension, with the card's page: it loads nothing and asks nobody but the host."""
        apps = Apps()
        nowhere = ResourceCsp(
            connect_domains=[], resource_domains=[], frame_domains=[], base_uri_domains=[]
        )
        apps.add_html_resource(
            PAGE,
            self.page(),
            name="report_card",
            title="Dig report",
            csp=nowhere,
            prefers_border=True,
        )
        return apps

    def page(self) -> str:
        """The card's page, with its half of every token."""
        return _HTML.read_text(encoding="utf-8").replace("@PAGE_HALF@", self.tickets.page_half)

    async def filled(self, answer: Answer, dig: str, ctx: Context[Any, Any]) -> CallToolResult:
        """A report as a result; for a host that shows cards with what fills one."""
        result = as_result(answer)
        if isinstance(answer, Refusal) or not client_supports_apps(ctx) or not self._counts():
            return result
        contents = await run_sync(self.contents, dig)
        return result if contents is None else result.model_copy(update={"meta": {META: contents}})

    def _counts(self) -> bool:
        """Whether the word of a host opens a brief at all."""
        return strong_enough("client", weakest_that_counts(self.digs.settings)).passed

    def contents(self, dig: str) -> dict[str, Any] | None:
        """What fills the card of a dig, with its ticket; None where nothing is to be decided."""
        from server.card.contents import card_of

        try:
            contents = card_of(self.digs.load(dig), self.digs.settings)
        except (UnknownRun, Busy, Fault):
            return None  # the report was answered; the ways in its text are open all the same
        if contents is None:
            return None
        ticket = self.tickets.issue(dig, contents["report_sha256"], time.time())
        return {**contents, "ticket": ticket}

    def tool(self) -> Tool:
        """The tool that the card calls; other clients are not told of it."""

        async def decide_on_card(
            dig_id: Text, report_sha256: Text, token: Text, keep: Ids, drop: Ids
        ) -> Annotated[CallToolResult, Status]:
            """Record what a person chose on the card of a report. Only the card can call it."""
            sent = (_ids(keep), _ids(drop))
            return as_result(await run_sync(self._decide, dig_id, report_sha256, token, sent))

        tool = make_tool(decide_on_card, "Decide on the card", WRITES)
        tool.meta = {"ui": {"resourceUri": PAGE, "visibility": ["app"]}}
        return tool

    def _decide(
        self, dig: str, report_sha256: str, token: str, sent: tuple[tuple[str, ...], ...]
    ) -> Answer:
        from server.review import Choices, Hand, Review

        if not self.tickets.admit(token, dig, report_sha256, time.time()):
            return Refusal(
                gate="card_shown",
                flag="NOT_DECIDED",
                asked=DECIDE,
                reason="this was not sent by the card of that report",
                remedy=f"end your turn; a person decides with: expedition decide {dig[:64]}",
            )
        hand = Hand("client", "app", report_sha256)
        return Review(self.digs).decide(dig, hand, Choices(*sent))


async def hide_from_others(
    ctx: ServerRequestContext[Any, Any], call_next: CallNext
) -> HandlerResult:
    """Middleware: tools that only the card calls are listed to hosts that show cards."""
    result = await call_next(ctx)
    # what comes out of the chain is the answer as it goes on the wire
    if ctx.method == "tools/list" and isinstance(result, dict) and not client_supports_apps(ctx):
        kept = [tool for tool in result.get("tools", ()) if tool["name"] != DECIDE]
        return {**result, "tools": kept}
    return result


def _ids(sent: object) -> tuple[str, ...]:
    """The ids of a list; whatever else was sent names no candidate, so that no decision fits it."""
    if not isinstance(sent, list):
        return ("",)
    return tuple(one if isinstance(one, str) else "" for one in cast("list[object]", sent))
