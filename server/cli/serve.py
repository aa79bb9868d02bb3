"""`expedition serve`: the MCP server on standard input and output."""

import signal
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from server.cli.options import settings_options
from server.config import Settings

if TYPE_CHECKING:
    from server.prompts import Toolset


@click.command("serve")
@click.option("--page", is_flag=True, help="Show the page of `expedition page` meanwhile, too.")
@click.option(
    "--tools",
    type=click.Choice(["dig", "explore", "all"]),
    default="all",
    show_default=True,
    help="Which tools to offer; a client pays for all that it is offered.",
)
@settings_options
def command(settings: Settings, page: bool, tools: "Toolset") -> None:
    """Serve the tools of digs and explorations to an MCP client, over standard input and output.

    Example: expedition serve --kb ~/notes
    """
    from server.app import build_app
    from server.brief_file import sweep
    from server.explore.bases import Bases
    from server.running import end_with
    from server.shelf import shelf_of
    from server.watch import watched

    sweep(shelf_of(settings))
    if tools != "dig" and len(settings.bases) > 1:
        # a driver that names a base by its id must not read another one of that id
        Bases(settings).unambiguous()
    app = build_app(settings, tools)
    # what reads the input cannot be interrupted; every move that was answered is on the disk
    end_with(signal.SIGINT)
    with ExitStack() as meanwhile:
        meanwhile.enter_context(watched(app.digs.library))
        if page:
            from server.page.serving import beside

            meanwhile.enter_context(beside(settings))
        app.run("stdio")
