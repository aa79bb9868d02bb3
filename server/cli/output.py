"""What the command line says and where: answers on stdout, everything else on stderr."""

import dataclasses
import json
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path, PurePath
from time import monotonic

import click
from pydantic import BaseModel

# (done, total); a total of 0 is not known yet
Progress = Callable[[int, int], None]
# the same, and what is being done
Stages = Callable[[int, int, str], None]


def emit(record: object) -> None:
    """Print one JSON object with sorted keys, on one line, as the whole answer."""
    # ASCII survives every locale, the lone surrogates of odd file names, and terminals.
    click.echo(json.dumps(record, default=_plain, sort_keys=True, ensure_ascii=True))


def say(message: str) -> None:
    """Tell the person something that is no part of the answer."""
    click.echo(message, err=True)


def print_file(path: Path) -> None:
    """A text file as it is; at a terminal without the characters that would steer it."""
    from index.text import visible
    from server.brief_file import read_text

    text = read_text(path)
    if sys.stdout.isatty():
        text = visible(text.replace("\r\n", "\n")).replace("\r", "\\r")
    sys.stdout.write(text)
    sys.stdout.flush()


@contextmanager
def progress(label: str, unit: str = "") -> Generator[Progress]:
    """A bar on stderr while the block runs; silence unless stderr is a terminal."""
    if not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
    )
    began = monotonic()
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None, rate="")
        yield lambda done, total: bar.update(
            task, completed=done, total=total or None, rate=_rate(done, monotonic() - began, unit)
        )


def _rate(done: int, seconds: float, unit: str) -> str:
    return f"{done / seconds:.0f} {unit}/s" if unit and done and seconds > 0 else ""


@contextmanager
def stages() -> Generator[Stages]:
    """The same, with words beside the bar that change."""
    if not sys.stderr.isatty():
        yield _mute
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("digging", total=None)
        # drawn at once: a stage that is shorter than the bar's tick would never be seen
        yield lambda done, total, words: bar.update(
            task, completed=done, total=total or None, description=words, refresh=True
        )


def _mute(done: int, total: int, words: str) -> None:
    """Nobody is watching."""


def _silent(done: int, total: int) -> None:
    """Nobody is watching."""


def _plain(value: object) -> object:
    """The JSON form of a record or a path; json knows the rest."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, PurePath):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
