"""What the card shows of a report: the facts that a person decides on, as plain text."""

from typing import Any

from index.text import visible
from server.config import Settings
from server.dig_state import DigState
from server.report import shown_ids
from server.shown import visible_line
from server.status import page_of


def card_of(state: DigState, settings: Settings) -> dict[str, Any] | None:
    """The report and its candidates; None where there is no report to decide on."""
    report = state.report
    if state.state != "reported" or report is None:
        return None
    return {
        "dig_id": state.dig,
        "report_sha256": report.sha256,
        "title": visible_line(state.context.title),
        "pattern": visible_line(state.context.pattern),
        "flags": list(report.flags),
        "by": state.judged_by,
        "candidates": [_candidate(state, id_) for id_ in shown_ids(state, report.anchors)],
        "command": f"expedition decide {state.dig}",
        "page": page_of(settings, state) or "",
    }


def _candidate(state: DigState, id_: str) -> dict[str, Any]:
    candidate, score = state.candidates[id_], state.scores.get(id_)
    shown: dict[str, Any] = {
        "id": id_,
        "file": visible_line(candidate.row.path),
        "role": visible_line(candidate.row.role),
        "reason": visible_line(state.connections.get(id_) or (score.why if score else "")),
        "score": score.embodies if score else None,
    }
    if rejection := state.rejections.get(id_):
        shown["lacking"] = f"{rejection.flag}: {visible_line(rejection.reason)}"
    if evidence := state.evidence.get(id_):
        excerpt = evidence.excerpt
        shown["excerpt"] = visible(excerpt.text)
        shown["place"] = f"lines {excerpt.first_line}-{excerpt.last_line}, {excerpt.words} words"
        shown["flags"] = list(evidence.flags)
    return shown
