"""The runs of one principal in the store: loaded, judged, appended by compare-and-swap."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock, RLock

from server.explore.answers import Answer
from server.explore.fold import advance, fold
from server.explore.outcome import Outcome, event
from server.explore.state import Opening, RunState
from server.fold import dump
from server.principal import may_see
from server.store import Busy, Conflict, NewEvent, Run, Store, UnknownRun

KIND = "exploration"
TRIES = 5
# Runs whose state is kept between calls.
REMEMBERED = 64


class Ledger:
    """What happened in the runs of a principal, of all for None; others are as unknown as none."""

    def __init__(self, store: Store, principal: str | None) -> None:
        self.store = store
        self.principal = principal
        self._states: dict[str, RunState] = {}
        self._guard = Lock()
        self._locks: dict[str, RLock] = {}

    def create(self, run: str, opening: Opening) -> RunState:
        """Begin a run; raises Conflict if there is one of this id."""
        title = " ".join(opening.objective.split())[:200]
        ids = ", ".join(base.id for base in opening.bases)
        header = Run(run, KIND, ids, title, "planning", 0, "", "", opening.principal)
        self.store.create(header, [event("opened", opening=dump(opening))])
        return self.load(run)

    def load(self, run: str) -> RunState:
        """A run as it stands; raises UnknownRun."""
        header = self.store.header(run)
        known = self._states.get(run)
        if known is not None and (known.seq, known.head) == (header.seq, header.head):
            return known
        if header.kind != KIND:
            raise UnknownRun(run)
        state = fold(*self.store.load(run))
        if not may_see(self.principal, state.opening.principal):
            raise UnknownRun(run)
        return self._remembered(state)

    def append(self, state: RunState, outcome: Outcome) -> RunState:
        """The run after what was judged on it; raises Conflict if it has moved meanwhile."""
        if not outcome.events:
            return state
        to = outcome.state or state.state
        appended = self.store.append(state.run, state.seq, to, outcome.events)
        return self._remembered(advance(state, appended, to))

    def amend(self, run: str, judge: Callable[[RunState], Outcome]) -> tuple[RunState, Answer]:
        """Judge and append; a loser of a race judges again on what is there now."""
        for _ in range(TRIES):
            state = self.load(run)
            outcome = judge(state)
            try:
                return self.append(state, outcome), outcome.answer
            except Conflict:
                continue
        raise Busy(run)

    def record(self, run: str, events: Sequence[NewEvent]) -> RunState:
        """Append what happened whatever the state, without moving the run."""
        for _ in range(TRIES):
            state = self.load(run)
            try:
                appended = self.store.append(run, state.seq, state.state, events)
                return self._remembered(advance(state, appended, state.state))
            except Conflict:
                continue
        raise Busy(run)

    def runs(self) -> list[RunState]:
        """All runs of the principal, oldest first."""
        found: list[RunState] = []
        for header in self.store.runs(KIND):
            # an older program kept the principal in the opening alone
            with suppress(UnknownRun):
                found.append(self.load(header.run))
        return found

    @contextmanager
    def held(self, run: str) -> Generator[None]:
        """One call of a run after the other in this process; others meet at the store."""
        with self._guard:
            lock = self._locks.setdefault(run, RLock())
            if len(self._locks) > REMEMBERED * 4:
                self._locks.pop(next(iter(self._locks)))
        with lock:
            yield

    def _remembered(self, state: RunState) -> RunState:
        with self._guard:
            self._states[state.run] = state
            if len(self._states) > REMEMBERED:
                self._states.pop(next(iter(self._states)))
        return state
