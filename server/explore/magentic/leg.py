"""One leg of the loop: a fresh workflow from a task or a checkpoint to an ending or a park."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT, default_int_handler, signal
from threading import current_thread, main_thread
from typing import Any

from agent_framework import FileCheckpointStorage, Workflow
from agent_framework_orchestrations import MagenticPlanReviewRequest, MagenticPlanReviewResponse

from server.explore.answers import Answer
from server.explore.explorations import Explorations
from server.explore.magentic.checkpoints import check_sealed, pending, storage_in
from server.explore.magentic.folding import progress_text, shortened
from server.explore.magentic.signals import CheckpointUnreadable, MoveRefused, PlanReviewParked
from server.explore.magentic.team import Clients, build_workflow
from server.explore.parked import question_of
from server.explore.review import Said, Streams, ask
from server.explore.state import Level, Material, PlanReview
from server.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person at the terminal, and whose answer counts there."""

    streams: Streams
    level: Level


@dataclass(frozen=True, slots=True)
class Leg:
    """What a leg needs; without a reviewer it parks."""

    explorations: Explorations
    run: str
    clients: Clients
    reviewer: Reviewer | None = None

    async def begin(self) -> None:
        """From the task on."""
        opening = self.explorations.load(self.run).opening
        workflow, storage = self._built()
        await self._drive(
            workflow, storage, {"message": task(opening.objective, opening.starting_material)}
        )

    async def go_on(self, parked: Mapping[str, Any], review: PlanReview) -> None:
        """From the answer to a plan on; raises CheckpointUnreadable."""
        workflow, storage = self._built()
        check_sealed(storage, parked)
        checkpoint, request = parked["checkpoint_id"], parked["request_id"]
        said = {request: _response(review.decision, review.feedback)}
        await self._drive(workflow, storage, {"checkpoint_id": checkpoint, "responses": said})

    def check(self, parked: Mapping[str, Any]) -> None:
        """Raises CheckpointUnreadable where no answer could be taken, before one is."""
        check_sealed(self._storage(), parked)

    def _storage(self) -> FileCheckpointStorage | None:
        folder = self.explorations.load(self.run).opening.checkpoints
        settings = self.explorations.settings
        return storage_in(Path(folder), self.run, settings) if folder else None

    def _built(self) -> tuple[Workflow, FileCheckpointStorage | None]:
        storage = self._storage()
        return build_workflow(self.explorations, self.run, self.clients, storage), storage

    async def _drive(
        self, workflow: Workflow, storage: FileCheckpointStorage | None, sent: dict[str, Any]
    ) -> None:
        """Run until nobody is asked any more; raises PlanReviewParked."""
        while True:
            result = await workflow.run(**sent)
            requests = result.get_request_info_events()
            if not requests:
                return
            asked = requests[-1]
            if not isinstance(asked.data, MagenticPlanReviewRequest):
                raise MoveRefused(f"the loop asks for {type(asked.data).__name__}")
            if self.reviewer is None:
                await self._park(workflow.name, storage, asked.request_id, asked.data)
            answer = self._answered_here(asked.data)
            if answer is None:
                return
            sent = {"responses": {asked.request_id: answer}}

    async def _park(
        self,
        name: str,
        storage: FileCheckpointStorage | None,
        request: str,
        asked: MagenticPlanReviewRequest,
    ) -> None:
        if storage is None:
            raise CheckpointUnreadable("this leg keeps no checkpoints")
        checkpoint, seal = await pending(storage, name, request)
        kept = {
            "request_id": request,
            "checkpoint_id": checkpoint,
            "checkpoint_sha256": seal,
        }
        self._submit(asked, kept)
        raise PlanReviewParked(question_of(self.explorations.keep_question(self.run)))

    def _answered_here(self, asked: MagenticPlanReviewRequest) -> MagenticPlanReviewResponse | None:
        """The answer of the person at the terminal; None if it ended the run."""
        self._submit(asked, {})
        question = self.explorations.load(self.run).question
        assert question is not None and self.reviewer is not None  # a plan just submitted
        with interruptible():
            decision, feedback = ask(question, self.reviewer.streams)
        said = Said(question.index, decision, feedback, "terminal", self.reviewer.level)
        _passed(self.explorations.answer_review(self.run, said))
        if self.explorations.load(self.run).state == "ended":
            return None
        return _response(decision, feedback)

    def _submit(self, asked: MagenticPlanReviewRequest, kept: Mapping[str, str]) -> None:
        sent = {
            "plan": shortened(asked.plan.text),
            "current_progress": progress_text(asked.current_progress),
            "tokens": 0,
        }
        _passed(self.explorations.submit_plan(self.run, sent, kept))


@contextmanager
def interruptible() -> Generator[None]:
    """An interrupt ends a question at once; the event loop would only take note of it."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal(SIGINT, default_int_handler)
    try:
        yield
    finally:
        signal(SIGINT, before)


def task(objective: str, material: Material | None) -> str:
    """The objective byte for byte; starting material follows after a blank line."""
    return objective if material is None else f"{objective}\n\n{material.text}"


def _response(decision: str, feedback: str) -> MagenticPlanReviewResponse:
    if decision == "approve":
        return MagenticPlanReviewResponse.approve()
    return MagenticPlanReviewResponse.revise(feedback)


def _passed(answer: Answer) -> None:
    if isinstance(answer, Refusal):
        raise MoveRefused(answer.text)
