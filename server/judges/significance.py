"""Which words stand out in some files against the usage of their base."""

import math
from collections import Counter
from collections.abc import Sequence

from server.judges.reading import Reading, Usage


def significance(files: Sequence[Reading], usual: Usage) -> dict[str, float]:
    """How much each word of `files` is theirs; below 0 if it is used more elsewhere.

    Dunning's log-likelihood of dampened counts. A word of searched columns counts by how many of
    these files have it there, times its rarity in the base; any other by the share that hold it.
    """
    here = Usage.of(files)
    columns = Counter(key for reading in files for key in reading.columns)
    return {
        key: log_likelihood((weight, here.total), (usual.weights.get(key, 0.0), usual.total))
        * (here.frequency[key] / here.files + columns[key] * rarity(key, usual))
        for key, weight in here.weights.items()
    }


def rarity(key: str, usual: Usage) -> float:
    """Inverse document frequency of a word in the base, smoothed; never quite 0."""
    return math.log((usual.files + 1.5) / (usual.frequency[key] + 0.5))


def log_likelihood(here: tuple[float, float], there: tuple[float, float]) -> float:
    """Dunning's G2 of (weight, total) here and there; negative where the share here is smaller."""
    (a, n), (b, m) = here, there
    expected = (a + b) / (n + m)
    g2 = 2 * (_surprise(a, n * expected) + _surprise(b, m * expected))
    return g2 if a * m >= b * n else -g2


def _surprise(seen: float, expected: float) -> float:
    return seen * math.log(seen / expected) if seen else 0.0
