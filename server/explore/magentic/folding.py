"""What the loop's manager finds, folded into the ledger at the moment at which it is found."""

import json
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType

from agent_framework import Agent, Message
from agent_framework_orchestrations import (
    MagenticContext,
    MagenticProgressLedger,
    StandardMagenticManager,
)

from gates.contract import Contract
from gates.rounds import PARTICIPANTS
from server.explore.answers import Answer
from server.explore.explorations import Explorations
from server.explore.magentic.signals import MoveRefused, PlanDue, RunOver
from server.explore.planning import LONGEST_PLAN
from server.explore.state import RunState
from server.refusals import Refusal

LONGEST = 4000
_CUT = "\n[{0:,} characters more are not shown: ask for a shorter plan]"


@dataclass(frozen=True, slots=True)
class Folding:
    """The moves of the loop itself in one run."""

    explorations: Explorations
    run: str

    def go_on(self) -> RunState:
        """The run as it stands; raises RunOver where no further round can come."""
        state = self.explorations.load(self.run)
        used = len(state.rows) + state.rounds_lost
        if state.state in ("ended", "closed") or used >= state.opening.contract.max_rounds:
            raise RunOver(self.run)
        return state

    def planned(self, plan: str) -> None:
        """A plan; with a review it is submitted when the loop asks for the answer."""
        if not self.explorations.load(self.run).opening.contract.enable_plan_review:
            sent = {"plan": shortened(plan), "current_progress": "", "tokens": 0}
            _passed(self.explorations.submit_plan(self.run, sent))

    def assessed(self, ledger: MagenticProgressLedger) -> bool:
        """A row as the loop acts on it: what counts as true there is true here; if it resets."""
        before = self.explorations.load(self.run)
        satisfied = bool(ledger.is_request_satisfied.answer)
        row = {
            "round_index": len(before.rows) + 1,
            "is_request_satisfied": satisfied,
            "is_in_loop": bool(ledger.is_in_loop.answer),
            "is_progress_being_made": bool(ledger.is_progress_being_made.answer),
            "next_speaker": _speaker(ledger.next_speaker.answer, satisfied),
            "instruction_or_question": str(ledger.instruction_or_question.answer)[:LONGEST],
            "tokens": 0,
        }
        _passed(self.explorations.record_round(self.run, row))
        return self.explorations.load(self.run).resets > before.resets


class FoldingManager(StandardMagenticManager):
    """The framework's manager; what it finds is in the ledger before the loop acts on it."""

    def __init__(self, agent: Agent, folding: Folding, contract: Contract) -> None:
        super().__init__(
            agent,
            max_stall_count=contract.max_stall_count,
            max_reset_count=contract.max_reset_count,
            max_round_count=contract.max_rounds,
        )
        self._folding = folding
        self._assessing = Assessing(folding)

    async def plan(self, magentic_context: MagenticContext) -> Message:
        """The first plan of a leg; a run that has no round left makes none."""
        self._folding.go_on()
        found = await super().plan(magentic_context)
        self._folding.planned(found.text)
        return found

    async def replan(self, magentic_context: MagenticContext) -> Message:
        """A further plan, unless the run is over; what broke an assessment is raised here."""
        if self._assessing.broken is not None:
            raise self._assessing.broken
        self._folding.go_on()
        found = await super().replan(magentic_context)
        self._folding.planned(found.text)
        return found

    async def create_progress_ledger(
        self, magentic_context: MagenticContext
    ) -> MagenticProgressLedger:
        """One assessment; the loop makes a reset of every exception that leaves here."""
        with self._assessing:
            if self._folding.go_on().state == "planning":
                raise PlanDue(self._folding.run)
            found = await super().create_progress_ledger(magentic_context)
            resets = self._folding.assessed(found)
        # A leg after a crash has forgotten stalls that the ledger counts: the ledger decides.
        stalls = stalls_after(magentic_context.stall_count, found)
        self.max_stall_count = stalls - 1 if resets else stalls
        return found


class Assessing(AbstractContextManager[None]):
    """Tells a lost round from what must not be made into a reset."""

    def __init__(self, folding: Folding) -> None:
        self._folding = folding
        self.broken: Exception | None = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Record the one, remember the other; both go on their way."""
        # how the framework says that three replies were no ledger
        if kind is RuntimeError:
            self._folding.explorations.round_lost(self._folding.run)
        elif isinstance(error, Exception) and kind is not PlanDue:
            self.broken = error


def stalls_after(before: int, ledger: MagenticProgressLedger) -> int:
    """To what the loop itself counts its stalls with this row."""
    stalls = not ledger.is_progress_being_made.answer or ledger.is_in_loop.answer
    return before + 1 if stalls else max(0, before - 1)


def progress_text(ledger: MagenticProgressLedger | None) -> str:
    """The progress as a person is shown it; empty if there is none."""
    return "" if ledger is None else json.dumps(ledger.to_dict(), ensure_ascii=False, indent=2)


def _speaker(answer: str | bool, satisfied: bool) -> str:
    """Who is asked: for an answer that is no text the loop asks the first participant."""
    if isinstance(answer, str):
        return answer[:LONGEST]
    return "" if satisfied else PARTICIPANTS[0]


def _passed(answer: Answer) -> None:
    if isinstance(answer, Refusal):
        if answer.flag == "BUDGET_EXHAUSTED":
            raise RunOver(answer.reason)
        raise MoveRefused(answer.text)


def shortened(plan: str) -> str:
    """A plan as it can be submitted; what is left out of a longer one is said at its end."""
    if len(plan) <= LONGEST_PLAN:
        return plan
    kept = plan[: LONGEST_PLAN - len(_CUT) - 10]
    return kept + _CUT.format(len(plan) - len(kept))
