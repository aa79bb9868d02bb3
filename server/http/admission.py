"""How many calls of one principal are answered: so many a minute, and so many at a time."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from threading import Lock

# Principals that are remembered; whoever is forgotten begins with a full allowance.
_REMEMBERED = 10_000


@dataclass(slots=True)
class _Allowance:
    left: float
    seen: float
    running: int = 0


class Admission:
    """An allowance for each principal that fills up steadily (a token bucket)."""

    def __init__(
        self, per_minute: float, at_once: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_minute = per_minute
        self._at_once = at_once
        self._clock = clock
        self._known: OrderedDict[str, _Allowance] = OrderedDict()
        self._lock = Lock()

    def enter(self, principal: str) -> int:
        """0 if the call is let in, which then must `leave`; else the seconds to wait."""
        with self._lock:
            now = self._clock()
            one = self._of(principal, now)
            gained = (now - one.seen) * self._per_minute / 60
            one.left, one.seen = min(self._per_minute, one.left + gained), now
            if one.running >= self._at_once:
                return 1
            if one.left < 1:
                return ceil((1 - one.left) * 60 / self._per_minute)
            one.left -= 1
            one.running += 1
            return 0

    def leave(self, principal: str) -> None:
        """The call has been answered."""
        with self._lock:
            self._known[principal].running -= 1

    def _of(self, principal: str, now: float) -> _Allowance:
        found = self._known.get(principal)
        if found is None:
            found = self._known[principal] = _Allowance(self._per_minute, now)
            self._forget()
        self._known.move_to_end(principal)
        return found

    def _forget(self) -> None:
        """Drop who was not here for longest; whoever is being answered stays."""
        if len(self._known) > _REMEMBERED:
            idle = (name for name, one in self._known.items() if not one.running)
            self._known.pop(next(idle), None)
