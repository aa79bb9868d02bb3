"""`expedition passphrase set|clear|check`: what only the person knows, asked before they decide."""

import sys
from typing import TYPE_CHECKING

import click

from index.faults import Fault
from server.cli.options import settings_options
from server.cli.output import say
from server.config import Settings

if TYPE_CHECKING:
    from server.passphrase import Proof

NO_TERMINAL = (
    "a passphrase is typed at a terminal, and this is none",
    "run it in a terminal window",
)


class NotTyped(Fault):
    """Nobody typed the passphrase that is needed."""

    exit_code = 1


@click.group("passphrase")
def command() -> None:
    """Ask for a passphrase before a decision counts; only then it proves that you made it."""


@command.command("set")
@settings_options
def set_command(settings: Settings) -> None:
    """Set the passphrase, or another one in place of it. It is kept as a hash and cannot be read.

    From then on only a decision made with it opens a brief: at the terminal or on the page.

    Example: expedition passphrase set
    """
    from server.passphrase import LONGEST, SHORTEST, set_passphrase

    proof = _proven(settings, "the passphrase that is set now")
    typed = _typed("New passphrase")
    if not SHORTEST <= len(typed) <= LONGEST:
        raise NotTyped(f"it has {len(typed)} characters", f"take {SHORTEST} to {LONGEST:,}")
    if not typed.isprintable() or not typed.strip():
        raise NotTyped("it is blank, or holds what cannot be typed in a browser", "take others")
    if _typed("Once more") != typed:
        raise NotTyped("the two are not the same", "try again")
    set_passphrase(settings.state, typed, proof=proof)
    say("Set. Keep it where no agent reads: nobody can tell it to you again.")


@command.command("clear")
@settings_options
def clear_command(settings: Settings) -> None:
    """Forget the passphrase; decisions are then made without one.

    Example: expedition passphrase clear
    """
    from server.passphrase import clear_passphrase, is_set

    if not is_set(settings.state):
        say("None is set.")
        return
    clear_passphrase(settings.state, _proven(settings, "the passphrase"))
    say("Cleared.")


@command.command("check")
@settings_options
def check_command(settings: Settings) -> None:
    """Say whether a passphrase is set and, at a terminal, whether you know it.

    Exits with 1 where it is another. Example: expedition passphrase check
    """
    from server.passphrase import is_set

    if not is_set(settings.state):
        say("None is set: a decision at the terminal or on the page has the level local.")
        return
    _proven(settings, "the passphrase")
    say("That is it.")


def _proven(settings: Settings, what: str) -> "Proof | None":
    """The proof that the person knows what is set; None where nothing is."""
    from server.passphrase import Proof, is_set, verify

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise NotTyped(*NO_TERMINAL)
    if not is_set(settings.state):
        return None
    found = verify(settings.state, _typed(what[0].upper() + what[1:]), "passphrase")
    if not isinstance(found, Proof):
        raise NotTyped(found.reason, found.remedy)
    return found


def _typed(label: str) -> str:
    """One line from the terminal that is not shown."""
    typed: str = click.prompt(
        label, hide_input=True, default="", show_default=False, err=True, prompt_suffix=": "
    )
    return typed
