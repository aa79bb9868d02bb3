"""Which brief is meant, and what the store knows of the dig that it came from."""

import os
from hashlib import sha256
from pathlib import Path

from index.faults import NotFound, PathRefused
from index.paths import LONGEST_NAME
from server.brief_file import Shelf
from server.config import Settings
from server.dig_state import BriefFile, DigState
from server.fold import fold
from server.principal import LOCAL, may_see
from server.store import Store, UnknownRun


def shelf_of(settings: Settings) -> Shelf:
    """Where these settings put briefs."""
    return Shelf(settings.briefs, tuple(Path(base.root) for base in settings.bases))


def whereabouts(settings: Settings, brief: BriefFile) -> Path | None:
    """Where a written brief is now: where it was put, or under its name on today's shelf.

    The folders of this program may have been moved; another file of the name is not taken for it.
    """
    written = Path(brief.path)
    if written.is_file():
        return written
    moved = settings.briefs / written.name
    if moved.is_file() and sha256(moved.read_bytes()).hexdigest() == brief.sha256:
        return moved
    return None


def find_brief(settings: Settings, name: str, asking: str | None = None) -> Path:
    """The brief of a dig, by its id, or of a file name on the shelf; a name is never a path.

    The shelf is the machine owner's: whoever comes with a token names digs of their own.
    """
    if not name or name in (".", "..") or any(mark in name for mark in "/\\\0"):
        raise PathRefused("a brief is named by its dig or its file name", "send no path")
    dig = recorded_dig(settings.state, name, asking)
    if dig is not None and dig.brief is not None and dig.brief.written:
        found = whereabouts(settings, dig.brief)
        if found is None:
            raise NotFound(
                f"the brief is not where it was written, {dig.brief.path}",
                f"find it; expedition show {dig.dig} has its excerpts",
            )
        return found
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
