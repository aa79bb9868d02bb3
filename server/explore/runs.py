"""The runs of one principal: found, moved by one judgement at a time, and left on the disk."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from server.config import Settings
from server.explore import closing, inbox
from server.explore.answers import Answer, Answered
from server.explore.arguments import Asked, Wrong
from server.explore.artefacts import QUESTION, check_still_outside, file_name, kept, write
from server.explore.bases import Bases
from server.explore.fold import fold
from server.explore.ledger import Ledger
from server.explore.marked import commit_line
from server.explore.opening import Caller
from server.explore.outcome import Outcome, charge, event
from server.explore.parked import question_of
from server.explore.reading import Done, Scope
from server.explore.recording import Recording
from server.explore.refusals import refuse, unknown_run, wrong_moment
from server.explore.review import Said, answer
from server.explore.state import Driver, RunState
from server.explore.states import State, Tool, allows, moves
from server.passphrase import is_set
from server.principal import LOCAL
from server.refusals import Refusal
from server.store import Store, UnknownRun

Work = Callable[[RunState, Scope], Done]


class Runs:
    """What every move of a run goes through, whoever drives it; all runs are there for None."""

    def __init__(
        self,
        settings: Settings,
        principal: str | None = None,
        driver: Driver = "mcp",
        bases: Bases | None = None,
    ) -> None:
        self.settings = settings
        self.caller = Caller(principal or LOCAL, driver)
        self.bases = bases or Bases(settings)
        self.ledger = Ledger(Store(settings.state), principal)
        self.recording = Recording(self.ledger)

    def answer_review(self, run: str, said: Said) -> Answer:
        """Record a person's answer, and keep its copy where an answer could have come from."""

        def judge(name: str) -> Answer:
            check_still_outside(Path(self.load(name).opening.inbox), self.settings)
            state, found = self._answered(name, said)
            if not isinstance(found, Refusal):
                inbox.keep_copy(state, state.reviews[said.index])
            return found

        return self.known("review", run, judge)

    def charged(self, run: str, role: str, tokens: int) -> RunState:
        """Charge what a model call of the driver used; past the cap the run has ended."""

        def judge(state: RunState) -> Outcome:
            over = charge(state, role, tokens)
            paid = event("charged", role=role, reported=tokens)
            return over or Outcome(Answered(next=moves(state.state)), (paid,))

        with self.ledger.held(run):
            return self._after(self.ledger.amend(run, judge)[0])

    def round_lost(self, run: str) -> RunState:
        """A round whose assessment the manager could not produce; it counts, and is a reset."""

        def judge(state: RunState) -> Outcome:
            resets = state.resets + 1
            over = resets >= state.opening.contract.max_reset_count
            to: State = "ended" if over else "planning"
            lost = event("round_lost", "server", resets=resets, state=to)
            return Outcome(Answered(next=moves(to)), (lost,), to)

        return self._after(self.ledger.amend(run, judge)[0])

    def resumed(self, run: str, index: int, retry: bool) -> Answer:
        """A process takes the run up after the answer to a question; one process does so."""

        def judge(state: RunState) -> Outcome:
            if state.taken == index and not retry:
                reason = f"the answer to question #{index + 1} was taken up already"
                remedy = "if that process has died: resume with --retry"
                return Outcome(refuse("WRONG_MOMENT", f"resume {run}", reason, remedy))
            # after a reset the plan that was approved is no longer the one to go on with
            approved = state.reviews[-1].decision == "approve" and not state.stalled
            to: State = "ready" if approved else "planning"
            going_on = event("resumed", "server", index=index, state=to)
            return Outcome(Answered(next=moves(to)), (going_on,), to)

        return self.ledger.amend(run, judge)[1]

    def restarted(self, run: str) -> RunState:
        """A process begins the loop anew, nothing being parked; an unanswered plan is withdrawn."""

        def judge(state: RunState) -> Outcome:
            going_on = event("resumed", "server", withdrawn=True, state="planning")
            return Outcome(Answered(next=moves("planning")), (going_on,), "planning")

        return self.ledger.amend(run, judge)[0]

    def keep_question(self, run: str) -> RunState:
        """The question of a loop is on the disk as it was asked, and the ledger says so.

        After that a file that is gone or changed is believed in no part; before, a crash is why.
        """
        state = self.ledger.load(run)
        asked = state.question or state.answered
        if asked is None or state.kept == asked.index:
            return state
        header, events = self.ledger.store.load(run)
        last = max(at for at, event in enumerate(events) if event.kind == "review_asked")
        self.show_question(fold(replace(header, state="awaiting_review"), events[: last + 1]))
        return self.ledger.record(run, [event("parked", "server", index=asked.index)])

    def marked(self, run: str, line: str) -> RunState:
        """Keep the hypothesis of a marked line; raises HypothesisParseError for any other."""

        def judge(state: RunState) -> Outcome:
            opening, next_ = state.opening, moves(state.state)
            done = commit_line(
                state, line, Scope(opening.bases, opening.dimension, next_), self.bases
            )
            events = [event("hypothesised", effects=dict(done.effects))] if done.effects else []
            return Outcome(done.answer, events)

        return self.ledger.amend(run, judge)[0]

    def fail(self, run: str, failed: str) -> RunState:
        """End a run by an error; `failed` is its class name."""
        ended = event("ended", "server", failed=failed, state="ended")
        answer_ = Answered(next=moves("ended"))
        state, _ = self.ledger.amend(run, lambda state: Outcome(answer_, (ended,), "ended"))
        return self._after(state)

    def load(self, run: str) -> RunState:
        """A run as it stands; raises UnknownRun."""
        return self.ledger.load(run)

    def traced(self, run: object, asked: Asked, wrong: Wrong | None, work: Work) -> Answer:
        """A call that is an entry of the trace, made at its moment and with sound arguments."""

        def made(name: str) -> Answer:
            state, complaint = self.current(name)
            if refusal := _untimely(asked.name, state, complaint):
                self.recording.refused(state, asked, refusal)
                return refusal

            def guarded(state: RunState) -> Done:
                if wrong is not None:
                    return Done(wrong_argument(asked.words, wrong).answer)
                if refusal := _untimely(asked.name, state, ""):
                    return Done(refusal)  # another process has moved the run meanwhile
                opening = state.opening
                return work(state, Scope(opening.bases, opening.dimension, moves(state.state)))

            state, found = self.recording.made(state, asked, guarded)
            self._after(state)
            return found

        return self.known(asked.name, run, made)

    def moved(
        self,
        run: object,
        tool: Tool,
        judge: Callable[[RunState], Outcome],
        before: Callable[[RunState], Answer | None] = lambda state: None,
    ) -> Answer:
        """A move judged and appended; `before` answers what was answered already."""

        def judged(state: RunState) -> Outcome:
            if (known := before(state)) is not None:
                return Outcome(known)
            refusal = _untimely(tool, state, "")
            return Outcome(refusal) if refusal else judge(state)

        def at_once(name: str) -> Answer:
            earlier, complaint = self.current(name)
            if complaint:
                return wrong_moment(tool, earlier, complaint)
            state, found = self.ledger.amend(name, judged)
            if state.seq != earlier.seq:
                self._after(state)
            return found

        return self.known(tool, run, at_once)

    def known(self, asked: str, run: object, move: Callable[[str], Answer]) -> Answer:
        """What the move gives; the same refusal for whatever is no run of the caller's."""
        if not isinstance(run, str):
            return unknown_run(asked)
        try:
            with self.ledger.held(run):
                return move(run)
        except UnknownRun:
            return unknown_run(asked)

    def current(self, run: str) -> tuple[RunState, str]:
        """A run as it stands, an answer that waited taken up; or why what lies there is none."""
        state = self.ledger.load(run)
        if state.question is None or state.opening.driver != "mcp":
            return state, ""
        said = inbox.waiting(state)
        if said is None:
            self.show_question(state)
            return state, ""
        if isinstance(said, inbox.NoAnswer):
            return state, said.reason
        state, found = self._answered(run, said)
        return state, found.reason if isinstance(found, Refusal) else ""

    def _answered(self, run: str, said: Said) -> tuple[RunState, Answer]:
        alone = is_set(self.settings.state)
        before = self.ledger.load(run)
        state, found = self.ledger.amend(run, lambda state: answer(state, said, alone))
        if state.seq != before.seq:
            self._after(state)
        return state, found

    def _after(self, state: RunState) -> RunState:
        """What stands on the disk of a run that has come to a stop."""
        if state.question is not None:
            self.show_question(state)
        if state.question is not None or state.state in ("ended", "closed"):
            self.write_files(state)
        if state.state == "closed" or state.failed:
            self._span(state)
        return state

    def write_files(self, state: RunState) -> None:
        """The files of a run as its ledger has them; raises StorageTrouble."""
        check_still_outside(Path(state.opening.artefacts), self.settings)
        closing.write_files(state)

    def _span(self, state: RunState) -> None:
        """Tell whoever watches that the run has ended."""
        from server.explore.spans import record_span

        record_span(state, self.ledger.store.load(state.run)[1])

    def show_question(self, state: RunState) -> None:
        """The open question as a file, if there is one and it is not there; else nothing."""
        folder = Path(state.opening.artefacts)
        if state.question is not None and _is_new(state, folder):
            check_still_outside(folder, self.settings)
            write(folder, state.run, QUESTION, question_of(state))


def _is_new(state: RunState, folder: Path) -> bool:
    """Whether what is there shows another question than the open one, or none."""
    try:
        content = kept(folder / file_name(state.run, QUESTION))
    except OSError:
        return True  # nothing there that shows a question: writing it says what is wrong
    question = state.question
    return question is not None and hashlib.sha256(content).hexdigest() != question.sha256


def _untimely(tool: str, state: RunState, complaint: str) -> Refusal | None:
    named: Tool = tool  # type: ignore[assignment]
    return None if allows(state.state, named) else wrong_moment(named, state, complaint)


def wrong_argument(asked: str, wrong: Wrong) -> Outcome:
    """The refusal of an argument that no gate could judge."""
    return Outcome(refuse("INVALID_ARGUMENT", asked, wrong.reason, wrong.remedy))
