"""Foreseen failures of store, index and files, as the refusals that a client is told."""

from collections.abc import Callable
from typing import TypeVar

from index.faults import (
    BadSettings,
    BaseUnavailable,
    ExtraMissing,
    Fault,
    IndexTrouble,
    NotFound,
    PathRefused,
    StorageTrouble,
)
from server import refusals
from server.brief import BriefTrouble
from server.library import Building
from server.refusals import Refusal
from server.store import Busy, UnknownRun

T = TypeVar("T")

_FLAGS: tuple[tuple[type[Fault], str, str], ...] = (
    (IndexTrouble, "index_whole", "INDEX_REBUILDING"),
    (BaseUnavailable, "base_readable", "BASE_UNAVAILABLE"),
    (PathRefused, "path_allowed", "PATH_REFUSED"),
    (StorageTrouble, "storage", "STORAGE_FULL"),
    (BriefTrouble, "brief_reads_back", "STORAGE_FULL"),
    # A dig outlives the configuration that it was opened under.
    (NotFound, "base_exists", "UNKNOWN_BASE"),
    (ExtraMissing, "extra_installed", "EXTRA_MISSING"),
    (BadSettings, "base_exists", "UNKNOWN_BASE"),
)


def as_refusals(asked: str, move: Callable[[], T]) -> T | Refusal:
    """What the move gives; a foreseen failure becomes the refusal that names the way on."""
    try:
        return move()
    except UnknownRun:
        return refusals.unknown_dig(asked)
    except Busy:
        return refusals.busy(asked)
    except Building as building:
        return Refusal(
            gate="index_ready",
            flag="INDEX_REBUILDING" if building.again else "INDEX_BUILDING",
            asked=asked,
            reason=f"{building.done} of {building.total or '?'} files are indexed",
            remedy="repeat the same call in a moment",
        )
    except Fault as fault:
        for kind, gate, flag in _FLAGS:
            if isinstance(fault, kind):
                return Refusal(
                    gate=gate,
                    flag=flag,
                    asked=asked,
                    reason=fault.message,
                    remedy=fault.remedy or "mend it, then repeat the call",
                )
        raise
