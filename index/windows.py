"""Which neighbouring units of text to take together: where the terms sought are densest."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

# From the shortest window on; a denser one that is this many units longer is not looked for.
_ENDS = 32


@dataclass(frozen=True, slots=True)
class Unit:
    """A paragraph or sentence: its words, those that no digest covers, and each term's hits."""

    words: int
    own: int
    hits: tuple[int, ...]
    opens_covered: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """Units `first` to `last`, and what they hold together."""

    first: int
    last: int
    words: int
    own: int
    hits: int
    distinct: int
    opens_covered: bool


def densest(units: Sequence[Unit], least: int, most: int) -> list[Window]:
    """For each unit the densest window that starts with it and holds `least` to `most` words.

    Where it can be had the window holds `least` words that no digest covers.
    """
    sums = _Sums.of(units)
    windows: list[Window] = []
    for first in (at for at, unit in enumerate(units) if unit.words):
        shortest = bisect_left(sums.words, sums.words[first] + least, first + 1)
        longest = bisect_right(sums.words, sums.words[first] + most) - 1
        if shortest > longest:
            continue
        enough = bisect_left(sums.own, sums.own[first] + least, shortest)
        start = enough if enough <= longest else shortest
        ends = range(start, min(longest, start + _ENDS) + 1)
        after = max(ends, key=lambda end: sums.density(first, end))
        windows.append(sums.window(first, after, units[first].opens_covered))
    return windows


@dataclass(frozen=True, slots=True)
class _Sums:
    """Running sums over units: of entries `i` and `j` the difference is units `i` to `j` - 1."""

    words: Sequence[int]
    own: Sequence[int]
    hits: Sequence[int]
    by_term: Sequence[Sequence[int]]

    @staticmethod
    def of(units: Sequence[Unit]) -> "_Sums":
        """The sums of these units."""
        terms = len(units[0].hits) if units else 0
        return _Sums(
            _running(unit.words for unit in units),
            _running(unit.own for unit in units),
            _running(sum(unit.hits) for unit in units),
            [_running(unit.hits[term] for unit in units) for term in range(terms)],
        )

    def density(self, first: int, after: int) -> float:
        """Hits for each word."""
        return (self.hits[after] - self.hits[first]) / (self.words[after] - self.words[first])

    def window(self, first: int, after: int, opens_covered: bool) -> Window:
        """The units from `first` up to `after`, exclusive."""
        return Window(
            first,
            after - 1,
            self.words[after] - self.words[first],
            self.own[after] - self.own[first],
            self.hits[after] - self.hits[first],
            sum(sums[after] > sums[first] for sums in self.by_term),
            opens_covered,
        )


def _running(values: Iterable[int]) -> list[int]:
    return list(accumulate(values, initial=0))
