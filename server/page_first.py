"""The host's offer to open the page: made once for a report, where the host shows links.

That the host agrees to open it proves nothing; only what is recorded on the page counts.
"""

from typing import Any

from anyio.to_thread import run_sync
from mcp.server.mcpserver import Context
from mcp.types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestURLParams,
    InputRequiredResult,
)

from server.dig import Digs
from server.elicitation import ROUND_TRIPS
from server.moves.asking import FormAnswer, Opening
from server.results import as_result

# The state that a call carries which comes back from the page, sealed by the SDK on its way.
BACK = "page:"


async def by_page(
    digs: Digs, dig: str, ctx: Context[Any, Any]
) -> CallToolResult | InputRequiredResult | None:
    """What `assemble_brief` answers where the host can open the page; None where it cannot.

    A host of the older protocol is asked at once, a newer one is told to ask and to call again.
    """
    state = ctx.request_state or ""
    if state.startswith(BACK):
        return await _assembled(digs, dig, state.removeprefix(BACK))
    opening = await run_sync(digs.opening, dig) if _opens_links(ctx) else None
    if opening is None:
        return None
    if (ctx.protocol_version or "") >= ROUND_TRIPS:
        return _to_be_asked(opening)
    await ctx.elicit_url(opening.text, opening.url, opening.report_sha256)
    return await _assembled(digs, dig, opening.report_sha256)


async def _assembled(digs: Digs, dig: str, report_sha256: str) -> CallToolResult:
    """The brief if the person has decided by now; and that they were asked about this report."""
    asked = FormAnswer(report_sha256, "decide elsewhere")
    return as_result(await run_sync(digs.assemble_brief, dig, asked))


def _to_be_asked(opening: Opening) -> InputRequiredResult:
    params = ElicitRequestURLParams(message=opening.text, url=opening.url)
    return InputRequiredResult(
        input_requests={"page": ElicitRequest(params=params)},
        request_state=f"{BACK}{opening.report_sha256}",
    )


def _opens_links(ctx: Context[Any, Any]) -> bool:
    capabilities = ctx.client_capabilities
    declared = capabilities.elicitation if capabilities else None
    version = ctx.protocol_version or ""
    can_ask = version >= ROUND_TRIPS or ctx.session.can_send_request
    return declared is not None and declared.url is not None and can_ask
