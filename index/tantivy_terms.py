"""How often a word stands in a document, and in how long a one, as a part of the term itself.

Tantivy ranks by statistics that still count deleted documents, and its scores hold only for one
state of the index. So we index a token once per document, under a term that says how often it
occurs and how long the texts are, both in classes; what such a term is worth is known at the
query, from what lives then. An updated index therefore ranks exactly as a rebuilt one.
"""

from collections.abc import Iterator
from functools import cache
from math import log2

from index.weights import LENGTH, Weighed

# No token holds it: they are words, joined by dots and hyphens.
SEPARATOR = "/"
# Numbers up to the first are told apart, larger ones by so many steps between one and its double.
# Where the row holds the word too, the body's part is coarser, or the terms would be too many.
_BODY, _BESIDE, _ROW = (12, 4), (4, 2), (12, 4)
_BODY_LENGTH, _BESIDE_LENGTH, _ROW_LENGTH = (0, 4), (0, 2), (0, 4)
_FIRST = 0x40
# Between what is said of the row and of the body.
_BOTH = "+"


def terms(found: Weighed) -> Iterator[str]:
    """The terms of a document, one for each of its tokens."""
    row, body = found.row, found.body
    length = _class(found.body_length, _BODY_LENGTH)
    alone = {n: f"{SEPARATOR}{_class(n, _BODY)}{length}" for n in set(body.values())}
    yield from (token + alone[times] for token, times in body.items() if token not in row)
    length = _class(found.row_length, _ROW_LENGTH) + _BOTH
    beside = _class(found.body_length, _BESIDE_LENGTH)
    for token, weight in row.items():
        code = f"{token}{SEPARATOR}{_class(weight, _ROW)}{length}"
        times = body.get(token, 0)
        yield f"{code}{_class(times, _BESIDE)}{beside}" if times else code


def often(code: str, means: tuple[float, float]) -> float:
    """How often the token of a term occurs for BM25F, both texts together."""
    row, held, body = code.rpartition(_BOTH)
    fine = (_BESIDE, _BESIDE_LENGTH) if held else (_BODY, _BODY_LENGTH)
    found = _normal(row, means[0], (_ROW, _ROW_LENGTH)) if row else 0.0
    return found + (_normal(body, means[1], fine) if body else 0.0)


def _normal(code: str, mean: float, steps: tuple[tuple[int, int], tuple[int, int]]) -> float:
    times, length = (_number(each, step) for each, step in zip(code, steps, strict=True))
    return times / (1 - LENGTH + LENGTH * length / mean)


@cache
def _class(number: int, steps: tuple[int, int]) -> str:
    exact, fine = steps
    if number <= exact:
        return chr(_FIRST + number)
    return chr(_FIRST + exact + 1 + round(fine * log2(max(1, number) / (exact + 1))))


def _number(letter: str, steps: tuple[int, int]) -> float:
    exact, fine = steps
    place = ord(letter) - _FIRST
    if place <= exact:
        return place
    return (exact + 1) * 2 ** ((place - exact - 1) / fine)
