"""`expedition catalogue show|build`: what a catalogue lists, and a catalogue for any base."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from index.catalogue import Catalogue, Entry, Table
from index.catalogue_file import read_catalogue
from index.catalogue_writer import render_catalogue, write_catalogue
from index.corpus import load
from index.faults import BadSettings, NotFound
from index.paths import BaseFolder, escaped
from index.records import BaseSettings, Limits, Problem
from server.cli.options import base_option, json_option, settings_options
from server.cli.output import emit, progress, say
from server.config import Settings
from server.folders import lies_inside

_SHOWN = ("title", "summary", "tags", "keypoints")


@click.group("catalogue")
def command() -> None:
    """Look at a catalogue, or build one for a base that has none."""


@command.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@click.pass_context
def show(context: click.Context, file: Path, as_json: bool) -> None:
    """What the program reads in the tables of FILE, which need not belong to a base.

    Example: expedition catalogue show ~/notes/corpus_index.md
    """
    # The person named this very file: a link to it is followed, here and nowhere else.
    try:
        place = file.resolve()
    except RuntimeError as loop:
        raise NotFound(f"{file} is a link that leads back to itself", "check the path") from loop
    if not place.exists():
        raise NotFound(f"no file {file}", "check the path")
    with BaseFolder.open(str(place.parent)) as folder:
        catalogue = read_catalogue(folder, place.name, Limits(), hard_links=True)
    if as_json:
        emit({"file": str(file), **_as_record(catalogue)})
    else:
        click.echo("\n".join(_as_text(catalogue)))


@command.command("build")
@base_option
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it there.")
@click.option("--write", is_flag=True, help="Allow writing inside the base: the only way to.")
@settings_options
def build(settings: Settings, base: str | None, output: Path | None, write: bool) -> None:
    """Build a catalogue of a base out of its files, and print it unless told to write it.

    Example: expedition catalogue build --kb ~/notes --output corpus_index.md
    """
    chosen = settings.base(base)
    target = _target(chosen, output, write)
    with progress(f"reading {chosen.id}") as watch:
        corpus = load(chosen, progress=watch)
    lines = render_catalogue(corpus.rows)
    if target is None:
        for line in lines:
            click.echo(line, nl=False)
    else:
        write_catalogue(target, lines)
        say(f"{target}: {corpus.counts['readable']} rows")
    if left := len(corpus.rows) - corpus.counts["readable"]:
        say(f"{left} rows have no file that can be read and were left out")


def _target(base: BaseSettings, output: Path | None, write: bool) -> Path | None:
    """Where the catalogue goes; None for stdout. Inside a base only if the person said so."""
    root = Path(base.root)
    if output is None:
        return root / base.catalogue if write else None
    if lies_inside(output, root) and not write:
        raise BadSettings(f"{output} lies inside the base {base.id}", "say so with --write")
    return output


def _as_record(catalogue: Catalogue) -> dict[str, object]:
    return {
        "tables": [
            {
                "section": table.section,
                "header": table.header,
                "file_column": table.file_column,
                "rows": [_row(entry) for entry in entries],
            }
            for table, entries in _by_table(catalogue)
        ],
        "counts": catalogue.counts,
        "problems": catalogue.problems,
    }


def _row(entry: Entry) -> dict[str, str]:
    fields = entry.fields()
    return {"path": entry.path, **{name: fields[name] for name in _SHOWN if name in fields}}


def _by_table(catalogue: Catalogue) -> Iterator[tuple[Table, list[Entry]]]:
    entries: dict[int, list[Entry]] = {table.line: [] for table in catalogue.tables}
    for entry in catalogue.entries:
        entries[entry.table.line].append(entry)
    return ((table, entries[table.line]) for table in catalogue.tables)


def _as_text(catalogue: Catalogue) -> Iterator[str]:
    for table, entries in _by_table(catalogue):
        yield f"{escaped(table.section) or 'no heading'}: {len(entries)} rows (line {table.line})"
        yield from (f"  {escaped(entry.path)} — {_title(entry)}" for entry in entries)
    if not catalogue.tables:
        yield "no table here has a column that names files"
    yield from (f"{kind}: {count}" for kind, count in sorted(catalogue.counts.items()))
    yield from _remarks(catalogue.problems)


def _title(entry: Entry) -> str:
    return escaped(entry.cell("title") or entry.cell("summary"))[:80]


def _remarks(problems: Iterable[Problem]) -> Iterator[str]:
    return (f"{problem.place}: {problem.detail} ({problem.kind})" for problem in problems)
