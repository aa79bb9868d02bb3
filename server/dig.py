"""A dig, one method per move: load, judge, append. Every face of the program comes through here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Lock

from gates.human import strong_enough
from index.faults import Fault
from server import refusals, steps
from server.dig_state import BriefFile, DigState, Spent
from server.fold import advance, dump, fold
from server.foreseen import as_refusals
from server.library import Library
from server.moves import asking
from server.moves.asking import FormAnswer, Opening, Question
from server.moves.outcome import Outcome, attempt_of, counted_refusal, failed
from server.passphrase import weakest_that_counts
from server.principal import Asker, may_see, owner_of_machine
from server.refusals import Refusal
from server.replies import Answer, Briefed, Reported, store_answer, stored_answer
from server.shelf import whereabouts
from server.status import open_digs, page_of, status_of, ways_to_decide
from server.steps import Tool
from server.store import Actor, Busy, Conflict, NewEvent, Run, Store, UnknownRun

KIND = "dig"

# A loser of a race judges again; an assembly records one event before its last.
TRIES = 3
# Digs whose state is kept between calls.
REMEMBERED = 64

Judge = Callable[[DigState], Outcome]


class Digs:
    """All digs of one state directory; a move is loaded when it is made first.

    `actor` is who sends the judgements, `flags` what these and their answers are flagged with,
    `asker` on whose behalf: the digs of others are as unknown as none.
    """

    def __init__(
        self,
        library: Library,
        actor: Actor = "agent",
        flags: tuple[str, ...] = (),
        asker: Asker = owner_of_machine,
    ) -> None:
        self.library = library
        self.settings = library.settings
        self.store = Store(library.settings.state)
        self.actor: Actor = actor
        self._states: dict[str, DigState] = {}
        self._remembering = Lock()
        self.flags = flags
        self.asker = asker

    def open_dig(self, arguments: Mapping[str, object]) -> Answer:
        """Open a dig, or give the one back that the same words opened and nobody has moved."""
        from server.moves import opening

        return as_refusals(
            "open_dig",
            lambda: opening.open_dig(
                arguments, self.store, self.library, opening.Opener(self.actor, self.asker())
            ),
        )

    def retrieve_candidates(self, dig: str, sent: object) -> Answer:
        """Steps 1 and 2: judge the terms, freeze the candidates."""
        from server.moves import terms

        return self._move(
            dig,
            "retrieve_candidates",
            {"terms": sent},
            lambda state: terms.retrieve(state, sent, self.library),
        )

    def score_summaries(self, dig: str, batch: int, sent: object) -> Answer:
        """Step 3: judge the scores of the open batch."""
        from server.moves import scores

        return self._move(
            dig,
            "score_summaries",
            {"batch": batch, "scores": sent},
            lambda state: scores.score(state, batch, sent, self.settings),
        )

    def pick_scotoma(self, dig: str, sent: Mapping[str, object]) -> Answer:
        """Step 4: judge the picks among the top rows."""
        from server.moves import picks

        return self._move(dig, "pick_scotoma", sent, lambda state: picks.pick(state, sent))

    def extract_excerpt(self, dig: str, candidate: str, after_line: int | None) -> Answer:
        """Step 5: cut one verbatim excerpt from a picked file."""
        from server.moves import excerpts

        return self._move(
            dig,
            "extract_excerpt",
            {"id": candidate, "after_line": after_line},
            lambda state: excerpts.extract(state, (candidate, after_line), self.library),
        )

    def dig_report(self, dig: str) -> Answer:
        """Step 5: cut what is missing, find the voice anchors, render the report."""
        from server.moves import reporting

        answer = self._move(
            dig,
            "dig_report",
            {},
            lambda state: reporting.report(state, self.library),
        )
        return self._with_ways(answer)

    def _with_ways(self, answer: Answer) -> Answer:
        """A report with the ways there are now: pages come and go, and stored answers stay."""
        if not isinstance(answer, Reported):
            return answer
        page = page_of(self.settings, self.load(answer.dig_id))
        ways = ways_to_decide(answer.dig_id, page)
        return answer.model_copy(update={"ways": ways})

    def question(self, dig: str) -> Question | None:
        """The form for the host, where the brief lacks nothing but a decision."""
        from server.moves import briefing

        try:
            return briefing.question(self.load(dig), self.settings)
        except (UnknownRun, Busy, Fault):
            return None  # the move that follows meets the same and refuses with its reason

    def opening(self, dig: str) -> Opening | None:
        """The page to open for the person, where one runs and only a decision is missing."""
        try:
            state = self.load(dig)
            return asking.opening_of(state, page_of(self.settings, state))
        except (UnknownRun, Busy, Fault):
            return None  # as above

    def assemble_brief(self, dig: str, form: FormAnswer | None = None) -> Answer:
        """Step 6: write the brief that a person's recorded decision opened."""
        from server.moves import briefing

        if form is not None:
            heard = self.amend(
                dig, "assemble_brief", lambda state: asking.hear(state, form, self.settings)
            )
            if isinstance(heard, Refusal):
                return heard
        answer = self._move(
            dig,
            "assemble_brief",
            {},
            lambda state: briefing.assemble(state, self.library, self._announce),
        )
        return self._with_place(answer) if isinstance(answer, Briefed) and answer.saved else answer

    def _with_place(self, answer: Briefed) -> Answer:
        """A saved brief with the place where it is now: stored answers stay, files are moved."""
        found = whereabouts(self.settings, BriefFile(answer.path, answer.sha256))
        if found is None:
            return answer.model_copy(update={"flags": (*answer.flags, "BRIEF_GONE")})
        return answer.model_copy(update={"path": str(found)})

    def amend(self, dig: str, asked: str, judge: Judge) -> Answer:
        """Append what a person or a client decided, judged on the dig as it stands."""
        return as_refusals(asked, lambda: self._append(dig, judge))

    def _announce(self, state: DigState, seq: int, brief: BriefFile) -> None:
        """Record where a brief is about to be written, before it is."""
        event = NewEvent("brief_started", dump(brief), actor="server")
        self.store.append(state.dig, seq, state.state, [event])

    def dig_status(self, dig: str | None) -> Answer:
        """Where one dig stands, or which are open."""

        def answer() -> Answer:
            if dig is None:
                served = {base.id for base in self.settings.bases}
                return open_digs(self.runs(), served)
            state = self.load(dig)
            return status_of(state, page_of(self.settings, state), counts=self.counts(state))

        return as_refusals("dig_status", answer)

    def counts(self, state: DigState) -> bool:
        """Whether the dig's decision, if there is one, is strong enough to open a brief now.

        One whose brief was begun has opened it.
        """
        if state.decision is None or state.brief is not None:
            return True
        return strong_enough(state.decision.level, weakest_that_counts(self.settings)).passed

    def load(self, dig: str) -> DigState:
        """A dig as it stands; raises UnknownRun."""
        header = self.store.header(dig)
        if not may_see(self.asker(), header.principal):
            raise UnknownRun(dig)
        known = self._states.get(dig)
        if known is not None and (known.seq, known.head) == (header.seq, header.head):
            return known
        run, events = self.store.load(dig)
        if run.kind != KIND:
            raise UnknownRun(dig)
        return self._remembered(fold(run, events))

    def runs(self) -> list[Run]:
        """All digs that the asker may see, oldest first."""
        asking = self.asker()
        return [run for run in self.store.runs(KIND) if may_see(asking, run.principal)]

    def _remembered(self, state: DigState) -> DigState:
        """Keep a state for the next call, which finds it again by the seal of its last event."""
        with self._remembering:
            self._states[state.dig] = state
            if len(self._states) > REMEMBERED:
                self._states.pop(next(iter(self._states)))
        return state

    def fail(self, dig: str, step: int, reason: str, batch: int = 0) -> Answer:
        """End the open step, whose judge has no further answer."""
        asked = f"step {step}"

        def give_up(state: DigState) -> Outcome:
            if state.state != steps.BEFORE_STEP[step]:
                legal = steps.TOOLS[state.state]
                return Outcome(refusals.wrong_step(asked, state.state, legal, dig))
            answer = refusals.step_failed(step, reason, asked, dig)
            answer = answer.model_copy(update={"reason": "its judge has no other answer"})
            event = failed(step, reason, batch, self.flags)
            return Outcome(answer, (event,), "failed", replay=False)

        return as_refusals(asked, lambda: self._append(dig, give_up))

    def refuse(self, dig: str, refusal: Refusal, step: int, batch: int = 0) -> Answer:
        """Record an attempt that no gate could judge: the answer of a judge that is no answer."""

        def refused(state: DigState) -> Outcome:
            if state.state != steps.BEFORE_STEP[step]:
                legal = steps.TOOLS[state.state]
                return Outcome(refusals.wrong_step(refusal.asked, state.state, legal, dig))
            return counted_refusal(state, refusal, step, batch)

        return as_refusals(refusal.asked, lambda: self._append(dig, refused))

    def record_spent(self, dig: str, spent: Sequence[Spent]) -> None:
        """Record what a judge took, whatever becomes of its answer; raises Busy and Faults."""
        event = NewEvent("spent", {"spent": [dump(one) for one in spent]})
        self._append(
            dig, lambda state: Outcome(status_of(state), (event,), state.state, replay=False)
        )

    def _move(self, dig: str, tool: Tool, arguments: Mapping[str, object], judge: Judge) -> Answer:
        attempt = attempt_of(arguments)

        def judged(state: DigState) -> Outcome:
            kept = state.answers.get((tool, attempt))
            if kept is not None:
                return Outcome(stored_answer(kept))
            if not steps.allows(state.state, tool):
                return Outcome(
                    refusals.wrong_step(tool, state.state, steps.TOOLS[state.state], state.dig)
                )
            outcome = judge(state).flagged(self.flags)
            if not (outcome.events and outcome.replay):
                return outcome
            *before, last = outcome.events
            answer = store_answer(tool, attempt, outcome.answer)
            kept_event = replace(last, payload={**last.payload, "answer": answer})
            return replace(outcome, events=(*before, kept_event))

        return as_refusals(tool, lambda: self._append(dig, judged))

    def _append(self, dig: str, judge: Judge) -> Answer:
        """Judge and append; a loser of a race judges again on what is there now."""
        for _ in range(TRIES):
            state = self.load(dig)
            try:
                outcome = judge(state)
                if outcome.events:
                    seq = state.seq if outcome.seq is None else outcome.seq
                    events = self._signed(outcome.events)
                    to = outcome.state or state.state
                    appended = self.store.append(dig, seq, to, events)
                    if outcome.seq is None:
                        self._remembered(advance(state, appended, to))
            except Conflict:
                continue
            return outcome.answer
        raise Busy(dig)

    def _signed(self, events: Sequence[NewEvent]) -> list[NewEvent]:
        return [
            replace(event, actor=self.actor) if event.actor == "agent" else event
            for event in events
        ]
