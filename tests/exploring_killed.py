"""Explorations that are killed on their way, and drivers that find their way from the ledger."""

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from server.config import Settings
from server.explore.closing import are_written
from server.explore.explorations import Explorations
from server.explore.magentic.run import Loop
from server.explore.magentic.scripted import Reply
from server.explore.review import Said
from server.explore.state import RunState
from server.store import Store, UnknownRun
from tests.exploring import HYPOTHESIS, ROUNDABOUT
from tests.orchestrated import Watched, assessed, calls, said

READS = (ROUNDABOUT, "krav/N100/innledning.md", "guide/a.md")
CONTRACT: Mapping[str, object] = {
    "max_rounds": 50,
    "max_tokens": 100_000,
    "max_stall_count": 2,
    "max_reset_count": 3,
    "max_plan_revisions": 1,
    "enable_plan_review": True,
}
USED = 10


def killed_after(events: int, work: Callable[[], object]) -> bool:
    """Work in a child that is killed as it is about to append once more, or just has.

    False if the work was done before.
    """
    child = os.fork()
    if not child:
        try:
            die_at(events)
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc(file=sys.stderr)
        os._exit(1)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def die_at(events: int) -> None:
    """From now on, be killed before (even) or after (odd) the append of this number."""
    append, count = Store.append, iter(range(sys.maxsize))

    def counted(self: Store, *arguments: Any) -> Any:
        at = next(count)
        if at * 2 == events:
            os.kill(os.getpid(), signal.SIGKILL)
        found = append(self, *arguments)
        if at * 2 + 1 == events:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    Store.append = counted  # type: ignore[method-assign, assignment]


class Finding(Watched):
    """A model of one role that says what the ledger of its run lacks."""

    def __init__(self, settings: Settings, run: str, role: str) -> None:
        super().__init__(role, ())
        self.settings, self.run = settings, run

    def _next(self) -> Reply:
        self.calls += 1
        state = Explorations(self.settings).load(self.run)
        return {
            "manager": self._managed,
            "navigator": self._navigated,
            "hypothesiser": self._shaped,
        }[self.role](state)

    def _managed(self, state: RunState) -> Reply:
        if "is_request_satisfied" not in self.asked[-1]:
            return said("Look, then commit.", USED)
        if len(state.reads("roads")) < len(READS):
            return assessed("navigator", usage=USED)
        return assessed("hypothesiser", satisfied=bool(state.hypotheses), usage=USED)

    def _navigated(self, state: RunState) -> Reply:
        unread = READS[len(state.reads("roads")) :]
        if not unread:
            return said("Read.", USED)
        return calls(("read_file", {"base": "roads", "path": unread[0]}), usage=USED)

    def _shaped(self, state: RunState) -> Reply:
        if not state.declarations:
            claim = {"base": "roads", "path": ROUNDABOUT, "ref": "4.1.2-1"}
            return calls(("declare_requirement", claim), usage=USED)
        if not state.hypotheses:
            return calls(("commit_hypothesis", HYPOTHESIS), usage=USED)
        return said("Committed.", USED)


def go_on(settings: Settings, run: str) -> None:
    """Whatever the run needs next: a start, an answer, or to be taken up."""
    loop = Loop(settings, lambda role: Finding(settings, run, role))
    explorations = Explorations(settings)
    try:
        state = explorations.load(run)
    except UnknownRun:
        park = str(settings.state / "park")
        sent = {"objective": "Save on roads", "contract": CONTRACT, "run": run}
        loop.start({**sent, "checkpoints": park})
        return
    if state.question is not None:
        explorations.answer_review(run, decision(state))
    loop.resume(run, retry=True)


def decision(state: RunState) -> Said:
    """The first plan is sent back, the next one approved."""
    assert state.question is not None
    if state.revisions_applied:
        return Said(state.question.index, "approve")
    return Said(state.question.index, "revise", "Look twice.")


def is_over(settings: Settings, run: str) -> bool:
    """Whether it is closed and its files are there; one killed in between is taken up again."""
    try:
        state = Explorations(settings).load(run)
        return state.state == "closed" and are_written(state)
    except UnknownRun:
        return False


def faults(settings: Settings, run: str) -> list[str]:
    """What a run that was killed must not show, whatever it went through."""
    state = Explorations(settings).load(run)
    events = Explorations(settings).ledger.store.load(run)[1]
    reported = sum(int(event.payload.get("reported", 0)) for event in events)
    rows = [row.round_index for row in state.rows]
    answers = [event.payload["review"]["index"] for event in events if "review" in event.payload]
    wrong = {
        "tokens": state.reported != reported,
        "rounds": rows != list(range(1, len(rows) + 1)),
        "declarations": len(state.declarations) > 1,
        "hypotheses": len(state.hypotheses) > 1,
        "reads": len(state.reads("roads")) > len(READS),
        "answers": answers != sorted(set(answers)),
        "calls": [call.seq for call in state.calls] != list(range(1, len(state.calls) + 1)),
    }
    return [name for name, found in wrong.items() if found]


def budgets(settings: Settings, run: str) -> tuple[int, int, int, int]:
    """Tokens, rounds, resets and revisions: none of them may ever become less."""
    try:
        state = Explorations(settings).load(run)
    except UnknownRun:
        return (0, 0, 0, 0)
    rounds = len(state.rows) + state.rounds_lost
    return (state.spent, rounds, state.resets, state.revisions_applied)


def mandate(settings: Settings, run: str) -> dict[str, Any]:
    """The mandate of a run but for its id."""
    path = settings.state / "explorations" / f"{run}-mandate.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {key: value for key, value in content.items() if key != "run"}


def whole(settings: Settings, run: str) -> dict[str, Any]:
    """The mandate of a run that nobody killed."""
    while not is_over(settings, run):
        go_on(settings, run)
    return mandate(settings, run)
