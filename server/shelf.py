"""Which brief is meant, and what the store knows of the dig that it came from."""

import os
from pathlib import Path

from index.faults import NotFound, PathRefused
from index.paths import LONGEST_NAME
from server.brief_file import Shelf
from server.config import Settings
from server.dig_state import DigState
from server.fold import fold
from server.principal import LOCAL, may_see
from server.store import Store, UnknownRun


def shelf_of(settings: Settings) -> Shelf:
    """Where these settings put briefs."""
    return Shelf(settings.briefs, tuple(Path(base.root) for base in settings.bases))


def find_brief(settings: Settings, name: str, asking: str | None = None) -> Path:
    """The brief of a dig, by its id, or of a file name on the shelf; a name is never a path.

    The shelf is the machine owner's: whoever comes with a token names digs of their own.
    """
    if not name or name in (".", "..") or any(mark in name for mark in "/\\\0"):
        raise PathRefused("a brief is named by its dig or its file name", "send no path")
    dig = recorded_dig(settings.state, name, asking)
    if dig is not None and dig.brief is not None and dig.brief.written:
        return Path(dig.brief.path)
    path = settings.briefs / name
    elsewhere = dig is not None or asking not in {None, LOCAL}
    if elsewhere or len(os.fsencode(name)) > LONGEST_NAME or not path.is_file():
        raise NotFound("there is no such brief", "send a briefed dig's id or a brief's file name")
    return path


def locate_brief(settings: Settings, named: str) -> Path:
    """The brief that a person names: a path, or what `find_brief` knows."""
    path = Path(named)
    return path if path.exists() or len(path.parts) > 1 else find_brief(settings, named)


def recorded_dig(state: Path, dig: str, asking: str | None = None) -> DigState | None:
    """The dig as this state directory has it; None if it knows of none that the asker may see."""
    store = Store(state)
    # To look is not to begin: opening the store would make one.
    if not store.path.exists():
        return None
    try:
        run, events = store.load(dig)
    except UnknownRun:
        return None
    seen = run.kind == "dig" and may_see(asking, run.principal)
    return fold(run, events) if seen else None
