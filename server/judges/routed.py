"""Another judge for each step, as the owner configured it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from index.records import BaseSettings
from server.config import Settings
from server.dig_state import Spent
from server.judge import (
    Judge,
    JudgeModule,
    Metered,
    PickRequest,
    Request,
    ScoresRequest,
    TermsRequest,
    find_judge,
)

if TYPE_CHECKING:
    from server.library import Library


@dataclass(frozen=True, slots=True)
class Routes:
    """Which judge is opened for which step."""

    terms: JudgeModule
    scores: JudgeModule
    pick: JudgeModule

    def open_judge(self, base: BaseSettings, library: "Library") -> "RoutedJudge":
        """All of them, each opened once."""
        modules = (self.terms, self.scores, self.pick)
        opened = {id(module): module.open_judge(base, library) for module in modules}
        terms, scores, pick = (opened[id(module)] for module in modules)
        return RoutedJudge(terms, scores, pick)


@dataclass(frozen=True, slots=True)
class RoutedJudge:
    """Passes each question on to the judge of its step."""

    by_terms: Judge
    by_scores: Judge
    by_pick: Judge

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of all: a dig rests on every one of its steps."""
        return tuple(dict.fromkeys(flag for judge in self._all for flag in judge.flags))

    @property
    def at_once(self) -> int:
        """As many batches as the judge of the scores takes."""
        return self.by_scores.at_once if isinstance(self.by_scores, Metered) else 1

    def suggest_terms(self, request: TermsRequest) -> object:
        """The terms of the first."""
        return self.by_terms.suggest_terms(request)

    def score_batch(self, request: ScoresRequest) -> object:
        """The scores of the second."""
        return self.by_scores.score_batch(request)

    def pick(self, request: PickRequest) -> Mapping[str, object]:
        """The picks of the third."""
        return self.by_pick.pick(request)

    def spent_on(self, request: Request) -> tuple[Spent, ...]:
        """What the judge of that step spent on it."""
        judge = self._judge_of(request)
        return judge.spent_on(request) if isinstance(judge, Metered) else ()

    def stop(self) -> None:
        """Stop all that can be stopped."""
        for judge in self._all:
            if isinstance(judge, Metered):
                judge.stop()

    @property
    def _all(self) -> tuple[Judge, Judge, Judge]:
        return self.by_terms, self.by_scores, self.by_pick

    def _judge_of(self, request: Request) -> Judge:
        if isinstance(request, TermsRequest):
            return self.by_terms
        return self.by_scores if isinstance(request, ScoresRequest) else self.by_pick


def choose_judge(name: str | None, settings: Settings) -> JudgeModule:
    """The judge of that name for all steps; without one, whom the configuration names for each."""
    names = (name,) * 3 if name else settings.judge.names
    found = {one: find_judge(one, settings) for one in names}
    if len(found) == 1:
        return found[names[0]]
    terms, scores, pick = (found[one] for one in names)
    return Routes(terms, scores, pick)
