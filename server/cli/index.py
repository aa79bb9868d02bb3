"""`expedition index`: the search index of each base, how it stands, and what it sees."""

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from time import monotonic

import click

from index.faults import Fault
from index.paths import escaped
from index.progress import Progress
from index.rebuild import rebuild, update
from index.records import BaseSettings
from index.request import Mode, Outcome
from index.status import Status, status
from index.watching import notices
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


@command.command("watch")
@base_option
@json_option
@settings_options
def watch_command(settings: Settings, base: str | None, as_json: bool) -> None:
    """Bring the index up to date now and whenever files change, until it is interrupted.

    Example: expedition index watch --kb ~/notes
    """
    make_private(settings.state)
    stop = threading.Event()
    keepers = [
        threading.Thread(
            target=_keep, args=(chosen, settings.index_home(chosen), stop, as_json), daemon=True
        )
        for chosen in _chosen(settings, base)
    ]
    for keeper in keepers:
        keeper.start()
    try:
        for keeper in keepers:
            keeper.join()
    except KeyboardInterrupt:
        stop.set()
        say("no longer watched")


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
            outcome = _run(chosen, settings.index_home(chosen), mode, as_json)
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


def _run(base: BaseSettings, home: Path, mode: Mode, as_json: bool) -> Outcome:
    run = rebuild if mode == "rebuild" else update
    if as_json:
        return run(base, home, _Lines(base.id))
    with progress(f"indexing {base.id}", "files") as bar:
        return run(base, home, lambda seen: bar(seen.done, seen.total))


def _keep(base: BaseSettings, home: Path, stop: threading.Event, as_json: bool) -> None:
    """Update one base at every notice, and say what that changed."""
    for _ in notices(base, stop):
        try:
            outcome = update(base, home)
        except Fault as fault:
            say(f"{base.id}: {fault}")
            continue
        if not outcome.published:
            continue
        if as_json:
            emit({"base": base.id, **asdict(outcome)})
        else:
            click.echo(next(_outcome_lines(base.id, outcome)))


class _Lines:
    """Progress as JSON on stderr, a line a second."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._began = self._told = monotonic()

    def __call__(self, seen: Progress) -> None:
        """Tell it, unless that was just done."""
        now = monotonic()
        if now - self._told < 1.0:
            return
        self._told = now
        rate = seen.done / (now - self._began)
        left = (seen.total - seen.done) / rate if rate else None
        say(
            json.dumps(
                {
                    "base": self._base,
                    "phase": seen.phase,
                    "done": seen.done,
                    "total": seen.total,
                    "files_per_second": round(rate, 1),
                    "seconds_left": None if left is None else round(left, 1),
                },
                sort_keys=True,
            )
        )


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
        yield f"  being built: {_phase(found.building)}"
    if found.state == "absent":
        yield "  build it: expedition index rebuild"
    elif found.state == "damaged":
        yield f"  {found.trouble} — expedition index rebuild"
    elif not found.generation:
        yield f"  {found.trouble} — expedition index update"
    else:
        yield from _standing_lines(found)


def _phase(building: Progress) -> str:
    if building.phase == "reading" and building.total:
        return f"{building.done} of {building.total} files read"
    return {"waiting": "waiting", "reading": "listing files", "writing": "writing"}[building.phase]


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
