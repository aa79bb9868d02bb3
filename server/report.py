"""The dig report: rendered from the state alone, so that the same dig gives the same bytes."""

import hashlib
from collections.abc import Iterable

from index.records import Excerpt
from server.dig_state import DigState, Evidence, Report
from server.shown import visible_line

OPENING = "=== DIG REPORT ==="
CLOSING = "=== END DIG REPORT ==="
INVITATION = "Reply to confirm, drop, or redirect any candidate before I build the brief."
_LABEL_WIDTH = 14


def render_report(
    state: DigState, anchors: tuple[str, ...], blaze: Excerpt | None = None
) -> Report:
    """The report of a dig; `anchors` are candidate ids.

    The hash is of the text from the opening to the closing line.
    """
    flags = report_flags(state, anchors)
    text = "\n".join(
        [
            OPENING,
            *_section("Direct hits:", _direct_hits(state, anchors)),
            *_section("Deep cuts:", _deep_cuts(state)),
            *_section("Voice anchors:", _anchors(state, anchors)),
            *_section("Searched:", _searched(state)),
            *_section("Flags:", flags),
            CLOSING,
        ]
    )
    return Report(text, hashlib.sha256(text.encode("utf-8")).hexdigest(), anchors, flags, blaze)


def report_flags(state: DigState, anchors: tuple[str, ...]) -> tuple[str, ...]:
    """Every flag of the dig and of its excerpts, each once, in order."""
    flags = list(state.flags)
    for id_ in shown_ids(state, anchors):
        path = state.candidates[id_].row.path
        if rejection := state.rejections.get(id_):
            flags.append(f"{rejection.flag}:{path}")
        if evidence := state.evidence.get(id_):
            flags += [f"{flag}:{path}" for flag in evidence.flags]
    if state.context.voice == "Carbon" and not anchors:
        flags.append("VOICE_ANCHOR_MISSING")
    if state.reopened:
        flags.append(f"REOPENED {state.reopened}")
    return tuple(dict.fromkeys(visible_line(flag) for flag in flags))


def shown_ids(state: DigState, anchors: tuple[str, ...]) -> tuple[str, ...]:
    """Every candidate the report asks a person about: kept ones, picks, anchors, added passages."""
    return tuple(dict.fromkeys((*state.kept, *state.picks.ids, *state.added, *anchors)))


def _section(label: str, entries: Iterable[str]) -> list[str]:
    listed = list(entries) or ["none"]
    first = f"{label:<{_LABEL_WIDTH}}{listed[0]}"
    return [first, *(" " * _LABEL_WIDTH + entry for entry in listed[1:])]


def _direct_hits(state: DigState, anchors: tuple[str, ...]) -> list[str]:
    kept = [id_ for id_ in state.kept if id_ not in state.connections]
    added = [id_ for id_ in state.added if id_ not in anchors]
    ids = dict.fromkeys((*kept, *state.picks.direct_hits, *added))
    entries: list[str] = []
    for id_ in ids:
        score = state.scores.get(id_)
        entries.append(_entry(state, id_, score.why if score else _how_added(state, id_)))
    return entries


def _how_added(state: DigState, id_: str) -> str:
    return {"pointed": "pointed to by a person", "dictated": "dictated by a person"}.get(
        state.candidates[id_].via, "kept"
    )


def _deep_cuts(state: DigState) -> list[str]:
    kept = [id_ for id_ in state.kept if id_ in state.connections]
    ids = dict.fromkeys((*kept, *(cut.id for cut in state.picks.deep_cuts)))
    entries = [_entry(state, id_, state.connections[id_]) for id_ in ids]
    if state.picks.pass4_empty:
        entries.append("Pass 4 empty; pattern may be new to corpus")
    return entries


def _anchors(state: DigState, anchors: tuple[str, ...]) -> list[str]:
    if state.context.voice != "Carbon":
        return [f"none (not required for {state.context.voice})"]
    entries: list[str] = []
    for id_ in anchors:
        count = state.evidence[id_].voice.paragraphs
        entries.append(_entry(state, id_, f"{count} first-person paragraph{'s' * (count != 1)}"))
    return entries


def _entry(state: DigState, id_: str, reason: str) -> str:
    file = visible_line(state.candidates[id_].row.path)
    return f"{file} — {visible_line(reason)} ({_provenance(state, id_)})"


def _provenance(state: DigState, id_: str) -> str:
    """Which words are decided on: an excerpt's lines and hash are part of the report."""
    evidence = state.evidence.get(id_)
    if evidence is None:
        rejection = state.rejections.get(id_)
        return f"{id_}, no excerpt: {rejection.flag if rejection else 'not cut'}"
    return f"{id_}, {_lines(evidence)}, sha256 {evidence.excerpt.sha256[:12]}"


def _lines(evidence: Evidence) -> str:
    return f"lines {evidence.excerpt.first_line}-{evidence.excerpt.last_line}"


def _searched(state: DigState) -> list[str]:
    terms = ", ".join(visible_line(term) for term in state.terms)
    entries = [
        f"{terms} · {len(state.scores)} summaries scored across {state.batches_ever} batches"
    ]
    if state.left_out:
        counted = ", ".join(f"{why} {count}" for why, count in sorted(state.left_out.items()))
        entries.append(f"in the base and not searched whole: {counted}")
    return entries
