"""Step 5: what is missing is cut, the voice anchors are found, the report is rendered."""

from dataclasses import replace

from server.anchors import MOST, anchors_in, may_anchor
from server.blaze import quote_blaze
from server.dig_state import DigState, Rejection
from server.fold import dump
from server.library import Library
from server.moves.excerpts import cut_candidate, cut_event, wanted_of
from server.moves.outcome import Outcome
from server.replies import Next, Reported
from server.report import INVITATION, render_report, shown_ids
from server.status import ways_to_decide
from server.store import NewEvent


def report(state: DigState, library: Library) -> Outcome:
    """The report of a picked dig; every pick then has an excerpt or a recorded rejection."""
    state, cuts = _cut_missing(state, library)
    anchors: tuple[str, ...] = ()
    if state.context.voice == "Carbon":
        state, anchor_cuts, anchors = _find_anchors(state, library)
        cuts += anchor_cuts
    blaze = None
    if state.context.blaze_path:
        document = library.document(
            library.settings.base(state.base, state.root), state.context.blaze_path
        )
        blaze = quote_blaze(document, state.pass_number)
    rendered = render_report(state, anchors, blaze)
    events = (*cuts, NewEvent("reported", {"report": dump(rendered)}))
    return Outcome(reply(replace(state, report=rendered)), events, "reported")


def reply(state: DigState) -> Reported:
    """A dig's current report as an answer that asks the agent to end its turn."""
    assert state.report is not None  # callers come from `reported`
    return Reported(
        dig_id=state.dig,
        report=f"{state.report.text}\n{INVITATION}",
        sha256=state.report.sha256,
        ways=ways_to_decide(state.dig),
        flags=state.report.flags,
        next=Next(tool="none", why="show the report and end your turn; a person decides"),
    )


def _cut_missing(state: DigState, library: Library) -> tuple[DigState, list[NewEvent]]:
    events: list[NewEvent] = []
    for id_ in state.picks.ids:
        if id_ in state.evidence or id_ in state.rejections:
            continue
        found = cut_candidate(state, wanted_of(state, id_), library)
        if isinstance(found, Rejection):
            events.append(NewEvent("excerpt_rejected", {"rejection": dump(found)}))
            state = replace(state, rejections={**state.rejections, id_: found})
        else:
            events.append(cut_event(found.evidence))
            state = replace(state, evidence={**state.evidence, id_: found.evidence})
    return state, events


def _find_anchors(
    state: DigState, library: Library
) -> tuple[DigState, list[NewEvent], tuple[str, ...]]:
    """Up to five lived candidates whose best passage is in the first person, kept ones first."""
    anchors = list(anchors_in(state, shown_ids(state, ())))[:MOST]
    events: list[NewEvent] = []
    for candidate in state.ranked:
        if len(anchors) == MOST:
            break
        if candidate.id in state.evidence or candidate.id in state.rejections:
            continue
        if not may_anchor(state, candidate):
            continue
        wanted = replace(wanted_of(state, candidate.id), voice=True)
        found = cut_candidate(state, wanted, library)
        if isinstance(found, Rejection) or found.evidence.voice.outcome != "passed":
            continue
        events.append(cut_event(found.evidence))
        state = replace(state, evidence={**state.evidence, candidate.id: found.evidence})
        anchors.append(candidate.id)
    return state, events, tuple(anchors)
