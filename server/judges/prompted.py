"""A judge that is asked in words: prompt out, JSON back, trouble on the way waited out."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event, Lock
from typing import Any, Protocol

from server.config_judges import JudgeEntry
from server.dig_state import Spent
from server.judge import PickRequest, Request, ScoresRequest, TermsRequest, Unreachable
from server.judges.answers import read_answer
from server.judges.prompting import STEPS, prompt_for

# The longest pause between two tries, whatever the other side asks for.
LONGEST_PAUSE_SECONDS = 60.0


class Passing(Exception):
    """Trouble that may be over in a moment; `wait` is what the other side asked for, in seconds."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Said:
    """One answer as it came, and what it took, as far as that is known."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


class Voice(Protocol):
    """Whatever answers a prompt."""

    def ask(self, prompt: str, stop: Event) -> Said:
        """One try; raises Passing, Unreadable or Unreachable, and soon after `stop` is set."""
        ...


class PromptedJudge:
    """The three questions put to a voice; safe to be asked from several threads."""

    flags: tuple[str, ...] = ()

    def __init__(self, name: str, entry: JudgeEntry, voice: Voice) -> None:
        self.at_once = entry.concurrent
        self._name = name
        self._entry = entry
        self._voice = voice
        self._stop = Event()
        self._spent: list[Spent] = []
        self._spending = Lock()

    def suggest_terms(self, request: TermsRequest) -> object:
        """The list of terms that was answered."""
        return self._answer(request, "terms")["terms"]

    def score_batch(self, request: ScoresRequest) -> object:
        """The scores that were answered."""
        return self._answer(request, "scores")["scores"]

    def pick(self, request: PickRequest) -> Mapping[str, object]:
        """The picks that were answered."""
        return self._answer(request, "deep_cuts", "direct_hits", "pass4_empty")

    def spent_on(self, request: Request) -> tuple[Spent, ...]:
        """What questions of this step and batch took since this was last asked."""
        place = _place(request)
        with self._spending:
            found = tuple(one for one in self._spent if (one.step, one.batch) == place)
            self._spent = [one for one in self._spent if (one.step, one.batch) != place]
        return found

    def stop(self) -> None:
        """Let every question that is open fail soon."""
        self._stop.set()

    def _answer(self, request: Request, *keys: str) -> dict[str, Any]:
        return read_answer(self._said(request), keys)

    def _said(self, request: Request) -> str:
        """The answer of the first try that has one, paused between tries up to the bound."""
        prompt, begun, calls = prompt_for(request), time.monotonic(), 0
        said = Said("")
        try:
            while True:
                calls += 1
                try:
                    said = self._voice.ask(prompt, self._stop)
                    return said.text
                except Passing as trouble:
                    self._pause(calls, trouble)
        finally:
            self._note(request, calls, time.monotonic() - begun, said)

    def _pause(self, calls: int, trouble: Passing) -> None:
        """Wait, longer each time; or give up."""
        if calls >= self._entry.tries or self._stop.is_set():
            raise Unreachable(
                f"judge {self._name}: {trouble.reason}, after {calls} tries",
                "wait, or name another judge with --judge",
            )
        doubled = self._entry.backoff_seconds * 2 ** (calls - 1)
        self._stop.wait(min(max(doubled, trouble.wait), LONGEST_PAUSE_SECONDS))

    def _note(self, request: Request, calls: int, seconds: float, said: Said) -> None:
        spent = Spent(
            *_place(request),
            self._name,
            calls,
            said.input_tokens,
            said.output_tokens,
            round(seconds, 3),
            said.cost,
        )
        with self._spending:
            self._spent.append(spent)


def _place(request: Request) -> tuple[int, int]:
    batch = request.batch if isinstance(request, ScoresRequest) else 0
    return STEPS[type(request)][1], batch
