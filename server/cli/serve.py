"""`expedition serve`: the MCP server on standard input and output."""

import click

from server.cli.options import settings_options
from server.config import Settings


@click.command("serve")
@click.option("--page", is_flag=True, help="Show the page of `expedition page` meanwhile, too.")
@settings_options
def command(settings: Settings, page: bool) -> None:
    """Serve the tools of a dig to an MCP client, over standard input and output.

    Example: expedition serve --kb ~/notes
    """
    from server.app import build_app
    from server.brief_file import sweep
    from server.shelf import shelf_of

    sweep(shelf_of(settings))
    app = build_app(settings)
    if not page:
        app.run("stdio")
        return
    from server.page.serving import beside

    with beside(settings):
        app.run("stdio")
