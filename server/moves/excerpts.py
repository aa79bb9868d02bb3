"""Step 5: one verbatim excerpt of a picked file, or why it gives none."""

from dataclasses import replace

from server import refusals
from server.dig_state import DigState, Evidence, Rejection
from server.evidence import Cutting, Wanted, cut
from server.fold import dump
from server.library import Library, Unreadable
from server.moves.outcome import Outcome
from server.refusals import Refusal
from server.replies import Cut, Next
from server.store import NewEvent

ASKED = "extract_excerpt"
STEP = 5
# Each cut is stored for good; nobody reads more passages than this before a report.
MOST_CUTS = 200


def extract(state: DigState, place: tuple[str, int | None], library: Library) -> Outcome:
    """Cut the best passage of a picked file, or the next one after a line."""
    id_, after_line = place
    if id_ not in state.picks.ids:
        picked = ", ".join(state.picks.ids)
        remedy = f"send one of: {picked}" if picked else "nothing was picked; go on with dig_report"
        return Outcome(refusals.invalid_argument(ASKED, "this id was not picked", remedy))
    if after_line is not None and after_line < 0:
        return Outcome(
            refusals.invalid_argument(ASKED, "after_line is below 0", "send a line number")
        )
    if sum(tool == ASKED for tool, _ in state.answers) >= MOST_CUTS:
        reason = f"{MOST_CUTS} passages were asked for in this pass"
        return Outcome(refusals.invalid_argument(ASKED, reason, "go on with dig_report"))
    wanted = replace(wanted_of(state, id_), after_line=after_line)
    found = cut_candidate(state, wanted, library)
    if isinstance(found, Rejection):
        refusal = _refusal(found, after_line)
        return Outcome(refusal, (_rejected(found, refusal, after_line),), "picked")
    return Outcome(_reply(state, found), (cut_event(found.evidence),), "picked")


def cut_candidate(state: DigState, wanted: Wanted, library: Library) -> Cutting | Rejection:
    """An excerpt of a candidate's file as it is now; a file that cannot be read is a rejection."""
    document = library.document(library.settings.base(state.base, state.root), wanted.row.path)
    if isinstance(document, Unreadable):
        return Rejection(wanted.id, document.flag, document.reason)
    return cut(document, wanted, library.settings)


def wanted_of(state: DigState, id_: str) -> Wanted:
    """What is looked for in a candidate's file: the passage where the dig's terms are densest."""
    return Wanted(id_, state.candidates[id_].row, state.terms, state.pass_number)


def cut_event(evidence: Evidence) -> NewEvent:
    """The event that stores an excerpt's bytes, offsets and hashes for good."""
    return NewEvent("excerpt_cut", {"evidence": dump(evidence)})


def _rejected(found: Rejection, refusal: Refusal, after_line: int | None) -> NewEvent:
    """A file that gives nothing is recorded as such; a place in it that gives nothing is not."""
    if after_line is None:
        return NewEvent("excerpt_rejected", {"rejection": dump(found)})
    payload = {"step": STEP, "batch": 0, "refusal": refusal.model_dump(mode="json")}
    return NewEvent("refused", payload)


def _reply(state: DigState, found: Cutting) -> Cut:
    excerpt = found.evidence.excerpt
    return Cut(
        dig_id=state.dig,
        id=excerpt.row,
        file=excerpt.path,
        lines=f"{excerpt.first_line}-{excerpt.last_line}",
        words=excerpt.words,
        sha256=excerpt.sha256,
        excerpt=excerpt.text,
        verdicts={verdict.gate: verdict.outcome for verdict in found.verdicts},
        flags=found.evidence.flags,
        next=Next(
            tool="dig_report",
            why=f"or extract_excerpt with after_line {excerpt.last_line} for the next passage",
        ),
    )


def _refusal(rejection: Rejection, after_line: int | None) -> Refusal:
    remedy = "go on with dig_report; it names this file and why it gives no excerpt"
    if after_line is not None:
        remedy = "leave after_line out, or go on with dig_report"
    return Refusal(
        gate="evidence",
        flag=rejection.flag,
        asked=f"{ASKED} of {rejection.id}",
        reason=rejection.reason,
        remedy=remedy,
    )
