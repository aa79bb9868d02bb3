"""Who makes the three judgements of a dig, and what each of them is given: the seam for judges.

A judge answers in plain JSON values, as an agent would send them; the gates judge what it sent.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from index.faults import BadSettings
from index.records import BaseSettings
from server.dig_state import Candidate, Context, Score

if TYPE_CHECKING:
    from server.library import Library

# name -> module with a function `open_judge(base, library) -> Judge`
JUDGES = {"offline": "server.judges.offline"}


class NoAnswer(Exception):
    """The judge knows that it has no honest answer; the reason ends the step."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Asked:
    """What comes with every question.

    `guidance` is the owner's text for the step, `redirect` what a person said when they sent the
    dig back, `complaint` the refusal of this judge's last answer to the same question.
    """

    context: Context
    guidance: str = ""
    redirect: str = ""
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class TermsRequest:
    """Which 10 to 12 terms could find files that embody the pattern?"""

    asked: Asked


@dataclass(frozen=True, slots=True)
class ScoresRequest:
    """How strongly does each row of one batch embody the pattern, and why?"""

    asked: Asked
    terms: tuple[str, ...]
    batch: int
    rows: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class PickRequest:
    """Which of the top rows embody the pattern without naming its keyword; which are obvious?"""

    asked: Asked
    terms: tuple[str, ...]
    top: tuple[tuple[Candidate, Score], ...]


class Judge(Protocol):
    """Three narrow questions, each answered at most twice; NoAnswer where there is no answer."""

    @property
    def flags(self) -> tuple[str, ...]:
        """What everything is flagged with that rests on this judge."""
        ...

    def suggest_terms(self, request: TermsRequest) -> object:
        """A list of terms."""
        ...

    def score_batch(self, request: ScoresRequest) -> object:
        """A list of `{id, embodies, why}`, one for each row."""
        ...

    def pick(self, request: PickRequest) -> Mapping[str, object]:
        """`{deep_cuts: [{id, connection}], direct_hits: [id], pass4_empty}`."""
        ...


class JudgeModule(Protocol):
    """What a module of the table offers."""

    def open_judge(self, base: BaseSettings, library: "Library") -> Judge:
        """The judge for digs in one base; nothing is read before it is asked."""
        ...


def find_judge(name: str) -> JudgeModule:
    """The module of the judge of that name; BadSettings if there is none."""
    if name not in JUDGES:
        raise BadSettings(f"there is no judge {name}", f"name one of: {', '.join(sorted(JUDGES))}")
    return cast(JudgeModule, importlib.import_module(JUDGES[name]))
