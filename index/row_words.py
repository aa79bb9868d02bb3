"""Which words the rows of a base have, and how rare a word is among them."""

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from math import log

from index.records import Row
from index.stop_words import stop_words
from index.substring import column_texts
from index.tokens import counts

# So many rows, evenly spread, tell a rare word from a common one as well as all of them do.
SAMPLE = 1_000
# Shorter ones of a to z tell nothing; elsewhere two letters are a word.
_SHORTEST = 3


class RowWords:
    """The words that say what a file is about, stemmed: of its title, digests and tags."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    def of(self, place: int) -> frozenset[str]:
        """The words of the row at this place; numbers and words of grammar are none."""
        row = self._rows[place]
        digests = (*column_texts(row, "summary"), *row.keypoints, *row.tags)
        text = "\n".join((row.title, *digests))
        found = counts(text, row.speech).keys() - _grammar(row.speech)
        return frozenset(word for word in found if _tells(word))

    def rarity(self, word: str) -> float:
        """The idf of a word, estimated; never negative."""
        rows, holding = self._sample
        return log(1 + (rows - holding[word] + 0.5) / (holding[word] + 0.5))

    @cached_property
    def _sample(self) -> tuple[int, Counter[str]]:
        """How many rows were looked at, and how many of them hold each word."""
        many = len(self._rows)
        looked_at = min(many, SAMPLE)
        places = (at * many // looked_at for at in range(looked_at))
        return looked_at, Counter(word for place in places for word in self.of(place))


@cache
def _grammar(lang: str) -> frozenset[str]:
    return frozenset(counts(" ".join(stop_words(lang)), lang))


def _tells(word: str) -> bool:
    return word.isalpha() and (len(word) >= _SHORTEST or not word.isascii())
