"""Where in a file a text that was changed is now, most likely."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from index.text import fold, word_spans

# Comparing letter by letter takes the product of the two lengths.
COMPARED = 20_000


@dataclass(frozen=True, slots=True)
class Nearest:
    """A stretch of a text, as character offsets, and how like it is to what was looked for."""

    start: int
    end: int
    similarity: int


def nearest_text(text: str, wanted: str) -> Nearest | None:
    """The stretch of as many words that shares the most with `wanted`; None if none shares any.

    Similarity is in whole per cent, 100 only for equal texts; of long ones the beginning counts.
    """
    spans = word_spans(text)
    looked_for = _words(wanted, word_spans(wanted))
    first = _best_window(_words(text, spans), looked_for)
    if first is None:
        return None
    last = min(first + len(looked_for), len(spans)) - 1
    start, end = spans[first][0], spans[last][1]
    return Nearest(start, end, _similarity(text[start:end], wanted))


def _words(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    return [fold(text[start:end]) for start, end in spans]


def _best_window(words: Sequence[str], wanted: Sequence[str]) -> int | None:
    """The first word of the window that shares most words with `wanted`, counted with repeats."""
    missing = Counter(wanted)
    shared = best = 0
    place: int | None = None
    for at, word in enumerate(words):
        missing[word] -= 1
        shared += missing[word] >= 0
        if at >= len(wanted):
            left = words[at - len(wanted)]
            shared -= missing[left] >= 0
            missing[left] += 1
        if shared > best:
            best, place = shared, max(0, at - len(wanted) + 1)
    return place


def _similarity(one: str, other: str) -> int:
    from rapidfuzz import fuzz

    ratio = int(fuzz.ratio(one[:COMPARED], other[:COMPARED]))
    return min(ratio, 99) if one != other else 100
