"""`expedition brief DIG`: the brief of a decided dig, written if it is not there yet."""

import sys
from pathlib import Path

import click

from index.faults import NotFound
from server.cli.answers import conclude
from server.cli.options import json_option, settings_options
from server.cli.output import print_file
from server.config import Settings
from server.replies import Answer, Briefed


@click.command("brief")
@click.argument("dig")
@click.option("--print", "whole", is_flag=True, help="Print the brief itself, not its place.")
@json_option
@settings_options
def command(settings: Settings, dig: str, whole: bool, as_json: bool) -> None:
    """Write the brief of a DIG that a person has decided on, and say where it is.

    A second time it says the same again. Without a voice anchor nothing is written: exit 1.

    Example: expedition brief dig_2f... --print
    """
    answer = _assembled(settings, dig)
    if whole and not as_json and isinstance(answer, Briefed) and answer.saved:
        print_file(Path(answer.path))
        return
    conclude(answer, as_json)
    if isinstance(answer, Briefed) and not answer.saved:
        sys.exit(1)
    if isinstance(answer, Briefed) and "BRIEF_GONE" in answer.flags:
        sys.exit(NotFound.exit_code)


def _assembled(settings: Settings, dig: str) -> Answer:
    from server.dig import Digs
    from server.library import Library

    return Digs(Library(settings)).assemble_brief(dig)
