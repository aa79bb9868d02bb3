"""`expedition decide`: a person decides on a report, with the evidence before their eyes."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli.answers import conclude
from server.cli.options import json_option, settings_options
from server.cli.output import say
from server.config import Settings

if TYPE_CHECKING:
    from server.replies import Answer

NO_TERMINAL = (
    "expedition: a decision is made at a terminal, and this is none.\n"
    "Run it in a terminal window; --from-file FILE works where the configuration says\n"
    "`decide: {relayed: true}`, and the brief then says `relayed`."
)


@click.command("decide")
@click.argument("dig")
@click.option(
    "--from-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Take the decision from this file; refused unless the configuration allows it.",
)
@json_option
@settings_options
def command(settings: Settings, dig: str, from_file: Path | None, as_json: bool) -> None:
    """Decide on the report of a DIG: keep, drop, redirect, point to a file, dictate.

    Nothing is recorded before you confirm. FILE is YAML: dig, report_sha256, and keep, drop, vouch
    (ids, or `all` for the rest); for another way than deciding redirect, dictate (words) or
    point (file, line).

    A redirect is written in your editor where VISUAL or EDITOR names one, and a long report is
    shown by your PAGER. Example: expedition decide dig_2f...
    """
    from server.dig import Digs
    from server.library import Library
    from server.refusals import Refusal
    from server.relayed import decide_from_file
    from server.review import Review

    review = Review(Digs(Library(settings)))
    if from_file is not None:
        conclude(decide_from_file(review, dig, from_file), as_json)
        return
    from server.cli.interview import interview, loaded

    if isinstance(found := loaded(review, dig), Refusal):
        conclude(found, as_json)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        say(NO_TERMINAL)
        sys.exit(1)
    from server.replies import Status

    answer = _asked(lambda: interview(review, dig))
    if answer is None:
        say("Nothing was decided; the report waits.")
        sys.exit(1)
    conclude(answer, as_json)
    if isinstance(answer, Status) and answer.state == "decided":
        say(f"Next: expedition brief {dig}")


def _asked(talk: Callable[[], "Answer | None"]) -> "Answer | None":
    """What a talk came to; nothing where Ctrl-C or the end of the input broke it off."""
    try:
        return talk()
    except (click.Abort, KeyboardInterrupt):
        click.echo(err=True)
        return None
