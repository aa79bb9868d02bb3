"""`expedition doctor`: is all well?"""

import click

from server.cli.options import json_option, override_options
from server.cli.output import emit, progress
from server.config import Overrides
from server.doctor import examine, exit_code
from server.findings import Check

MARKS = {"ok": "ok  ", "note": "note", "trouble": "FAIL"}


@click.command("doctor")
@json_option
@override_options
@click.pass_context
def command(ctx: click.Context, overrides: Overrides, as_json: bool) -> None:
    """Check the installation, the state directory, the bases and their indexes.

    Example: expedition doctor --kb ~/notes
    """
    with progress("reading the bases") as report:
        found = examine(overrides, report)
    code = exit_code(found)
    if as_json:
        emit({"checks": found, "ok": code == 0})
    else:
        for check in found:
            click.echo(_line(check))
        click.echo("All is well." if code == 0 else "Something has to be put right first.")
    ctx.exit(code)


def _line(check: Check) -> str:
    remedy = f" — {check.remedy}" if check.remedy else ""
    return f"{MARKS[check.outcome]}  {check.name}: {check.detail}{remedy}"
