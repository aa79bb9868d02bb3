"""What an exploration answers when its gates let it pass; `next` are the legal moves."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from server.explore.tokens import compact
from server.refusals import Refusal


class Part(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(frozen=True)


class Answered(Part):
    """An answer that was no refusal."""

    flags: tuple[str, ...] = ()
    next: tuple[str, ...] = ()

    def as_text(self) -> str:
        """The record as compact JSON: base text in it stays inside its quotes."""
        return compact(record_of(self))


class Bundle(Part):
    """A base in the catalogue: counts and the beginning of its index, never a text."""

    id: str
    kind: str
    index_excerpt: str
    index_truncated: bool
    documents: int
    verdict_count: int
    cost_baseline: bool
    cost_baseline_problem: str
    unreachable_links: int
    problems: int


class Missing(Part):
    """A base whose folder is gone."""

    id: str
    unavailable: bool = True


class Catalogue(Answered):
    """The bases that may be read."""

    bases: tuple[Bundle | Missing, ...]


class Directory(Part):
    """A directory of a level."""

    path: str
    documents: int


class Document(Part):
    """A document of a level; `name` is the path to read it by."""

    name: str
    type: str
    title: str
    title_truncated: bool
    number: str
    chars: int


class Listing(Answered):
    """A window on one level of a base."""

    base: str
    path: str
    directories: tuple[Directory, ...]
    documents: tuple[Document, ...]
    total: int
    offset: int
    limit: int
    filter: str
    total_matches: int | None
    matches_below: int | None


class ReadText(Answered):
    """The text of one file, or a piece of it if it is long."""

    base: str
    path: str
    title: str
    number: str
    chars: int
    offset: int
    text: str
    next_offset: int | None


class Declared(Answered):
    """A requirement that was read and declared."""

    declared: bool
    base: str
    path: str
    ref: str
    ref_matches: bool | None
    title: str
    number: str
    binds: str


class Checked(Answered):
    """An advisory verdict on a proposal; it binds nobody."""

    decision: str
    reason: str
    check: str
    anchored: bool
    advisory: bool = True
    p10: float | None = None
    p50: float | None = None
    p90: float | None = None
    carriable: float | None = None
    carried_by: dict[str, Any] = {}


class Committed(Answered):
    """A hypothesis and its place among the others."""

    committed: bool
    position: int


class Opened(Answered):
    """A run, who takes part in it, and what bounds it."""

    run: str
    state: str
    roles: tuple[str, ...]
    bases: tuple[str, ...]
    dimension: str
    bounds: dict[str, int | bool]


class Planned(Answered):
    """What became of a plan."""

    state: str
    review: int | None
    question: str
    command: str


class Assessed(Answered):
    """What a round came to."""

    round_index: int
    speaker_known: bool
    stall_count: int
    resets: int
    rounds_left: int
    tokens_left: int
    state: str
    ends_as: str


class Spent(Part):
    """What was spent, in two parts, and by which rule they are counted."""

    delivered: int
    reported: int
    limit: int
    left: int
    rule: str


class OpenReview(Part):
    """A question that waits for a person."""

    index: int
    file: str
    command: str


class RunLine(Part):
    """One run in a list."""

    run: str
    state: str
    objective: str
    bases: tuple[str, ...]
    opened_at: str


class ExploreStatus(Answered):
    """Where a run stands, or which runs are open."""

    run: str = ""
    state: str = ""
    rounds: int = 0
    rounds_left: int = 0
    tokens: Spent | None = None
    stall_count: int = 0
    resets: int = 0
    review: OpenReview | None = None
    feedback: str = ""
    not_an_answer: str = ""
    declarations: tuple[dict[str, Any], ...] = ()
    hypotheses: tuple[str, ...] = ()
    ending: dict[str, Any] | None = None
    runs: tuple[RunLine, ...] = ()


class Closed(Answered):
    """How a run ended, and where its files are."""

    run: str
    completed: bool
    stop: str | None
    exhausted: dict[str, Any] | None
    approaches: int
    notice: str
    files: tuple[str, ...]


Answer = Answered | Refusal


def record_of(answer: Answered | Refusal) -> dict[str, Any]:
    """The answer as plain JSON values, nothing left out."""
    return answer.model_dump(mode="json")
