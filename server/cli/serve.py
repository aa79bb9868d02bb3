"""`expedition serve`: the MCP server on standard input and output."""

import click

from server.cli.options import settings_options
from server.config import Settings


@click.command("serve")
@settings_options
def command(settings: Settings) -> None:
    """Serve the tools of a dig to an MCP client, over standard input and output.

    Example: expedition serve --kb ~/notes
    """
    from server.app import build_app
    from server.brief_file import sweep
    from server.shelf import shelf_of

    sweep(shelf_of(settings))
    build_app(settings).run("stdio")
