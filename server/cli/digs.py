"""`expedition digs`: the digs that are open, or closing one."""

import click

from server.cli.answers import conclude
from server.cli.options import json_option, settings_options
from server.config import Settings


@click.command("digs")
@click.option("--waiting", is_flag=True, help="Only those that wait for a person.")
@click.option("--abandon", metavar="DIG", help="Close this dig for good.")
@click.option("--reason", default="abandoned by a person", help="Why, for the record.")
@json_option
@settings_options
def command(
    settings: Settings, waiting: bool, abandon: str | None, reason: str, as_json: bool
) -> None:
    """List the open digs of the bases that are configured or named, newest first.

    Example: expedition digs --waiting
    """
    from server.dig import Digs
    from server.library import Library
    from server.replies import Status
    from server.review import Review

    digs = Digs(Library(settings))
    if abandon is not None:
        conclude(Review(digs).abandon(abandon, reason), as_json)
        return
    answer = digs.dig_status(None)
    if waiting and isinstance(answer, Status):
        review = Review(digs)
        only = tuple(line for line in answer.digs if review.waits(digs.load(line.dig_id)))
        answer = answer.model_copy(update={"digs": only})
        if not (only or as_json):
            click.echo("No dig waits for you.")
            return
    conclude(answer, as_json)
