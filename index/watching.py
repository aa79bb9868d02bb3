"""Whether something changes below a base's folder, as the system tells it, or by looking again."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePath

from index.records import BaseSettings
from index.walk import SUFFIXES

# Writes of one save, or of one checkout, come within so long of each other, in milliseconds.
SETTLED, LONGEST = 60, 400
# How often the watch sees that it is to stop, in milliseconds.
_ASKED = 500
# A folder that cannot be watched is looked at so often.
POLL_SECONDS = 5.0


def notices(settings: BaseSettings, stop: threading.Event) -> Iterator[None]:
    """One notice soon after files may have changed, until `stop` is set; changes meanwhile are one.

    The first comes when the watch stands: whatever changed before is to be looked for. Where the
    system has no watches left, or the folder is not there now, a notice comes every few seconds.
    """
    while not stop.is_set():
        with suppress(OSError, RuntimeError):
            yield from _told(settings, stop)
        if not stop.wait(POLL_SECONDS):
            yield None


def _told(settings: BaseSettings, stop: threading.Event) -> Iterator[None]:
    # it brings an event loop with it, and most commands watch nothing
    from watchfiles import watch

    root = PurePath(settings.root)
    found = watch(
        settings.root,
        watch_filter=lambda _, path: _matters(root, path),
        debounce=LONGEST,
        step=SETTLED,
        stop_event=stop,
        rust_timeout=_ASKED,
        yield_on_timeout=True,
        raise_interrupt=False,
        ignore_permission_denied=True,
    )
    begun = False
    for changed in found:
        if changed or not begun:
            begun = True
            yield None


def _matters(root: PurePath, path: str) -> bool:
    """Whether a change can concern a document; a folder that went has no suffix."""
    place = PurePath(path)
    inner = place.relative_to(root).parts if place.is_relative_to(root) else place.parts
    if any(name.startswith(".") for name in inner[:-1]):
        return False
    return place.suffix == "" or place.suffix.casefold() in SUFFIXES
