"""Which documents an index by tantivy holds, and how long their texts are."""

import json
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from index import private

LEDGER = "documents.json"


class Noted(NamedTuple):
    """One document: its number in this index, which no other ever has, and its tokens."""

    number: int
    row_length: int
    body_length: int


class Ledger:
    """All documents by path."""

    def __init__(self, following: int = 0, documents: Iterable[tuple[str, Noted]] = ()) -> None:
        self._following = following
        self.documents: dict[str, Noted] = dict(documents)

    def put(self, path: str, row_length: int, body_length: int) -> int:
        """Note a document, or what has become of it; its new number."""
        number = self._following
        self._following += 1
        self.documents[path] = Noted(number, row_length, body_length)
        return number

    def remove(self, path: str) -> bool:
        """Forget a document; whether there was one."""
        return self.documents.pop(path, None) is not None

    def paths(self) -> list[str]:
        """The paths by number; those of documents that are gone are empty."""
        found = [""] * self._following
        for path, noted in self.documents.items():
            found[noted.number] = path
        return found

    def lengths(self) -> "array[int]":
        """How many tokens the documents have, by number."""
        found = array("q", bytes(8 * self._following))
        for noted in self.documents.values():
            found[noted.number] = noted.row_length + noted.body_length
        return found

    def means(self) -> tuple[float, float]:
        """The mean length of rows and of bodies."""
        noted = self.documents.values()
        rows, bodies = sum(one.row_length for one in noted), sum(one.body_length for one in noted)
        return rows / len(noted) if rows else 1.0, bodies / len(noted) if bodies else 1.0

    def write(self, folder: Path) -> None:
        """Put it in the place of the old one, which may be the file of another generation too."""
        noted = self.documents.values()
        record = {
            "following": self._following,
            "paths": list(self.documents),
            "numbers": [one.number for one in noted],
            "rows": [one.row_length for one in noted],
            "bodies": [one.body_length for one in noted],
        }
        private.replace(folder / LEDGER, json.dumps(record, separators=(",", ":")).encode())


def read_ledger(folder: Path) -> Ledger:
    """The ledger of an index; ValueError, KeyError or OSError if there is no whole one."""
    record: dict[str, Any] = json.loads(private.read(folder / LEDGER))
    noted = map(Noted, record["numbers"], record["rows"], record["bodies"])
    return Ledger(record["following"], zip(record["paths"], noted, strict=True))
