"""`expedition show`: everything the store knows of one dig."""

import sys

import click

from server.cli.options import json_option, settings_options
from server.cli.output import emit, say
from server.config import Settings


@click.command("show")
@click.argument("dig")
@click.option("--events", is_flag=True, help="Every event, as recorded.")
@json_option
@settings_options
def command(settings: Settings, dig: str, events: bool, as_json: bool) -> None:
    """Show a DIG: its context, candidates, scores, picks, excerpts, attempts and decision.

    Example: expedition show dig_2f... --json
    """
    from server.dig import Digs
    from server.library import Library
    from server.showing import as_record, as_text
    from server.store import UnknownRun

    digs = Digs(Library(settings))
    try:
        state = digs.load(dig)
        history = digs.store.load(dig)[1]
    except UnknownRun:
        say(f"expedition: there is no dig {dig}: expedition digs lists them")
        sys.exit(3)
    if as_json:
        emit(as_record(state, history if events else ()))
    else:
        print(as_text(state, history if events else ()))
