"""A base as rows: every file read once, everything that could not be read counted and named."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import blake2b

from index.bundle import INDEX, declared_version, reserved_problems
from index.crew import Crew
from index.engine import Entry
from index.faults import BaseUnavailable
from index.markdown import read_document
from index.paths import BaseFolder
from index.progress import PENDING
from index.records import BaseKind, BaseSettings, Document, Problem, Row
from index.rows import Cells
from index.survey import Planned, Survey, survey
from index.taking import Taken, Taker, Task
from index.walk import Listed

# Raise it when a row would come out differently from the same file and cells.
READING = 2

# Fewer files are read before helpers are awake.
WORTH_HELP = 300
# A batch of tasks ends with so many bytes to read, or so many files.
_BATCH, _MOST = 256 * 1024, 50

# A base of so many times what is read first is worth two readings.
_LARGE = 10

Progress = Callable[[int, int], None]
OnEntry = Callable[[Row, Entry], None]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One base as it was read: its rows in order, and whatever a person should know of it.

    `files` has size and mtime_ns of every markdown file that was seen, rows or not, so that a later
    listing can tell what changed. `counts` has `files`, `rows`, `readable`, and one entry for each
    kind of problem and for whatever was left out on purpose. `version` is the OKF version declared.
    """

    base: str
    kind: BaseKind
    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]
    counts: Mapping[str, int]
    files: Mapping[str, tuple[int, int]]
    version: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """How a base is read; what comes of it is the same, but for what is put off.

    So many helper processes read with us where there is much to read. Of a large base only the
    `first` rows are made; `counts` has how many are pending then.
    """

    hands: int = 0
    first: int = 0


ALONE = Way()


def load(
    settings: BaseSettings,
    reuse: Mapping[str, Row] | None = None,
    progress: Progress | None = None,
    on_entry: OnEntry | None = None,
    way: Way = ALONE,
) -> Corpus:
    """Read a whole base; BaseUnavailable if its folder cannot be opened, or lost all that it had.

    Each file is read once. `on_entry(row, entry)` is called in the order of the rows, with the
    final row. A row of `reuse` (by path) whose file has the same size and mtime_ns, and whose
    catalogue cells and settings did not change, is taken over at its new position without reading
    and without a call. `progress(done, total)` follows.
    """
    with BaseFolder.open(settings.root) as folder:
        if folder.is_empty() and any(row.sha256 for row in (reuse or {}).values()):
            raise BaseUnavailable(
                f"the folder of the base {settings.id} holds nothing any more",
                "see whether its disk is mounted; if all files were meant to go: index rebuild",
            )
        found = survey(folder, settings)
        today = datetime.now(UTC).date()
        taker = Taker(settings, found.kind, today, searched=on_entry is not None)
        total = len(found.planned)
        later = _put_off(found, way.first)
        loading = _Loading(folder, taker, found, reuse or {})
        for done, taken in enumerate(loading.taken(way.hands)):
            if progress is not None:
                progress(done, total)
            row = loading.keep(taken)
            if row is not None and taken.entry is not None and on_entry is not None:
                on_entry(row, taken.entry)
        version = loading.check_reserved()
        loading.note_cut_summaries()
    if progress is not None:
        progress(total - len(later), total)
    return Corpus(
        base=settings.id,
        kind=found.kind,
        rows=tuple(loading.rows),
        problems=tuple(found.ledger.problems),
        counts=loading.counts(),
        files={
            file.path: (file.size, file.mtime_ns)
            for file in found.listing.files
            if file.path not in later
        },
        version=version,
    )


def read_row(folder: BaseFolder, settings: BaseSettings, row: Row) -> Document:
    """A row's file as it is now; PathRefused or NotFound if it cannot be read any more."""
    read = folder.read(row.path, settings.limits.file, settings.hard_links)
    return read_document(row.path, read.content, settings.limits)


@dataclass(slots=True)
class _Loading:
    folder: BaseFolder
    taker: Taker
    found: Survey
    reuse: Mapping[str, Row]
    rows: list[Row] = field(default_factory=list[Row])

    def taken(self, hands: int) -> Iterator[Taken]:
        """What comes of every planned row, in order: taken over, or read."""
        plan = [self._kept_or_to_read(planned) for planned in self.found.planned]
        tasks = [each for each in plan if isinstance(each, Task)]
        with closing(self._read(tasks, hands)) as read:
            for each in plan:
                yield next(read) if isinstance(each, Task) else Taken(each)

    def keep(self, taken: Taken) -> Row | None:
        """Note what was wrong, and put the row at its position."""
        self.found.ledger.note_all(taken.problems)
        if taken.row is None:
            self.found.ledger.counts[taken.left_out] += 1
            return None
        row, position = taken.row, len(self.rows)
        if row.position != position:
            row = replace(row, position=position)
        self.rows.append(row)
        return row

    def check_reserved(self) -> str:
        """Report on the navigation of a bundle; the OKF version that its root declares."""
        version = ""
        for file in self.found.reserved:
            document, problems = self.taker.open(self.folder, file)
            self.found.ledger.note_all(problems)
            if document is not None:
                self.found.ledger.note_all(reserved_problems(document))
                if file.path == INDEX:
                    version = declared_version(document.frontmatter.data)
        return version

    def note_cut_summaries(self) -> None:
        """Report on catalogue cells that are only the beginning of a summary."""
        for row in self.rows:
            if any(digest.cut for digest in row.digests):
                self.found.ledger.note("cut-cell", row.path, "the listed summary ends too early")

    def counts(self) -> Mapping[str, int]:
        """Everything counted so far, by kind."""
        totals = {
            "files": len(self.found.listing.files),
            "rows": len(self.rows),
            "readable": sum(row.sha256 is not None for row in self.rows),
        }
        return dict(sorted({**self.found.ledger.counts, **totals}.items()))

    def _kept_or_to_read(self, planned: Planned) -> Row | Task:
        cells = self.found.cells(planned)
        fingerprint = self._fingerprint(planned, cells)
        old = self.reuse.get(planned.path)
        if old is not None and _unchanged(old, planned.file, fingerprint):
            return old
        return Task(planned.path, planned.file, planned.problems, cells, fingerprint)

    def _read(self, tasks: Sequence[Task], hands: int) -> Generator[Taken]:
        if not hands or len(tasks) < WORTH_HELP:
            for task in tasks:
                yield self.taker.take(self.folder, task)
            return
        batches = list(_batches(tasks))
        crew = Crew[list[Task], list[Taken]]("index.taking_hand", self.taker, hands, self._alone)
        with closing(crew), closing(crew.answers(batches)) as answers:
            for batch, answer in zip(batches, answers, strict=True):
                # a helper that is broken may still answer
                yield from answer if len(answer) == len(batch) else self._alone(batch)

    def _alone(self, batch: Sequence[Task]) -> list[Taken]:
        return [self.taker.take(self.folder, task) for task in batch]

    def _fingerprint(self, planned: Planned, cells: Cells) -> str:
        """Everything besides the file that makes the row what it is."""
        if planned.file is None:
            return ""
        settings = self.taker.settings
        shaped = (
            READING,
            (settings.id, settings.dimension, settings.lang, settings.lang_rules),
            (settings.roles, settings.limits, self.found.kind),
            (cells.cell, cells.listed, cells.facets),
            sorted(cells.fields.items()),
            sorted(cells.cut),
            planned.problems,
        )
        return blake2b(repr(shaped).encode(errors="replace"), digest_size=8).hexdigest()


def _unchanged(old: Row, file: Listed | None, fingerprint: str) -> bool:
    """Whether an old row still stands; one with problems is read again, to report them anew."""
    if file is None or old.problems or old.sha256 is None:
        return False
    stamp = (file.size, file.mtime_ns, fingerprint)
    return stamp == (old.size, old.mtime_ns, old.fingerprint)


def _put_off(found: Survey, first: int) -> frozenset[str]:
    """Leave all but the first rows of a large base for later; the paths of those."""
    if not first or len(found.planned) < _LARGE * first:
        return frozenset()
    later = frozenset(planned.path for planned in found.planned[first:])
    del found.planned[first:]
    found.ledger.counts[PENDING] = len(later)
    return later


def _batches(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Runs of tasks that are worth a message each."""
    batch: list[Task] = []
    weight = 0
    for task in tasks:
        batch.append(task)
        weight += task.weight
        if weight > _BATCH or len(batch) == _MOST:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch
