"""How far two lists of grades agree."""

from collections import Counter
from collections.abc import Sequence

GRADES = 4


def weighted_kappa(ours: Sequence[int], theirs: Sequence[int]) -> float:
    """Cohen's kappa with quadratic weights: 1 for the same grades, 0 for what chance would give.

    Formula: 1 - sum(w * observed) / sum(w * expected), w = (i - j)^2 / (k - 1)^2, as in J. Cohen,
    "Weighted kappa", Psychological Bulletin 70 (1968). Lists that cannot differ agree wholly.
    """
    count = len(ours)
    seen, mine, others = Counter(zip(ours, theirs, strict=True)), Counter(ours), Counter(theirs)
    observed = expected = 0.0
    for i in range(GRADES):
        for j in range(GRADES):
            weight = (i - j) ** 2 / (GRADES - 1) ** 2
            observed += weight * seen[i, j] / count
            expected += weight * mine[i] * others[j] / count**2
    return 1.0 if expected == 0 else 1 - observed / expected
