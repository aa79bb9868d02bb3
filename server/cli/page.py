"""`expedition page`: the local web page on which a person decides."""

from contextlib import suppress

import click

from server.cli.options import settings_options
from server.cli.output import say
from server.config import Settings


@click.command("page")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port, 0 for a free one; else the usual one, or a free one where that is taken.",
)
@click.option("--open/--no-open", "opens", default=False, help="Open it in your browser, too.")
@settings_options
def command(settings: Settings, port: int | None, opens: bool) -> None:
    """Show the digs that wait for you, on a web page of this machine, and record what you decide.

    It prints its address and answers until you end it with Ctrl-C. Nobody else can reach it: not
    from another machine, and on Linux not as another user of this one.

    Example: expedition page --kb ~/notes --open
    """
    from server.page.serving import listening, server_of

    with listening(settings, port) as (url, sockets):
        click.echo(url)
        say("Ctrl-C ends it.")
        if opens:
            import webbrowser

            webbrowser.open(url)
        with suppress(KeyboardInterrupt):
            server_of(settings, sockets[0].getsockname()[1]).run(sockets)
