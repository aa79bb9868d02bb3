"""Starts and watches builds, each in a process of its own, so that no reader waits for one."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from index import faults
from index.environment import environment
from index.faults import Fault, IndexTrouble, StorageTrouble
from index.progress import Progress, read_progress
from index.records import BaseSettings
from index.request import Mode, Outcome, Request

OnProgress = Callable[[Progress], None]

_POLL_SECONDS = 0.1
_STDERR = 2


class Build:
    """A build that runs by itself; whoever drops it does not stop it."""

    def __init__(self, process: "subprocess.Popen[bytes]", answer: int, home: Path) -> None:
        self._process = process
        self._answer = answer
        self._home = home

    @property
    def pid(self) -> int:
        """The process that builds."""
        return self._process.pid

    def done(self) -> bool:
        """Whether it has ended, well or not."""
        return self._process.poll() is not None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for its end, for so many seconds at most; whether it has ended."""
        if self._process.returncode is None:
            # The pipe tells at once what the process itself must be asked for again and again.
            ending = select.poll()
            ending.register(self._answer, select.POLLIN)
            if not ending.poll(None if timeout is None else 1000 * timeout):
                return False
            self._process.wait()
        return True

    def progress(self) -> Progress:
        """How far the build of this base is, even if another process builds and this one waits."""
        return read_progress(self._home) or Progress("waiting")

    def result(self) -> Outcome:
        """What it did, once it has ended; raises the Fault that it ended with."""
        self._process.wait()
        record = self._record
        if "outcome" in record:
            return Outcome(**record["outcome"])
        if "fault" not in record:
            raise IndexTrouble(
                f"the build was stopped (exit code {self._process.returncode})", "start it again"
            )
        kind = getattr(faults, record["fault"], IndexTrouble)
        fault: Fault = kind(record["message"], record["remedy"])
        raise fault

    def stop(self) -> None:
        """End it now; the index stays as it was."""
        self._process.kill()
        self._process.wait()

    @cached_property
    def _record(self) -> dict[str, Any]:
        with os.fdopen(self._answer, "rb") as answer:
            content = answer.read()
        record: dict[str, Any] = json.loads(content) if content else {}
        return record


def start_build(settings: BaseSettings, home: Path, mode: Mode = "update") -> Build:
    """Begin to build the index of a base; without an index to update, all of it is built."""
    reads, writes = os.pipe()
    request = Request(settings, home.absolute(), mode)
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "index.build_child", request.to_json(), str(writes)],
            stdin=subprocess.DEVNULL,
            stdout=_STDERR,
            cwd="/",
            env=environment(),
            pass_fds=(writes,),
        )
    except OSError as trouble:
        os.close(reads)
        raise StorageTrouble(
            f"no process can be started: {trouble.strerror}", "free some memory and try again"
        ) from trouble
    finally:
        os.close(writes)
    return Build(process, reads, request.home)


def rebuild(settings: BaseSettings, home: Path, progress: OnProgress | None = None) -> Outcome:
    """Build the index of a base from nothing and wait for it."""
    return _run(start_build(settings, home, "rebuild"), progress)


def update(settings: BaseSettings, home: Path, progress: OnProgress | None = None) -> Outcome:
    """Take in what changed in a base and wait for it; the result is that of a rebuild."""
    return _run(start_build(settings, home, "update"), progress)


def _run(build: Build, progress: OnProgress | None) -> Outcome:
    try:
        while not build.wait(_POLL_SECONDS):
            if progress is not None:
                progress(build.progress())
    except BaseException:
        build.stop()
        raise
    return build.result()
