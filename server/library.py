"""The bases of a server and the open generation of each index: one reader each, shared by calls."""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from index.engine import Hit
from index.faults import BaseUnavailable, Fault, IndexTrouble, NotFound, PathRefused, StorageTrouble
from index.generation import Generation, open_current
from index.markdown import read_document
from index.neighbours import Neighbours
from index.paths import BaseFolder
from index.progress import PENDING
from index.rebuild import Build, start_build
from index.records import BaseSettings, Document, Row
from index.row_words import RowWords
from index.status import Changes, changes
from index.substring import Matches
from server.config import Settings

# How long a call waits for an index before it answers that there is none yet.
WAIT_SECONDS = 20.0
# The same where an older index can answer meanwhile.
STALE_WAIT_SECONDS = 1.5
# A listing of the base is believed for so long.
LISTED_SECONDS = 5.0
_POLL_SECONDS = 0.1
# Counts of an index that are no loss.
_WHOLE = frozenset(["files", "rows", "readable", "unlisted", "prefix-stripped", "group-rows"])


class Building(Exception):
    """The index is not ready yet; so many files of so many are.

    `again` says that there was one, and it is of no use.
    """

    def __init__(self, done: int, total: int, again: bool = False) -> None:
        super().__init__(done, total, again)
        self.done = done
        self.total = total
        self.again = again


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that cannot be read now, and why."""

    flag: str
    reason: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What one generation of an index tells; `flags` say what people should know of it."""

    index: Generation
    flags: tuple[str, ...] = ()

    @property
    def rows(self) -> Sequence[Row]:
        """Every row of the base, in its order."""
        return self.index.rows

    @property
    def by_path(self) -> Mapping[str, Row]:
        """The rows by path."""
        return self.index.by_path

    @property
    def words(self) -> RowWords:
        """What the rows say of their files, word by word."""
        return self.index.words

    @property
    def generation(self) -> str:
        """Which build of the index answers."""
        return self.index.name

    @property
    def left_out(self) -> Mapping[str, int]:
        """Files and rows that are not searched whole, counted by reason."""
        counts = self.index.manifest.counts
        return {why: count for why, count in counts.items() if count and why not in _WHOLE}

    def matches(self, terms: Sequence[str]) -> Matches:
        """For each row (by its place in `rows`) that a term occurs in: the terms and columns."""
        return self.index.matches(terms)

    def scores(self, terms: Sequence[str]) -> Mapping[str, float]:
        """BM25F of the terms over row and body, by path."""
        return self.index.scores(terms)

    def search(self, query: str, limit: int) -> list[Hit]:
        """The best files for plain words and "quoted phrases"."""
        return self.index.search(query, limit)

    @property
    def neighbours(self) -> Neighbours:
        """Which files link to which."""
        return self.index.neighbours

    def documents_with(self, word: str) -> int:
        """How many files hold a word, inflections of it counted in."""
        return len(self.index.scores([word]))

    def files_with_phrase(self, words: Sequence[str]) -> list[str]:
        """The files that hold these words in a row."""
        return [hit.path for hit in self.search(f'"{" ".join(words)}"', len(self.rows))]


@dataclass(slots=True)
class _Shelf:
    """One base: its open generation and its build."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    index: Generation | None = None
    build: Build | None = None
    listed: float = 0.0
    since: Changes = field(default_factory=Changes)
    damaged: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """What people should know of an answer out of this index."""
        if self.index is not None and _pending(self.index):
            done, total = _counted(self)
            return (f"INDEX_BUILDING:{done} of {total}",)
        return (f"INDEX_STALE:{self.since}",) if self.since.any else ()


class Library:
    """What the bases say: files as they are now, and one generation of the index of each."""

    def __init__(self, settings: Settings, wait: float = WAIT_SECONDS) -> None:
        self.settings = settings
        self._wait = wait
        self._shelves = {base.id: _Shelf() for base in settings.bases}

    def facts(self, base: BaseSettings, *, part: bool = False) -> Facts:
        """The index of a base; built or updated first where it is absent, damaged or stale.

        A stale index answers, flagged, if its update takes long or comes to nothing; so does one
        that holds only a `part` of the files yet, for those who ask for no more.
        Raises Building where there is nothing to answer with by then, or the Fault of the build.
        """
        shelf = self._shelves[base.id]
        with shelf.lock:
            self._look(base, shelf)
        self._wait_for(base, shelf, part)
        with shelf.lock:
            if shelf.index is None and shelf.build is None:
                # whoever watches the base took leave of the build that was waited for
                self._open(base, shelf)
            if shelf.index is None or (not part and _pending(shelf.index)):
                raise Building(*_counted(shelf), again=shelf.damaged)
            return Facts(shelf.index, shelf.flags)

    def refresh(self, base: BaseSettings) -> bool:
        """Files may have changed: take it in now, while the old one answers; whether all is well.

        What keeps it from being taken in is told to whoever asks next.
        """
        shelf = self._shelves[base.id]
        try:
            # one that runs already may have passed by what has changed now
            self._outwait(base, shelf)
            with shelf.lock:
                shelf.listed = 0.0
                shelf.build = shelf.build or start_build(base, self.settings.index_home(base))
            return self._outwait(base, shelf)
        except Fault:
            return False

    def _outwait(self, base: BaseSettings, shelf: _Shelf) -> bool:
        """Let the build end that runs, while whoever asks is answered; whether it went well."""
        build = shelf.build
        if build is None:
            return True
        build.wait()
        with shelf.lock:
            if self._take(shelf) and shelf.index is not None:
                self._open(base, shelf)
        build.result()
        return True

    def read(self, base: BaseSettings, path: str) -> Document:
        """A file of a base as it is now; raises PathRefused, NotFound or BaseUnavailable."""
        with BaseFolder.open(base.root) as folder:
            try:
                content = folder.read(path, base.limits.file, base.hard_links).content
            except NotFound:
                _demand_files(base, folder)
                raise
        return read_document(path, content, base.limits)

    def document(self, base: BaseSettings, path: str) -> Document | Unreadable:
        """A file of a base as it is now, or why it cannot be read; raises BaseUnavailable."""
        try:
            return self.read(base, path)
        except PathRefused as refusal:
            return Unreadable("PATH_REFUSED", refusal.message)
        except NotFound as gone:
            return Unreadable("SOURCE_CHANGED", gone.message)

    def _look(self, base: BaseSettings, shelf: _Shelf) -> None:
        """Open what is there; start a build where that is nothing, no use, or out of date."""
        self._take(shelf)
        if shelf.build is None or shelf.index is None:
            try:
                self._open(base, shelf)
            except IndexTrouble:
                shelf.index, shelf.damaged = None, True
        stale = shelf.index is None or self._is_stale(base, shelf, shelf.index)
        if stale and shelf.build is None:
            shelf.build = start_build(base, self.settings.index_home(base))

    def _wait_for(self, base: BaseSettings, shelf: _Shelf, part: bool) -> None:
        """Wait for a build that is needed, for less time where an old index can answer."""
        begun = time.monotonic()
        while (build := shelf.build) is not None:
            useful = shelf.index is not None and (part or not _pending(shelf.index))
            if useful and not shelf.flags:
                return
            most = min(self._wait, STALE_WAIT_SECONDS) if useful else self._wait
            left = begun + most - time.monotonic()
            if left <= 0:
                return
            build.wait(min(left, _POLL_SECONDS))
            with shelf.lock:
                if self._take(shelf) or (part and not shelf.damaged):
                    self._open(base, shelf)

    def _take(self, shelf: _Shelf) -> bool:
        """Take leave of a build that ended, if one has; without a whole index its Fault is raised.

        What changed while it ran it may not have seen: the next look lists the base again.
        """
        build = shelf.build
        if build is None or not build.done():
            return False
        shelf.build = None
        try:
            build.result()
        except (IndexTrouble, StorageTrouble, BaseUnavailable):
            if shelf.index is None or _pending(shelf.index):
                shelf.listed = 0.0
                raise
            return True
        shelf.since, shelf.damaged, shelf.listed = Changes(), False, 0.0
        return True

    def _open(self, base: BaseSettings, shelf: _Shelf) -> None:
        """Open the generation in force; the old one stays open for whoever answers out of it."""
        if shelf.index is None or not shelf.index.is_current():
            shelf.index = open_current(self.settings.index_home(base), base, self.settings.columns)

    def _is_stale(self, base: BaseSettings, shelf: _Shelf, index: Generation) -> bool:
        now = time.monotonic()
        if now - shelf.listed < LISTED_SECONDS and shelf.listed:
            return False
        files = index.sealed.files()
        if files:
            with BaseFolder.open(base.root) as folder:
                _demand_files(base, folder)
        shelf.since = changes(base, files)
        shelf.listed = now
        return shelf.since.any


def _demand_files(base: BaseSettings, folder: BaseFolder) -> None:
    """Raise BaseUnavailable where files are missed because the folder holds nothing any more."""
    if folder.is_empty():
        raise BaseUnavailable(
            f"the folder of the base {base.id} holds nothing any more",
            "see whether its disk is mounted, then repeat the call",
        )


def _counted(shelf: _Shelf) -> tuple[int, int]:
    """How many files of how many are read; what a partial index holds, if nobody says more."""
    progress = shelf.build.progress() if shelf.build else None
    if progress is not None and progress.total:
        return progress.done, progress.total
    if shelf.index is None:
        return 0, 0
    rows = len(shelf.index.rows)
    return rows, rows + _pending(shelf.index)


def _pending(index: Generation) -> int:
    """How many files a partial index leaves to the next."""
    return index.manifest.counts.get(PENDING, 0)
