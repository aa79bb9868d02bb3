"""Programs that were started for an answer: none outlives this process, unless it is killed -9."""

import os
import signal
from contextlib import suppress
from subprocess import Popen
from threading import Lock
from types import FrameType

_groups: set[int] = set()
_lock = Lock()


def noted(process: "Popen[bytes]") -> None:
    """Remember a program that leads a process group of its own."""
    with _lock:
        _groups.add(process.pid)


def ended(process: "Popen[bytes]") -> None:
    """Kill it with all that it started in its group, and forget it."""
    with _lock:
        _groups.discard(process.pid)
    _kill(process.pid)
    process.wait()


def end_with(*signals: signal.Signals) -> None:
    """Let these signals end the programs, and then this process as they would have anyway.

    One that is ignored stays so. To be called in the main thread.
    """
    for each in signals:
        if signal.getsignal(each) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(each, _end)


def _end(number: int, _: FrameType | None) -> None:
    # no lock: the thread that was interrupted may hold it
    for group in list(_groups):
        _kill(group)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
