"""Which measures carry the most, and which of them carries each cost line (E61, E62)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from gates.proposals import Line, Measure

# Half a cent: what rounding to the cent can hide.
TOLERANCE = 0.005
_SECONDS = 2.0


class GaveUp(Exception):
    """The solver found no proven optimum in its time."""


@dataclass(frozen=True, slots=True)
class Carried:
    """Which measure each line is credited to, and what they can save together."""

    by: Mapping[str, Measure]
    total: float


def carried(measures: Sequence[Measure], lines: Mapping[str, Line]) -> Carried:
    """The most that the measures can save, by the first of the choices that reach it.

    Each line counts once, for the farthest-reaching measure that is carried out; alternatives never
    add up. Among choices within `TOLERANCE` of the optimum useless measures drop out and earlier
    ones win: the smallest sum of 2^i over the positions i. Raises GaveUp.
    """
    search = _Search(measures, lines)
    chosen = search.solved()
    best = search.total(chosen)
    for at in reversed(range(len(measures))):
        if at in chosen:
            without = search.solved(off=at)
            if search.total(without) >= best - TOLERANCE:
                chosen = without
            else:
                search.on.add(at)
                continue
        search.off.add(at)
    by = credited([measures[at] for at in sorted(chosen)])
    return Carried(by, search.total(chosen))


def credited(chosen: Sequence[Measure]) -> dict[str, Measure]:
    """Each line with the carried-out measure of the largest share; ties go to the earlier one."""
    by: dict[str, Measure] = {}
    for measure in chosen:
        for code in measure.codes:
            if code not in by or measure.max_share > by[code].max_share:
                by[code] = measure
    return by


@dataclass(slots=True)
class _Search:
    """The mixed-integer program; measures that are settled are on or off."""

    measures: Sequence[Measure]
    lines: Mapping[str, Line]
    on: set[int] = field(default_factory=set[int])
    off: set[int] = field(default_factory=set[int])

    def total(self, chosen: Collection[int]) -> float:
        """What a choice saves, from the measures themselves: a solver's sums are not exact."""
        by = credited([self.measures[at] for at in sorted(chosen)])
        return sum(by[code].max_share * self.lines[code].amount for code in sorted(by))

    def solved(self, off: int | None = None) -> set[int]:
        """The best choice with what is settled, and with one measure more off."""
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_array

        count = len(self.measures)
        pairs = [(m, code) for m, one in enumerate(self.measures) for code in one.codes]
        gains = np.array([self.measures[m].max_share * self.lines[c].amount for m, c in pairs])
        largest = float(gains.max(initial=0.0))
        if largest <= 0:
            return set(self.on)
        rows, columns, values, most = self._constraints(pairs)
        matrix = coo_array((values, (rows, columns)), shape=(len(most), count + len(pairs)))
        whole = np.zeros(count + len(pairs), dtype=np.int64)
        whole[:count] = 1
        upper = np.ones(count + len(pairs))
        lower = np.zeros(count + len(pairs))
        upper[[*self.off, *([] if off is None else [off])]] = 0
        lower[sorted(self.on)] = 1
        found = milp(
            # one scale for all amounts: the solver's tolerances are absolute
            np.concatenate([np.zeros(count), -gains / largest]),
            integrality=whole,
            bounds=Bounds(lower, upper),
            constraints=LinearConstraint(matrix.tocsr(), -np.inf, np.array(most, dtype=float)),
            options={"mip_rel_gap": 0, "time_limit": _SECONDS, "disp": False},
        )
        if found.status != 0:
            raise GaveUp(str(found.message))
        return {m for m in range(count) if found.x[m] > 0.5}

    def _constraints(
        self, pairs: Sequence[tuple[int, str]]
    ) -> tuple[list[int], list[int], list[float], list[float]]:
        """`matrix @ x <= most` as rows, columns and values, x being every y_m, then every v_ml."""
        count = len(self.measures)
        entries: list[tuple[int, int, float]] = []
        most: list[float] = []
        by_line: dict[str, list[int]] = {}
        for at, (m, code) in enumerate(pairs):
            entries += [(len(most), count + at, 1.0), (len(most), m, -1.0)]
            most.append(0.0)
            by_line.setdefault(code, []).append(count + at)
        for columns in by_line.values():
            entries += [(len(most), column, 1.0) for column in columns]
            most.append(1.0)
        for m, n in self._excluded():
            entries += [(len(most), m, 1.0), (len(most), n, 1.0)]
            most.append(1.0)
        rows, columns_, values = (list(part) for part in zip(*entries, strict=True))
        return rows, columns_, values, most

    def _excluded(self) -> set[tuple[int, int]]:
        """The pairs that cannot be carried out together; one of the two need say so."""
        at = {measure.id: number for number, measure in enumerate(self.measures)}
        return {
            (min(at[one.id], at[other]), max(at[one.id], at[other]))
            for one in self.measures
            for other in one.excludes
        }
