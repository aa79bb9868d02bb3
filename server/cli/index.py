"""`expedition index`: the search index of each base, how it stands, and what it sees."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import click

from index.faults import Fault
from index.paths import escaped
from index.rebuild import rebuild, update
from index.records import BaseSettings
from index.request import Mode, Outcome
from index.status import Status, status
from server.cli.index_inspect import command as inspect_command
from server.cli.options import base_option, json_option, settings_options
from server.cli.output import emit, progress, say
from server.config import Settings
from server.folders import make_private

DAMAGED = 4
MOST_SHOWN = 20
_PLAIN_COUNTS = {"files", "rows", "readable"}


@click.group("index")
def command() -> None:
    """Build the search index of a base, bring it up to date, or see how it stands."""


command.add_command(inspect_command)


@command.command("rebuild")
@base_option
@json_option
@settings_options
def rebuild_command(settings: Settings, base: str | None, as_json: bool) -> None:
    """Read every file of a base again; the old index serves until the new one is whole.

    Example: expedition index rebuild --kb ~/notes
    """
    _build(settings, base, "rebuild", as_json)


@command.command("update")
@base_option
@json_option
@settings_options
def update_command(settings: Settings, base: str | None, as_json: bool) -> None:
    """Read only the files whose size or time changed; the result is that of a rebuild.

    Example: expedition index update --kb ~/notes
    """
    _build(settings, base, "update", as_json)


@command.command("status")
@base_option
@json_option
@settings_options
@click.pass_context
def status_command(
    context: click.Context, settings: Settings, base: str | None, as_json: bool
) -> None:
    """What is indexed, what was wrong with it, and what changed since.

    Exits with 4 if an index is there and damaged. Example: expedition index status --kb ~/notes
    """
    found = [status(chosen, settings.index_home(chosen)) for chosen in _chosen(settings, base)]
    if as_json:
        emit({"bases": found})
    else:
        click.echo("\n".join(line for state in found for line in _status_lines(state)))
    if any(state.state == "damaged" for state in found):
        context.exit(DAMAGED)


def _build(settings: Settings, base: str | None, mode: Mode, as_json: bool) -> None:
    """Build one after the other; a base that fails does not keep the others from being built."""
    make_private(settings.state)
    failed: list[Fault] = []
    built: list[dict[str, object]] = []
    for chosen in _chosen(settings, base):
        try:
            outcome = _run(chosen, settings.index_home(chosen), mode)
        except Fault as fault:
            say(f"{chosen.id}: {fault}")
            failed.append(fault)
            continue
        built.append({"base": chosen.id, **asdict(outcome)})
        if not as_json:
            click.echo("\n".join(_outcome_lines(chosen.id, outcome)))
    if as_json:
        emit({"bases": built})
    if failed:
        raise failed[0]


def _run(base: BaseSettings, home: Path, mode: Mode) -> Outcome:
    run = rebuild if mode == "rebuild" else update
    with progress(f"indexing {base.id}") as bar:
        return run(base, home, lambda seen: bar(seen.done, seen.total))


def _chosen(settings: Settings, base: str | None) -> tuple[BaseSettings, ...]:
    """The base that was named, else every base there is."""
    return settings.bases if base is None and settings.bases else (settings.base(base),)


def _outcome_lines(base: str, outcome: Outcome) -> Iterator[str]:
    verb = "is now" if outcome.published else "is still"
    yield (
        f"{base} {verb} {outcome.generation}: {outcome.rows} rows, {outcome.documents} documents"
        f" ({outcome.indexed} indexed, {outcome.removed} removed)"
    )
    yield from _count_lines(outcome.counts)


def _status_lines(found: Status) -> Iterator[str]:
    yield f"{found.base}: {found.state}"
    if found.building is not None:
        yield f"  being built: {found.building.done} of {found.building.total} files read"
    if found.state == "absent":
        yield "  build it: expedition index rebuild"
    elif found.state == "damaged":
        yield f"  {found.trouble} — expedition index rebuild"
    else:
        yield from _standing_lines(found)


def _standing_lines(found: Status) -> Iterator[str]:
    yield f"  {found.generation} of {found.built_at}, kind {found.kind}, {found.disk_bytes} bytes"
    yield f"  {found.rows} rows, {found.documents} documents"
    since = found.changes
    if since.any:
        yield f"  files since: {since.new} new, {since.changed} changed, {since.removed} removed"
    if found.state != "fresh":
        yield "  bring it up to date: expedition index update"
    yield from _count_lines(found.counts)
    for problem in found.problems[:MOST_SHOWN]:
        yield f"  {escaped(problem.place)}: {escaped(problem.detail)} ({problem.kind})"
    if len(found.problems) > MOST_SHOWN:
        yield f"  … and {len(found.problems) - MOST_SHOWN} more: --json names them"


def _count_lines(counts: Mapping[str, int]) -> Iterator[str]:
    """Whatever a person may have to look at, by kind."""
    return (f"  {kind}: {counts[kind]}" for kind in sorted(counts.keys() - _PLAIN_COUNTS))
