"""A catalogue for any base, from its rows: what is written here, `index.catalogue` reads back."""

import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from index.cells import is_label, named_file, split_cells
from index.faults import PathRefused, StorageTrouble
from index.records import Row

MARK = "Written by `expedition catalogue build`; building it again replaces this file."

_HEAD = 4096
_SEPARATORS = str.maketrans(",;", "  ")


def render_catalogue(rows: Iterable[Row]) -> Iterator[str]:
    """The lines of a catalogue of the rows whose file can be read, each with its ending."""
    yield f"# Corpus Index\n\n{MARK}\n\n"
    yield _line(COLUMNS)
    yield _line("---" for _ in COLUMNS)
    for row in rows:
        if row.sha256 is not None:
            yield _line(column(row) for column in COLUMNS.values())


def write_catalogue(path: Path, lines: Iterable[str]) -> None:
    """Put a catalogue in place at once or not at all; a file somebody else made is refused."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        if not _ours(path):
            raise PathRefused(f"{path} was written by somebody else", "name another with --output")
        try:
            with temporary.open("x", encoding="utf-8", newline="") as file:
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as trouble:
        raise StorageTrouble(
            f"{path} cannot be written: {trouble.strerror}", "name another with --output"
        ) from trouble


def file_cell(path: str) -> str:
    """A cell that is read back as this path: the path itself, or a link where it would mislead."""
    plain = path.replace("|", "\\|")
    return plain if _means(plain, path) else f"[{_label(path)}]({quote(path)})"


def _means(cell: str, path: str) -> bool:
    """Whether a cell, read as part of a line, names this path."""
    read = split_cells(f"| {cell} |")[0]
    named, form = named_file(read)
    return named == path and not is_label(read, named, form, alone=True)


def _label(path: str) -> str:
    return _cell(path.rpartition("/")[2].translate(str.maketrans("[]`<>\\", "      ")))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cell(text: str) -> str:
    """Text on one line that splits no cell and can be encoded."""
    line = " ".join(text.split()).replace("|", "\\|")
    return line.encode(errors="replace").decode()


def _summary(row: Row) -> str:
    return _cell(row.summary or row.lead)


def _origin(row: Row) -> str:
    """Where the summary is from: `lead` if it is only the opening of the body."""
    if row.summary:
        return row.summary_origin
    return "lead" if row.lead else "none"


def _joined(items: Iterable[str], separator: str) -> str:
    return _cell(separator.join(item.translate(_SEPARATORS) for item in items))


COLUMNS: Mapping[str, Callable[[Row], str]] = {
    "file": lambda row: file_cell(row.path),
    "title": lambda row: _cell(row.title),
    "summary": _summary,
    "keypoints": lambda row: _joined(row.keypoints, "; "),
    "tags": lambda row: _joined(row.tags, ", "),
    "date": lambda row: _cell(row.date),
    "category": lambda row: _cell(row.category),
    "archetype": lambda row: _cell(row.archetype),
    "monomyth": lambda row: _cell(row.monomyth),
    "role": lambda row: _cell(row.role),
    "summary_origin": _origin,
}


def _ours(path: Path) -> bool:
    """Whether nothing is there, or a catalogue that this module wrote."""
    if not path.is_symlink() and not path.exists():
        return True
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return MARK.encode() in file.read(_HEAD)
