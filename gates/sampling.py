"""How sure a saving is: 512 samples of the lines and measures that carry it (E64, E65)."""

import hashlib
import math
from collections.abc import Iterator, Mapping
from random import Random

from gates.proposals import Line, Measure, Triangle

SAMPLES = 512
POINTS = (0.1, 0.5, 0.9)


def percentiles(
    amounts: Mapping[str, float], by: Mapping[str, Measure], lines: Mapping[str, Line]
) -> tuple[float, float, float]:
    """p10, p50 and p90 of what is saved where `amounts` are carried line by line.

    The same on every machine: each uncertain quantity has a stream of its own, so that one more of
    them leaves the others as they were. A sample never saves more of a line than the line drawn.
    """
    drawn = {code: _draws("line", code, lines[code].band) for code in amounts}
    factors = {one.id: _draws("measure", one.id, one.realisation) for one in by.values()}
    sums: list[float] = []
    for k in range(SAMPLES):
        saved = 0.0
        for code in sorted(amounts):
            amount, line, factor = lines[code].amount, drawn[code], factors[by[code].id]
            cost = amount if line is None else line[k]
            part = amounts[code] * (1.0 if factor is None else factor[k]) * cost / amount
            saved += min(part, cost)
        sums.append(saved)
    sums.sort()
    low, middle, high = (_at(sums, point * (SAMPLES - 1)) for point in POINTS)
    return low, middle, high


def stream(kind: str, name: str) -> Iterator[float]:
    """The numbers of one uncertain quantity, from 0 up to 1."""
    seed = hashlib.sha256(f"savings-1/{kind}/{name}".encode()).digest()[:8]
    generator = Random(int.from_bytes(seed, "big"))
    while True:
        yield generator.random()


def triangular(u: float, spread: Triangle) -> float:
    """The value below which a part `u` of a triangular distribution lies, by inversion."""
    low, mode, high = spread.low, spread.mode, spread.high
    if low == high:
        return low
    if u < (mode - low) / (high - low):
        return low + math.sqrt(u * (high - low) * (mode - low))
    return high - math.sqrt((1 - u) * (high - low) * (high - mode))


def _draws(kind: str, name: str, spread: Triangle | None) -> list[float] | None:
    """All samples of a quantity; None where it is certain."""
    if spread is None:
        return None
    numbers = stream(kind, name)
    return [triangular(next(numbers), spread) for _ in range(SAMPLES)]


def _at(ordered: list[float], position: float) -> float:
    """The value at a position between two of them, by linear interpolation."""
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)
