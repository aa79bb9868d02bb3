"""The classes that an index names. A permanent module: Whoosh pickles them under this path."""

from functools import cache
from typing import Any, cast

from whoosh.codec.whoosh3 import W3Codec
from whoosh.columns import NumericColumn
from whoosh.fields import COLUMN, FieldType, Schema
from whoosh.formats import Format

from index.whoosh_postings import ListWriter, Posted


class Occurrence(Format):
    """Postings without a value: Whoosh pickles values by protocol 2, which doubles every cost.

    Phrases are looked up in the `words` column instead.
    """

    posting_size = 0


class Weighed(FieldType):
    """Tokens that come with their weights; whoever writes them has tokenized already."""

    def __init__(self) -> None:
        super().__init__(Occurrence(), cast(Any, None))


class Codec(W3Codec):
    """Whoosh's format but for the postings, which are whole lists without lengths of texts."""

    length_stats = False

    def postings_writer(self, dbfile: Any, byteids: bool = False) -> Any:
        """Writes the lists of one field."""
        return ListWriter(dbfile)

    def postings_reader(
        self, dbfile: Any, terminfo: Any, format_: Any, term: Any = None, scorer: Any = None
    ) -> Any:
        """One token's list."""
        start, _ = terminfo.extent()
        return Posted(dbfile, start)


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
