"""The end of a run: classified once, its reply kept, its files written from the ledger."""

from pathlib import Path

from server.explore.answers import Closed, record_of
from server.explore.artefacts import MANDATE, TRACE, file_name, write
from server.explore.endings import ending_of
from server.explore.mandate import approaches_of, mandate_of
from server.explore.outcome import Outcome, event, foreseen
from server.explore.state import Exhausted, RunState
from server.explore.states import moves
from server.explore.trace import notice_of, trace_of
from server.fold import dump
from server.store import NewEvent


def close(state: RunState, tokens: int) -> Outcome:
    """The last report charged, the ending told."""
    spent, limit = state.spent + tokens, state.opening.contract.max_tokens
    payload: dict[str, object] = {"reported": tokens, "state": "closed"}
    if spent > limit and state.exhausted is None:
        payload["exhausted"] = dump(Exhausted("tokens", limit, spent))
    after = foreseen(state, [NewEvent("charged", payload)])
    ending = ending_of(after)
    approaches = len(approaches_of(after, ending)) if ending.completed else 0
    files = [file_name(state.run, TRACE)]
    files += [file_name(state.run, MANDATE)] if ending.completed else []
    reply = Closed(
        run=state.run,
        completed=ending.completed,
        stop=ending.stop,
        exhausted=dump(ending.exhausted) if ending.exhausted else None,
        approaches=approaches,
        notice=notice_of(after, ending, approaches),
        files=tuple(files),
        next=moves("closed"),
    )
    closed = event("closed", **payload, reply=record_of(reply))
    return Outcome(reply, (closed,), "closed")


def write_files(state: RunState) -> None:
    """The trace as the ledger has it, and the mandate of a run that is closed and completed."""
    folder = Path(state.opening.artefacts)
    write(folder, state.run, TRACE, trace_of(state))
    mandate = mandate_of(state, ending_of(state)) if state.state == "closed" else None
    if mandate is not None:
        write(folder, state.run, MANDATE, mandate)


def are_written(state: RunState) -> bool:
    """Whether the files that the closing reply names are there."""
    names = (state.reply or {}).get("files", [])
    folder = Path(state.opening.artefacts)
    return all((folder / str(name)).is_file() for name in names)  # type: ignore[attr-defined]
