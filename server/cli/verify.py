"""`expedition verify BRIEF`: every quotation of a brief against its source, as it is now."""

import sys
from typing import TYPE_CHECKING

import click

from server.cli.options import json_option, settings_options
from server.cli.output import emit
from server.config import Settings

if TYPE_CHECKING:
    from server.verify import Checked, Verification


@click.command("verify")
@click.argument("brief")
@json_option
@settings_options
def command(settings: Settings, brief: str, as_json: bool) -> None:
    """Read every source of BRIEF (a path, a name or a dig) again; exit 1 if one changed or is gone.

    Each quotation is verbatim, moved, changed or gone; a dictated one is held against its dig.

    Example: expedition verify Agent_Briefs/2026-11-30-the-long-winter.md
    """
    from server.shelf import locate_brief
    from server.verify import verify

    verification = verify(locate_brief(settings, brief), settings)
    if as_json:
        emit(verification)
    else:
        print("\n".join(_lines(verification)))
    if not verification.holds:
        sys.exit(1)


def _lines(verification: "Verification") -> list[str]:
    passages = verification.passages
    held = sum(passage.holds for passage in passages)
    return [
        *(_line(passage) for passage in passages),
        f"{held} of {len(passages)} quotations hold; the brief of {verification.dig} is "
        f"{verification.record}",
    ]


def _line(passage: "Checked") -> str:
    from index.paths import escaped

    detail = f" ({passage.detail})" if passage.detail else ""
    place = f"{escaped(passage.file)}, lines {passage.lines}"
    return f"{passage.number}. {passage.standing}: {place}{detail}"
