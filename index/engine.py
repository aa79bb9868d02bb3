"""What a search engine must do for us, and what it is given of each file."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from index.faults import BadSettings
from index.records import Document, Row
from index.substring import column_texts

# name -> module with the two functions of `Maker`
ENGINES = {"whoosh": "index.whoosh_engine", "tantivy": "index.tantivy_engine"}
# How the extra is had.
TANTIVY = 'pip install "corpus-expedition[tantivy]"'


@dataclass(frozen=True, slots=True)
class Entry:
    """The text of one file as it is searched: what its row says, and the prose of its body.

    `lang` is the language that it is in, as far as that is known.
    """

    path: str
    title: str
    summaries: tuple[str, ...]
    keypoints: tuple[str, ...]
    tags: tuple[str, ...]
    body: str
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A file that a search found; scores compare within one search only."""

    path: str
    score: float


class Engine(Protocol):
    """One written index, open for reading from any thread; it never changes under its readers."""

    def scores(self, terms: Sequence[str], languages: Sequence[str] = ()) -> dict[str, float]:
        """BM25F of all terms over row and body, for every document that holds a word of them.

        `languages` are those of the documents, for the terms may be in any of them.
        """
        ...

    def search(self, query: str, limit: int, languages: Sequence[str] = ()) -> list[Hit]:
        """The best documents for plain words and "quoted phrases"; no query is an error."""
        ...

    def document_count(self) -> int:
        """How many documents can be found."""
        ...

    def close(self) -> None:
        """Let go of all files; nothing can be asked any more."""
        ...


class Writer(Protocol):
    """Changes to an index, all of them seen at `commit` or none."""

    def put(self, entry: Entry) -> None:
        """Add a document, or take it for the one of the same path that was committed before."""
        ...

    def remove(self, path: str) -> None:
        """Forget a document, if there is one."""
        ...

    def commit(self) -> None:
        """Write everything down; the writer is of no more use."""
        ...

    def abandon(self) -> None:
        """Let go of what was not committed; after `commit` there is nothing to do."""
        ...


class Maker(Protocol):
    """How one kind of engine keeps an index in a private folder."""

    @property
    def version(self) -> str:
        """Changes whenever the same text would be kept or found differently."""
        ...

    def write(self, folder: Path) -> Writer:
        """Continue the index in this folder, or begin one in an empty folder."""
        ...

    def read(self, folder: Path) -> Engine:
        """Open the index in this folder; IndexTrouble if it cannot be read."""
        ...

    def count(self, folder: Path) -> int:
        """How many documents can be found in this folder; costs less than to open it all."""
        ...


def maker(name: str) -> Maker:
    """The engine of that name, imported now."""
    if name not in ENGINES:
        raise BadSettings(f"no engine is called {name}", f"there is: {', '.join(sorted(ENGINES))}")
    return cast(Maker, importlib.import_module(ENGINES[name]).MAKER)


def entry(row: Row, document: Document) -> Entry:
    """What is searched of a file; its own name stands beside the title."""
    return Entry(
        path=row.path,
        title="\n".join((row.title, row.path.rpartition("/")[2].rpartition(".")[0], *row.aliases)),
        summaries=column_texts(row, "summary"),
        keypoints=row.keypoints,
        tags=row.tags,
        body="\n".join(block.prose for block in document.blocks),
        lang=row.speech,
    )
