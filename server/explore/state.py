"""What an exploration remembers: frozen records, folded from its events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gates.contract import Contract
from server.explore.states import State

Driver = Literal["mcp", "magentic"]
Origin = Literal["expert", "exploration"]
Choice = Literal["approve", "revise"]
Way = Literal["terminal", "page", "inbox"]
Level = Literal["person", "local"]
# What a read document is known by: device and inode, or its path where there are none.
FileKey = str


@dataclass(frozen=True, slots=True)
class Reference:
    """A requirement: where its document is and what the document calls itself."""

    path: str
    ref: str


@dataclass(frozen=True, slots=True)
class Approach:
    """One direction to test; an expert's is kept in every field as it was given."""

    id: str
    label: str
    description: str = ""
    base: str = ""
    requirement: Reference | None = None
    why_none: str = ""
    affected_codes: tuple[str, ...] = ()
    claimed_saving: float | None = None
    origin: Origin = "expert"


@dataclass(frozen=True, slots=True)
class Material:
    """Text that the caller has checked; it is added to the task and never to the objective."""

    name: str
    sha256: str
    chars: int
    text: str


@dataclass(frozen=True, slots=True)
class RunBase:
    """A base of the run: the id that names it and the operator's id of its folder."""

    id: str
    place: str


@dataclass(frozen=True, slots=True)
class Opening:
    """With what a run was opened; none of it changes."""

    principal: str
    driver: Driver
    objective: str
    success_criteria: str
    contract: Contract
    bases: tuple[RunBase, ...]
    dimension: str
    expert_approaches: tuple[Approach, ...]
    starting_material: Material | None = None
    request: str = ""
    artefacts: str = ""
    inbox: str = ""
    # where the orchestrated loop parks; empty for a run that does not
    checkpoints: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One entry of the trace: what was asked and how it ended, never what came back."""

    seq: int
    name: str
    base: str
    path: str
    filter: str
    offset: int
    limit: int
    role: str
    at: str
    outcome: str = "unfinished"
    error: str = ""
    tokens: int = 0
    sha256: str = ""
    chars: int = 0
    # empty unless a document was read from its beginning
    file: FileKey = ""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A requirement that was read and declared; title and number are the document's own."""

    base: str
    file: FileKey
    path: str
    ref: str
    ref_matches: bool | None
    title: str
    number: str


@dataclass(frozen=True, slots=True)
class Validation:
    """An advisory check: the proposal as it was sent, and what the check said."""

    base: str
    proposal: str
    verdict: Mapping[str, object]
    at: str = ""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A committed direction, its rationale word for word."""

    label: str
    rationale: str
    requirement: Reference | None
    why_none: str
    base: str
    affected_codes: tuple[str, ...]
    claimed_saving: float | None
    requirement_declared: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan as it was submitted; `is_stalled` says that it replaces one that stalled."""

    plan: str
    current_progress: str
    is_stalled: bool


@dataclass(frozen=True, slots=True)
class Question:
    """The open question of a plan review; the three of the checkpoint are the loop's own."""

    index: int
    plan: Plan
    sha256: str = ""
    request_id: str | None = None
    checkpoint_id: str | None = None
    checkpoint_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class PlanReview:
    """A person's answer; a revise past the cap is kept, and not applied."""

    index: int
    plan: str
    is_stalled: bool
    decision: Choice
    feedback: str
    applied: bool
    way: Way
    level: Level
    at: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the progress ledger."""

    round_index: int
    is_request_satisfied: bool
    is_in_loop: bool
    is_progress_being_made: bool
    next_speaker: str
    instruction_or_question: str
    speaker_known: bool
    tokens: int = 0
    at: str = ""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The budget that ran out."""

    kind: Literal["tokens", "rounds"]
    limit: int
    spent: int


@dataclass(frozen=True, slots=True)
class RunState:
    """An exploration as it stands after its last event."""

    run: str
    seq: int
    head: str
    opened_at: str
    opening: Opening
    state: State = "planning"
    calls: tuple[Call, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    validations: tuple[Validation, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    plans: tuple[Plan, ...] = ()
    rows: tuple[Row, ...] = ()
    rounds_lost: int = 0
    reviews: tuple[PlanReview, ...] = ()
    question: Question | None = None
    # the question that was answered last, and the index that a resumed loop has taken up
    answered: Question | None = None
    taken: int = -1
    # the index of the question whose file was written; a loop is parked with it
    kept: int = -1
    delivered: int = 0
    reported: int = 0
    stall_count: int = 0
    resets: int = 0
    # a reset made a new plan due
    stalled: bool = False
    exhausted: Exhausted | None = None
    failed: str = ""
    resumed: int = 0
    reply: Mapping[str, object] | None = None
    last_reply: Mapping[str, object] | None = None

    @property
    def spent(self) -> int:
        """Tokens delivered and reported."""
        return self.delivered + self.reported

    @property
    def revisions_applied(self) -> int:
        """How many revisions were asked for within the cap."""
        return sum(one.decision == "revise" and one.applied for one in self.reviews)

    @property
    def past_revisions(self) -> bool:
        """Whether a revision was asked for beyond the cap."""
        return any(not one.applied for one in self.reviews)

    @property
    def base_ids(self) -> tuple[str, ...]:
        """The ids of the run's bases, sorted."""
        return tuple(sorted(base.id for base in self.opening.bases))

    def reads(self, base: str) -> dict[FileKey, Call]:
        """The documents read in a base, each with the last call that read it."""
        return {call.file: call for call in self.calls if call.file and call.base == base}
