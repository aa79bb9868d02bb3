"""One assessment by the manager: the row, what it does to the stalls, and where it leads."""

from dataclasses import dataclass

from gates.rounds import (
    Assessment,
    Stalls,
    after_round,
    round_in_order,
    rounds_left,
)
from server.explore.answers import Assessed, record_of
from server.explore.endings import assessments, ending_of
from server.explore.outcome import Outcome, charge, event, foreseen
from server.explore.refusals import exhausted, of_verdict
from server.explore.state import Exhausted, Row, RunState
from server.explore.states import State, moves
from server.fold import dump
from server.store import NewEvent

ASKED = "record_round"


@dataclass(frozen=True, slots=True)
class Sent:
    """A row as a driver sends it, in form."""

    round_index: int
    is_request_satisfied: bool
    is_in_loop: bool
    is_progress_being_made: bool
    next_speaker: str
    instruction_or_question: str
    tokens: int = 0


def repeated(state: RunState, sent: Sent) -> Assessed | None:
    """The reply to the last row, if this is it again."""
    if not state.rows or state.last_reply is None:
        return None
    if _row(sent) != _row(state.rows[-1]):
        return None
    return Assessed.model_validate(state.last_reply)


def record(state: RunState, sent: Sent) -> Outcome:
    """The row recorded, unless it is out of order or there is nothing left to spend."""
    verdict = round_in_order(sent.round_index, len(state.rows))
    if not verdict.passed:
        return Outcome(of_verdict(verdict, ASKED))
    if gone := charge(state, ASKED, sent.tokens) or _no_round_left(state, sent.tokens):
        return gone
    assessment = Assessment(
        sent.is_request_satisfied, sent.is_in_loop, sent.is_progress_being_made, sent.next_speaker
    )
    over = assessment.satisfied or not assessment.speaker_known
    before = Stalls(state.stall_count, state.resets)
    stalls = before if over else after_round(before, assessment, state.opening.contract)
    to: State = "exploring"
    if over or stalls.over:
        to = "ended"
    elif stalls.replan:
        to = "planning"
    row = Row(*_row(sent)[:-1], assessment.speaker_known, sent.tokens)
    return _outcome(state, row, stalls, to)


def _outcome(state: RunState, row: Row, stalls: Stalls, to: State) -> Outcome:
    facts = {
        "row": dump(row),
        "stall_count": stalls.count,
        "resets": stalls.resets,
        "stalled": stalls.replan,
        "reported": row.tokens,
        "state": to,
    }
    after = foreseen(state, [event("round", **facts, reply=None)])
    contract = state.opening.contract
    reply = Assessed(
        round_index=row.round_index,
        speaker_known=row.speaker_known,
        stall_count=stalls.count,
        resets=stalls.resets,
        rounds_left=max(0, contract.max_rounds - len(after.rows) - after.rounds_lost),
        tokens_left=contract.max_tokens - after.spent,
        state=to,
        ends_as=ending_of(after).name if to == "ended" else "",
        next=moves(to),
    )
    return Outcome(reply, (event("round", **facts, reply=record_of(reply)),), to)


def _no_round_left(state: RunState, tokens: int) -> Outcome | None:
    contract, used = state.opening.contract, len(state.rows) + state.rounds_lost
    if rounds_left(assessments(state), state.rounds_lost, contract).passed:
        return None
    gone = Exhausted("rounds", contract.max_rounds, used)
    payload = {"reported": tokens, "exhausted": dump(gone), "state": "ended"}
    answer = exhausted(ASKED, gone.kind, gone.limit, gone.spent)
    return Outcome(answer, (NewEvent("charged", payload),), "ended")


def _row(row: Sent | Row) -> tuple[int, bool, bool, bool, str, str, int]:
    return (
        row.round_index,
        row.is_request_satisfied,
        row.is_in_loop,
        row.is_progress_being_made,
        row.next_speaker,
        row.instruction_or_question,
        row.tokens,
    )
