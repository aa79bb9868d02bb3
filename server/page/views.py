"""What each page shows, as records: the templates only lay them out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server import steps
from server.anchors import anchor_line, anchors_in
from server.dig_state import Candidate, Context, DigState, Level, Way
from server.page.cards import Card, FlagNote, Source, cards, notes
from server.page.complaints import Complaint
from server.page.forms import DEEDS, Deed, Form
from server.page.pictures import Mark, Matrix, Scatter, embodied, mark_of, matrix, scatter, searched
from server.report import shown_ids
from server.review import Choices
from server.shown import visible_line
from server.store import Run

# Digs that wait for nobody, listed below those that do.
RECENT = 20

STATES: Mapping[str, str] = {
    "opened": "The agent is to send search terms",
    "scoring": "The agent is scoring summaries",
    "scored": "The agent is to pick among the best",
    "picked": "The agent is to report",
    "reported": "Waits for your decision",
    "decided": "Decided; the brief is not written yet",
    "briefed": "The brief is written",
    "failed": "Failed; only you can reopen it",
    "abandoned": "Closed without a brief",
}
DICTATED = "your own words"
WAITING = ("reported", "decided", "failed")
LEVELS: Mapping[Level, str] = {
    "person": "with the passphrase typed",
    "local": "without a passphrase",
    "client": "by the word of the agent's host",
    "relayed": "from a file",
}
WAYS: Mapping[Way, str] = {
    "terminal": "at a terminal",
    "page": "on this page",
    "elicitation": "in the host's form",
    "app": "on the host's card",
    "file": "by a file",
}
MARKS: Mapping[Mark, str] = {
    "cut": "deep cut",
    "hit": "direct hit",
    "anchor": "voice anchor",
    "other": "",
}


@dataclass(frozen=True, slots=True)
class DigLine:
    """A dig in a list."""

    dig: str
    title: str
    base: str
    state: str
    opened_at: str


@dataclass(frozen=True, slots=True)
class SearchRow:
    """A candidate in the table that says what the pictures show."""

    path: str
    mark: str
    prescore: int
    score: str
    terms: str


@dataclass(frozen=True, slots=True)
class Search:
    """What was searched, drawn and written."""

    terms: tuple[str, ...]
    matrix: Matrix
    scatter: Scatter
    rows: tuple[SearchRow, ...]
    summaries: int
    batches: int
    left_out: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class DecisionView:
    """What was decided, when and how."""

    keep: tuple[str, ...]
    drop: tuple[str, ...]
    vouched: tuple[str, ...]
    level: str
    how: str
    at: str
    report_sha256: str


@dataclass(frozen=True, slots=True)
class DigView:
    """A dig; `deeds` is what the person may do now, `brief` whether it can be written or read."""

    dig: str
    title: str
    state: str
    state_words: str
    facts: tuple[tuple[str, str], ...]
    pattern: str
    claims: tuple[str, ...]
    questions: tuple[str, ...]
    redirects: tuple[str, ...]
    report: str
    report_sha256: str
    flags: tuple[FlagNote, ...]
    cards: tuple[Card, ...]
    search: Search | None
    decision: DecisionView | None
    deeds: tuple[Deed, ...]
    brief: str
    needs_anchor: bool
    failure: str


def listed(runs: Sequence[Run]) -> tuple[tuple[DigLine, ...], tuple[DigLine, ...]]:
    """The digs that wait for a person, those to decide first, and the latest others."""
    newest = list(reversed(runs))
    waiting = sorted(
        (run for run in newest if run.state in WAITING), key=lambda run: WAITING.index(run.state)
    )
    others = [run for run in newest if run.state not in WAITING]
    return tuple(map(_line, waiting)), tuple(map(_line, others[:RECENT]))


def dig_view(
    state: DigState, form: Form, reading: tuple[Source, str], open_deeds: Sequence[steps.Deed]
) -> DigView:
    """Everything that the page of a dig shows; `reading`: its files, and their language."""
    report, context = state.report, state.context
    return DigView(
        dig=state.dig,
        title=visible_line(context.title),
        state=state.state,
        state_words=STATES[state.state] if "decide" not in open_deeds else STATES["reported"],
        facts=_facts(state, context),
        pattern=visible_line(context.pattern),
        claims=tuple(map(visible_line, context.blaze_claims)),
        questions=tuple(map(visible_line, context.blaze_open_questions)),
        redirects=state.redirects,
        report=report.text if report else "",
        report_sha256=report.sha256 if report else "",
        flags=notes(report.flags if report else state.flags),
        cards=cards(state, form, *reading),
        search=_search(state),
        decision=decision_view(state),
        deeds=_deeds(state, open_deeds),
        brief=_brief(state),
        needs_anchor=_unanchored(state),
        failure=state.failure.reason if state.failure else "",
    )


def decision_view(state: DigState) -> DecisionView | None:
    """A recorded decision, files by name."""
    decision = state.decision
    if decision is None:
        return None
    return DecisionView(
        keep=paths(state, decision.keep),
        drop=paths(state, decision.drop),
        vouched=paths(state, decision.vouched),
        level=decision.level,
        how=f"{WAYS[decision.way]}, {LEVELS[decision.level]}",
        at=decision.at,
        report_sha256=decision.report_sha256,
    )


def paths(state: DigState, ids: Sequence[str]) -> tuple[str, ...]:
    """The files of candidates; an id that is none stays as it is."""
    return tuple(_path(state, id_) for id_ in ids)


def needs_anchor(state: DigState, choices: Choices) -> bool:
    """Whether a brief of what is kept so would lack its voice anchor."""
    anchored = anchors_in(state, choices.keep) or choices.vouched
    return state.context.voice == "Carbon" and not anchored


def summarised(complaints: Sequence[Complaint]) -> str:
    """A heading over complaints."""
    return "Something is missing" if len(complaints) > 1 else "Not yet"


def _line(run: Run) -> DigLine:
    title, words = visible_line(run.title), STATES.get(run.state, "")
    return DigLine(run.run, title, run.base, words, run.opened_at)


def _facts(state: DigState, context: Context) -> tuple[tuple[str, str], ...]:
    found = (
        ("Keyword", context.keyword_primary),
        ("Voice", context.voice),
        ("Archetype", context.archetype_primary),
        ("Monomyth", context.monomyth_hint),
        ("Blaze", context.blaze_path),
        ("Named phrases", ", ".join(context.named_phrases)),
        ("Knowledge base", state.base),
        ("Pass", str(state.pass_number) if state.pass_number > 1 else ""),
        ("Reopened", str(state.reopened) if state.reopened else ""),
    )
    return tuple((label, visible_line(value)) for label, value in found if value)


def _search(state: DigState) -> Search | None:
    candidates = searched(state)
    if not candidates:
        return None
    return Search(
        terms=tuple(map(visible_line, state.terms)),
        matrix=matrix(state, candidates),
        scatter=scatter(state, candidates),
        rows=tuple(_search_row(state, candidate) for candidate in candidates),
        summaries=len(state.scores),
        batches=state.batches_ever,
        left_out=tuple(sorted(state.left_out.items())),
    )


def _search_row(state: DigState, candidate: Candidate) -> SearchRow:
    score = embodied(state, candidate.id)
    return SearchRow(
        path=candidate.row.path,
        mark=MARKS[mark_of(state, candidate.id)],
        prescore=candidate.prescore,
        score="-" if score < 0 else str(score),
        terms=", ".join(visible_line(term) for term, _ in candidate.hits),
    )


def _deeds(state: DigState, permitted: Sequence[steps.Deed]) -> tuple[Deed, ...]:
    if state.report is None or state.brief is not None:
        return ()
    names = {"point": "add_passage", "dictate": "add_passage"}
    return tuple(deed for deed in DEEDS if names.get(deed, deed) in permitted)


def _brief(state: DigState) -> str:
    if state.state == "briefed":
        return "read"
    return "write" if state.state == "decided" else ""


def _path(state: DigState, id_: str) -> str:
    candidate = state.candidates.get(id_)
    if candidate is None:
        return id_
    return f"{DICTATED} ({id_})" if candidate.via == "dictated" else candidate.row.path


def _unanchored(state: DigState) -> bool:
    """Whether the brief lacks its voice anchor as decided, or would with all of the report kept."""
    if state.report is None or state.brief is not None:
        return False
    if state.decision is not None:
        return anchor_line(state) == "MISSING"
    return needs_anchor(state, Choices(shown_ids(state, state.report.anchors), ()))
