"""Documents on their way into an index by tantivy."""

import importlib
import json
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from index.engine import TANTIVY, Entry
from index.faults import ExtraMissing, StorageTrouble
from index.tantivy_ledger import LEDGER, Ledger, read_ledger
from index.tantivy_terms import terms
from index.weights import Weighed, weighed

if TYPE_CHECKING:
    import tantivy

META = "meta.json"
# Tantivy makes them wherever it opens an index, so they are there, empty, from the beginning.
LOCKS = (".tantivy-meta.lock", ".tantivy-writer.lock")
# What is gathered in memory, in bytes; then a segment is finished.
HEAP = 64 * 1024 * 1024


def library() -> Any:
    """The package, which only who asks for this engine needs."""
    try:
        return importlib.import_module("tantivy")
    except ModuleNotFoundError as missing:
        raise ExtraMissing("the engine tantivy is not installed", TANTIVY) from missing


@cache
def schema() -> "tantivy.Schema":
    """One document per file: its terms, all its words in order for phrases, its path, its number.

    The texts come with one blank between words, so that tantivy has no say in what a word is.
    """
    builder = library().SchemaBuilder()
    builder.add_text_field("path", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="basic")
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="position")
    builder.add_unsigned_field("number", fast=True)
    made: tantivy.Schema = builder.build()
    return made


class TantivyWriter:
    """Adds to one index."""

    def __init__(self, folder: Path) -> None:
        package = library()
        self._folder = folder
        fresh = not any(folder.iterdir())
        self._ledger = Ledger() if fresh else read_ledger(folder)
        for name in LOCKS:
            # An older generation may have the same file, and its readers hold its lock.
            (folder / name).unlink(missing_ok=True)
        with _writing():
            index = package.Index(schema(), path=str(folder))
            self._writer: tantivy.IndexWriter | None = index.writer(HEAP, 1)
        self._put: set[str] = set()

    def put(self, entry: Entry) -> None:
        """Add a document, or take it for the one of the same path that was committed before."""
        if entry.path in self._put:
            raise ValueError(f"{entry.path} is put twice, and tantivy would keep both")
        self.remove(entry.path)
        self._put.add(entry.path)
        document = self._document(entry.path, weighed(entry))
        with _writing():
            self._opened().add_document(document)

    def remove(self, path: str) -> None:
        """Forget a document, if there is one."""
        if self._ledger.remove(path):
            with _writing():
                self._opened().delete_documents_by_term("path", path)

    def commit(self) -> None:
        """Write everything down; what tantivy left of merged segments is removed."""
        with _writing():
            writer = self._opened()
            writer.commit()
            writer.wait_merging_threads()
        self._writer = None
        self._ledger.write(self._folder)
        _tidy(self._folder)

    def abandon(self) -> None:
        """Let go of everything that is not committed."""
        self._writer = None

    def _document(self, path: str, found: Weighed) -> "tantivy.Document":
        lengths = found.row_length, found.body_length
        document: tantivy.Document = library().Document()
        document.add_text("path", path)
        document.add_text("terms", " ".join(terms(found)))
        for text in found.texts:
            # A phrase does not run from one text into the next: tantivy leaves a gap.
            document.add_text("words", " ".join(text))
        document.add_unsigned("number", self._ledger.put(path, *lengths))
        return document

    def _opened(self) -> "tantivy.IndexWriter":
        if self._writer is None:
            raise ValueError("this writer has come to its end")
        return self._writer


@contextmanager
def _writing() -> Generator[None]:
    """Whatever goes wrong on the disk is one error to tantivy, and may be told late."""
    try:
        yield
    except ValueError as trouble:
        raise StorageTrouble(
            f"tantivy cannot write its files: {trouble}",
            "see that the state directory has room and is ours to write",
        ) from trouble


def has_deletions(folder: Path) -> bool:
    """Whether documents that are gone still count in what tantivy says of its terms."""
    return any(segment["deletes"] for segment in _segments(folder))


def _segments(folder: Path) -> list[dict[str, Any]]:
    return list(json.loads((folder / META).read_bytes())["segments"])


def _tidy(folder: Path) -> None:
    """Remove files of no living segment, and see that the locks are there before the seal."""
    for name in LOCKS:
        (folder / name).touch(mode=0o600)
    living = {segment["segment_id"].replace("-", "") for segment in _segments(folder)}
    ours = {META, LEDGER, ".managed.json", *LOCKS}
    for path in folder.iterdir():
        if path.name not in ours and path.name.partition(".")[0] not in living:
            path.unlink()
