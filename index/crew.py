"""Helper processes for work that more than one core can share; any of them may be lost."""

import os
import pickle
import socket
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from index.environment import environment

# A helper that is silent for so long, with work to do, is given up.
SECONDS = 60.0
# More would wait for the one process that deals out and takes in.
_MOST = 8
# A socket holds that much, so that handing it over waits for nobody.
_AT_ONCE = 64 * 1024
_QUEUED = 2

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class HelperLost(Exception):
    """A helper died, fell silent or answered nonsense; what it was given may be lost."""


def hands() -> int:
    """How many helpers this process can keep busy; none on a single core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, _MOST) if (cores or 1) > 1 else 0


class Helper:
    """A process that does the work of one module; it answers every message, in order."""

    def __init__(self, module: str, greeting: object) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            # a send to a process that is stopped must not wait for ever
            limit = struct.pack("ll", int(SECONDS), 0)
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "index.hand", module, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=2,
                cwd="/",
                env=environment(),
                pass_fds=(theirs.fileno(),),
            )
        self.line: Connection[Any, Any] = Connection(ours.detach())
        self.given: deque[int] = deque()
        self._send(pickle.dumps(greeting, pickle.HIGHEST_PROTOCOL))

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def has_room(self, size: int) -> bool:
        """Whether a message of that size can be handed over without waiting."""
        return not self.given or (len(self.given) < _QUEUED and size <= _AT_ONCE)

    def give(self, number: int, message: bytes) -> None:
        """Hand over a task under a number; HelperLost if nobody takes it."""
        self.given.append(number)
        self._send(message)

    def answer(self) -> tuple[int, Any]:
        """The number of the oldest task and what came of it; HelperLost if that never comes."""
        try:
            if not self.line.poll(SECONDS):
                raise HelperLost(f"process {self.pid} is silent")
            return self.given[0], self.line.recv()
        except (OSError, EOFError, pickle.UnpicklingError) as trouble:
            raise HelperLost(f"process {self.pid} is gone") from trouble
        finally:
            self.given.popleft()

    def stop(self) -> None:
        """End it now."""
        self.line.close()
        self._process.kill()
        self._process.wait()

    def _send(self, message: bytes) -> None:
        try:
            self.line.send_bytes(message)
        except OSError as trouble:
            raise HelperLost(f"process {self.pid} takes nothing") from trouble


class Crew(Generic[Task, Answer]):
    """Helpers that share out tasks; answers come in the order of the tasks, whoever is lost.

    `alone` does a task here: one whose helper was lost, or any once there are none left.
    """

    def __init__(
        self, module: str, greeting: object, count: int, alone: Callable[[Task], Answer]
    ) -> None:
        self._alone = alone
        self._helpers: list[Helper] = []
        self.lost = 0
        with suppress(OSError, HelperLost):
            for _ in range(count):
                self._helpers.append(Helper(module, greeting))

    def answers(self, tasks: Sequence[Task]) -> Generator[Answer]:
        """What came of each task; not many are read ahead of the one that is waited for."""
        window = 2 * _QUEUED * max(1, len(self._helpers))
        found: dict[int, Answer] = {}
        dealt = 0
        for number, task in enumerate(tasks):
            while number not in found:
                most = min(len(tasks), number + window)
                while dealt < most and self._give(dealt, tasks[dealt]):
                    dealt += 1
                if not any(number in helper.given for helper in self._helpers):
                    # its helper was lost, or nobody could take it
                    found[number] = self._alone(task)
                    dealt = max(dealt, number + 1)
                else:
                    self._hear(found)
            yield found.pop(number)

    def close(self) -> None:
        """End all of them."""
        while self._helpers:
            self._helpers.pop().stop()

    def _give(self, number: int, task: Task) -> bool:
        message = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        free = [helper for helper in self._helpers if helper.has_room(len(message))]
        if not free:
            return False
        helper = min(free, key=lambda each: len(each.given))
        try:
            helper.give(number, message)
        except HelperLost:
            self._give_up(helper)
            return False
        return True

    def _hear(self, found: dict[int, Answer]) -> None:
        """Take in the answers that are there, of those that have work to do."""
        busy = {helper.line: helper for helper in self._helpers if helper.given}
        spoken = wait(list(busy), SECONDS)
        for line in spoken or busy:
            helper = busy[line]  # type: ignore[index]
            try:
                if not spoken:
                    raise HelperLost("all are silent")
                number, answer = helper.answer()
                found[number] = answer
            except HelperLost:
                self._give_up(helper)

    def _give_up(self, helper: Helper) -> None:
        self.lost += 1
        self._helpers.remove(helper)
        helper.stop()
