"""One segment on its way to the disk, and which of the older ones are written anew with it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from whoosh import index
from whoosh.reading import SegmentReader
from whoosh.writing import SegmentWriter

from index.whoosh_fields import Codec, schema
from index.whoosh_postings import Gathered

# Each segment costs every query a look-up of all its tokens; above so many small ones are joined.
MOST_SMALL = 8
# One that has fewer documents, or less than this part of all.
_SMALL, _PART = 1_000, 20


@dataclass(frozen=True, slots=True)
class Tokenized:
    """One document as Whoosh is given it: weights by token, and all words for phrases."""

    path: str
    row: Mapping[str, int]
    row_length: int
    body: Mapping[str, int]
    body_length: int
    words: bytes


class SegmentMaker:
    """Whoosh's writer of a segment, with postings that are gathered instead of sorted."""

    def __init__(self, opened: Any, *, locked: bool = True) -> None:
        # files of their own are mapped; of parts of a compound file Whoosh copies every byte
        self._writer = cast(Any, SegmentWriter)(
            opened, _lk=locked, codec=cast(Any, Codec)(), compound=False
        )
        self._writer.pool = Gathered()

    @property
    def size(self) -> int:
        """About how much memory the segment takes."""
        return int(self._writer.pool.size)

    def take(self, document: Tokenized) -> None:
        """Add a document; what Whoosh itself does for any field takes it twice as long."""
        writer = self._writer
        number = writer.docnum
        writer.perdocwriter.start_doc(number)
        self._column("path", document.path.encode())
        self._column("words", document.words)
        self._column("row_length", document.row_length)
        self._column("body_length", document.body_length)
        writer.perdocwriter.finish_doc()
        writer.pool.take("row", number, document.row)
        writer.pool.take("body", number, document.body)
        writer.docnum = number + 1
        writer._added = True

    def remove(self, number: int) -> None:
        """Mark a document of an older segment as deleted."""
        self._writer.delete_document(number)

    def finished(self) -> Any:
        """The segment, written down; only `commit` makes it a part of the index."""
        return self._writer._finalize_segment()

    def adopt(self, segments: Sequence[Any]) -> None:
        """Take in segments that other processes finished in the same folder."""
        self._writer.segments.extend(segments)

    def commit(self, *, last: bool = True) -> None:
        """Make it a part of the index; at last with what is to be written anew of the others."""
        self._writer.commit(mergetype=_merged if last else _kept)

    def abandon(self) -> None:
        """Let go of it, unless it is committed."""
        if not self._writer.is_closed:
            self._writer.cancel()

    def _column(self, field: str, value: object) -> None:
        column = self._writer.schema[field].column_type
        self._writer.perdocwriter.add_column_value(field, column, value)


def opened(folder: Path) -> Any:
    """The index in a folder; an empty one gets an empty index."""
    made = index.open_dir if any(folder.iterdir()) else index.create_in
    return made(str(folder), schema=schema())


def _kept(writer: Any, segments: list[Any]) -> list[Any]:
    """Leave the others alone."""
    return segments


def _merged(writer: Any, segments: Sequence[Any]) -> list[Any]:
    """Write segments anew of which most is deleted, and small ones if there are many; the others.

    Memory is bounded: no segment is larger than what is gathered at once.
    """
    living: list[Any] = [
        segment for segment in segments if segment.doc_count_all() > segment.deleted_count()
    ]
    most = max(_SMALL, sum(segment.doc_count_all() for segment in living) // _PART)
    small: set[Any] = {segment for segment in living if segment.doc_count_all() < most}
    joined: set[Any] = set(_worn(living)) | (small if len(small) > MOST_SMALL else set())
    for segment in living:
        if segment in joined:
            reader = cast(Any, SegmentReader)(writer.storage, writer.schema, segment)
            writer.add_reader(reader)
            reader.close()
    return [segment for segment in living if segment not in joined]


def _worn(segments: Sequence[Any]) -> Iterator[Any]:
    return (each for each in segments if 2 * each.deleted_count() > each.doc_count_all())
