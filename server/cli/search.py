"""`expedition search`: look around in a base."""

import click

from server.cli.answers import conclude
from server.cli.options import base_option, json_option, settings_options
from server.config import Settings


@click.command("search")
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 50), default=10, show_default=True)
@base_option
@json_option
@settings_options
def command(settings: Settings, query: str, limit: int, base: str | None, as_json: bool) -> None:
    """Rank the files of a base for a QUERY and show the lines that match.

    Example: expedition search --kb ~/notes "rust on the hull"
    """
    from server.dig import Digs
    from server.library import Library
    from server.looking import search_base

    digs = Digs(Library(settings))
    conclude(search_base(digs, query, base, limit), as_json)
