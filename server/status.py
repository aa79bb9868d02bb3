"""Where a dig stands, in words an agent and a person can act on."""

from collections.abc import Collection, Sequence

from server import steps
from server.config import Settings
from server.dig_state import DigState
from server.page_link import dig_url
from server.principal import LOCAL
from server.replies import DigLine, Next, Status
from server.store import Run

_WHY = {
    "retrieve_candidates": "send 10 to 12 terms",
    "score_summaries": "score the open batch",
    "pick_scotoma": "pick among the top rows",
    "extract_excerpt": "look at a picked file, or go on to dig_report",
    "dig_report": "render the report",
    "assemble_brief": "write the brief",
}


def status_of(state: DigState, page: str | None = None, *, counts: bool = True) -> Status:
    """The state of one dig, what waits for whom, and how many attempts were refused.

    `page` is the dig's link, where a page runs; a decision may no longer be one that `counts`.
    """
    refused = [
        f"refused: step {step}" + (f" batch {batch}" if batch else "")
        for step, batch in state.refusals
    ]
    return Status(
        dig_id=state.dig,
        state=_described(state),
        waits_for=_waits_for(state, page, counts),
        attempts=tuple(refused),
        flags=state.flags,
        next=_next(state, counts),
    )


def open_digs(runs: Sequence[Run], served: Collection[str]) -> Status:
    """The digs that are not finished, newest first; those of bases not served only as a number."""
    unfinished = [run for run in reversed(runs) if run.state not in ("briefed", "abandoned")]
    lines = [
        DigLine(
            dig_id=run.run,
            base=run.base,
            title=run.title,
            state=run.state,
            opened_at=run.opened_at,
        )
        for run in unfinished
        if run.base in served or not served
    ]
    return Status(
        digs=tuple(lines),
        elsewhere=len(unfinished) - len(lines),
        next=Next(tool="open_dig", why="open a new dig, or go on with one of these"),
    )


def page_of(settings: Settings, state: DigState) -> str | None:
    """The dig's link, where a page runs; only for whoever comes without a token is it here."""
    return dig_url(settings, state.dig) if state.principal == LOCAL else None


def ways_to_decide(dig: str, page: str | None = None) -> tuple[str, ...]:
    """How a person decides, on the page too where one runs; no tool is among them."""
    ways = (
        "A reply in this chat is not a decision.",
        f"Decide with: expedition decide {dig}",
    )
    return (*ways, f"Or in a browser on this machine: {page}") if page else ways


def _described(state: DigState) -> str:
    if state.failure is not None:
        return f"failed at step {state.failure.step}: {state.failure.reason}"
    if state.state == "scoring":
        return f"scoring, batch {state.batches_scored + 1} of {len(state.batches)}"
    return state.state


def _waits_for(state: DigState, page: str | None, counts: bool) -> str:
    if state.state == "reported" or not counts:
        also = f", or on the page {page}" if page else ""
        anew = "" if counts else " anew, for the decision does not count any more"
        return f"A person decides{anew}: expedition decide {state.dig}{also}."
    if state.state == "decided":
        return f"The brief can be written: assemble_brief, or expedition brief {state.dig}."
    if state.state == "failed":
        return f"A person may reopen it: expedition dig --resume {state.dig}."
    return ""


def _next(state: DigState, counts: bool) -> Next:
    if state.state == "reported" or not counts:
        why = "stop here, do not ask again, and end the turn; only a person opens the brief"
        return Next(tool="none", why=why)
    tools = steps.TOOLS[state.state]
    if not tools:
        return Next(tool="none", why=f"the dig is {state.state}")
    return Next(tool=tools[0], why=_WHY[tools[0]])
