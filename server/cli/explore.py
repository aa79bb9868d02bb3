"""`expedition explore`: what a person does with explorations that an agent drives."""

import sys
from typing import Any

import click

from server.cli.options import json_option, settings_options
from server.cli.output import emit, say
from server.config import Settings

_EXIT_CODES = {"UNKNOWN_RUN": 3, "INVALID_ARGUMENT": 1}


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


@click.group("explore")
def command() -> None:
    """Explorations: list them, look at one, review its plan."""


@command.command("list")
@json_option
@settings_options
def list_(settings: Settings, as_json: bool) -> None:
    """List all explorations, oldest first.

    Example: expedition explore list
    """
    from server.explore.explorations import Explorations
    from server.explore.status import line_of
    from server.shown import visible_line

    lines = [line_of(state) for state in Explorations(settings).ledger.runs()]
    if as_json:
        emit({"runs": lines})
        return
    for line in lines:
        print(f"{line.run}  {line.state}  {', '.join(line.bases)}  {visible_line(line.objective)}")


@command.command("show")
@click.argument("run")
@settings_options
def show(settings: Settings, run: str) -> None:
    """Print the trace of a RUN as it stands.

    Example: expedition explore show exp_2f...
    """
    from server.explore.trace import trace_of

    emit(trace_of(_loaded(settings, run)))


@command.command("review")
@click.argument("run")
@settings_options
def review(settings: Settings, run: str) -> None:
    """Answer the open plan review of a RUN: approve, or revise and what to change.

    Example: expedition explore review exp_2f...
    """
    from server.explore.explorations import Explorations
    from server.explore.review import PlanReviewInputError, Said, ask
    from server.refusals import Refusal

    state = _loaded(settings, run)
    if state.question is None:
        say(f"{run} has no open plan review; it is {state.state}.")
        sys.exit(1)
    level = _level(settings)
    try:
        decision, feedback = ask(state.question, Terminal())
    except PlanReviewInputError as silence:
        say(f"{silence}; the plan waits: expedition explore review {run}")
        sys.exit(1)
    said = Said(state.question.index, decision, feedback, "terminal", level)
    answer = Explorations(settings).answer_review(run, said)
    if isinstance(answer, Refusal):
        say(answer.text)
        sys.exit(_EXIT_CODES.get(answer.flag, 1))
    print(f"Recorded: {decision}, {level}.")


def _loaded(settings: Settings, run: str) -> Any:
    from server.explore.explorations import Explorations
    from server.store import UnknownRun

    try:
        return Explorations(settings).load(run)
    except UnknownRun:
        say("expedition: no exploration has this id; see: expedition explore list")
        sys.exit(3)


def _level(settings: Settings) -> Any:
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
