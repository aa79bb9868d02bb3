"""A person before a plan: the terminal's streams, and whose answer counts there."""

import sys
from typing import Any

import click

from server.cli.output import say
from server.config import Settings


class Terminal:
    """The streams as they are when the question is asked."""

    def read(self) -> str | None:
        """The next line; None at the end of the input."""
        line = sys.stdin.readline()
        return line.removesuffix("\n") if line else None

    def write(self, text: str) -> None:
        """Show a text at once."""
        sys.stdout.write(text)
        sys.stdout.flush()


def level_of(settings: Settings) -> Any:
    """Whose answer it is: a person's once the passphrase was typed, where there is one."""
    from server.foreseen import as_refusals
    from server.passphrase import is_set, verify
    from server.refusals import Refusal

    if not is_set(settings.state):
        return "local"
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        say("expedition: the passphrase is typed at a terminal, and this is none")
        sys.exit(1)
    typed: str = click.prompt("Passphrase", hide_input=True, default="", show_default=False)
    found = as_refusals("review", lambda: verify(settings.state, typed, "review"))
    if isinstance(found, Refusal):
        say(found.text)
        sys.exit(1)
    return "person"
