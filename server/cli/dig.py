"""`expedition dig`: a whole dig without an agent, up to the report that a person decides on."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli.answers import conclude
from server.cli.options import base_option, json_option, settings_options
from server.cli.output import Stages, emit, say, stages
from server.config import Settings
from server.refusals import Refusal
from server.replies import Answer, Reported
from server.shown import visible_line

if TYPE_CHECKING:
    from server.compare import FreeRun
    from server.dig import Digs

# option -> argument of open_dig
_CONTEXT = {
    "keyword": "keyword_primary",
    "title": "title",
    "voice": "voice",
    "archetype": "archetype_primary",
    "monomyth": "monomyth_hint",
    "blaze": "blaze_path",
    "slug": "slug",
    "base": "base",
}
_REQUIRED = ("keyword", "title", "voice")


@click.command("dig")
@click.option("--keyword", metavar="K", help="What the dig is about; required to start one.")
@click.option("--title", metavar="T", help="The title of the piece to be written; required.")
@click.option(
    "--voice",
    type=click.Choice(["Carbon", "Si-C", "Silicon"], case_sensitive=False),
    help="Whose voice the piece has; required.",
)
@click.option("--archetype", metavar="A", help="Rows of this category or archetype come first.")
@click.option("--monomyth", metavar="M", help="The stage of the monomyth that goes with it.")
@click.option("--blaze", metavar="FILE", help="The note of guidance that the dig starts from.")
@click.option("--slug", metavar="S", help="The name of the brief's file; from the title if not.")
@click.option("--resume", metavar="DIG", help="Go on with this dig; a failed step is reopened.")
@click.option("--judge", metavar="J", help="Who judges; as configured if left out.")
@click.option(
    "--compare",
    "free_run",
    metavar="FREE_RUN.json",
    type=click.Path(path_type=Path),
    help="Hold a recorded free-form run beside the dig: what it quoted, and which files it found.",
)
@base_option
@json_option
@settings_options
def command(
    settings: Settings,
    resume: str | None,
    judge: str | None,
    free_run: Path | None,
    as_json: bool,
    **words: str | None,
) -> None:
    """Dig with a judge instead of an agent, print the report and stop.

    A person decides then: expedition decide DIG.

    Example: expedition dig --kb ~/notes --keyword debt --title "What We Owe" --voice Silicon
    """
    given = {option: text for option, text in words.items() if text is not None}
    if resume is not None and given:
        raise click.UsageError(f"--resume goes on as the dig was opened, without --{min(given)}")
    missing = [option for option in _REQUIRED if option not in given]
    if resume is None and missing:
        raise click.UsageError(f"--{' and --'.join(missing)} missing")
    free = None
    if free_run is not None:
        from server.compare import read_free_run

        free = read_free_run(free_run)
    with stages() as watch:
        answer = _dig(settings, judge, _Start(resume, given), watch)
    if free is None or not isinstance(answer, Reported):
        conclude(answer, as_json)
        return
    _beside(settings, answer, free, as_json)


def _beside(settings: Settings, answer: Reported, free: "FreeRun", as_json: bool) -> None:
    """The report, and the free run held beside it."""
    from server.compare import KINDS, compare
    from server.dig import Digs
    from server.library import Library

    digs = Digs(Library(settings))
    found = compare(free, digs.load(answer.dig_id), digs.library)
    if as_json:
        emit({"report": answer, "comparison": found})
        return
    conclude(answer, as_json)
    counted = ", ".join(f"{found.counts[kind]} {kind}" for kind in KINDS)
    click.echo(f"\nThe free run quoted {len(found.quotations)} times: {counted}.")
    for label, files in (("free run", found.only_free), ("dig", found.only_dig)):
        names = ", ".join(map(visible_line, files)) or "none"
        click.echo(f"Files that only the {label} found: {names}")
    for one in found.quotations:
        if one.kind in ("digest", "invented"):
            click.echo(f"  {one.kind}: {visible_line(one.file)}: {visible_line(one.text)[:120]}")


@dataclass(frozen=True, slots=True)
class _Start:
    """A dig to go on with, or the words to open one with."""

    resume: str | None
    words: Mapping[str, str]


def _dig(settings: Settings, judge: str | None, start: _Start, watch: Stages) -> Answer:
    from server.dig import Digs
    from server.driving import drive, stand_of
    from server.judges.routed import choose_judge
    from server.library import Library

    judges = choose_judge(judge, settings)
    library = Library(settings)
    begun = _begin(Digs(library, actor="person"), start)
    if isinstance(begun, Refusal):
        return begun
    dig, base = begun
    say(f"digging: {dig}")
    judging = judges.open_judge(settings.base(base), library)
    digs = Digs(library, actor="judge", flags=judging.flags)

    def show(answer: Answer | None) -> None:
        if isinstance(answer, Refusal) and answer.flag == "INDEX_BUILDING":
            say(f"waiting for the index: {answer.reason}")
        stand = stand_of(digs.load(dig))
        watch(stand.done, stand.total, stand.text)

    show(None)
    return drive(digs, dig, judging, show)


def _begin(digs: "Digs", start: _Start) -> tuple[str, str] | Refusal:
    """The dig to drive and its base: opened now, or reopened if a step of it had failed."""
    from server.refusals import unknown_dig
    from server.replies import Opened
    from server.review import Review
    from server.store import UnknownRun

    if start.resume is None:
        sent = {_CONTEXT[option]: text for option, text in start.words.items()}
        opened = digs.open_dig({"archetype_primary": "", **sent})
        if isinstance(opened, Refusal):
            return opened
        assert isinstance(opened, Opened)  # what open_dig answers when it does not refuse
        return opened.dig_id, opened.base
    try:
        state = digs.load(start.resume)
    except UnknownRun:
        return unknown_dig("dig --resume")
    digs.settings.base(
        state.base, state.root
    )  # a base that is not there must not use up a reopening
    if state.state == "failed":
        reopened = Review(digs).reopen(state.dig)
        if isinstance(reopened, Refusal):
            return reopened
    return state.dig, state.base
