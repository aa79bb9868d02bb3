"""Where the local page answers, so that others can name it: a file that the page keeps locked.

The lock ends with the process, however it ends, and no later process can pass for it.
"""

import fcntl
import json
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from index.faults import Fault, StorageTrouble
from server.config import Settings
from server.folders import make_private

NAME = "page.json"
HOST = "127.0.0.1"
# Whoever asks for the link holds the lock for a moment, too.
_TRIES, _PAUSE_SECONDS = 20, 0.01
_MOST_BYTES = 1024


class PageRuns(Fault):
    """Another process shows the page over this state directory."""

    exit_code = 1


def page_url(settings: Settings) -> str | None:
    """The address of the page over this state directory; None where no page runs."""
    try:
        descriptor = os.open(_path(settings), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if _locked(descriptor, fcntl.LOCK_SH):
            return None
        return _url(file.read(_MOST_BYTES))


def dig_url(settings: Settings, dig: str) -> str | None:
    """The link to a dig on the page that runs; it holds no secret, and opening changes nothing."""
    page = page_url(settings)
    return page and f"{page}digs/{dig}"


@contextmanager
def announced(settings: Settings, port: int) -> Generator[str]:
    """The page's address, which others can ask for while the block runs; PageRuns if one has it."""
    make_private(settings.state)
    path = _path(settings)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as trouble:
        raise StorageTrouble(f"{path}: {trouble.strerror}") from trouble
    with os.fdopen(descriptor, "wb") as file:
        if not _taken(descriptor):
            raise PageRuns(
                f"a page runs already: {page_url(settings) or 'it is just starting'}",
                "open that one, or end it first",
            )
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "port": port}).encode("ascii"))
        file.flush()
        yield f"http://{HOST}:{port}/"


def _path(settings: Settings) -> Path:
    return settings.state / NAME


def _taken(descriptor: int) -> bool:
    for _ in range(_TRIES):
        if _locked(descriptor, fcntl.LOCK_EX):
            return True
        time.sleep(_PAUSE_SECONDS)
    return False


def _locked(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _url(content: bytes) -> str | None:
    """The address in the file; a page that is just starting has not written it yet."""
    try:
        port = int(json.loads(content)["port"])
    except (ValueError, TypeError, KeyError):
        return None
    return f"http://{HOST}:{port}/"
