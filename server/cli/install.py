"""`expedition install`: the server in a client's own settings, after a look at what changes."""

import shlex
import shutil
import subprocess
import sys
from typing import cast, get_args

import click

from index.faults import BadSettings
from server.cli.options import override_options
from server.cli.output import say
from server.clients import program, serve_arguments
from server.config import Overrides, load_settings
from server.installing import NAME, ClientName, apply, change_for


@click.command("install")
@click.option(
    "--client",
    "name",
    type=click.Choice(get_args(ClientName)),
    required=True,
    help="Whose settings to change.",
)
@click.option("--print", "only_shown", is_flag=True, help="Show the change and write nothing.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@override_options
def command(overrides: Overrides, name: str, only_shown: bool, yes: bool) -> None:
    """Add the server to a client's settings: shows the change, asks, keeps a copy of what was.

    Example: expedition install --client cursor --kb ~/notes
    """
    client = cast(ClientName, name)
    server = [program(), "serve", *serve_arguments(load_settings(overrides), overrides)]
    if client == "claude-code":
        _by_claude(server, only_shown=only_shown, yes=yes)
        return
    change = change_for(client, server)
    if not change.needed:
        click.echo(f"{change.path} has it already.")
        return
    click.echo(change.diff)
    if only_shown or not _agreed(yes):
        return
    backup = apply(change)
    click.echo(f"Wrote {change.path}" + (f"; what was there is in {backup}" if backup else ""))
    click.echo(f"Restart {client} to see it.")


def _by_claude(server: list[str], *, only_shown: bool, yes: bool) -> None:
    """Claude Code keeps its file itself, and has a command for this."""
    added = ["claude", "mcp", "add", "--scope", "user", NAME, "--", *server]
    click.echo(shlex.join(added))
    if only_shown or not _agreed(yes):
        return
    if shutil.which(added[0]) is None:
        raise BadSettings("there is no command claude here", "run the line above where there is")
    sys.exit(subprocess.run(added, check=False).returncode)


def _agreed(yes: bool) -> bool:
    """Whether the person wants it; nobody is asked where nobody can answer."""
    if yes:
        return True
    if not sys.stdin.isatty():
        say("Nothing was written: say --yes, or run it at a terminal.")
        sys.exit(1)
    return click.confirm("Write this?")
