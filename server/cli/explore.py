"""`expedition explore`: what a person does with explorations that an agent drives."""

import sys
from typing import Any

import click

from server.cli.explore_run import resume, run
from server.cli.options import json_option, settings_options
from server.cli.output import emit, say
from server.cli.reviewer import Terminal, level_of
from server.config import Settings

_EXIT_CODES = {"UNKNOWN_RUN": 3, "INVALID_ARGUMENT": 1}


@click.group("explore")
def command() -> None:
    """Explorations: run one, list them, look at one, review its plan."""


command.add_command(run)
command.add_command(resume)


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
    level = level_of(settings)
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
