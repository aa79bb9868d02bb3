"""The briefs on the disk and the digs that they came from."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from index.faults import NotFound, PathRefused
from server.brief import BriefTrouble
from server.config import Settings
from server.dig_state import DigState
from server.fold import fold
from server.store import Store, UnknownRun

# A dozen passages of 500 words and a blaze; a whole note may be as long as a file may be.
LARGEST = 64 * 1024 * 1024

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder that briefs go to, and the bases it must lie outside of."""

    folder: Path
    bases: tuple[Path, ...] = ()


def shelf_of(settings: Settings) -> Shelf:
    """Where these settings put briefs."""
    return Shelf(settings.briefs, tuple(Path(base.root) for base in settings.bases))


def find_brief(settings: Settings, name: str) -> Path:
    """The brief of a dig, by its id, or of a file name on the shelf; a name is never a path."""
    if not name or name in (".", "..") or any(mark in name for mark in "/\\\0"):
        raise PathRefused("a brief is named by its dig or its file name", "send no path")
    dig = recorded_dig(settings.state, name)
    if dig is not None and dig.brief is not None and dig.brief.written:
        return Path(dig.brief.path)
    path = settings.briefs / name
    if dig is not None or not path.is_file():
        raise NotFound("there is no such brief", "send a briefed dig's id or a brief's file name")
    return path


def recorded_dig(state: Path, dig: str) -> DigState | None:
    """The dig as this state directory has it; None if it knows of none."""
    store = Store(state)
    # To look is not to begin: opening the store would make one.
    if not store.path.exists():
        return None
    try:
        return fold(*store.load(dig))
    except UnknownRun:
        return None


def read_text(path: Path, limit: int = LARGEST) -> str:
    """What a brief or a draft says, its line ends untouched."""
    try:
        descriptor = os.open(path, _READ)
    except (OSError, ValueError) as trouble:
        reason = getattr(trouble, "strerror", None) or "no file can have that name"
        raise NotFound(f"{path}: {reason}", "name a file that can be read") from trouble
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise PathRefused(f"{path} is no regular file", "name another")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(limit + 1)
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise PathRefused(f"{path} is longer than {limit} bytes", "name another, or send a part")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise BriefTrouble(f"{path} is no UTF-8 text", "save it as UTF-8") from wrong
