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
@click.option("--http", is_flag=True, help="Serve over streamable HTTP instead, to many.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where, with --http.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=4128, show_default=True, help="With --http."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that share the work, with --http.",
)
@settings_options
def command(  # noqa: PLR0913, PLR0917 - the options of one command
    settings: Settings,
    page: bool,
    tools: "Toolset",
    http: bool,
    host: str,
    port: int,
    workers: int,
) -> None:
    """Serve the tools of digs and explorations to MCP clients: one, over standard input and output,
    or many over HTTP.

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
    with ExitStack() as meanwhile:
        if page:
            from server.page.serving import beside

            meanwhile.enter_context(beside(settings))
        if http:
            from server.http.serving import serve

            serve(settings, tools, host, port, workers)
            return
        app = build_app(settings, tools)
        # what reads the input cannot be interrupted; every move that was answered is on the disk
        end_with(signal.SIGINT)
        meanwhile.enter_context(watched(app.digs.library))
        app.run("stdio")
