"""Which rows a term occurs in: exact substrings after the search fold, in bases of any size."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Literal

from index.records import Row
from index.text import fold

Column = Literal["title", "summary", "keypoints", "tags"]
# The terms that occur in a row, in the order they were given, each with the columns it occurs in.
Hits = tuple[tuple[str, tuple[Column, ...]], ...]

COLUMNS: tuple[Column, ...] = ("summary", "keypoints", "tags")
# Up to here a scan of every row is as fast as the word list, which costs some seconds to set up.
SCANNED = 5_000
# Shorter ones occur in so many different words that the scan wins again.
_SHORTEST = 3


def column_texts(row: Row, column: Column) -> tuple[str, ...]:
    """The texts of a column; the summary is every summary that anybody wrote of the file."""
    if column == "title":
        return (row.title,)
    if column == "tags":
        return row.tags
    if column == "keypoints":
        return row.keypoints
    texts = (row.summary, *(digest.text for digest in row.digests))
    return tuple(dict.fromkeys(text for text in texts if text and text not in row.keypoints))


class Matches(Mapping[int, Hits]):
    """The rows that were found, by place; which columns were hit is looked up when asked for."""

    def __init__(self, table: "RowTable", found: Sequence[tuple[str, set[int]]]) -> None:
        self._table = table
        self._found = found
        self.counts: Counter[int] = Counter()
        for _, places in found:
            self.counts.update(places)

    def __getitem__(self, place: int) -> Hits:
        """The terms that occur in this row, and where."""
        if place not in self.counts:
            raise KeyError(place)
        terms = (term for term, places in self._found if place in places)
        return tuple((term, self._table.columns_with(term, place)) for term in terms)

    def __contains__(self, place: object) -> bool:
        """Whether any term occurs in this row."""
        return place in self.counts

    def __iter__(self) -> Iterator[int]:
        """The places of the rows found, in no order."""
        return iter(self.counts)

    def __len__(self) -> int:
        """How many rows were found."""
        return len(self.counts)


class RowTable:
    """The searched columns of many rows, folded once; a place is a row's index in the sequence."""

    def __init__(
        self, rows: Sequence[Row], columns: Sequence[Column] = COLUMNS, scanned: int = SCANNED
    ) -> None:
        self._rows = rows
        self._columns = tuple(columns)
        self._scanned = scanned

    def matches(self, terms: Sequence[str]) -> Matches:
        """Every row in which a term occurs in a searched column; an empty term occurs nowhere."""
        return Matches(self, [(term, self._places(fold(term))) for term in terms])

    def columns_with(self, term: str, place: int) -> tuple[Column, ...]:
        """The columns of one row that a term occurs in."""
        folded, row = fold(term), self._rows[place]
        return tuple(
            column
            for column in self._columns
            if any(folded in fold(text) for text in column_texts(row, column))
        )

    def _places(self, term: str) -> set[int]:
        words = term.split()
        if not term or not self._rows:
            return set()
        if len(self._rows) <= self._scanned or not words:
            return self._scan(term, range(len(self._rows)))
        # Whatever holds the term holds each of its words inside one of its own words.
        places = self._words.rows_with(max(words, key=len))
        if places is None:
            return self._scan(term, range(len(self._rows)))
        return places if words == [term] else self._scan(term, places)

    def _scan(self, term: str, places: Iterable[int]) -> set[int]:
        folded = self._folded
        found = {place for place in places if term in folded[place]}
        if "\n" in term:
            # The texts of a row are joined by line ends, and no match may run over one.
            found = {place for place in found if self.columns_with(term, place)}
        return found

    @cached_property
    def _folded(self) -> list[str]:
        return [_folded(row, self._columns) for row in self._rows]

    @cached_property
    def _words(self) -> "_WordList":
        return _WordList(self._folded)


class _WordList:
    """The different words of many texts as one string, and for each the texts that hold it."""

    def __init__(self, texts: Sequence[str]) -> None:
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, text in enumerate(texts):
            for word in set(text.split()):
                places[word].append(place)
        self._most = len(texts)
        self._text = "\n".join(places)
        self._starts = list(accumulate((len(word) + 1 for word in places), initial=0))
        self._places = list(places.values())

    def rows_with(self, part: str) -> set[int] | None:
        """The texts with a word that holds `part`; None where scanning them all costs less."""
        if len(part) < _SHORTEST:
            return None
        found: list[list[int]] = []
        total = 0
        for places in self._holding(part):
            found.append(places)
            total += len(places)
            if total > self._most:
                return None
        return set[int]().union(*found)

    def _holding(self, part: str) -> Iterator[list[int]]:
        at = self._text.find(part)
        while at >= 0:
            word = bisect_right(self._starts, at)
            yield self._places[word - 1]
            at = self._text.find(part, self._starts[word])


def _folded(row: Row, columns: Sequence[Column]) -> str:
    texts = [text for column in columns for text in column_texts(row, column)]
    joined = "\n".join(texts)
    return joined.lower() if joined.isascii() else "\n".join(map(fold, texts))
