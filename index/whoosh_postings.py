"""Postings as whole lists: Whoosh handles them one by one, at several times the price."""

from array import array
from collections import defaultdict
from collections.abc import Generator, Mapping
from itertools import accumulate
from operator import sub
from struct import Struct
from typing import Any, cast

from whoosh.codec.base import PostingsWriter
from whoosh.matching.mcore import ListMatcher

# What is counted of a token beside its postings: its text, its dictionary entry and its array.
TOKEN_BYTES = 300
_POSTING_BYTES = 8
# how many postings there are, and the bytes of a step between documents and of a weight
_HEAD = Struct("<IBB")
# In the byte order of this machine, which no index leaves: its seal holds nowhere else.
_CODES = {1: "B", 2: "H", 4: "I"}


class Gathered:
    """The postings of a segment that is being written, as Whoosh's own pool: field, token, lists.

    Documents must come in the order of their numbers, as they do when they are added or merged.
    """

    def __init__(self) -> None:
        self.size = 0
        self._fields: dict[str, dict[str, array[int]]] = {}

    def take(self, field: str, number: int, weights: Mapping[str, int]) -> None:
        """One document's tokens."""
        tokens = self._tokens(field)
        known = len(tokens)
        for token, weight in weights.items():
            pairs = tokens[token]
            pairs.append(number)
            pairs.append(weight)
        self.size += _POSTING_BYTES * len(weights) + TOKEN_BYTES * (len(tokens) - known)

    def add(self, item: tuple[str, bytes, int, float, object]) -> None:
        """One posting of a segment that is merged into this one."""
        field, token, number, weight, _ = item
        self._tokens(field)[token.decode()].extend((number, int(weight)))
        self.size += _POSTING_BYTES

    def iter_postings(self) -> Generator[tuple[str, bytes, Any, Any, bytes]]:
        """For each field and token, in order, all documents and all weights."""
        for field in sorted(self._fields):
            tokens = self._fields[field]
            for token in sorted(tokens):
                pairs = tokens[token]
                yield field, token.encode(), pairs[::2], pairs[1::2], b""

    def cleanup(self) -> None:
        """Let go of everything."""
        self._fields.clear()
        self.size = 0

    def _tokens(self, field: str) -> "dict[str, array[int]]":
        if field not in self._fields:
            self._fields[field] = defaultdict(lambda: array("I"))
        return self._fields[field]


class ListWriter(PostingsWriter):
    """Writes each token's list in one go."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._terminfo: Any = None
        self._encoded = b""

    def start_postings(self, format_: object, terminfo: Any) -> None:
        """Begin a token."""
        self._terminfo = terminfo

    def add_posting(
        self, id_: "array[int]", weight: "array[int]", vbytes: bytes, length: int | None = None
    ) -> None:
        """All documents and all weights of the token."""
        self._encoded = _encoded(id_, weight)

    def finish_postings(self) -> Any:
        """Write the token down; the place where its postings are."""
        start = self._file.tell()
        self._file.write(self._encoded)
        self._terminfo.set_extent(start, len(self._encoded))
        return self._terminfo

    def written(self) -> bool:
        """Whether a part of the token is on the disk already."""
        return False


class Posted(ListMatcher):
    """A token's documents and weights, read whole."""

    def __init__(self, file: Any, start: int) -> None:
        count, step, size = _HEAD.unpack(file.get(start, _HEAD.size))
        content = file.get(start + _HEAD.size, count * (step + size))
        self.ids: list[int] = list(accumulate(_read(step, content[: count * step])))
        self.weights = _read(size, content[count * step :])
        cast(Any, super()).__init__(self.ids, self.weights)


def posted(reader: Any, field: str, token: bytes) -> Posted:
    """The postings of a token in one segment, those of deleted documents too."""
    found = reader.postings(field, token)
    # Whoosh wraps it to leave out the deleted, one by one.
    return found if isinstance(found, Posted) else found.child


def _encoded(ids: "array[int]", weights: "array[int]") -> bytes:
    steps = array("I", map(sub, ids, (0, *ids[:-1])))
    step, size = _width(max(steps)), _width(max(weights))
    head = _HEAD.pack(len(ids), step, size)
    return head + _packed(step, steps) + _packed(size, weights)


def _width(most: int) -> int:
    return 1 if most < 1 << 8 else 2 if most < 1 << 16 else 4


def _packed(width: int, numbers: "array[int]") -> bytes:
    return numbers.tobytes() if width == 4 else array(_CODES[width], numbers).tobytes()


def _read(width: int, content: bytes) -> "array[int]":
    numbers: array[int] = array(_CODES[width])
    numbers.frombytes(content)
    return numbers
