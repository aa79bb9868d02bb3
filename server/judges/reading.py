"""What the offline judge reads of a base: rows and bodies as counted words, each file once."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from index.records import Document, Row
from index.substring import Column, column_texts
from index.text import guess, language
from server.judges.words import keys, matter

# The beginning of a long body says what it is about.
BODY_CHARACTERS = 50_000
# A page of prose tells its language.
LANGUAGE_CHARACTERS = 3_000
# Files that stand for the whole base when a word's frequency is asked for.
SAMPLE = 60


class Facts(Protocol):
    """What one generation of an index tells the offline judge."""

    @property
    def rows(self) -> Sequence[Row]:
        """Every row of the base, in its order."""
        ...

    @property
    def generation(self) -> str:
        """Which build of the index answers."""
        ...

    def matches(self, terms: Sequence[str]) -> Mapping[int, object]:
        """The rows, by place, in whose searched columns a term occurs."""
        ...

    def scores(self, terms: Sequence[str]) -> Mapping[str, float]:
        """BM25F of the terms over row and body, by path."""
        ...


T = TypeVar("T")
Read = Callable[[str], Document | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """One file as counted words, by key.

    `columns` are those of the searched columns, `row` those of everything shown of the row, `body`
    counts the body. `weights` has all of them: the tenth time that a file says a word adds little
    to the first. `written` has every spelling and how often it was met.
    """

    lang: str
    columns: frozenset[str]
    row: frozenset[str]
    body: Counter[str]
    weights: Mapping[str, float]
    written: Mapping[str, Counter[str]]

    def usual(self, key: str) -> str:
        """How the file mostly writes one of its words."""
        written = self.written[key]
        return min(written, key=lambda word: (-written[word], len(word), word))


@dataclass(frozen=True, slots=True)
class Usage:
    """How some files use words: the weight of each, all weights, and in how many files each is.

    `length` is the number of counted words in the body of a usual file.
    """

    files: int
    weights: Mapping[str, float]
    total: float
    frequency: Counter[str]
    length: float

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> "Usage":
        """The usage of these files together."""
        weights: dict[str, float] = defaultdict(float)
        frequency: Counter[str] = Counter()
        for reading in readings:
            frequency.update(reading.weights.keys())
            for key, weight in reading.weights.items():
                weights[key] += weight
        length = sum(reading.body.total() for reading in readings) / max(1, len(readings))
        return cls(len(readings), dict(weights), sum(weights.values()), frequency, length)


class Reader:
    """The rows of a base and, where they are asked for, their bodies; nothing is read twice."""

    def __init__(self, facts: Facts, read: Read, columns: Sequence[Column]) -> None:
        self.facts = facts
        self.columns = tuple(columns)
        self.rows = [row for row in facts.rows if row.sha256 is not None]
        self._read = read
        self._readings: dict[str, Reading] = {}
        self._columns: dict[tuple[str, str], frozenset[str]] = {}
        self._common: dict[str, frozenset[str]] = {}

    def reading(self, row: Row) -> Reading:
        """A file as counted words; one that cannot be read any more has its row only."""
        if row.path not in self._readings:
            self._readings[row.path] = self._counted(row)
        return self._readings[row.path]

    def searched(self, row: Row) -> str:
        """The text of the searched columns of a row, without the rests of words that were cut."""
        cut = {digest.text for digest in row.digests if digest.cut}
        texts = (text for column in self.columns for text in column_texts(row, column))
        return "\n".join(_without_last_word(text) if text in cut else text for text in texts)

    def column_keys(self, row: Row, lang: str) -> frozenset[str]:
        """The words of the searched columns, inflected by that language; the file stays unread."""
        known = (row.path, lang)
        if known not in self._columns:
            self._columns[known] = keys(self.searched(row), lang)
        return self._columns[known]

    @cached_property
    def usual(self) -> Usage:
        """How words are used all over the base."""
        return Usage.of(self._sample)

    def common(self, lang: str) -> frozenset[str]:
        """The words of more than half of the files in a language, or in none that can be told."""
        if lang not in self._common:
            alike = Usage.of([one for one in self._sample if one.lang in (lang, "")])
            words = (key for key, count in alike.frequency.items() if 2 * count > alike.files)
            self._common[lang] = frozenset(words)
        return self._common[lang]

    @cached_property
    def _sample(self) -> list[Reading]:
        """Files from all over the base, evenly spread."""
        return [self.reading(row) for row in spread(self.rows, SAMPLE)]

    def _counted(self, row: Row) -> Reading:
        text = self._body(row)
        lang = language(row.lang) or guess(f"{shown_text(row)}\n{text[:LANGUAGE_CHARACTERS]}")
        columns = list(matter(self.searched(row), lang))
        shown = list(matter(shown_text(row), lang))
        body = list(matter(text, lang))
        written: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for word in (*columns, *shown, *body):
            written[word.key][word.written] += 1
        # Order decides how sums are rounded, and sets have another one in each process.
        in_row = dict.fromkeys(word.key for word in (*columns, *shown))
        in_body = Counter(word.key for word in body)
        counts = in_body + Counter(in_row.keys())
        return Reading(
            lang,
            frozenset(word.key for word in columns),
            frozenset(in_row),
            in_body,
            {key: 1 + math.log2(count) for key, count in counts.items()},
            dict(written),
        )

    def _body(self, row: Row) -> str:
        document = self._read(row.path)
        return "\n".join(_first(document, BODY_CHARACTERS)) if document else ""


def shown_text(row: Row) -> str:
    """What is shown of a row: title and summary, keypoints and tags; its lead for want of them."""
    return "\n".join((row.title, row.summary or row.lead, *row.keypoints, *row.tags))


def spread(items: Sequence[T], most: int) -> list[T]:
    """At most so many of the items, evenly spread, the first among them."""
    return list(items[:: max(1, -(-len(items) // most))])


def _without_last_word(text: str) -> str:
    return " ".join(text.split()[:-1])


def _first(document: Document, characters: int) -> Iterator[str]:
    for block in document.blocks:
        if characters <= 0:
            return
        yield block.prose[:characters]
        characters -= len(block.prose)
