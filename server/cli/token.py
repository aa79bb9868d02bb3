"""`expedition token`: tokens for those who come over HTTP."""

import re

import click

from index.faults import BadSettings
from server.cli.options import json_option
from server.cli.output import emit
from server.config_http import NAME
from server.http.tokens import hash_of, new_token


@click.group("token")
def command() -> None:
    """Tokens for the callers of `expedition serve --http`."""


@command.command("new")
@click.argument("name")
@json_option
def new(name: str, as_json: bool) -> None:
    """Make a token for NAME; it is shown once, and the configuration keeps its hash.

    Example: expedition token new anna
    """
    if not re.fullmatch(NAME, name):
        raise BadSettings(
            f"nobody can be called {name!r} here", "take letters, digits, dot, dash and underscore"
        )
    token = new_token()
    made = {"name": name, "token": token, "hash": hash_of(token)}
    if as_json:
        emit(made)
        return
    click.echo(f"Give this to {name}; nothing can show it again:\n\n    {token}\n")
    click.echo(
        f"Add to expedition.yaml:\n\n    http:\n      tokens:\n        {name}: {made['hash']}"
    )
