"""The `expedition` command at a real terminal, driven as a person would."""

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

PATIENCE_SECONDS = 60.0
PROGRAMS = ("EDITOR", "VISUAL", "PAGER")
COMMAND = Path(sys.executable).with_name("expedition")


class Terminal:
    """What stands on the screen, and the keyboard."""

    def __init__(self, process: "subprocess.Popen[bytes]", screen: int) -> None:
        self._process = process
        self._screen = screen
        self._seen = 0
        self._bytes = b""

    @property
    def text(self) -> str:
        """Everything shown so far."""
        return self._bytes.decode("utf-8", "replace").replace("\r\n", "\n")

    def type_in(self, prompt: str, *lines: str) -> None:
        """Wait for the prompt, then type."""
        self.expect(prompt)
        for line in lines:
            os.write(self._screen, f"{line}\n".encode())

    def break_off(self, *, by_signal: bool) -> None:
        """Press Ctrl-C, or Ctrl-D; Python loses the first if it comes just before it waits."""
        deadline = monotonic() + PATIENCE_SECONDS
        while by_signal and self._process.poll() is None:
            assert monotonic() < deadline, "Ctrl-C was not heard"
            self._process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(2)
        if not by_signal:
            os.write(self._screen, b"\x04")

    def expect(self, words: str) -> None:
        """Wait until these words stand on the screen, after those expected before."""
        deadline = monotonic() + PATIENCE_SECONDS
        while (at := self.text.find(words, self._seen)) < 0:
            if not self._read(deadline):
                raise AssertionError(f"no {words!r} in\n{self.text[self._seen :]}")
        self._seen = at + len(words)

    def end(self) -> int:
        """The exit code, once all is shown."""
        deadline = monotonic() + PATIENCE_SECONDS
        while self._read(deadline):
            continue
        return self._process.wait(PATIENCE_SECONDS)

    def _read(self, deadline: float) -> bool:
        """Take in what is new; False if there will be nothing."""
        ready, _, _ = select.select([self._screen], [], [], max(0.0, deadline - monotonic()))
        if not ready:
            return False
        try:
            new = os.read(self._screen, 65536)
        except OSError:
            return False  # so a terminal ends whose program has gone
        self._bytes += new
        return bool(new)


@contextmanager
def at_terminal(
    arguments: Sequence[str], command: Sequence[str | Path] = (COMMAND,), **named: str
) -> Generator[Terminal]:
    """Run `expedition` with a terminal of its own; it does not outlive the block.

    `named` are the programs that the person has named in their environment, such as EDITOR.
    """
    screen, inside = pty.openpty()
    own = {name: value for name, value in os.environ.items() if name not in PROGRAMS}
    fixed = {"TERM": "dumb", "COLUMNS": "200", "PYTHONWARNINGS": "error"}
    environment = {**own, **fixed, **named}
    process = subprocess.Popen(
        [*command, *arguments],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        env=environment,
        start_new_session=True,
    )
    os.close(inside)
    try:
        yield Terminal(process, screen)
    finally:
        process.kill()
        process.wait()
        os.close(screen)
