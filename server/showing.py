"""One dig laid open: for people as text, for scripts as one record."""

from collections.abc import Iterator, Sequence
from typing import Any

from server.dig_state import Candidate, DigState, Spent
from server.fold import dump
from server.shown import quoted, visible_line
from server.status import status_of
from server.store import Event


def as_record(
    state: DigState, history: Sequence[Event], with_events: bool = False
) -> dict[str, Any]:
    """Everything of a dig as JSON values; the candidates in the order of retrieval."""
    record: dict[str, Any] = {
        "dig": state.dig,
        "base": state.base,
        "state": state.state,
        "pass": state.pass_number,
        "opened_at": state.opened_at,
        "context": dump(state.context),
        "terms": state.terms,
        "weak_terms": state.weak_terms,
        "candidates": [_candidate(state, one) for one in state.candidates.values()],
        "attempts": [_attempt(event) for event in _refused(history)],
        "picks": dump(state.picks),
        "excerpts": {id_: dump(found) for id_, found in state.evidence.items()},
        "rejections": {id_: dump(found) for id_, found in state.rejections.items()},
        "report": dump(state.report) if state.report else None,
        "decision": dump(state.decision) if state.decision else None,
        "brief": dump(state.brief) if state.brief else None,
        "failure": dump(state.failure) if state.failure else None,
        "redirects": state.redirects,
        "reopened": state.reopened,
        "spent": [dump(one) for one in state.spent],
        "left_out": dict(state.left_out),
        "flags": state.flags,
    }
    if with_events:
        record["events"] = [_event(event) for event in history]
    return record


def as_text(
    state: DigState, history: Sequence[Event], with_events: bool = False, *, counts: bool = True
) -> str:
    """A dig for a person to read; text of files behind `> `, hidden characters as escapes.

    Its decision may no longer be one that `counts`.
    """
    status = status_of(state, counts=counts)
    lines = [f"{state.dig} on base {state.base}: {visible_line(status.state)}"]
    lines += [status.waits_for] if status.waits_for else []
    lines += [f"{key}: {_line(value)}" for key, value in dump(state.context).items() if value]
    lines += ["", *(_attempt_line(event) for event in _refused(history))]
    for candidate in state.candidates.values():
        lines += _candidate_lines(state, candidate)
    if state.report:
        lines += ["", state.report.text, f"SHA-256: {state.report.sha256}"]
    if state.decision:
        decision = state.decision
        lines.append(f"Decided {decision.at}: {decision.level}, by {decision.way}")
        lines.append(f"kept {', '.join(decision.keep)}; dropped {', '.join(decision.drop) or '-'}")
    if state.brief:
        lines.append(f"Brief: {state.brief.path} (sha256 {state.brief.sha256})")
    lines += _spent_lines(state)
    if with_events:
        lines += [f"{event.seq} {event.at} {event.actor} {event.kind}" for event in history]
    return "\n".join(lines)


def _line(value: str | Sequence[str]) -> str:
    return visible_line(value if isinstance(value, str) else "; ".join(value))


def _refused(history: Sequence[Event]) -> Iterator[Event]:
    """The attempts that a gate refused, of every pass."""
    return (event for event in history if event.kind == "refused")


def _attempt(event: Event) -> dict[str, Any]:
    refusal = event.payload["refusal"]
    return {
        "seq": event.seq,
        "at": event.at,
        "step": event.payload["step"],
        "batch": event.payload["batch"],
        "flag": refusal["flag"],
        "reason": refusal["reason"],
    }


def _attempt_line(event: Event) -> str:
    attempt = _attempt(event)
    batch = f", batch {attempt['batch']}" if attempt["batch"] else ""
    reason = visible_line(attempt["reason"])
    return f"refused at {attempt['at']}, step {attempt['step']}{batch}: {attempt['flag']}, {reason}"


def _candidate(state: DigState, candidate: Candidate) -> dict[str, Any]:
    row, score = candidate.row, state.scores.get(candidate.id)
    return {
        "id": candidate.id,
        "file": row.path,
        "title": row.title,
        "summary": row.summary,
        "keypoints": row.keypoints,
        "tags": row.tags,
        "monomyth": row.monomyth,
        "role": row.role,
        "prescore": candidate.prescore,
        "structural": candidate.structural,
        "via": candidate.via,
        "hits": dict(candidate.hits),
        "embodies": score.embodies if score else None,
        "why": score.why if score else None,
    }


def _event(event: Event) -> dict[str, Any]:
    return {
        "seq": event.seq,
        "at": event.at,
        "actor": event.actor,
        "kind": event.kind,
        "payload": event.payload,
        "hash": event.hash,
    }


def _candidate_lines(state: DigState, candidate: Candidate) -> list[str]:
    score = state.scores.get(candidate.id)
    judged = f" embodies {score.embodies} ({visible_line(score.why)})" if score else ""
    first = f"{candidate.id} {visible_line(candidate.row.path)} prescore {candidate.prescore}"
    lines = [first + judged]
    if rejection := state.rejections.get(candidate.id):
        lines.append(f"    no excerpt: {rejection.flag}, {rejection.reason}")
    if evidence := state.evidence.get(candidate.id):
        excerpt = evidence.excerpt
        lines.append(
            f"    lines {excerpt.first_line}-{excerpt.last_line}, {excerpt.words} words, "
            f"sha256 {excerpt.sha256}, voice {evidence.voice.outcome}"
        )
        lines.append(quoted(excerpt.text))
    return lines


def _spent_lines(state: DigState) -> list[str]:
    """What the judges took, a line for each step and judge."""
    totals: dict[tuple[int, str], list[Spent]] = {}
    for one in state.spent:
        totals.setdefault((one.step, one.judge), []).append(one)
    return [
        f"judge {name}, step {step}: {_total(spent)}"
        for (step, name), spent in sorted(totals.items())
    ]


def _total(spent: Sequence[Spent]) -> str:
    calls = sum(one.calls for one in spent)
    tokens = sum(one.input_tokens for one in spent), sum(one.output_tokens for one in spent)
    seconds = sum(one.seconds for one in spent)
    known = [one.cost for one in spent if one.cost is not None]
    cost = f", {sum(known):.4f} US dollars" if known else ""
    return f"{calls} calls, {tokens[0]} tokens in, {tokens[1]} out, {seconds:.1f} seconds{cost}"
