"""Where a dig stands: the frozen records that its events add up to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from index.records import Excerpt, Row
from server.principal import LOCAL
from server.steps import State

Voice = Literal["Carbon", "Si-C", "Silicon"]
Via = Literal["row", "body", "pointed", "dictated"]
Level = Literal["person", "local", "client", "relayed"]
Way = Literal["terminal", "page", "elicitation", "app", "file"]


@dataclass(frozen=True, slots=True)
class Context:
    """What a dig looks for; `pattern` is one sentence built by the server from the other fields."""

    keyword_primary: str
    title: str
    slug: str
    voice: Voice
    archetype_primary: str
    monomyth_hint: str = ""
    blaze_path: str = ""
    blaze_claims: tuple[str, ...] = ()
    blaze_open_questions: tuple[str, ...] = ()
    named_phrases: tuple[str, ...] = ()
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row frozen into a dig; `rank` counts from 1 in the order of retrieval."""

    id: str
    row: Row
    prescore: int
    structural: bool
    via: Via
    hits: tuple[tuple[str, tuple[str, ...]], ...]
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Score:
    """An agent's judgement of one summary: 0 none, 1 touches, 2 strong, 3 exact."""

    id: str
    embodies: int
    why: str


@dataclass(frozen=True, slots=True)
class DeepCut:
    """A row that embodies the pattern without naming it, and how."""

    id: str
    connection: str


@dataclass(frozen=True, slots=True)
class Picks:
    """What the agent picked among the top rows of one pass."""

    deep_cuts: tuple[DeepCut, ...] = ()
    direct_hits: tuple[str, ...] = ()
    pass4_empty: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """Every picked id, direct hits first."""
        return (*self.direct_hits, *(cut.id for cut in self.deep_cuts))


@dataclass(frozen=True, slots=True)
class VoiceFinding:
    """What the voice gate said of an excerpt; `paragraphs` counts those in the first person."""

    outcome: Literal["passed", "refused", "undecidable"]
    paragraphs: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """An excerpt cut for a candidate, with what the gates found in it."""

    excerpt: Excerpt
    voice: VoiceFinding
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejection:
    """A candidate from which nothing may be quoted, and why."""

    id: str
    flag: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """The report as a person is asked to decide on it; `blaze` is quoted in the brief with it."""

    text: str
    sha256: str
    anchors: tuple[str, ...]
    flags: tuple[str, ...]
    blaze: Excerpt | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's recorded decision, bound to one report; `vouched` ids are lived by their word."""

    level: Level
    way: Way
    report_sha256: str
    keep: tuple[str, ...]
    drop: tuple[str, ...]
    vouched: tuple[str, ...] = ()
    at: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """The step that was refused twice; `batch` is 0 outside the scores."""

    step: int
    batch: int
    reason: str


@dataclass(frozen=True, slots=True)
class Spent:
    """What one question to a judge took; `cost` is in US dollars, none if nobody knows it."""

    step: int
    batch: int
    judge: str
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class BriefFile:
    """The brief as announced before it was written, and whether it is on the disk."""

    path: str
    sha256: str
    written: bool = False


@dataclass(frozen=True, slots=True)
class DigState:
    """A dig after its last event."""

    dig: str
    base: str
    context: Context
    state: State
    seq: int
    head: str
    opened_at: str
    # the folder of the base; "" in a dig of a program that did not record it
    root: str = ""
    # whose it is
    principal: str = LOCAL
    pass_number: int = 1
    terms: tuple[str, ...] = ()
    weak_terms: tuple[str, ...] = ()
    generation: str = ""
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])
    candidates: Mapping[str, Candidate] = field(default_factory=dict[str, Candidate])
    # shown and scored among the candidates, and nothing else
    decoys: Mapping[str, Candidate] = field(default_factory=dict[str, Candidate])
    batches: tuple[tuple[str, ...], ...] = ()
    batches_scored: int = 0
    batches_ever: int = 0
    scores: Mapping[str, Score] = field(default_factory=dict[str, Score])
    picks: Picks = Picks()
    connections: Mapping[str, str] = field(default_factory=dict[str, str])
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()
    evidence: Mapping[str, Evidence] = field(default_factory=dict[str, Evidence])
    rejections: Mapping[str, Rejection] = field(default_factory=dict[str, Rejection])
    report: Report | None = None
    asked: tuple[str, ...] = ()
    decision: Decision | None = None
    brief: BriefFile | None = None
    failure: Failure | None = None
    reopened: int = 0
    spent: tuple[Spent, ...] = ()
    # how much of it came before a step failed: those answers count for nothing
    spent_in_vain: int = 0
    # whose scores and picks were accepted
    judges: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    refusals: tuple[tuple[int, int], ...] = ()
    answers: Mapping[tuple[str, str], Mapping[str, Any]] = field(
        default_factory=dict[tuple[str, str], Mapping[str, Any]]
    )

    @property
    def judged_by(self) -> str:
        """Who scored and picked, as people are told."""
        return " and ".join(self.judges) or "the agent"

    def refusals_of(self, step: int, batch: int = 0) -> int:
        """How many attempts at this step and batch were refused and counted in this pass."""
        return self.refusals.count((step, batch))

    def shown(self, batch: int) -> tuple[Candidate, ...]:
        """The rows of one batch, counted from 1, decoys among them."""
        rows = {**self.candidates, **self.decoys}
        return tuple(rows[id_] for id_ in self.batches[batch - 1])

    @property
    def ranked(self) -> tuple[Candidate, ...]:
        """The scored candidates of this pass, best first: embodies, then prescore, then rank."""
        ids = [id_ for batch in self.batches for id_ in batch if id_ in self.scores]
        scored = [self.candidates[id_] for id_ in ids]
        return tuple(
            sorted(scored, key=lambda c: (-self.scores[c.id].embodies, -c.prescore, c.rank))
        )

    @property
    def top(self) -> tuple[Candidate, ...]:
        """The rows a pick is made from: the best eight."""
        return self.ranked[:8]
