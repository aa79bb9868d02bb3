"""One file of a base read: the row it makes, what is searched of it, and what is wrong with it."""

from dataclasses import dataclass
from datetime import date

from index.bundle import concept_problems
from index.engine import Entry, entry
from index.faults import NotFound, PathRefused
from index.markdown import read_document
from index.paths import BaseFolder
from index.records import BaseKind, BaseSettings, Document, Problem, Row
from index.rows import Cells, Seen, build_row
from index.scope import out_of_scope
from index.walk import Listed

# Such a file is known by its name only.
_UNREADABLE = ("encoding", "binary")


@dataclass(frozen=True, slots=True)
class Task:
    """A row to make: the file as it was listed, if there is one, and what the catalogue says."""

    path: str
    file: Listed | None
    problems: tuple[str, ...]
    cells: Cells
    fingerprint: str

    @property
    def weight(self) -> int:
        """About how many bytes it takes to read it and to pass it on."""
        cells = sum(map(len, self.cells.fields.values()))
        return cells + (self.file.size if self.file else 0) + 200


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a task; no row for a file that is out of scope, for the reason `left_out`."""

    row: Row | None
    entry: Entry | None = None
    problems: tuple[Problem, ...] = ()
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Taker:
    """Reads the files of one base, whose every row depends on nothing but its own task."""

    settings: BaseSettings
    kind: BaseKind
    today: date
    searched: bool

    def take(self, folder: BaseFolder, task: Task) -> Taken:
        """Read a file; the row stands at no position yet."""
        seen, document, problems = self._seen(folder, task)
        if document is not None and (reason := out_of_scope(document, self.settings.dimension)):
            return Taken(None, problems=problems, left_out=reason)
        row = build_row(self.settings, 0, task.cells, seen)
        found = document is not None and row.sha256 is not None and self.searched
        return Taken(row, entry(row, document) if found and document else None, problems)

    def open(self, folder: BaseFolder, file: Listed) -> tuple[Document | None, tuple[Problem, ...]]:
        """A file as a document, and what is wrong with it."""
        limit = self.settings.limits.file
        if file.size > limit:
            detail = f"{file.size:,} bytes, {limit:,} allowed"
            return None, (Problem("file-too-large", file.path, detail),)
        try:
            read = folder.read(file.path, limit, self.settings.hard_links)
        except (NotFound, PathRefused) as refusal:
            return None, (Problem("unreadable", file.path, refusal.message),)
        document = read_document(file.path, read.content, self.settings.limits)
        return document, document.problems

    def _seen(
        self, folder: BaseFolder, task: Task
    ) -> tuple[Seen, Document | None, tuple[Problem, ...]]:
        """What stands where the row's file should be; the document as far as it can be read."""
        path, file = task.path, task.file
        if file is None:
            return Seen(path, problems=task.problems, fingerprint=task.fingerprint), None, ()
        document, problems = self.open(folder, file)
        if document is not None and self.kind == "okf":
            problems += tuple(concept_problems(document, self.today))
        kinds = (*task.problems, *(problem.kind for problem in problems))
        known = document if not set(kinds) & set(_UNREADABLE) else None
        noted = tuple(dict.fromkeys(kinds))
        seen = Seen(path, file.size, file.mtime_ns, known, noted, task.fingerprint)
        return seen, document, problems
