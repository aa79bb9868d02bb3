"""`expedition show`: everything the store knows of one dig."""

import click

from server.cli.answers import conclude
from server.cli.options import json_option, settings_options
from server.cli.output import emit
from server.config import Settings
from server.refusals import Refusal


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
    from server.foreseen import as_refusals
    from server.library import Library
    from server.showing import as_record, as_text

    digs = Digs(Library(settings))
    found = as_refusals("show", lambda: (digs.load(dig), digs.store.load(dig)[1]))
    if isinstance(found, Refusal):
        conclude(found, as_json)
    elif as_json:
        emit(as_record(*found, events))
    else:
        click.echo(as_text(*found, events, counts=digs.counts(found[0])))
