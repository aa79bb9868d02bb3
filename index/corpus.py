"""A base as rows: every file read once, everything that could not be read counted and named."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from hashlib import blake2b

from index.bundle import INDEX, concept_problems, declared_version, reserved_problems
from index.faults import NotFound, PathRefused
from index.markdown import read_document
from index.paths import BaseFolder
from index.records import BaseKind, BaseSettings, Document, Problem, Row
from index.rows import Cells, Seen, build_row
from index.scope import out_of_scope
from index.survey import Planned, Survey, survey
from index.walk import Listed

# Raise it when a row would come out differently from the same file and cells.
READING = 1

Progress = Callable[[int, int], None]
OnDocument = Callable[[Row, Document], None]

# Such a file is known by its name only.
_UNREADABLE = ("encoding", "binary")


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


def load(
    settings: BaseSettings,
    reuse: Mapping[str, Row] | None = None,
    progress: Progress | None = None,
    on_document: OnDocument | None = None,
) -> Corpus:
    """Read a whole base; only a base folder that cannot be opened at all is an exception.

    Each file is read once, in the order of the rows. `on_document(row, document)` is called right
    after, with the final row; the document is then let go. A row of `reuse` (by path) whose file
    has the same size and mtime_ns, and whose catalogue cells and settings did not change, is taken
    over at its new position without reading and without a call. `progress(done, total)` follows.
    """
    with BaseFolder.open(settings.root) as folder:
        found = survey(folder, settings)
        loading = _Loading(folder, settings, found, reuse or {}, on_document)
        total = len(found.planned)
        for done, planned in enumerate(found.planned):
            if progress is not None:
                progress(done, total)
            loading.take(planned)
        version = loading.check_reserved()
        loading.note_cut_summaries()
    if progress is not None:
        progress(total, total)
    return Corpus(
        base=settings.id,
        kind=found.kind,
        rows=tuple(loading.rows),
        problems=tuple(found.ledger.problems),
        counts=loading.counts(),
        files={file.path: (file.size, file.mtime_ns) for file in found.listing.files},
        version=version,
    )


def read_row(folder: BaseFolder, settings: BaseSettings, row: Row) -> Document:
    """A row's file as it is now; PathRefused or NotFound if it cannot be read any more."""
    read = folder.read(row.path, settings.limits.file, settings.hard_links)
    return read_document(row.path, read.content, settings.limits)


@dataclass(slots=True)
class _Loading:
    folder: BaseFolder
    settings: BaseSettings
    found: Survey
    reuse: Mapping[str, Row]
    on_document: OnDocument | None
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    rows: list[Row] = field(default_factory=list[Row])

    def take(self, planned: Planned) -> None:
        """One file or catalogue row more."""
        cells = self.found.cells(planned)
        fingerprint = self._fingerprint(planned, cells)
        old = self.reuse.get(planned.path)
        if old is not None and _unchanged(old, planned.file, fingerprint):
            self.rows.append(replace(old, position=len(self.rows)))
            return
        seen, document = self._read(planned, fingerprint)
        if document is not None and (reason := out_of_scope(document, self.settings.dimension)):
            self.found.ledger.counts[reason] += 1
            return
        row = build_row(self.settings, len(self.rows), cells, seen)
        self.rows.append(row)
        if document is not None and row.sha256 is not None and self.on_document is not None:
            self.on_document(row, document)

    def check_reserved(self) -> str:
        """Report on the navigation of a bundle; the OKF version that its root declares."""
        version = ""
        for file in self.found.reserved:
            _, document = self._open(file)
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

    def _read(self, planned: Planned, fingerprint: str) -> tuple[Seen, Document | None]:
        """What stands where the row's file should be; the document as far as it can be read."""
        path, file, kinds = planned.path, planned.file, list(planned.problems)
        if file is None:
            return Seen(path, problems=planned.problems, fingerprint=fingerprint), None
        problems, document = self._open(file)
        kinds += problems
        if document is not None and self.found.kind == "okf":
            kinds += self.found.ledger.note_all(concept_problems(document, self.today))
        known = document if not set(kinds) & set(_UNREADABLE) else None
        noted = tuple(dict.fromkeys(kinds))
        return Seen(path, file.size, file.mtime_ns, known, noted, fingerprint), document

    def _open(self, file: Listed) -> tuple[list[str], Document | None]:
        """A file as a document, and the kinds of what is wrong with it."""
        limit, ledger = self.settings.limits.file, self.found.ledger
        if file.size > limit:
            detail = f"{file.size:,} bytes, {limit:,} allowed"
            return ledger.note_all([Problem("file-too-large", file.path, detail)]), None
        try:
            read = self.folder.read(file.path, limit, self.settings.hard_links)
        except (NotFound, PathRefused) as refusal:
            return ledger.note_all([Problem("unreadable", file.path, refusal.message)]), None
        document = read_document(file.path, read.content, self.settings.limits)
        return ledger.note_all(document.problems), document

    def _fingerprint(self, planned: Planned, cells: Cells) -> str:
        """Everything besides the file that makes the row what it is."""
        if planned.file is None:
            return ""
        settings = self.settings
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
