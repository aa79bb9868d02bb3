"""A base in memory for tests of judges: rows, bodies, and as much of an index as they ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from index.markdown import read_document
from index.records import Document, Row
from index.substring import COLUMNS, Matches, RowTable
from index.tokens import asked, counts
from server.judges.reading import Reader
from tests.rows_made import make_row


@dataclass(frozen=True)
class Note:
    """One file: what its row says, and its body."""

    body: str = ""
    row: Mapping[str, Any] = field(default_factory=dict[str, Any])


def note(body: str = "", **row: Any) -> Note:
    return Note(body, row)


@dataclass
class MadeFacts:
    """Facts of notes by path; a score is the plain count of a word in row and body."""

    notes: Mapping[str, Note]
    generation: str = "made"

    def __post_init__(self) -> None:
        self._rows = [self._row(at, path) for at, path in enumerate(self.notes)]

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    def matches(self, terms: Sequence[str]) -> Matches:
        return RowTable(self.rows, COLUMNS).matches(terms)

    def scores(self, terms: Sequence[str]) -> dict[str, float]:
        found = {row.path: self._score(row, terms) for row in self.rows}
        return {path: score for path, score in found.items() if score}

    def read(self, path: str) -> Document | None:
        return read_document(path, self.notes[path].body.encode())

    def _row(self, position: int, path: str) -> Row:
        said: dict[str, Any] = {"lang": "en", **self.notes[path].row}
        return make_row(path, position=position, **said)

    def _score(self, row: Row, terms: Sequence[str]) -> float:
        text = (row.title, row.summary, *row.keypoints, *row.tags, self.notes[row.path].body)
        words = counts(" ".join(text))
        return float(sum(words[word] for term in terms for word in asked(term)))


def reader_of(notes: Mapping[str, Note]) -> Reader:
    """A judge's reader over a base in memory."""
    facts = MadeFacts(notes)
    return Reader(facts, facts.read, COLUMNS)
