"""The command line: one file per noun, loaded only when its command runs."""

import errno
import importlib
import os
import signal
import sys
from typing import Any

import click

from index.faults import Fault, StorageTrouble
from server.running import end_with

# command -> module of this package that defines a click command of the same name
COMMANDS = {
    "init": "init",
    "serve": "serve",
    "index": "index",
    "catalogue": "catalogue",
    "inspect": "inspect",
    "search": "search",
    "dig": "dig",
    "judge": "judge",
    "digs": "digs",
    "show": "show",
    "decide": "decide",
    "brief": "brief",
    "explore": "explore",
    "verify": "verify",
    "check": "check",
    "gate": "gate",
    "page": "page",
    "passphrase": "passphrase",
    "token": "token",
    "install": "install",
    "doctor": "doctor",
    "demo": "demo",
}


_UNWRITTEN = (errno.ENOSPC, errno.EIO, errno.EPIPE)


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now; None for a name not in the table."""
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = importlib.import_module(f"server.cli.{module}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a foreseen failure becomes one line on stderr and its exit code."""
        try:
            return super().invoke(ctx)
        except Fault as fault:
            click.echo(f"expedition: {fault}", err=True)
            ctx.exit(fault.exit_code)
        except PermissionError as trouble:
            # whoever only asks whether a file is there is told so by Python before 3.14
            if trouble.filename is None:
                raise
            from index.paths import shown

            what = f"{shown(str(trouble.filename))}: {trouble.strerror}"
            click.echo(f"expedition: {what} - let this user in, or name another", err=True)
            ctx.exit(StorageTrouble.exit_code)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="corpus-expedition")
def expedition() -> None:
    """Gated research digs over a markdown knowledge base."""


def main() -> None:
    """The `expedition` command."""
    # A file name that is no UTF-8, or a locale that is not, must not end a run with a traceback.
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(errors="backslashreplace")
    end_with(signal.SIGTERM, signal.SIGHUP)
    try:
        try:
            expedition()
        finally:
            # what is still to be written would fail when Python ends, and be told of by it
            if flush := getattr(sys.stdout, "flush", None):
                flush()
    except OSError as trouble:
        # only a write to stdout fails without the name of a file
        if trouble.filename is not None or trouble.errno not in _UNWRITTEN:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if trouble.errno == errno.EPIPE:
            sys.exit(1)  # whoever read has heard enough
        click.echo(f"expedition: the answer cannot be written: {trouble.strerror}", err=True)
        sys.exit(4)
