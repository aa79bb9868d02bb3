"""Documents on their way into an index by Whoosh."""

import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from index.engine import Entry
from index.weights import weighed

if TYPE_CHECKING:
    from index.whoosh_press import Press
    from index.whoosh_segment import SegmentMaker, Tokenized

# What is gathered in memory, in bytes; then a segment is finished.
SEGMENT = 48 * 1024 * 1024
# Before that much is to be written no helper is woken.
WORTH_HELP, WORTH_BYTES = 250, 4_000_000
# The texts of one message to a helper, in characters.
BATCH = 50_000


class WhooshWriter:
    """Adds to one index; many documents with the help of other processes, if any are hired."""

    def __init__(self, folder: Path) -> None:
        from index.whoosh_segment import opened

        self._folder = folder
        self._index = opened(folder)
        with self._index.reader() as reader:
            self._numbers = {path: number for number, path in numbered_paths(reader).items()}
        self._put: set[str] = set()
        self._segment = self._begun()
        self._helpers = 0
        self._waiting: list[Entry] = []
        self._weight = 0
        self._press: Press | None = None

    def hire(self, helpers: int) -> None:
        """Let so many processes write segments once there is much to write."""
        self._helpers = helpers

    def put(self, entry: Entry) -> None:
        """Add a document, or take it for the one of the same path that was committed before."""
        if entry.path in self._put:
            raise ValueError(f"{entry.path} is put twice, and Whoosh would keep both")
        self.remove(entry.path)
        self._put.add(entry.path)
        if self._helpers:
            self._hand_over(entry)
            return
        self._segment.take(tokenized(entry))
        if self._segment.size > SEGMENT:
            self._segment.commit(last=False)
            self._segment = self._begun()

    def remove(self, path: str) -> None:
        """Forget a document, if there is one."""
        number = self._numbers.pop(path, None)
        if number is not None:
            self._segment.remove(number)

    def commit(self) -> None:
        """Write everything down, and segments that are worn out or too many anew."""
        if self._press is not None:
            self._send()
            self._segment.adopt(self._press.segments())
        for entry in self._waiting:
            self._segment.take(tokenized(entry))
        self._segment.commit()
        (self._folder / "MAIN_WRITELOCK").unlink(missing_ok=True)

    def abandon(self) -> None:
        """Let go of everything that is not committed; a full disk may not even close its files."""
        if self._press is not None:
            self._press.close()
        with suppress(OSError):
            self._segment.abandon()

    def _hand_over(self, entry: Entry) -> None:
        """Give it to a helper, with others; a few are written here, before helpers are awake."""
        self._waiting.append(entry)
        self._weight += len(entry.body)
        if self._press is None:
            if len(self._waiting) < WORTH_HELP and self._weight < WORTH_BYTES:
                return
            from index.whoosh_press import Press

            self._press = Press(self._folder, self._helpers)
        if self._weight > BATCH:
            self._send()

    def _send(self) -> None:
        assert self._press is not None  # nothing is sent before
        self._press.take(self._waiting)
        self._waiting, self._weight = [], 0

    def _begun(self) -> "SegmentMaker":
        from index.whoosh_segment import SegmentMaker

        return SegmentMaker(self._index)


def tokenized(entry: Entry) -> "Tokenized":
    """What an index keeps of a file."""
    from index.whoosh_segment import Tokenized

    found = weighed(entry)
    return Tokenized(
        path=entry.path,
        row=found.row,
        row_length=found.row_length,
        body=found.body,
        body_length=found.body_length,
        words=zlib.compress(lined(found.texts), 1),
    )


def numbered_paths(reader: Any) -> dict[int, str]:
    """The path of every document by its number, deleted ones left out."""
    paths: dict[int, str] = {}
    for leaf, first in reader.leaf_readers():
        count = leaf.doc_count_all()
        column = leaf.column_reader("path", translate=False) if count else ()
        for number in range(count):
            if not leaf.is_deleted(number):
                paths[first + number] = column[number].decode()
    return paths


def lined(texts: Iterable[Sequence[str]]) -> bytes:
    """The words of texts as one line each, with a blank on both sides of every word."""
    return "\n".join(f" {' '.join(text)} " for text in texts).encode()
