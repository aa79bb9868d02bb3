"""`expedition verify BRIEF`: every quotation of a brief against its source, as it is now."""

from pathlib import Path

import click

from index.paths import escaped
from server.cli.options import json_option, settings_options
from server.cli.output import emit
from server.config import Settings
from server.verify import Checked, Verification, verify


@click.command("verify")
@click.argument("brief", type=click.Path(path_type=Path))
@json_option
@settings_options
@click.pass_context
def command(context: click.Context, settings: Settings, brief: Path, as_json: bool) -> None:
    """Read every source of BRIEF again: verbatim, moved, changed or gone."""
    verification = verify(brief, settings)
    if as_json:
        emit(verification)
    else:
        click.echo("\n".join(_lines(verification)))
    context.exit(0 if verification.holds else 1)


def _lines(verification: Verification) -> list[str]:
    passages = verification.passages
    held = sum(passage.holds for passage in passages)
    return [
        *(_line(passage) for passage in passages),
        f"{held} of {len(passages)} quotations hold; the brief of {verification.dig} is "
        f"{verification.record}",
    ]


def _line(passage: Checked) -> str:
    detail = f" ({passage.detail})" if passage.detail else ""
    place = f"{escaped(passage.file)}, lines {passage.lines}"
    return f"{passage.number}. {passage.standing}: {place}{detail}"
