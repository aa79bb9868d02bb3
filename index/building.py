"""Builds one generation: reads the base, writes the documents, puts the result in force."""

from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

from index import private
from index.corpus import Corpus, Way, load
from index.crew import HelperLost, hands
from index.engine import Entry, Writer, maker
from index.faults import IndexTrouble
from index.generation import LOCK, Pointer, Sealed, read_pointer, unsealed
from index.progress import PENDING, Phase
from index.publish import continue_engine, draft, prepare, publish, sweep
from index.records import BaseSettings, Row
from index.request import Outcome, Request, fingerprint
from index.substring import column_texts

# Rows of a large base without an index that are put in force before all others: a second's work.
FIRST = 300

# phase, done, total
Report = Callable[[Phase, int, int], None]


def build(request: Request, report: Report) -> Outcome:
    """Build while holding the lock of the home; a build that came meanwhile is only updated."""
    home, settings = request.home, request.settings
    prepare(home)
    asked = _pointer(home)
    report("waiting", 0, 0)
    with private.locked(home / LOCK):
        sweep(home)
        old = _pointer(home)
        meanwhile = old is not None and old != asked
        base = _sealed(home, settings) if meanwhile or request.mode == "update" else None
        outcome = _built(request, report, base, FIRST if base is None and old is None else 0)
        if PENDING in outcome.counts:
            outcome = _built(request, report, _sealed(home, settings), 0)
        return outcome


def _built(request: Request, report: Report, base: Sealed | None, first: int) -> Outcome:
    """Build once; all by ourselves if helpers were lost, or for the few that come first."""
    for way in (Way(0 if first else hands(), first), Way(0, first)):
        with (
            suppress(HelperLost),
            draft(request.home) as folder,
            closing(_Build(request.settings, folder, base, way)) as it,
        ):
            return it.run(_pointer(request.home), report)
    raise IndexTrouble("the index cannot be written", "start the build again")


@runtime_checkable
class Helped(Protocol):
    """A writer that can let helper processes do most of its work; it raises HelperLost then."""

    def hire(self, helpers: int) -> None:
        """Take on so many once there is much to do."""
        ...


class _Build:
    """One build out of `base`, the generation to continue, or from nothing."""

    def __init__(self, settings: BaseSettings, folder: Path, base: Sealed | None, way: Way) -> None:
        self._settings = settings
        self._way = way
        self._folder = folder
        self._base = base
        self._rows = {row.path: row for row in base.rows()} if base else {}
        self._shaped_alike = base is not None and base.manifest.settings == fingerprint(settings)
        self._begun: Writer | None = None
        self._indexed = self._removed = 0

    def run(self, old: Pointer | None, report: Report) -> Outcome:
        """Read, write and put in force; nothing is published where nothing changed."""
        if self._base is None:
            (self._folder / self._settings.engine).mkdir(mode=0o700)
            self._writer()
        else:
            continue_engine(self._base, self._folder)
        reading = partial(report, "reading")
        corpus = load(self._settings, self._rows, reading, self._take, self._way)
        report("writing", 0, 0)
        self._forget(corpus)
        if self._begun is not None:
            self._begun.commit()
        elif self._base is not None and self._says_the_same(self._base, corpus):
            return self._outcome(self._base.pointer.name, corpus, published=False)
        manifest = publish(self._folder, self._settings, corpus, old, self._written(corpus))
        return self._outcome(manifest.name, corpus, published=True)

    def close(self) -> None:
        """Let go of the writer if it did not come to its end."""
        if self._begun is not None:
            self._begun.abandon()

    def _take(self, row: Row, searched: Entry) -> None:
        old = self._rows.get(row.path)
        if self._shaped_alike and old is not None and _searched(old) == _searched(row):
            return
        self._writer().put(searched)
        self._indexed += 1

    def _forget(self, corpus: Corpus) -> None:
        """Remove the documents of files that are gone or cannot be read any more."""
        living = {row.path for row in corpus.rows if row.sha256 is not None}
        for path, row in self._rows.items():
            if row.sha256 is not None and path not in living:
                self._writer().remove(path)
                self._removed += 1

    def _writer(self) -> Writer:
        if self._begun is None:
            name = self._settings.engine
            self._begun = maker(name).write(self._folder / name)
            if isinstance(self._begun, Helped):
                self._begun.hire(self._way.hands)
        return self._begun

    def _says_the_same(self, base: Sealed, corpus: Corpus) -> bool:
        return (
            self._shaped_alike
            and tuple(self._rows.values()) == corpus.rows
            and base.problems() == corpus.problems
            and base.files() == corpus.files
            and base.manifest.counts == corpus.counts
        )

    def _written(self, corpus: Corpus) -> dict[str, bytes]:
        """The lines of the rows that were taken over as they are."""
        if self._base is None:
            return {}
        lines = dict(zip(self._rows, self._base.row_lines(), strict=True))
        same = (row.path for row in corpus.rows if self._rows.get(row.path) is row)
        return {path: lines[path] for path in same}

    def _outcome(self, name: str, corpus: Corpus, *, published: bool) -> Outcome:
        return Outcome(
            generation=name,
            published=published,
            rows=len(corpus.rows),
            documents=sum(row.sha256 is not None for row in corpus.rows),
            indexed=self._indexed,
            removed=self._removed,
            counts=corpus.counts,
        )


def _searched(row: Row) -> tuple[object, ...]:
    """What the engine was given of a row: alike, if the document need not be indexed again."""
    texts = (row.title, row.aliases, column_texts(row, "summary"), row.keypoints, row.tags)
    return (row.sha256, row.speech, *texts)


def _pointer(home: Path) -> Pointer | None:
    try:
        return read_pointer(home)
    except IndexTrouble:
        return None


def _sealed(home: Path, settings: BaseSettings) -> Sealed | None:
    """The generation in force if it can be continued; a damaged one is replaced from nothing."""
    try:
        pointer = read_pointer(home)
        if pointer is None:
            return None
        sealed = unsealed(home, pointer, settings)
        # A whole generation can still be one that this engine cannot open.
        sealed.check()
    except IndexTrouble:
        return None
    return sealed
