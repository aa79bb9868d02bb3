"""A dig driven without an agent: a judge is asked, and the same gates judge what it answers."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from server import refusals, steps
from server.ahead import Ahead
from server.dig import Digs
from server.dig_state import DigState, Spent
from server.foreseen import as_refusals
from server.judge import (
    Asked,
    Judge,
    Metered,
    NoAnswer,
    PickRequest,
    Request,
    ScoresRequest,
    TermsRequest,
    Unreachable,
    Unreadable,
)
from server.moves import reporting
from server.refusals import Refusal
from server.replies import Answer
from server.steps import State

# What the gates say of an answer; everything else a refusal may say is no fault of the judge.
_UNREADABLE = {1: "TERM_COUNT", 3: "SCORES_INVALID", 4: "PICK_INVALID"}
JUDGED = frozenset({"TERM_COUNT", "TERM_FANOUT", "NO_CANDIDATES", "SCORES_INVALID", "PICK_INVALID"})
# After a refusal by these gates the same call, a moment later, may be answered: so many times it is
# repeated. A build that runs is waited for each time, and one of 100,000 files takes minutes.
PASSING = {"index_ready": 1000, "index_whole": 3, "store": 3}
PAUSE_SECONDS = 0.2

T = TypeVar("T")
Watch = Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class _Turn:
    """One question to the judge, about a dig as it stands; `complaint` is what it got wrong."""

    digs: Digs
    ahead: Ahead
    state: DigState
    complaint: str = ""

    @property
    def judge(self) -> Judge:
        """Who is asked."""
        return self.ahead.judge

    @property
    def step(self) -> int:
        """The step that the question belongs to."""
        return steps.STEP[steps.TOOLS[self.state.state][0]]

    @property
    def batch(self) -> int:
        """The open batch, counted from 1; 0 outside the scores."""
        return self.state.batches_scored + 1 if self.state.state == "scoring" else 0

    @property
    def refused_before(self) -> bool:
        """Whether an answer to this question was refused already, in this process or another."""
        # Terms pass two steps in one move: their own gates, then the search that they lead.
        numbers = (1, 2) if self.step == 1 else (self.step,)
        stored = any(self.state.refusals_of(number, self.batch) for number in numbers)
        return bool(self.complaint) or stored

    def asked(self, guidance: str) -> Asked:
        """What comes with the question."""
        redirect = self.state.redirects[-1] if self.state.redirects else ""
        return Asked(self.state.context, guidance, redirect, self.complaint)

    def answer(self, request: Request, ask: Callable[[], T]) -> T:
        """What the judge answers; what it took is recorded, whatever becomes of the answer."""
        try:
            return ask()
        finally:
            if spent := _spent_on(self.judge, request):
                self.digs.record_spent(self.state.dig, spent)


@dataclass(frozen=True, slots=True)
class Stand:
    """How far a dig is on the way to its report; a total of 0 is not known yet."""

    done: int
    total: int
    text: str


def stand_of(state: DigState) -> Stand:
    """What the judge is at, and what it has taken so far."""
    batches, open_batch = len(state.batches), state.batches_scored + 1
    done, text = {
        "opened": (0, "step 1, terms"),
        "scoring": (open_batch, f"step 3, batch {open_batch} of {batches}"),
        "scored": (batches + 1, "step 4, pick"),
        "picked": (batches + 2, "step 5, report"),
    }.get(state.state, (batches + 3, state.state))
    tokens = sum(one.input_tokens + one.output_tokens for one in state.spent)
    taken = f", {tokens} tokens" if tokens else ""
    return Stand(done, batches + 3 if batches else 0, text + taken)


def drive(digs: Digs, dig: str, judge: Judge, watch: Watch | None = None) -> Answer:
    """Continue a dig from whatever state it is in, to its report or to the refusal that stops it.

    An answer that the gates refuse goes back to the judge once, with the refusal; the second one
    ends the step, be it the same or not. `watch` is told each answer on the way.
    """
    ahead = Ahead(judge)
    try:
        answer = as_refusals("dig", lambda: _driven(digs, dig, ahead, watch or _unwatched))
    finally:
        left = ahead.close()
    return as_refusals("dig", lambda: _record_left(digs, dig, judge, left)) or answer


def _record_left(digs: Digs, dig: str, judge: Judge, left: Sequence[ScoresRequest]) -> None:
    """What a judge took for batches whose turn never came."""
    spent = [one for request in left for one in _spent_on(judge, request)]
    if spent:
        digs.record_spent(dig, spent)


def _spent_on(judge: Judge, request: Request) -> tuple[Spent, ...]:
    return judge.spent_on(request) if isinstance(judge, Metered) else ()


def _driven(digs: Digs, dig: str, ahead: Ahead, watch: Watch) -> Answer:
    complaint, repeated = "", 0
    while True:
        state = digs.load(dig)
        if state.state == "reported":
            return reporting.reply(state)
        if state.state not in _MOVES:
            return refusals.wrong_step("dig --resume", state.state, _ways(digs, state), dig)
        answer = _move(turn := _Turn(digs, ahead, state, complaint))
        watch(answer)
        if not isinstance(answer, Refusal):
            complaint, repeated = "", 0
        elif repeated < PASSING.get(answer.gate, 0):
            repeated += 1
            time.sleep(PAUSE_SECONDS)
        elif answer.flag not in JUDGED:
            return answer
        elif turn.refused_before:
            step = 2 if answer.flag == "NO_CANDIDATES" else turn.step
            return digs.fail(dig, step, answer.reason, turn.batch)
        else:
            complaint = answer.text


def _move(turn: _Turn) -> Answer:
    """Ask and pass the answer on; a judge without an answer ends the step with its reason."""
    try:
        return as_refusals("dig", lambda: _MOVES[turn.state.state](turn))
    except NoAnswer as silence:
        return turn.digs.fail(turn.state.dig, turn.step, silence.reason, turn.batch)
    except Unreadable as wrong:
        tool = steps.TOOLS[turn.state.state][0]
        refusal = refusals.unreadable(tool, _UNREADABLE[turn.step], wrong.reason)
        return turn.digs.refuse(turn.state.dig, refusal, turn.step, turn.batch)
    except Unreachable as trouble:
        dig = turn.state.dig
        return refusals.unreachable("dig", trouble.reason, trouble.remedy, dig)


def _terms(turn: _Turn) -> Answer:
    request = TermsRequest(turn.asked(turn.digs.settings.guidance.terms))
    terms = turn.answer(request, lambda: turn.judge.suggest_terms(request))
    return turn.digs.retrieve_candidates(turn.state.dig, terms)


def _scores(turn: _Turn) -> Answer:
    state, guidance = turn.state, turn.digs.settings.guidance.scores
    asked, later = turn.asked(guidance), replace(turn, complaint="").asked(guidance)
    requests = [
        ScoresRequest(
            asked if batch == turn.batch else later,
            state.terms,
            batch,
            state.shown(batch),
        )
        for batch in range(turn.batch, len(state.batches) + 1)
    ]
    scores = turn.answer(requests[0], lambda: turn.ahead.score_first(requests))
    return turn.digs.score_summaries(state.dig, turn.batch, scores)


def _picks(turn: _Turn) -> Answer:
    state = turn.state
    top = tuple((candidate, state.scores[candidate.id]) for candidate in state.top)
    request = PickRequest(turn.asked(turn.digs.settings.guidance.pick), state.terms, top)
    picks = turn.answer(request, lambda: turn.judge.pick(request))
    return turn.digs.pick_scotoma(state.dig, picks)


def _report(turn: _Turn) -> Answer:
    return turn.digs.dig_report(turn.state.dig)


_MOVES: Mapping[State, Callable[[_Turn], Answer]] = {
    "opened": _terms,
    "scoring": _scores,
    "scored": _picks,
    "picked": _report,
}


def _ways(digs: Digs, state: DigState) -> list[str]:
    """What is left to do with a dig that no judge can continue, as commands."""
    if state.state == "decided" and not digs.counts(state):
        return [f"expedition decide {state.dig}"]
    ways: dict[State, list[str]] = {
        "decided": [f"expedition brief {state.dig}"],
        "briefed": [f"expedition show {state.dig}"],
        "failed": [f"expedition dig --resume {state.dig}"],
    }
    return ways.get(state.state, [])


def _unwatched(answer: Answer) -> None:
    """Nobody is watching."""
