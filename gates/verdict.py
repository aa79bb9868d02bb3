"""What a gate answers: a value with the reason and the way out, never an exception."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["passed", "refused", "undecidable"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One gate's answer; `flag` names it in public, `reason` and `remedy` what is the matter."""

    gate: str
    outcome: Outcome
    flag: str = ""
    reason: str = ""
    remedy: str = ""

    @property
    def passed(self) -> bool:
        """Whether the step may go on as far as this gate is concerned."""
        return self.outcome == "passed"

    @property
    def reason_if_refused(self) -> str:
        """Why not; empty where it passed."""
        return "" if self.passed else self.reason


def passed(gate: str, reason: str = "", flag: str = "") -> Verdict:
    """The claim named by `gate` holds; a `flag` marks a pass that people should know of."""
    return Verdict(gate, "passed", flag, reason)


def refused(gate: str, flag: str, reason: str, remedy: str) -> Verdict:
    """The claim named by `gate` is false; `remedy` is the way past it."""
    return Verdict(gate, "refused", flag, reason, remedy)


def undecidable(gate: str, flag: str, reason: str, remedy: str) -> Verdict:
    """The gate cannot tell and does not guess; a person may."""
    return Verdict(gate, "undecidable", flag, reason, remedy)


def first_refusal(verdicts: Iterable[Verdict]) -> Verdict | None:
    """The first verdict that did not pass, or None."""
    return next((verdict for verdict in verdicts if not verdict.passed), None)
