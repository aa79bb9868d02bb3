"""`expedition index inspect`: what the index sees of one file, or why it sees nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import click

from index.faults import IndexTrouble
from index.generation import Generation, open_current
from index.paths import escaped
from index.records import BaseSettings, Row
from index.rows import row_to_json
from index.sight import Sight, see
from index.standing import plain_names
from index.weights import DIGEST, TITLE
from server.cli.options import base_option, json_option, settings_options
from server.cli.output import emit
from server.config import Settings
from server.shown import visible_line

MOST_TOKENS = 20
_WEIGHTS = {"title": TITLE, "summary": DIGEST, "keypoints": DIGEST, "tags": DIGEST, "body": 1.0}
# What the program keeps for itself, and what the searched texts show already.
_INNER = {"base", "position", "path", "fingerprint", "size", "mtime_ns", "sha256", "digests"}


@click.command("inspect")
@click.argument("file")
@base_option
@json_option
@settings_options
@click.pass_context
def command(
    context: click.Context, settings: Settings, file: str, base: str | None, as_json: bool
) -> None:
    """What the index sees of FILE: its row, its searched words, or why it is not found.

    FILE is a path in the base, or one on this machine that leads into it. Nothing is built.
    Exits with 3 if the index does not hold it. Example: expedition index inspect notes/a.md
    """
    chosen = settings.base(base)
    generation = open_current(settings.index_home(chosen), chosen)
    if generation is None:
        raise IndexTrouble(f"{chosen.id} has no index", "build it: expedition index rebuild")
    try:
        sight = see(chosen, generation, _inside(chosen, file))
        if as_json:
            emit(_as_record(sight, generation))
        else:
            click.echo("\n".join(_as_text(sight, generation)))
    finally:
        generation.close()
    if sight.row is None:
        context.exit(3)


def _inside(base: BaseSettings, file: str) -> str:
    """The path as the base names it, where a path of this machine was given."""
    place = Path(file).absolute()
    inside = place.relative_to(base.root) if place.is_relative_to(base.root) else None
    if inside and (Path(file).is_absolute() or place.exists()):
        return inside.as_posix()
    return file if file.startswith("/") else "/".join(plain_names(file))


def _as_record(sight: Sight, generation: Generation) -> dict[str, object]:
    return {
        "file": sight.path,
        "generation": generation.name,
        "standing": sight.standing,
        "reason": sight.reason,
        "row": row_to_json(sight.row) if sight.row else None,
        "fields": {
            field.name: {"weight": _WEIGHTS[field.name], "tokens": field.tokens}
            for field in sight.fields
        },
        "problems": sight.problems,
    }


def _as_text(sight: Sight, generation: Generation) -> Iterator[str]:
    name = f"{generation.name} of {generation.manifest.base}"
    yield f"{escaped(sight.path)}: {sight.standing}, {name}"
    if sight.reason:
        yield f"why: {sight.reason}"
    if sight.row:
        yield "row:"
        yield from (f"  {name}: {text}" for name, text in _row_lines(sight.row))
    if sight.fields:
        yield "searched (token, how often):"
    for field in sight.fields:
        words = f"{sum(field.tokens.values())} words: {_few(field.tokens)}"
        yield f"  {field.name}, weight {_WEIGHTS[field.name]:g}, {words}"
    for problem in sight.problems:
        yield f"problem: {escaped(problem.place)}: {escaped(problem.detail)} ({problem.kind})"


def _row_lines(row: Row) -> Iterator[tuple[str, str]]:
    record = row_to_json(row)
    for name in (field.name for field in fields(Row) if field.name not in _INNER):
        value = record[name]
        if value not in ("", (), []):
            yield name, visible_line(_spoken(value))


def _spoken(value: Any) -> str:
    """A field of a row on one line."""
    if isinstance(value, list | tuple):
        return "; ".join(map(_spoken, cast(Sequence[object], value)))
    return str(value)


def _few(tokens: Mapping[str, int]) -> str:
    shown = [f"{escaped(token)} {count}" for token, count in list(tokens.items())[:MOST_TOKENS]]
    more = len(tokens) - len(shown)
    return ", ".join(shown + ([f"and {more} more"] if more > 0 else [])) or "none"
