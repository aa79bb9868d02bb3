"""`expedition search`: look around in a base."""

import click

from server.cli.answers import conclude
from server.cli.options import base_option, json_option, settings_options
from server.config import Settings


@click.command("search")
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 50), default=10, show_default=True)
@click.option("--explain", is_flag=True, help="Show what each word was read as, and brought.")
@click.option("--neighbours", is_flag=True, help="Show what each file links to, and what to it.")
@base_option
@json_option
@settings_options
def command(settings: Settings, query: str, base: str | None, as_json: bool, **looked: int) -> None:
    """Rank the files of a base for a QUERY and show the lines that match.

    Example: expedition search --kb ~/notes "rust on the hull"
    """
    from server.dig import Digs
    from server.explaining import explain_search
    from server.library import Library
    from server.looking import search_base

    digs = Digs(Library(settings))
    look = explain_search if looked["explain"] else search_base
    found = look(digs, query, base, looked["limit"], bool(looked["neighbours"]))
    conclude(found, as_json)
