"""`expedition init PATH`: a configuration to start from."""

import os
from pathlib import Path

import click

from index.faults import BadSettings, NotFound, StorageTrouble
from server.cli.options import json_option
from server.cli.output import emit, say
from server.clients import Snippet, snippets
from server.config import CONFIG_NAME, user_config
from server.config_template import render_config
from server.folders import lies_inside


@click.command("init")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=f"Where to write; ./{CONFIG_NAME} if left out.",
)
@json_option
def command(path: Path, output: Path | None, as_json: bool) -> None:
    """Write a commented configuration for the knowledge base in PATH; never over a file.

    Example: expedition init ~/notes
    """
    root = path.expanduser().resolve()
    if not root.is_dir():
        raise NotFound(f"there is no folder {root}", "name the folder that holds your markdown")
    target = _target(output, root)
    _write_new(target, render_config(root))
    clients = snippets(["--config", str(target)])
    if as_json:
        emit({"base": root.name, "config": target, "clients": clients})
    else:
        _explain(target, clients)


def _target(output: Path | None, root: Path) -> Path:
    """Where the file goes: nothing is ever written into a base."""
    if output is not None:
        target = output.expanduser().resolve()
    elif lies_inside(Path.cwd(), root):
        target = user_config()
        say(f"the current folder belongs to the base, so the file goes to {target.parent}")
    else:
        target = Path.cwd() / CONFIG_NAME
    if lies_inside(target, root):
        raise BadSettings(f"{target} lies inside the base", "name a file outside with --output")
    return target


def _write_new(target: Path, text: str) -> None:
    if os.path.lexists(target):
        raise BadSettings(
            f"{target} is there already and stays as it is", "name another with --output"
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # "x" also where somebody was faster.
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as trouble:
        raise StorageTrouble(f"{target} cannot be written: {trouble.strerror}") from trouble


def _explain(target: Path, clients: tuple[Snippet, ...]) -> None:
    click.echo(f"Wrote {target}\n\nNext:")
    click.echo(f"  expedition doctor --config {target}")
    click.echo(f"  expedition index rebuild --config {target}")
    click.echo("\nThen tell your client about the server:")
    for snippet in clients:
        click.echo(f"\n{snippet.client} ({snippet.where}):\n{snippet.text}")
