"""Which words stand out in some files against the rest of a base."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from server.judges.reading import Reading


def significance(files: Sequence[Reading], others: Sequence[Reading]) -> dict[str, float]:
    """How much each word of `files` is theirs; below 0 if the others use it more.

    Dunning's log-likelihood of dampened counts. A word of searched columns counts by how many
    of these files have it there, times its rarity elsewhere; any other by the share that hold it.
    """
    here, there = _weights(files), _weights(others)
    here_all, there_all = sum(here.values()), sum(there.values())
    columns = Counter(key for reading in files for key in reading.columns)
    frequency, elsewhere = document_frequency(files), document_frequency(others)
    return {
        key: log_likelihood((weight, here_all), (there.get(key, 0.0), there_all))
        * (frequency[key] / len(files) + columns[key] * rarity(elsewhere[key], len(others)))
        for key, weight in here.items()
    }


def document_frequency(readings: Sequence[Reading]) -> Counter[str]:
    """In how many files each word occurs."""
    counts: Counter[str] = Counter()
    for reading in readings:
        counts.update(reading.weights.keys())
    return counts


def rarity(count: int, files: int) -> float:
    """Inverse document frequency, smoothed; never quite 0."""
    return math.log((files + 1.5) / (count + 0.5))


def log_likelihood(here: tuple[float, float], there: tuple[float, float]) -> float:
    """Dunning's G2 of (weight, total) here and there; negative where the share here is smaller."""
    (a, n), (b, m) = here, there
    expected = (a + b) / (n + m)
    g2 = 2 * (_surprise(a, n * expected) + _surprise(b, m * expected))
    return g2 if a * m >= b * n else -g2


def _surprise(seen: float, expected: float) -> float:
    return seen * math.log(seen / expected) if seen else 0.0


def _weights(readings: Sequence[Reading]) -> dict[str, float]:
    weights: dict[str, float] = defaultdict(float)
    for reading in readings:
        for key, weight in reading.weights.items():
            weights[key] += weight
    return weights
