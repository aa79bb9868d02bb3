"""The classes that an index names. A permanent module: Whoosh pickles them under this path."""

from collections.abc import Generator, Mapping
from functools import cache
from typing import Any, cast

from whoosh.codec.whoosh3 import W3Codec
from whoosh.columns import NumericColumn
from whoosh.fields import COLUMN, FieldType, Schema
from whoosh.formats import Format


class Occurrence(Format):
    """Postings without a value: Whoosh pickles values by protocol 2, which doubles every cost.

    Phrases are looked up in the `words` column instead.
    """

    posting_size = 0


class Weighed(FieldType):
    """Tokens that come with their weights; whoever writes them has tokenized already.

    Whoosh's own text field does it by a chain of generators, at two thirds of the speed.
    """

    def __init__(self) -> None:
        super().__init__(Occurrence(), cast(Any, None))

    def index(
        self, value: Mapping[str, float], **_: Any
    ) -> Generator[tuple[bytes, int, float, bytes]]:
        """The postings of one document: token, a frequency that nobody reads, weight, no value."""
        for token, weight in value.items():
            yield token.encode(), 1, weight, b""


class Codec(W3Codec):
    """Whoosh's format without the lengths in each posting, which only its own ranking reads."""

    length_stats = False

    def __init__(self) -> None:
        # Four times the usual block: fewer to open, and no loss elsewhere.
        cast(Any, super()).__init__(blocklimit=512)


_numbers: Any = NumericColumn


@cache
def schema() -> Schema:
    """One document per file: tokens of its row and of its body, found by whoever holds a token.

    The others are found by number: `words` is all text, for phrases; the lengths count tokens.
    """
    return Schema(
        path=COLUMN(),
        row=Weighed(),
        row_length=COLUMN(_numbers("I")),
        body=Weighed(),
        body_length=COLUMN(_numbers("I")),
        words=COLUMN(),
    )
