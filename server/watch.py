"""Keeps the indexes of a server up to date while it runs, whether or not anybody asks."""

import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

from index.faults import IndexTrouble
from index.generation import read_pointer
from index.records import BaseSettings
from index.watching import notices
from server.library import Library

# A client waits for a server that starts, and for nothing that this does.
STARTS_AFTER = 1.0
# An update that failed is tried again, though nothing else changes.
AGAIN_AFTER = 20.0
_LEAVE_SECONDS = 0.5


@contextmanager
def watched(library: Library, starts_after: float = STARTS_AFTER) -> Generator[None]:
    """While the block runs, changes in the bases are taken in unasked, by processes of their own.

    A base that was never indexed waits until somebody asks for it.
    """
    stop = threading.Event()
    threads = [
        threading.Thread(target=_follow, args=(library, base, stop, starts_after), daemon=True)
        for base in library.settings.bases
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(_LEAVE_SECONDS)


def _follow(
    library: Library, base: BaseSettings, stop: threading.Event, starts_after: float
) -> None:
    if stop.wait(starts_after):
        return
    for _ in notices(base, stop):
        while _is_indexed(library, base) and not library.refresh(base):
            if stop.wait(AGAIN_AFTER):
                return


def _is_indexed(library: Library, base: BaseSettings) -> bool:
    with suppress(IndexTrouble):
        return read_pointer(library.settings.index_home(base)) is not None
    return False
