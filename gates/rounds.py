"""Which round comes next, when does a run stall, and as what does it end (E77-E87)?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gates.contract import Contract
from gates.verdict import Verdict, passed, refused

PARTICIPANTS = ("navigator", "hypothesiser")
Stop = Literal["stalled", "plan_revisions_exhausted", "unknown_speaker"]
Kind = Literal["tokens", "rounds"]


@dataclass(frozen=True, slots=True)
class Assessment:
    """What one row of the progress ledger says of a run."""

    satisfied: bool
    in_loop: bool
    progress: bool
    next_speaker: str

    @property
    def speaker_known(self) -> bool:
        """Whether it names a participant, letter by letter; the manager is none."""
        return self.next_speaker in PARTICIPANTS


@dataclass(frozen=True, slots=True)
class Stalls:
    """How often a run made no progress, and how often it had to plan anew."""

    count: int = 0
    resets: int = 0
    replan: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget that is used up; it is no stop, and leaves no mandate."""

    kind: Kind
    limit: int
    spent: int


@dataclass(frozen=True, slots=True)
class Ending:
    """As what a finished run counts: satisfied, stopped, or out of budget."""

    concluded: bool = False
    stop: Stop | None = None
    exhausted: Budget | None = None


def round_in_order(index: int, rows: int) -> Verdict:
    """The round is the one after the last."""
    if index == rows + 1:
        return passed("round_in_order")
    return refused(
        "round_in_order",
        "ROUND_OUT_OF_ORDER",
        f"round {index} was sent, {rows + 1} is expected",
        f"record round {rows + 1}",
    )


def after_round(stalls: Stalls, row: Assessment, contract: Contract) -> Stalls:
    """The stalls after one more unsatisfied row.

    No progress, or a loop, adds one; any other round takes one off. More than the contract allows
    is a reset, and the last reset that it allows ends the run (E78).
    """
    stuck = row.in_loop or not row.progress
    count = stalls.count + 1 if stuck else max(0, stalls.count - 1)
    if count <= contract.max_stall_count:
        return Stalls(count, stalls.resets)
    resets = stalls.resets + 1
    return Stalls(0, resets, replan=True, over=resets >= contract.max_reset_count)


def rounds_left(rows: Sequence[Assessment], lost: int, contract: Contract) -> Verdict:
    """One more round may begin."""
    if len(rows) + lost < contract.max_rounds:
        return passed("rounds_left")
    return refused(
        "rounds_left",
        "BUDGET_EXHAUSTED",
        f"{contract.max_rounds} rounds were recorded, none of them satisfied",
        "close_exploration",
    )


def over_tokens(spent: int, contract: Contract) -> Budget | None:
    """The token budget, where more than it was spent; spending all of it is allowed."""
    if spent > contract.max_tokens:
        return Budget("tokens", contract.max_tokens, spent)
    return None


def classify(
    rows: Sequence[Assessment], lost: int, past_revisions: bool, contract: Contract
) -> Ending:
    """As what a finished run counts, by counts and flags alone, in the order of E79."""
    if past_revisions:
        return Ending(stop="plan_revisions_exhausted")
    if not all(row.speaker_known for row in rows):
        return Ending(stop="unknown_speaker")
    if rows and rows[-1].satisfied:
        return Ending(concluded=True)
    if len(rows) + lost >= contract.max_rounds:
        return Ending(exhausted=Budget("rounds", contract.max_rounds, len(rows) + lost))
    return Ending(stop="stalled")
