"""Events folded into the state of a dig: one small function for each kind, listed once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from index.faults import StorageTrouble
from index.text import visible
from server.dig_state import (
    BriefFile,
    Candidate,
    Context,
    Decision,
    DigState,
    Evidence,
    Failure,
    Picks,
    Rejection,
    Report,
    Score,
    Spent,
)
from server.steps import BEFORE_STEP
from server.store import Event, Run

T = TypeVar("T")


@cache
def _adapter(form: Any) -> TypeAdapter[Any]:
    return TypeAdapter(form)


def dump(record: object) -> Any:
    """A record as plain JSON values."""
    form: Any = type(record)
    return _adapter(form).dump_python(record, mode="json")


def revive(form: type[T], value: object) -> T:
    """The record behind plain JSON values; stored state is input, so it is validated."""
    wanted: Any = form
    record: T = _adapter(wanted).validate_python(value)
    return record


def fold(run: Run, events: tuple[Event, ...]) -> DigState:
    """The state after all events.

    Raises StorageTrouble when they do not add up to what the run says of itself.
    """
    try:
        return advance(_opened(run, events[0]), events[1:], run.state)
    except (KeyError, IndexError, TypeError, AttributeError, ValidationError) as wrong:
        raise StorageTrouble(
            f"{run.run} has an event this program cannot read ({type(wrong).__name__})",
            "use the program that wrote it, or restore a backup of the state directory",
        ) from wrong


def advance(state: DigState, events: Sequence[Event], to: str) -> DigState:
    """The state after further events, which must lead to where the run is said to be."""
    for event in events:
        state = replace(_KINDS[event.kind](state, event), seq=event.seq, head=event.hash)
        state = _with_answer(state, event.payload)
    if state.state != to:
        raise StorageTrouble(f"{state.dig} is said to be {to}, its events say {state.state}")
    return state


def _opened(run: Run, event: Event) -> DigState:
    if event.kind != "opened":
        raise KeyError(event.kind)
    said = event.payload.get("base", {"id": run.base, "root": ""})
    if (said["id"], event.payload["context"]["title"]) != (run.base, run.title):
        raise StorageTrouble(
            f"{run.run} is listed with another base or title than it was opened with",
            "the record was changed from outside; restore a backup of the state directory",
        )
    state = DigState(
        dig=run.run,
        base=run.base,
        context=revive(Context, event.payload["context"]),
        state="opened",
        seq=event.seq,
        head=event.hash,
        opened_at=event.at,
        root=said["root"],
        principal=run.principal,
        flags=tuple(event.payload["flags"]),
    )
    return _with_answer(state, event.payload)


def _refused(state: DigState, event: Event) -> DigState:
    attempt = (int(event.payload["step"]), int(event.payload["batch"]))
    return replace(state, refusals=(*state.refusals, attempt))


def _retrieved(state: DigState, event: Event) -> DigState:
    found = revive(tuple[Candidate, ...], event.payload["candidates"])
    hidden = revive(tuple[Candidate, ...], event.payload.get("decoys", []))
    batches = tuple(tuple(batch) for batch in event.payload["batches"])
    return replace(
        state,
        state="scoring",
        terms=tuple(event.payload["terms"]),
        weak_terms=tuple(event.payload["weak_terms"]),
        generation=event.payload["generation"],
        left_out=dict(event.payload["left_out"]),
        candidates={**state.candidates, **{candidate.id: candidate for candidate in found}},
        decoys={**state.decoys, **{decoy.id: decoy for decoy in hidden}},
        batches=batches,
        batches_scored=0,
        batches_ever=state.batches_ever + len(batches),
        flags=_joined(state.flags, event.payload["flags"]),
    )


def _judge(state: DigState, event: Event, step: int, batch: int) -> str:
    """Whose answer was accepted; a judge of which nothing was spent is word statistics."""
    if event.actor != "judge":
        return "the agent"
    spent = state.spent[state.spent_in_vain :]
    asked = [visible(one.judge) for one in spent if (one.step, one.batch) == (step, batch)]
    return f"the judge {asked[-1]}" if asked else "the offline judge"


def _scored(state: DigState, event: Event) -> DigState:
    scores = revive(tuple[Score, ...], event.payload["scores"])
    done = state.batches_scored + 1
    return replace(
        state,
        state="scored" if done == len(state.batches) else "scoring",
        batches_scored=done,
        judges=_joined(state.judges, (_judge(state, event, 3, done),)),
        scores={**state.scores, **{one.id: one for one in scores if one.id not in state.decoys}},
        flags=_joined(state.flags, event.payload["flags"]),
    )


def _picked(state: DigState, event: Event) -> DigState:
    picks = revive(Picks, event.payload["picks"])
    connections = {cut.id: cut.connection for cut in picks.deep_cuts}
    return replace(
        state,
        state="picked",
        picks=picks,
        judges=_joined(state.judges, (_judge(state, event, 4, 0),)),
        connections={**state.connections, **connections},
        flags=_joined(state.flags, event.payload["flags"]),
    )


def _excerpt_cut(state: DigState, event: Event) -> DigState:
    evidence = revive(Evidence, event.payload["evidence"])
    if added := event.payload.get("candidate"):
        state = with_added(state, revive(Candidate, added))
    rejections = {k: v for k, v in state.rejections.items() if k != evidence.excerpt.row}
    return replace(
        state,
        evidence={**state.evidence, evidence.excerpt.row: evidence},
        rejections=rejections,
    )


def _excerpt_rejected(state: DigState, event: Event) -> DigState:
    rejection = revive(Rejection, event.payload["rejection"])
    return replace(state, rejections={**state.rejections, rejection.id: rejection})


def _reported(state: DigState, event: Event) -> DigState:
    report = revive(Report, event.payload["report"])
    return replace(state, state="reported", report=report, decision=None)


def _asked(state: DigState, event: Event) -> DigState:
    return replace(state, asked=(*state.asked, event.payload["report_sha256"]))


def _decided(state: DigState, event: Event) -> DigState:
    decision = replace(revive(Decision, event.payload["decision"]), at=event.at)
    others = tuple(id_ for id_ in state.dropped if id_ not in decision.keep)
    return replace(
        state, state="decided", decision=decision, dropped=_joined(others, decision.drop)
    )


def with_added(state: DigState, candidate: Candidate) -> DigState:
    """The state with a passage that a person adds."""
    candidates = {**state.candidates, candidate.id: candidate}
    return replace(state, candidates=candidates, added=(*state.added, candidate.id))


def _redirected(state: DigState, event: Event) -> DigState:
    dropped = _joined(state.dropped, event.payload["drop"])
    return replace(
        state,
        state="opened",
        pass_number=state.pass_number + 1,
        redirects=(*state.redirects, event.payload["words"]),
        kept=tuple(event.payload["keep"]),
        dropped=dropped,
        added=tuple(id_ for id_ in state.added if id_ not in dropped),
        terms=(),
        weak_terms=(),
        batches=(),
        batches_scored=0,
        picks=Picks(),
        report=None,
        decision=None,
        refusals=(),
        answers={},
    )


def _brief_started(state: DigState, event: Event) -> DigState:
    return replace(state, brief=BriefFile(event.payload["path"], event.payload["sha256"]))


def _brief_written(state: DigState, event: Event) -> DigState:
    brief = BriefFile(event.payload["path"], event.payload["sha256"], written=True)
    return replace(state, state="briefed", brief=brief)


def _failed(state: DigState, event: Event) -> DigState:
    return replace(
        state,
        state="failed",
        failure=revive(Failure, event.payload["failure"]),
        spent_in_vain=len(state.spent),
    )


def _reopened(state: DigState, event: Event) -> DigState:
    if state.failure is None:
        raise KeyError("failure")
    successes = {key: answer for key, answer in state.answers.items() if "refusal" not in answer}
    return replace(
        state,
        state=BEFORE_STEP[state.failure.step],
        failure=None,
        reopened=state.reopened + 1,
        refusals=(),
        answers=successes,
    )


def _spent(state: DigState, event: Event) -> DigState:
    return replace(state, spent=(*state.spent, *revive(tuple[Spent, ...], event.payload["spent"])))


def _abandoned(state: DigState, event: Event) -> DigState:
    return replace(state, state="abandoned")


_KINDS: Mapping[str, Callable[[DigState, Event], DigState]] = {
    "refused": _refused,
    "retrieved": _retrieved,
    "scored": _scored,
    "picked": _picked,
    "excerpt_cut": _excerpt_cut,
    "excerpt_rejected": _excerpt_rejected,
    "reported": _reported,
    "asked": _asked,
    "decided": _decided,
    "redirected": _redirected,
    "brief_started": _brief_started,
    "brief_written": _brief_written,
    "failed": _failed,
    "reopened": _reopened,
    "abandoned": _abandoned,
    "spent": _spent,
}


def _with_answer(state: DigState, payload: Mapping[str, Any]) -> DigState:
    answer = payload.get("answer")
    if answer is None:
        return state
    key = (answer["tool"], answer["attempt"])
    return replace(state, answers={**state.answers, key: answer})


def _joined(flags: tuple[str, ...], more: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (*flags, *(flag for flag in more if flag not in flags))
