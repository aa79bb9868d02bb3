"""How a leg of the loop can end other than by itself; no text of any of these is ever parsed."""

from collections.abc import Mapping
from typing import Any


class RunOver(Exception):
    """The ledger says that the run has ended, so the loop goes no further."""


class PlanDue(Exception):
    """A reset was recorded before a crash: the loop makes the plan that is due, and no round."""


class LegFailed(Exception):
    """A leg that cannot go on; the run is recorded as failed with the name of the class."""


class ScriptExhausted(LegFailed):
    """The script of a rehearsal has no reply left for a role."""


class MoveRefused(LegFailed):
    """A move of the loop itself was refused."""


class CheckpointUnreadable(LegFailed):
    """What would have to take the answer to a plan cannot be read back."""


class PlanReviewParked(Exception):
    """The run waits for a person; `parked` is the parked state as a record."""

    def __init__(self, parked: Mapping[str, Any]) -> None:
        super().__init__(str(parked["run"]))
        self.parked = parked
