"""Reports and briefs to read: `dig://ID/report`, `dig://ID/brief`."""

from anyio.to_thread import run_sync
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from index.faults import Fault
from server.brief_file import read_text
from server.dig import Digs
from server.dig_state import DigState
from server.shelf import find_brief
from server.store import Busy, UnknownRun


def add_resources(app: MCPServer[None], digs: Digs) -> None:
    """Offer the report and the brief of a dig; both are text of files, to be read as data."""

    @app.resource(
        "dig://{dig_id}/report",
        name="dig_report",
        title="Dig report",
        description="The report of a dig as a person is asked to decide on it.",
        mime_type="text/plain",
    )
    async def report(dig_id: str) -> str:
        return await run_sync(_report, digs, dig_id)

    @app.resource(
        "dig://{dig_id}/brief",
        name="brief",
        title="Brief",
        description="The saved brief of a dig: verbatim passages with their provenance.",
        mime_type="text/markdown",
    )
    async def brief(dig_id: str) -> str:
        return await run_sync(_brief, digs, dig_id)


def _loaded(digs: Digs, dig_id: str) -> DigState:
    try:
        return digs.load(dig_id)
    except UnknownRun as unknown:
        raise ResourceNotFoundError("no dig has this id") from unknown
    except (Busy, Fault) as trouble:
        raise ResourceError("the store cannot be read now; dig_status says why") from trouble


def _report(digs: Digs, dig_id: str) -> str:
    report = _loaded(digs, dig_id).report
    if report is None:
        raise ResourceNotFoundError("no dig of that id has a report")
    return report.text


def _brief(digs: Digs, dig_id: str) -> str:
    brief = _loaded(digs, dig_id).brief
    if brief is None or not brief.written:
        raise ResourceNotFoundError("no dig of that id has a brief")
    try:
        return read_text(find_brief(digs.settings, dig_id))
    except Fault as fault:
        raise ResourceNotFoundError("the brief of this dig is not on this disk any more") from fault
