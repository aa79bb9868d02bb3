"""Who makes the three judgements of a dig, and what each of them is given: the seam for judges.

A judge answers in plain JSON values, as an agent would send them; the gates judge what it sent.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from index.faults import BadSettings
from index.records import BaseSettings
from server.config import Settings
from server.config_judges import JudgeEntry
from server.dig_state import Candidate, Context, Score, Spent

if TYPE_CHECKING:
    from server.library import Library

# name -> module with a function `open_judge(base, library) -> Judge`
JUDGES = {"offline": "server.judges.offline"}
# kind of a configured judge -> module with a function `open_named(name, entry) -> Judge`
KINDS = {"model": "server.judges.model", "command": "server.judges.command"}


class NoAnswer(Exception):
    """The judge knows that it has no honest answer; the reason ends the step."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreadable(Exception):
    """The judge's answer is no JSON of its schema; counts as a refused answer."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreachable(Exception):
    """The judge could not be asked; nothing was judged, and the dig stays as it is."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


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


Request = TermsRequest | ScoresRequest | PickRequest


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


@runtime_checkable
class Metered(Protocol):
    """A judge that costs something, may be asked about several batches at once, and can stop."""

    @property
    def at_once(self) -> int:
        """How many batches it may be asked about at the same time."""
        ...

    def spent_on(self, request: Request) -> tuple[Spent, ...]:
        """What was spent on a question since this was last asked."""
        ...

    def stop(self) -> None:
        """Give up what is being asked, for good."""
        ...


class JudgeModule(Protocol):
    """What a module of the table offers."""

    def open_judge(self, base: BaseSettings, library: "Library") -> Judge:
        """The judge for digs in one base; nothing is read before it is asked."""
        ...


class NamedModule(Protocol):
    """What the module of a kind offers."""

    def open_named(self, name: str, entry: JudgeEntry) -> Judge:
        """The judge that the owner configured under that name; nothing is asked yet."""
        ...


@dataclass(frozen=True, slots=True)
class _Configured:
    """A judge of the owner's, opened like one of the table."""

    name: str
    entry: JudgeEntry

    def open_judge(self, base: BaseSettings, library: "Library") -> Judge:
        module = cast(NamedModule, importlib.import_module(KINDS[self.entry.kind]))
        return module.open_named(self.name, self.entry)


def find_judge(name: str, settings: Settings | None = None) -> JudgeModule:
    """The judge of that name, configured or of the table; BadSettings if there is none."""
    configured: Mapping[str, JudgeEntry] = settings.judges if settings else {}
    if name in configured:
        return _Configured(name, configured[name])
    if name not in JUDGES:
        known = ", ".join(sorted({*JUDGES, *configured}))
        raise BadSettings(f"there is no judge {name}", f"name one of: {known}")
    return cast(JudgeModule, importlib.import_module(JUDGES[name]))
