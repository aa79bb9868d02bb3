"""Step 4: the deep cuts and direct hits among the top rows."""

from collections.abc import Mapping
from typing import Any, cast

from gates.picks import PickFacts, picks_allowed
from gates.verdict import first_refusal
from index.records import Row
from server import refusals
from server.dig_state import DeepCut, DigState, Picks
from server.fold import dump
from server.moves.outcome import Outcome, counted_refusal
from server.replies import Next, Picked
from server.store import NewEvent

STEP = 4


def pick(state: DigState, sent: Mapping[str, object]) -> Outcome:
    """Accept the picks, or refuse them with what is wrong."""
    facts = PickFacts(
        top={c.id: naming_texts(c.row) for c in state.top},
        embodies={c.id: state.scores[c.id].embodies for c in state.top},
        keyword=state.context.keyword_primary,
    )
    if verdict := first_refusal([picks_allowed(facts, sent)]):
        return counted_refusal(state, refusals.from_verdict(verdict, "pick_scotoma"), STEP)
    picks = _picks(sent)
    answer = Picked(
        dig_id=state.dig,
        deep_cuts=tuple(cut.id for cut in picks.deep_cuts),
        direct_hits=picks.direct_hits,
        pass4_empty=picks.pass4_empty,
        next=Next(
            tool="dig_report",
            why="render the report; extract_excerpt shows or changes a picked passage before",
        ),
    )
    return Outcome(answer, (NewEvent("picked", {"picks": dump(picks), "flags": []}),), "picked")


def naming_texts(row: Row) -> tuple[str, ...]:
    """Where a row could name the keyword: all that an agent is shown of it, and its file name."""
    name = row.path.rpartition("/")[2].rpartition(".")[0]
    digests = (digest.text for digest in row.digests)
    return (row.title, name, row.summary or row.lead, *digests, *row.keypoints, *row.tags)


def _picks(sent: Mapping[str, object]) -> Picks:
    cuts = cast("list[dict[str, Any]]", sent["deep_cuts"])
    return Picks(
        deep_cuts=tuple(DeepCut(cut["id"], cut["connection"].strip()) for cut in cuts),
        direct_hits=tuple(cast("list[str]", sent["direct_hits"])),
        pass4_empty=sent["pass4_empty"] is True,
    )
