"""Where the plan of an orchestrated run meets a person: one door if there is a review."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Doors:
    """A reviewer at this terminal, or a folder to park in."""

    here: bool = False
    park: bool = False


def complaint(doors: Doors, review: bool) -> str:
    """Why these doors do not fit the contract; empty if they do."""
    if doors.here and doors.park:
        return "--review-here and --park are two doors to one question; choose one"
    if not doors.here and not doors.park and review:
        return "nobody could answer the plan review; give --review-here, or --park DIR"
    if doors.park and not review:
        return "nothing would ever park: the contract has no plan review; leave --park out"
    if doors.here and not review:
        return "the reviewer would never be asked: the contract has no plan review"
    return ""
