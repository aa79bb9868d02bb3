"""Step 3: a batch of scores, judged whole; then the next batch, or the top rows."""

from dataclasses import replace
from typing import Any, cast

from gates.scoring import scores_complete, scores_vary
from gates.verdict import first_refusal
from server import refusals
from server.config import Settings
from server.decoys import HIGH
from server.dig_state import Candidate, DigState, Score
from server.fold import dump
from server.moves.outcome import Outcome, counted_refusal
from server.replies import Batch, Next, Summary, TopRow
from server.shown import shown_summary
from server.store import NewEvent

STEP = 3


def score(state: DigState, batch: int, sent: object, settings: Settings) -> Outcome:
    """Accept the scores of the open batch, or refuse them with what is wrong."""
    open_batch = state.batches_scored + 1
    asked = f"score_summaries of batch {batch}"
    if batch != open_batch:
        legal = [f"score_summaries of batch {open_batch}"]
        return Outcome(refusals.wrong_step(asked, state.state, legal, state.dig))
    ids = state.batches[batch - 1]
    if verdict := first_refusal([scores_complete(ids, sent)]):
        return counted_refusal(state, refusals.from_verdict(verdict, asked), STEP, batch)
    scores = tuple(
        Score(entry["id"], entry["embodies"], " ".join(entry["why"].split()))
        for entry in cast("list[dict[str, Any]]", sent)
    )
    flat = scores_vary([entry.embodies for entry in scores]).flag
    # the flag is for the person: said at once, it would name the row
    fooled = any(one.id in state.decoys and one.embodies >= HIGH for one in scores)
    flags = [flag for flag in (flat, "DECOY_SCORED" if fooled else "") if flag]
    event = NewEvent("scored", {"batch": batch, "scores": dump(scores), "flags": flags})
    if batch < len(state.batches):
        answer = batch_reply(state, batch + 1, (flat,) if flat else (), settings)
        return Outcome(answer, (event,), "scoring")
    return Outcome(_top(state, scores, flat, settings), (event,), "scored")


def batch_reply(state: DigState, batch: int, flags: tuple[str, ...], settings: Settings) -> Batch:
    """The rows of one batch, to be scored."""
    rows = tuple(map(_summary, state.shown(batch)))
    return Batch(
        dig_id=state.dig,
        batch=batch,
        batches=len(state.batches),
        pattern=state.context.pattern,
        rows=rows,
        guidance=settings.guidance.scores,
        flags=flags,
        next=Next(
            tool="score_summaries",
            why=f"send batch {batch} with, for each id once, how strongly its summary embodies "
            "the pattern (0 none, 1 touches, 2 strong, 3 exact) and why in 1-12 words",
        ),
    )


def _summary(candidate: Candidate) -> Summary:
    text, note = shown(candidate)
    return Summary(id=candidate.id, summary=text, note=note)


def shown(candidate: Candidate) -> tuple[str, str]:
    """What is shown of a row, and a note: cut, or title and lead for want of a summary."""
    row = candidate.row
    if row.summary:
        text, cut = shown_summary(row.summary)
        return text, "truncated" if cut else ""
    text, _ = shown_summary(". ".join(part for part in (row.title, row.lead) if part))
    return text, "no summary: title and lead"


def _top(state: DigState, last: tuple[Score, ...], flat: str, settings: Settings) -> Batch:
    new = {entry.id: entry for entry in last if entry.id not in state.decoys}
    scored = replace(state, scores={**state.scores, **new})
    rows: list[TopRow] = []
    for candidate in scored.top:
        text, note = shown(candidate)
        given = scored.scores[candidate.id]
        rows.append(
            TopRow(
                id=candidate.id,
                title=candidate.row.title,
                summary=text,
                embodies=given.embodies,
                why=given.why,
                note=note,
            )
        )
    return Batch(
        dig_id=state.dig,
        pattern=state.context.pattern,
        top=tuple(rows),
        guidance=settings.guidance.pick,
        flags=(flat,) if flat else (),
        next=Next(
            tool="pick_scotoma",
            why="deep_cuts: the 1-2 rows that embody the pattern without naming its keyword, each "
            "with its non-obvious connection in one line; none qualify: send none and "
            "pass4_empty true; direct_hits: the strongest keyword-obvious rows",
        ),
    )
