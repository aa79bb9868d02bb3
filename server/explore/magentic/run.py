"""A run of the orchestrated loop: opened, driven leg by leg, and closed whatever ended it."""

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from index.faults import BadSettings
from server.config import Settings
from server.explore import inbox
from server.explore.answers import Opened
from server.explore.doors import Doors, complaint
from server.explore.explorations import Explorations
from server.explore.magentic.leg import Leg, Reviewer
from server.explore.magentic.models import model_client
from server.explore.magentic.scripted import Script, ScriptedClient
from server.explore.magentic.signals import PlanReviewParked, RunOver
from server.explore.magentic.team import Clients
from server.explore.parked import ParkedStateError, read_parked
from server.explore.state import RunState
from server.refusals import Refusal


class Refused(Exception):
    """What was asked for is refused, in the words of the refusal."""


@dataclass(frozen=True, slots=True)
class Loop:
    """The orchestrated loop over the explorations of one state directory."""

    settings: Settings
    clients: Clients
    reviewer: Reviewer | None = None

    @property
    def explorations(self) -> Explorations:
        """All explorations, driven by this loop."""
        return Explorations(self.settings, driver="magentic")

    def start(self, sent: Mapping[str, object]) -> RunState:
        """Open a run and drive it; raises Refused before anything is spent."""
        explorations = self.explorations
        opened = explorations.open_exploration(sent)
        if isinstance(opened, Refusal):
            raise Refused(opened.text)
        assert isinstance(opened, Opened)  # the other answer of an opening
        run = opened.run
        return _driven(
            explorations, run, Leg(explorations, run, self.clients, self.reviewer).begin()
        )

    def resume(self, run: str, retry: bool = False) -> RunState:
        """Go on after the answer to a plan, or after a crash; a run that waits stays as it is."""
        explorations = self.explorations
        state = _answered(explorations, explorations.load(run))
        if _is_parked(state):
            return state
        if state.state in ("ended", "closed"):
            return _closed(explorations, run)
        self._check(state)
        asked = state.answered
        if state.question is not None or asked is None or not asked.checkpoint_id:
            return self._anew(run, retry)
        explorations.keep_question(run)
        parked = read_parked(Path(state.opening.artefacts), state)
        leg = Leg(explorations, run, self.clients)
        leg.check(parked)
        taken = explorations.resumed(run, asked.index, retry)
        if isinstance(taken, Refusal):
            raise Refused(taken.text)
        return _driven(explorations, run, leg.go_on(parked, state.reviews[-1]))

    def _anew(self, run: str, retry: bool) -> RunState:
        """From the objective on, with what was read, committed and spent before the crash."""
        if not retry:
            raise Refused(
                f"{run} is not parked, another process may drive it; "
                "if that has died: resume with --retry"
            )
        explorations = self.explorations
        explorations.restarted(run)
        leg = Leg(explorations, run, self.clients, self.reviewer)
        return _driven(explorations, run, leg.begin())

    def _check(self, state: RunState) -> None:
        """Raises Refused where the bases or the doors are not those of the run."""
        opening, known = state.opening, self.explorations.bases.refs()
        if gone := [base.id for base in opening.bases if base not in known]:
            raise Refused(f"the run's base {gone[0]} is not configured under this id any more")
        doors = Doors(self.reviewer is not None, bool(opening.checkpoints))
        if fault := complaint(doors, opening.contract.enable_plan_review):
            raise Refused(fault)


def clients_of(settings: Settings, script: Script | None) -> Clients:
    """A client for each role: the script's, or the configured model."""
    if script is not None:
        return lambda role: ScriptedClient(role, getattr(script, role))
    client = model_client(settings)
    return lambda role: client


def _answered(explorations: Explorations, state: RunState) -> RunState:
    """The run after an answer that waited was taken up; raises Refused for what is none."""
    if state.opening.driver != "magentic":
        raise BadSettings(
            f"{state.run} is driven over MCP", "its agent goes on with exploration_status"
        )
    if not _is_parked(state):
        return state
    state = explorations.keep_question(state.run)
    read_parked(Path(state.opening.artefacts), state)
    said = inbox.waiting(state)
    if said is None:
        return state
    if isinstance(said, inbox.NoAnswer):
        raise Refused(f"what lies in the inbox is no answer: {said.reason}; the run stays parked")
    found = explorations.answer_review(state.run, said)
    if isinstance(found, Refusal):
        raise Refused(found.text)
    return explorations.load(state.run)


def _is_parked(state: RunState) -> bool:
    """Whether a person is asked, and a loop that can take the answer is kept."""
    return state.question is not None and bool(state.question.checkpoint_id)


class _Failing(AbstractContextManager[None]):
    """Records what ended a leg, an interrupt too, by the name of its class."""

    def __init__(self, explorations: Explorations, run: str) -> None:
        self._explorations, self._run = explorations, run

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Record it, unless the run is over or parked."""
        if kind is not None and not issubclass(kind, RunOver | PlanReviewParked):
            self._explorations.fail(self._run, kind.__name__)


def _driven(explorations: Explorations, run: str, leg: Coroutine[Any, Any, None]) -> RunState:
    try:
        with _Failing(explorations, run):
            asyncio.run(leg)
    except RunOver:
        pass  # the ledger says how it ended
    except PlanReviewParked:
        return explorations.load(run)
    return _closed(explorations, run)


def _closed(explorations: Explorations, run: str) -> RunState:
    if not explorations.load(run).failed:
        explorations.close_exploration(run, 0)
    return explorations.load(run)


__all__ = ["Loop", "ParkedStateError", "Refused", "clients_of"]
