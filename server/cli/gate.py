"""`expedition gate NAME`: try one gate on an input."""

import json
import sys
from collections.abc import Mapping
from typing import cast

import click

from index.faults import BadSettings
from server.cli.options import json_option
from server.cli.output import emit


@click.command("gate")
@click.argument("name", required=False)
@click.option("--list", "listed", is_flag=True, help="Name the gates that can be tried.")
@json_option
def command(name: str | None, listed: bool, as_json: bool) -> None:
    """Read {"input": …} from standard input and print what the gate NAME says of it, as JSON.

    Example: echo '{"input": "plain prose"}' | expedition gate hidden_text
    """
    from server.laboratory import GATES, judge

    if listed:
        emit({"gates": sorted(GATES)}) if as_json else click.echo("\n".join(sorted(GATES)))
        return
    if name is None:
        raise click.UsageError("name a gate, or --list them")
    emit({"gate": name, "verdict": judge(name, _question() if name in GATES else None)})


def _question() -> object:
    """The input on standard input; anything but an object that holds one is a fault."""
    try:
        sent: object = json.loads(sys.stdin.buffer.read())
    except (ValueError, RecursionError) as wrong:
        raise BadSettings(f"standard input is no JSON: {wrong}", _FORM) from wrong
    if not isinstance(sent, dict) or "input" not in sent:
        raise BadSettings('standard input holds no "input"', _FORM)
    return cast("Mapping[str, object]", sent)["input"]


_FORM = 'send one JSON object: {"input": …}'
