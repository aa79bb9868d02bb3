"""What went wrong while a base was read: all of it counted, of each kind the first ones named."""

from collections import Counter
from collections.abc import Iterable

from index.paths import escaped
from index.records import Problem

# A hundred thousand missing files are one remark to a person, not a hundred thousand.
MOST_NAMED = 1000


class Ledger:
    """Problems in the order in which they were met, and how many there are of each kind."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.problems: list[Problem] = []

    def note(self, kind: str, place: str, detail: str) -> None:
        """One more of a kind; beyond `MOST_NAMED` it is only counted."""
        self.counts[kind] += 1
        if self.counts[kind] <= MOST_NAMED:
            self.problems.append(Problem(kind, escaped(place), detail))

    def note_all(self, problems: Iterable[Problem]) -> list[str]:
        """Note what others found; the kinds of it."""
        kinds: list[str] = []
        for problem in problems:
            self.note(problem.kind, problem.place, problem.detail)
            kinds.append(problem.kind)
        return kinds

    def add(self, other: "Ledger") -> None:
        """Take over another ledger whole: what it only counted is only counted here."""
        self.problems += other.problems
        self.counts.update(other.counts)
