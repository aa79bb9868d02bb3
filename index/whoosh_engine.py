"""The index by Whoosh: its files and postings. The ranking is ours, and exact after any update.

Whoosh ranks by statistics that still count deleted documents, so that the same files would rank
otherwise after an update than after a rebuild; and it scores each field alone.
"""

import heapq
import pickle
import struct
import unicodedata
import zlib
from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from math import log
from operator import mul
from pathlib import Path
from threading import Lock
from typing import Any

from index.engine import Engine, Hit, Writer
from index.faults import IndexTrouble
from index.tokens import asked, asked_by_word, stemmer_version, words
from index.weights import LENGTH, MOST_ASKED, SATURATION, parsed
from index.whoosh_writer import WhooshWriter, lined, numbered_paths

# Raise it when fields, tokens or passage weights change.
FORMAT = 4
FIELDS = ("row", "body")

# Whatever Whoosh has been seen to raise on files that are not as it wrote them.
_DAMAGE = (
    OSError,
    EOFError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    AssertionError,
    ImportError,
    MemoryError,
    struct.error,
    pickle.UnpicklingError,
    zlib.error,
)

# For each token the documents that hold it, by number, and how often: weighted, and by length.
Occurrences = Mapping[str, Mapping[int, float]]


class WhooshMaker:
    """Writes and opens indexes by Whoosh, which is imported when one is asked for."""

    @property
    def version(self) -> str:
        """Our format, and the tables that words and stems come from."""
        tables = f"stems {stemmer_version()}, unicode {unicodedata.unidata_version}"
        return f"whoosh {FORMAT}, {tables}"

    def write(self, folder: Path) -> Writer:
        """Continue the index in this folder, or begin one in an empty folder."""
        return WhooshWriter(folder)

    def read(self, folder: Path) -> Engine:
        """Open the index in this folder; IndexTrouble if Whoosh cannot read it."""
        return WhooshEngine(folder)

    def count(self, folder: Path) -> int:
        """How many documents can be found, by the lists of the segments alone."""
        with _readable():
            return int(_opened(folder).doc_count())


MAKER = WhooshMaker()


class WhooshEngine:
    """One index, open for reading; questions of several threads are answered one by one."""

    def __init__(self, folder: Path) -> None:
        with _readable():
            self._reader = _opened(folder).reader()
            self._paths = numbered_paths(self._reader)
            self._gone = set(range(self._reader.doc_count_all())) - self._paths.keys()
            self._norms = {field: _norms(self._reader, field, self._paths) for field in FIELDS}
            self._texts = [
                (first, leaf.column_reader("words", translate=False))
                for leaf, first in reversed(self._reader.leaf_readers())
                if leaf.doc_count_all()
            ]
        self._open = True
        # The readers of Whoosh move one file position to and fro.
        self._lock = Lock()

    def scores(self, terms: Sequence[str], languages: Sequence[str] = ()) -> dict[str, float]:
        """BM25F of all terms over row and body, for every document that holds a word of them."""
        with self._lock:
            found = self._occurrences(asked("\n".join(terms), languages))
        return {self._paths[number]: score for number, score in self._bm25f(found).items()}

    def search(self, query: str, limit: int, languages: Sequence[str] = ()) -> list[Hit]:
        """The best documents for plain words; those that lack a "quoted phrase" are left out."""
        text, phrases = parsed(query)
        with self._lock:
            wanted = dict(islice(asked_by_word(text, languages).items(), MOST_ASKED))
            found = self._occurrences(chain.from_iterable(wanted.values()))
            scores = self._bm25f(found)
            ranked = ((-score, self._paths[number], number) for number, score in scores.items())
            if phrases:
                needed = _needed(phrases, wanted, found)
                best = list(islice(self._with(phrases, needed, sorted(ranked)), max(0, limit)))
            else:
                best = heapq.nsmallest(limit, ranked)
        return [Hit(path, -score) for score, path, _ in best]

    def document_count(self) -> int:
        """How many documents can be found."""
        return len(self._paths)

    def close(self) -> None:
        """Let go of all files; nothing can be asked any more."""
        with self._lock:
            if self._open:
                self._open = False
                self._reader.close()

    def _occurrences(self, tokens: Iterable[str]) -> Occurrences:
        if not self._open:
            raise IndexTrouble("this index is closed", "open the current one")
        return {token: self._holding(token) for token in tokens}

    def _holding(self, token: str) -> Mapping[int, float]:
        from index.whoosh_postings import posted

        found: dict[int, float] = {}
        key = token.encode()
        for reader, first in self._reader.leaf_readers():
            lists = (
                (field, posted(reader, field, key)) for field in FIELDS if (field, key) in reader
            )
            for field, each in lists:
                numbers = [first + number for number in each.ids] if first else each.ids
                often = map(mul, each.weights, map(self._norms[field].__getitem__, numbers))
                _collect(numbers, often, found)
        for number in self._gone:
            found.pop(number, None)
        return found

    def _bm25f(self, found: Occurrences) -> Mapping[int, float]:
        """The usual sum over tokens; the idf is never negative."""
        scores: defaultdict[int, float] = defaultdict(float)
        for holding in found.values():
            rarity = log(1 + (len(self._paths) - len(holding) + 0.5) / (len(holding) + 0.5))
            weight = rarity * (SATURATION + 1)
            for number, often in holding.items():
                scores[number] += weight * often / (often + SATURATION)
        return scores

    def _with(
        self,
        phrases: Sequence[str],
        needed: Sequence[Collection[int]],
        ranked: Iterable[tuple[float, str, int]],
    ) -> Iterator[tuple[float, str, int]]:
        """The documents that hold every phrase; only those among all the needed ones are opened."""
        needles = [lined([words(phrase)]) for phrase in phrases]
        for hit in ranked:
            if all(hit[2] in holding for holding in needed):
                text = self._words(hit[2])
                if all(needle in text for needle in needles):
                    yield hit

    def _words(self, number: int) -> bytes:
        first, texts = next(column for column in self._texts if column[0] <= number)
        return zlib.decompress(texts[number - first])


def _opened(folder: Path) -> Any:
    from whoosh import index

    from index.whoosh_fields import schema

    return index.open_dir(str(folder), schema=schema())


@contextmanager
def _readable() -> Generator[None]:
    from whoosh.filedb.filetables import FileFormatError
    from whoosh.index import IndexError as NoIndex

    try:
        yield
    except (*_DAMAGE, NoIndex, FileFormatError) as trouble:
        raise IndexTrouble(
            f"Whoosh cannot read its files ({type(trouble).__name__})", "rebuild the index"
        ) from trouble


def _needed(
    phrases: Sequence[str], wanted: Mapping[str, Sequence[str]], found: Occurrences
) -> list[Collection[int]]:
    """For each word of the phrases that was looked up, the documents that hold one of its tokens.

    A word whose token another word asked for already is no test of its own.
    """
    words = (word for phrase in phrases for word in asked_by_word(phrase) if word in wanted)
    return [set[int]().union(*(found[token] for token in wanted[word])) for word in words]


def _norms(reader: Any, field: str, living: Collection[int]) -> list[float]:
    """What one occurrence is worth in each document: less in one longer than the mean."""
    lengths: list[int] = []
    for leaf, _ in reader.leaf_readers():
        if count := leaf.doc_count_all():
            column = leaf.column_reader(f"{field}_length", translate=False)
            lengths += (column[number] for number in range(count))
    total = sum(lengths[number] for number in living)
    mean = total / len(living) if total else 1.0
    return [1 / (1 - LENGTH + LENGTH * length / mean) for length in lengths]


def _collect(numbers: Sequence[int], often: Iterable[float], found: dict[int, float]) -> None:
    """Add one list of postings to what other fields and segments had."""
    if not found or numbers[0] > next(reversed(found)):
        found.update(zip(numbers, often, strict=True))
        return
    known = found.get
    for number, times in zip(numbers, often, strict=True):
        found[number] = known(number, 0.0) + times
