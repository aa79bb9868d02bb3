"""A traced call: its beginning is recorded before it is made, its outcome after it has ended."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

from server.explore.answers import Answer, Answered, record_of
from server.explore.arguments import Asked
from server.explore.ledger import TRIES, Ledger
from server.explore.outcome import Outcome, event
from server.explore.reading import Done
from server.explore.refusals import FREE, exhausted
from server.explore.state import Exhausted, RunState
from server.explore.tokens import cost_of
from server.fold import dump
from server.refusals import Refusal
from server.store import Busy, Conflict

Work = Callable[[RunState], Done]


@dataclass(frozen=True, slots=True)
class Recording:
    """The calls of a run, on its way through the ledger."""

    ledger: Ledger

    def refused(self, state: RunState, asked: Asked, refusal: Refusal) -> RunState:
        """A call that was not made, because it was not its moment: an entry without cost."""
        if state.state == "closed":
            return state
        number = len(state.calls) + 1
        events = [
            event("call_begun", call=asdict(asked)),
            event("call_ended", call=number, entry={"outcome": refusal.flag, "tokens": 0}),
        ]
        return self.ledger.record(state.run, events)

    def made(self, state: RunState, asked: Asked, work: Work) -> tuple[RunState, Answer]:
        """The call made and paid for; an exception is recorded and leaves as it came."""
        begun = event("call_begun", call=asdict(asked))
        nothing = Answered()
        state, _ = self.ledger.amend(state.run, lambda _: Outcome(nothing, (begun,)))
        number = len(state.calls)
        with _Fallen(self.ledger, state.run, number):
            done = work(state)
        for _ in range(TRIES):
            ended = _ended(state, number, asked, done)
            try:
                return self.ledger.append(state, ended), ended.answer
            except Conflict:
                state = self.ledger.load(state.run)
                with _Fallen(self.ledger, state.run, number):
                    done = work(state)
        raise Busy(state.run)


@dataclass(frozen=True, slots=True)
class _Fallen(AbstractContextManager[None]):
    """Records a call that ended in an exception; only its class name is kept."""

    ledger: Ledger
    run: str
    number: int

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Record it, unless the program itself is being ended."""
        if kind is not None and issubclass(kind, Exception):
            entry = {"outcome": "error", "error": kind.__name__, "tokens": 0}
            self.ledger.record(self.run, [event("call_ended", call=self.number, entry=entry)])


def _ended(state: RunState, number: int, asked: Asked, done: Done) -> Outcome:
    """The entry of the call; the reply that passes the cap is paid for and not delivered."""
    answer = done.answer
    flag = answer.flag if isinstance(answer, Refusal) else "ok"
    # the orchestrated loop pays for a reply in the next model call, by the provider's count
    free = flag in FREE or state.opening.driver == "magentic"
    tokens = 0 if free else cost_of(record_of(answer))
    spent, limit = state.spent + tokens, state.opening.contract.max_tokens
    entry: dict[str, Any] = {"outcome": flag, "tokens": tokens}
    if spent <= limit:
        entry |= done.entry
        ended = event("call_ended", call=number, entry=entry, effects=dict(done.effects))
        return Outcome(answer, (ended,))
    entry["outcome"] = "BUDGET_EXHAUSTED"
    if state.state == "ended":
        # how it ended stands; what is not delivered any more costs nothing
        entry["tokens"] = 0
        left = event("call_ended", call=number, entry=entry)
        return Outcome(exhausted(asked.words, "tokens", limit, state.spent), (left,))
    asked_for = {key: done.effects[key] for key in ("validation",) if key in done.effects}
    gone = Exhausted("tokens", limit, spent)
    over = event(
        "call_ended",
        call=number,
        entry=entry,
        effects=asked_for,
        exhausted=dump(gone),
        state="ended",
    )
    return Outcome(exhausted(asked.words, gone.kind, limit, spent), (over,), "ended")
