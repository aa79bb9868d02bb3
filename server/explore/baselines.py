"""The cost lines of a base, read for the check of savings; what breaks a rule is never missing."""

from dataclasses import dataclass

from gates.proposals import Baseline, NotReadable, read_baseline
from index.reading import BASELINE, Reading, read_path
from server.explore.bases import Opened


@dataclass(frozen=True, slots=True)
class CostLines:
    """The lines, if they can be used, or what is wrong with the file; both empty if none is."""

    lines: Baseline | None = None
    problem: str = ""


def baseline_of(base: Opened) -> CostLines:
    """The cost lines of a base as they are now."""
    found = read_path(base.folder, base.holdings, "", BASELINE)
    if not isinstance(found, Reading):
        return CostLines() if found.obstacle == "absent" else CostLines(problem=found.reason)
    try:
        return CostLines(read_baseline(found.text))
    except NotReadable as wrong:
        return CostLines(problem=wrong.reason)
