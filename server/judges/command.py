"""A program as judge: it reads the prompt on its input and prints the answer."""

import os
import selectors
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from typing import IO

from server import running
from server.config_judges import JudgeEntry
from server.judge import Unreachable, Unreadable
from server.judges.answers import final_part
from server.judges.prompted import Passing, PromptedJudge, Said

_TICK_SECONDS = 0.2
_CHUNK = 65536


@dataclass(frozen=True, slots=True)
class Program:
    """One run of the program for each question; nothing of it is left running after that."""

    name: str
    entry: JudgeEntry

    def ask(self, prompt: str, stop: Event) -> Said:
        """What it printed, between its marks if it set them."""
        process = self._started()
        try:
            printed = _Conversation(process, self.entry, stop).held(prompt.encode("utf-8"))
        finally:
            _end(process)
        if process.returncode:
            raise Passing(f"the program ended with {_code(process.returncode)}")
        try:
            return Said(final_part(printed.decode("utf-8")))
        except UnicodeDecodeError:
            raise Unreadable("the answer is no UTF-8") from None

    def _started(self) -> "subprocess.Popen[bytes]":
        try:
            # Its own group, so that whatever it starts can be ended with it. What it says on
            # stderr is for the person, as it is when they run it themselves.
            process = subprocess.Popen(
                self.entry.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as trouble:
            raise Unreachable(
                f"judge {self.name}: its program cannot be started: {trouble.strerror}",
                "check its command in expedition.yaml",
            ) from trouble
        running.noted(process)
        return process


class _Conversation:
    """Prompt in, answer out, both at once: a program may speak before it has heard all."""

    def __init__(self, process: "subprocess.Popen[bytes]", entry: JudgeEntry, stop: Event) -> None:
        assert process.stdin and process.stdout  # both are pipes
        self._process = process
        self._input: IO[bytes] = process.stdin
        self._output: IO[bytes] = process.stdout
        self._entry = entry
        self._stop = stop
        self._deadline = time.monotonic() + entry.timeout_seconds
        self._heard = bytearray()

    def held(self, prompt: bytes) -> bytes:
        """All that was printed before the program ended; a child may keep its output open."""
        unsent = memoryview(prompt)
        with selectors.DefaultSelector() as pipes:
            for pipe, kind in (
                (self._input, selectors.EVENT_WRITE),
                (self._output, selectors.EVENT_READ),
            ):
                os.set_blocking(pipe.fileno(), False)
                pipes.register(pipe, kind)
            while self._output in pipes.get_map():
                self._in_time()
                ended = self._process.poll() is not None
                ready = pipes.select(_TICK_SECONDS)
                if ended and not ready:
                    break
                for key, _ in ready:
                    if key.fileobj is self._output:
                        self._listen(pipes)
                    else:
                        unsent = self._speak(pipes, unsent)
        self._wait()
        return bytes(self._heard)

    def _listen(self, pipes: selectors.BaseSelector) -> None:
        chunk = os.read(self._output.fileno(), _CHUNK)
        if not chunk:
            pipes.unregister(self._output)
        self._heard += chunk
        if len(self._heard) > self._entry.max_bytes:
            raise Unreadable(f"the answer is longer than {self._entry.max_bytes} bytes")

    def _speak(self, pipes: selectors.BaseSelector, unsent: memoryview) -> memoryview:
        """Pass on what fits; a program that has heard enough closes its input."""
        try:
            unsent = unsent[os.write(self._input.fileno(), unsent[:_CHUNK]) :]
        except BrokenPipeError:
            unsent = unsent[:0]
        if not unsent:
            pipes.unregister(self._input)
            self._input.close()
        return unsent

    def _wait(self) -> None:
        while self._process.poll() is None:
            self._in_time()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_TICK_SECONDS)

    def _in_time(self) -> None:
        if self._stop.is_set():
            raise Passing("it was stopped")
        if time.monotonic() > self._deadline:
            raise Passing(f"no answer within {self._entry.timeout_seconds} seconds")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the program and all that it started in its group."""
    running.ended(process)
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()


def _code(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def open_named(name: str, entry: JudgeEntry) -> PromptedJudge:
    """The judge that runs the program of this entry."""
    return PromptedJudge(name, entry, Program(name, entry))
