"""Documents on their way into an index by Whoosh."""

import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from index.engine import Entry
from index.tokens import counts, words

# What one occurrence counts, against one in the body; the title's is Cranfield's best of 1 to 3.
TITLE, DIGEST = 3.0, 2.0
# Postings that are sorted in memory, in bytes as Whoosh counts them; then a segment is finished.
# Whoosh itself would go on with sorted runs on disk, at less than half the speed.
SEGMENT = 128 * 1024 * 1024
# Merging segments may need more than one holds, and then it must go by way of the disk.
SORTED_MB = 256


class WhooshWriter:
    """Adds to one index; in one process, for Whoosh loses documents among several."""

    def __init__(self, folder: Path) -> None:
        from whoosh import index

        from index.whoosh_fields import Codec, schema

        made = index.open_dir if any(folder.iterdir()) else index.create_in
        self._folder = folder
        self._index = cast(Any, made(str(folder), schema=schema()))
        reader = self._index.reader()
        self._numbers = {path: number for number, path in numbered_paths(reader).items()}
        self._buried: int = reader.doc_count_all() - len(self._numbers)
        reader.close()
        self._codec = Codec()
        self._writer = self._begun()
        self._put: set[str] = set()

    def put(self, entry: Entry) -> None:
        """Add a document, or take it for the one of the same path that was committed before."""
        if entry.path in self._put:
            raise ValueError(f"{entry.path} is put twice, and Whoosh would keep both")
        self.remove(entry.path)
        self._put.add(entry.path)
        digests = (*entry.summaries, *entry.keypoints, *entry.tags)
        row, row_length = _weighed((entry.title, TITLE), *((text, DIGEST) for text in digests))
        body = counts(entry.body)
        self._writer.add_document(
            path=entry.path.encode(),
            row=row,
            row_length=row_length,
            body=body,
            body_length=body.total(),
            words=zlib.compress(lined((entry.title, *digests, entry.body)), 1),
        )
        if self._writer.pool.currentsize > SEGMENT:
            self._writer.commit(merge=False)
            self._writer = self._begun()

    def remove(self, path: str) -> None:
        """Forget a document, if there is one."""
        number = self._numbers.pop(path, None)
        if number is not None:
            self._buried += 1
            self._writer.delete_document(number)

    def commit(self) -> None:
        """Write everything down, and without the deleted documents once they are the most."""
        living = len(self._numbers) + len(self._put)
        self._writer.commit(optimize=self._buried > living)
        (self._folder / "MAIN_WRITELOCK").unlink(missing_ok=True)

    def abandon(self) -> None:
        """Let go of everything that is not committed; a full disk may not even close its files."""
        if not self._writer.is_closed:
            with suppress(OSError):
                self._writer.cancel()

    def _begun(self) -> Any:
        return self._index.writer(limitmb=SORTED_MB, codec=self._codec)


def _weighed(*passages: tuple[str, float]) -> tuple[Mapping[str, float], int]:
    """The tokens of passages, each occurrence with the weight of its passage; and their number."""
    weights: dict[str, float] = {}
    length = 0
    for text, weight in passages:
        for token, times in counts(text).items():
            weights[token] = weights.get(token, 0.0) + weight * times
            length += times
    return weights, length


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


def lined(texts: Iterable[str]) -> bytes:
    """The words of texts as one line each, with a blank on both sides of every word."""
    return "\n".join(f" {' '.join(words(text))} " for text in texts).encode()
