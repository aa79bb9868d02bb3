"""`expedition judge check`: how good is a judge, on summaries that were graded before?"""

from pathlib import Path
from typing import Any

import click

from index.faults import Fault
from server.cli.options import json_option, settings_options
from server.cli.output import emit, progress
from server.config import Settings


class NotAsked(Fault):
    """The judge could not be asked."""

    exit_code = 4


@click.group("judge")
def command() -> None:
    """Try the judges that dig without an agent."""


@command.command("check")
@click.option("--judge", metavar="J", help="The judge to try; as configured if left out.")
@click.option(
    "--set",
    "folder",
    metavar="PATH",
    type=click.Path(path_type=Path, file_okay=False),
    help="The labelled set; kb_fixtures/judging of a checkout if left out.",
)
@json_option
@settings_options
@click.pass_context
def check_command(
    context: click.Context,
    settings: Settings,
    judge: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Run a judge on twelve patterns of twenty graded summaries and print how far it agrees.

    Kappa is 1 for the set's own grades and 0 for chance; a hit is the right deep cut among those
    picked. Exits with 4 where the judge cannot be asked, with 1 where it scored nothing.

    Example: expedition judge check --judge offline
    """
    from server.calibration.bench import check_judge
    from server.calibration.labelled import FOLDER
    from server.judge import Unreachable
    from server.judges.routed import choose_judge

    chosen = choose_judge(judge, settings)
    name = judge or settings.judge.default
    with progress("asking") as watch:
        try:
            report = check_judge(chosen, name, settings, folder or FOLDER, watch)
        except Unreachable as trouble:
            raise NotAsked(trouble.reason, trouble.remedy) from trouble
    figures = report.figures()
    if as_json:
        emit({**figures, "by_pattern": report.patterns})
    else:
        click.echo("\n".join(_lines(figures)))
    if not figures["scored"]:
        context.exit(1)


def _lines(figures: dict[str, Any]) -> list[str]:
    hits = f"{figures['deep_cut_hits']} of {figures['patterns']}"
    return [
        f"judge         {figures['judge']}",
        f"scored        {figures['scored']} summaries of {figures['patterns']} patterns",
        f"agreement     kappa {_figure(figures['kappa'])} (quadratic weights)",
        f"deep cuts     {hits} found",
        f"consistency   {_figure(figures['consistency'])} of grades given again",
        f"refused       {figures['refused']} answers, {figures['failed']} questions failed",
        f"tokens        {figures['tokens']}",
    ]


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"
