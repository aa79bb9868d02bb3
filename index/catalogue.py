"""The catalogue of a base: every table of a markdown file that lists files, by GitHub's rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from index.cells import count_delimiters, is_label, named_file, split_cells
from index.fields import columns
from index.ledger import Ledger
from index.records import Problem
from index.table_lines import Line, LineScanner

ELLIPSES = ("…", "...")


@dataclass(frozen=True, slots=True)
class Caps:
    """How much of a catalogue is kept; what is beyond is counted."""

    # So many rows of the known shape, read and built, fit into 512 MiB.
    rows: int = 200_000
    characters: int = 64 * 1024 * 1024
    line: int = 1024 * 1024
    cell: int = 32 * 1024


@dataclass(frozen=True, slots=True)
class Table:
    """The header of one table with a file column; `section` is the nearest heading above."""

    section: str
    header: tuple[str, ...]
    columns: Mapping[str, int]
    line: int

    @property
    def file_column(self) -> str:
        """The header of the column that names the files."""
        return self.header[self.columns["file"]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a table that names a file; `cells` may be fewer than the header's."""

    table: Table
    line: int
    path: str
    cells: tuple[str, ...]

    def cell(self, name: str) -> str:
        """The cell of a field, empty if there is none."""
        column = self.table.columns.get(name, len(self.cells))
        return self.cells[column] if column < len(self.cells) else ""

    def fields(self) -> dict[str, str]:
        """Every field that the table has a column for."""
        return {name: self.cell(name) for name in self.table.columns}

    def facets(self) -> tuple[tuple[str, str], ...]:
        """The filled cells of all columns that are no field."""
        used = set(self.table.columns.values())
        pairs = enumerate(zip(self.table.header, self.cells, strict=False))
        return tuple(pair for column, pair in pairs if column not in used and pair[1])


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a catalogue file lists, in its order, and what of it could not be taken.

    `cut_widths` tells the width at which a generator cut the cells of a field.
    """

    tables: tuple[Table, ...]
    entries: tuple[Entry, ...]
    ledger: Ledger
    cut_widths: Mapping[str, int]

    @property
    def problems(self) -> Sequence[Problem]:
        """The lines that could not be taken as they are."""
        return self.ledger.problems

    @property
    def counts(self) -> Mapping[str, int]:
        """How many rows were left out, and how many problems there were, by kind."""
        return self.ledger.counts

    def is_cut(self, name: str, cell: str) -> bool:
        """Whether a cell is only the beginning of what was said."""
        if cell.endswith(ELLIPSES):
            return True
        width = self.cut_widths.get(name, 0)
        # One less where the cut fell behind a blank, which no cell keeps.
        return bool(width) and width - 1 <= len(cell) <= width and cell[-1].isalnum()


def parse_catalogue(lines: Iterable[str], place: str = "", caps: Caps = Caps()) -> Catalogue:
    """Read the lines of a file, without their endings, into its tables; no line is held on to."""
    reading = _Reading(place, caps)
    for line in lines:
        reading.take(line)
    return reading.done()


@dataclass(slots=True)
class _Widths:
    """The longest cells of a field: equal ones that end in mid-word were cut by a generator."""

    width: int = 0
    seen: set[str] = field(default_factory=set[str])

    def take(self, cell: str) -> None:
        if len(cell) > self.width:
            self.width = len(cell)
            self.seen.clear()
        if len(cell) == self.width and len(self.seen) < _ENOUGH and cell[-1:].isalnum():
            self.seen.add(cell)


# Shorter cells of one length are dates, stages and other fixed words.
_NARROWEST_CUT = 32
# So many different cells do not end in mid-word at the same length by chance.
_ENOUGH = 3
_NOTHING = Line("blank")
_CUT_FIELDS = ("title", "summary", "keypoints", "tags", "category", "archetype", "monomyth")


@dataclass(slots=True)
class _Reading:
    """Where a parse stands: the open table, the line before, and all that was found."""

    place: str
    caps: Caps
    scanner: LineScanner = field(default_factory=LineScanner)
    section: str = ""
    before: Line = _NOTHING
    table: Table | None = None
    in_table: bool = False
    depth: int = 0
    number: int = 0
    characters: int = 0
    tables: list[Table] = field(default_factory=list[Table])
    entries: list[Entry] = field(default_factory=list[Entry])
    ledger: Ledger = field(default_factory=Ledger)
    widths: dict[str, _Widths] = field(default_factory=dict[str, _Widths])

    def take(self, line: str) -> None:
        self.number += 1
        line = self._sound(line)
        if self.in_table and not self.depth and line.startswith("|"):
            # Nothing else begins with a pipe: the scanner need not be asked.
            self._row(line)
            return
        read = self.scanner.read(line)
        if self.in_table and _continues(read, self.depth):
            self.scanner.end_paragraph()
            self._row(read.text)
            return
        self.in_table = False
        if read.kind == "heading":
            self.section = read.text
        elif read.kind == "text" and self._opens_table(read):
            self.scanner.end_paragraph()
            read = _NOTHING
        self.before = read

    def _sound(self, line: str) -> str:
        """The line, short enough and of Unicode characters."""
        if len(line) > self.caps.line:
            self._report("oversized-line", f"a line is longer than {self.caps.line} characters")
            line = line[: self.caps.line]
        if line.isascii():
            return line
        try:
            line.encode()
        except UnicodeEncodeError:
            self._report("encoding", "the line is no UTF-8")
            line = line.encode(errors="surrogateescape").decode(errors="replace")
        return line

    def done(self) -> Catalogue:
        widths = {
            name: seen.width
            for name, seen in self.widths.items()
            if seen.width >= _NARROWEST_CUT and len(seen.seen) >= _ENOUGH
        }
        return Catalogue(tuple(self.tables), tuple(self.entries), self.ledger, widths)

    def _opens_table(self, read: Line) -> bool:
        """Whether this line is the delimiter row under a header of as many cells."""
        width = count_delimiters(read.text)
        if not width or self.before.kind != "text" or not _continues(read, self.before.depth):
            return False
        header = split_cells(self.before.text)
        if len(header) != width:
            return False
        self._open(tuple(header), read.depth)
        return True

    def _open(self, header: tuple[str, ...], depth: int) -> None:
        self.in_table, self.depth = True, depth
        fields = columns(header)
        self.table = None
        if "file" in fields:
            self.table = Table(self.section, header, fields, self.number - 1)
            self.tables.append(self.table)

    def _row(self, line: str) -> None:
        if self.table is None:
            return
        cells = self._capped(split_cells(line)[: len(self.table.header)], len(line))
        column = self.table.columns["file"]
        cell = cells[column] if column < len(cells) else ""
        path, form = named_file(cell)
        if is_label(cell, path, form, alone=sum(map(bool, cells)) == 1):
            self.ledger.counts["group-rows"] += 1
            return
        self.characters += len(line)
        if len(self.entries) >= self.caps.rows or self.characters > self.caps.characters:
            self.ledger.counts["rows-over-cap"] += 1
            return
        entry = Entry(self.table, self.number, path, tuple(cells))
        self.entries.append(entry)
        for name in _CUT_FIELDS:
            if name in self.table.columns:
                self.widths.setdefault(name, _Widths()).take(entry.cell(name))

    def _capped(self, cells: list[str], length: int) -> list[str]:
        if length <= self.caps.cell or all(len(cell) <= self.caps.cell for cell in cells):
            return cells
        self._report("oversized-cell", f"a cell is longer than {self.caps.cell} characters")
        return [cell[: self.caps.cell] for cell in cells]

    def _report(self, kind: str, detail: str) -> None:
        self.ledger.note(kind, f"{self.place}:{self.number}", detail)


def _continues(read: Line, depth: int) -> bool:
    """Whether a line stands in the same list items as the one before, and opens none."""
    return read.kind == "text" and read.depth == depth and not read.opens


def body_lines(lines: Iterable[str], longest: int) -> Iterator[str]:
    """The lines of a file, emptied where a frontmatter block of at most `longest` characters is."""
    held: list[str] = []
    size = 0
    fence = ""
    rest = iter(lines)
    for line in rest:
        held.append(line)
        size += len(line)
        mark = line.rstrip(" \t")
        if len(held) == 1:
            fence = mark if mark in ("---", "+++") else ""
        elif mark == fence:
            held = [""] * len(held)
            fence = ""
        if not fence or size > longest:
            break
    yield from held
    yield from rest
