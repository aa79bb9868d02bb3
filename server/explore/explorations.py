"""An exploration, one method a move: load, judge, append. Both drivers come through here."""

from collections.abc import Callable, Mapping
from pathlib import Path

from server.config import Settings
from server.explore import arguments, closing, inbox, planning, rounds
from server.explore.answers import Answer, Answered, Closed, Opened
from server.explore.arguments import Asked, Wrong, traced
from server.explore.artefacts import QUESTION, file_name, write
from server.explore.bases import Bases
from server.explore.committing import commit
from server.explore.declaring import declare
from server.explore.ledger import Ledger
from server.explore.opening import Caller, read_opening, run_id
from server.explore.outcome import Outcome, charge, event
from server.explore.parked import question_of
from server.explore.reading import Done, Scope, list_bundles, read_dir, read_file
from server.explore.recording import Recording
from server.explore.refusals import refuse, unknown_run, wrong_moment
from server.explore.review import Said, answer
from server.explore.state import Driver, RunState
from server.explore.states import Tool, allows, moves
from server.explore.status import open_runs, status_of
from server.explore.validating import check
from server.fold import dump
from server.passphrase import is_set
from server.refusals import Refusal
from server.store import Conflict, Store, UnknownRun

Work = Callable[[RunState, Scope], Done]


class Explorations:
    """The explorations of one principal; a connection holds nothing, the ledger everything."""

    def __init__(
        self, settings: Settings, principal: str = "local", driver: Driver = "mcp"
    ) -> None:
        self.settings = settings
        self.caller = Caller(principal, driver)
        self.bases = Bases(settings)
        self.ledger = Ledger(Store(settings.state), principal)
        self.recording = Recording(self.ledger)

    def open_exploration(self, sent: Mapping[str, object]) -> Answer:
        """Open a run, or give the one back that the same key and arguments opened."""
        opening = read_opening(sent, self.settings, self.bases, self.caller)
        if isinstance(opening, Refusal):
            return opening
        run = run_id(sent, self.settings, self.caller.principal)
        if isinstance(run, Refusal):
            return run
        try:
            return _opened(self.ledger.create(run, opening))
        except Conflict:
            return self._opened_before(run, opening.request)

    def exploration_status(self, run: object = None) -> Answer:
        """Where a run stands, a waiting answer taken up; without a run the open ones."""
        if run is None or run == "":
            return open_runs(self.ledger.runs())

        def judge(name: str) -> Answer:
            state, complaint = self._current(name)
            return status_of(state, complaint)

        return self._known("exploration_status", run, judge)

    def list_bundles(self, run: object = None, role: str = "") -> Answer:
        """The bases; without a run all of them, uncounted."""
        if run is None or run == "":
            refs = self.bases.refs()
            return list_bundles(Scope(refs, "", ("open_exploration",)), self.bases)
        asked, wrong = traced("list_bundles", role=role)
        return self._traced(
            run, asked, wrong, lambda state, scope: Done(list_bundles(scope, self.bases))
        )

    def read_bundle(self, run: object, base: object, role: str = "") -> Answer:
        """The top level of a base."""
        asked, wrong = traced("read_bundle", base=base, role=role)
        limit = arguments.limit_of(asked, None)
        return self._traced(
            run, asked, wrong, lambda state, scope: read_dir(asked, limit, scope, self.bases)
        )

    def read_dir(self, run: object, sent: Mapping[str, object], role: str = "") -> Answer:
        """One level of a base; `sent` has base, path, filter, offset, limit."""
        asked, wrong = traced("read_dir", **{**sent, "role": role})
        limit = arguments.limit_of(asked, sent.get("limit"))
        return self._traced(
            run, asked, wrong, lambda state, scope: read_dir(asked, limit, scope, self.bases)
        )

    def read_file(self, run: object, sent: Mapping[str, object], role: str = "") -> Answer:
        """One document; `sent` has base, path, offset."""
        asked, wrong = traced("read_file", **{**sent, "role": role})
        return self._traced(
            run, asked, wrong, lambda state, scope: read_file(asked, scope, self.bases)
        )

    def declare_requirement(
        self, run: object, sent: Mapping[str, object], role: str = ""
    ) -> Answer:
        """Declare the requirement that binds; `sent` has base, path, ref."""
        asked, wrong = traced("declare_requirement", **{**_without(sent, "ref"), "role": role})
        ref = arguments.text("ref", sent.get("ref"), 200, blank=False)
        if isinstance(ref, Wrong):
            return self._traced(run, asked, wrong or ref, _nothing)
        return self._traced(
            run, asked, wrong, lambda state, scope: declare(state, asked, ref, scope, self.bases)
        )

    def quick_validate(self, run: object, base: object, proposal: object, role: str = "") -> Answer:
        """The advisory check of a proposal in JSON."""
        asked, wrong = traced("quick_validate", base=base, role=role)
        words = arguments.text("proposal_json", proposal, blank=True)
        if isinstance(words, Wrong):
            return self._traced(run, asked, wrong or words, _nothing)
        return self._traced(
            run, asked, wrong, lambda state, scope: check(asked, words, scope, self.bases)
        )

    def commit_hypothesis(self, run: object, sent: Mapping[str, object], role: str = "") -> Answer:
        """Commit a direction; `sent` has the fields of a hypothesis."""
        base = sent.get("base")
        asked, wrong = traced("commit_hypothesis", base=base, role=role)
        return self._traced(
            run,
            asked,
            wrong,
            lambda state, scope: commit(state, asked, sent, scope, self.bases),
        )

    def submit_plan(
        self,
        run: object,
        sent: Mapping[str, object],
        checkpoint: Mapping[str, str] | None = None,
    ) -> Answer:
        """Put a plan in force, or before a person; `sent` has plan, current_progress, tokens."""
        plan = arguments.text("plan", sent.get("plan"), planning.LONGEST_PLAN, blank=False)
        progress = arguments.text(
            "current_progress", sent.get("current_progress"), planning.LONGEST_PLAN
        )
        tokens = arguments.count("tokens", sent.get("tokens"))

        def judge(state: RunState) -> Outcome:
            for part in (plan, progress, tokens):
                if isinstance(part, Wrong):
                    return _wrong("submit_plan", part)
            assert isinstance(plan, str) and isinstance(progress, str) and isinstance(tokens, int)
            return planning.submit(state, plan, progress, tokens, checkpoint or {})

        return self._move(run, "submit_plan", judge)

    def record_round(self, run: object, sent: Mapping[str, object]) -> Answer:
        """Record one assessment; the last one again gets its reply again."""
        row = _row(sent)

        def before(state: RunState) -> Answer | None:
            return None if isinstance(row, Wrong) else rounds.repeated(state, row)

        def judge(state: RunState) -> Outcome:
            if isinstance(row, Wrong):
                return _wrong("record_round", row)
            return rounds.record(state, row)

        return self._move(run, "record_round", judge, before)

    def close_exploration(self, run: object, tokens: object) -> Answer:
        """End a run; a repeated close gets the same reply and changes nothing."""
        count = arguments.count("tokens", tokens)

        def before(state: RunState) -> Answer | None:
            if state.state != "closed" or state.reply is None:
                return None
            if not closing.are_written(state):
                closing.write_files(state)
            return Closed.model_validate(state.reply)

        def judge(state: RunState) -> Outcome:
            if isinstance(count, Wrong):
                return _wrong("close_exploration", count)
            return closing.close(state, count)

        return self._move(run, "close_exploration", judge, before)

    def answer_review(self, run: str, said: Said) -> Answer:
        """Record a person's answer, and keep its copy where an answer could have come from."""

        def judge(name: str) -> Answer:
            state, found = self._answered(name, said)
            if not isinstance(found, Refusal):
                inbox.keep_copy(state, state.reviews[said.index])
            return found

        return self._known("review", run, judge)

    def charged(self, run: str, role: str, tokens: int) -> RunState:
        """Charge what a model call of the driver used; past the cap the run has ended."""

        def judge(state: RunState) -> Outcome:
            over = charge(state, role, tokens)
            paid = event("charged", role=role, reported=tokens)
            return over or Outcome(Answered(next=moves(state.state)), (paid,))

        with self.ledger.held(run):
            return self._after(self.ledger.amend(run, judge)[0])

    def round_lost(self, run: str) -> RunState:
        """A round whose assessment the manager could not produce; it counts as one."""
        return self.ledger.record(run, [event("round_lost", "server")])

    def resumed(self, run: str) -> RunState:
        """Another process goes on with the run."""
        return self.ledger.record(run, [event("resumed", "server")])

    def fail(self, run: str, failed: str) -> RunState:
        """End a run by an error; `failed` is its class name."""
        ended = event("ended", "server", failed=failed, state="ended")
        answer_ = Answered(next=moves("ended"))
        state, _ = self.ledger.amend(run, lambda state: Outcome(answer_, (ended,), "ended"))
        return self._after(state)

    def load(self, run: str) -> RunState:
        """A run as it stands; raises UnknownRun."""
        return self.ledger.load(run)

    def _opened_before(self, run: str, request: str) -> Answer:
        try:
            state = self.ledger.load(run)
        except UnknownRun:
            state = None
        if state is not None and request and state.opening.request == request:
            return _opened(state)
        reason = "its key or id was used for another run"
        remedy = "take another request_key"
        return refuse("INVALID_ARGUMENT", "open_exploration", reason, remedy)

    def _traced(self, run: object, asked: Asked, wrong: Wrong | None, work: Work) -> Answer:
        def made(name: str) -> Answer:
            state, complaint = self._current(name)
            if refusal := _untimely(asked.name, state, complaint):
                self.recording.refused(state, asked, refusal)
                return refusal

            def guarded(state: RunState) -> Done:
                if wrong is not None:
                    return Done(_wrong(asked.words, wrong).answer)
                opening = state.opening
                return work(state, Scope(opening.bases, opening.dimension, moves(state.state)))

            state, found = self.recording.made(state, asked, guarded)
            self._after(state)
            return found

        return self._known(asked.name, run, made)

    def _move(
        self,
        run: object,
        tool: Tool,
        judge: Callable[[RunState], Outcome],
        before: Callable[[RunState], Answer | None] = lambda state: None,
    ) -> Answer:
        def judged(state: RunState) -> Outcome:
            if (known := before(state)) is not None:
                return Outcome(known)
            refusal = _untimely(tool, state, "")
            return Outcome(refusal) if refusal else judge(state)

        def moved(name: str) -> Answer:
            earlier, complaint = self._current(name)
            if complaint:
                return wrong_moment(tool, earlier, complaint)
            state, found = self.ledger.amend(name, judged)
            if state.seq != earlier.seq:
                self._after(state)
            return found

        return self._known(tool, run, moved)

    def _known(self, asked: str, run: object, move: Callable[[str], Answer]) -> Answer:
        """What the move gives; the same refusal for whatever is no run of the caller's."""
        if not isinstance(run, str):
            return unknown_run(asked)
        try:
            with self.ledger.held(run):
                return move(run)
        except UnknownRun:
            return unknown_run(asked)

    def _current(self, run: str) -> tuple[RunState, str]:
        """A run as it stands, an answer that waited taken up; or why what lies there is none."""
        state = self.ledger.load(run)
        if state.question is None or state.opening.driver != "mcp":
            return state, ""
        said = inbox.waiting(state)
        if said is None:
            self._show_question(state)
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
            self._show_question(state)
        if state.question is not None or state.state in ("ended", "closed"):
            closing.write_files(state)
        return state

    def _show_question(self, state: RunState) -> None:
        folder = Path(state.opening.artefacts)
        if not (folder / file_name(state.run, QUESTION)).exists() or _is_new(state, folder):
            write(folder, state.run, QUESTION, question_of(state))


def _is_new(state: RunState, folder: Path) -> bool:
    """Whether the file shows another question than the open one."""
    import hashlib

    content = (folder / file_name(state.run, QUESTION)).read_bytes()
    return state.question is not None and (
        hashlib.sha256(content).hexdigest() != state.question.sha256
    )


def _opened(state: RunState) -> Opened:
    from gates.rounds import PARTICIPANTS

    return Opened(
        run=state.run,
        state=state.state,
        roles=PARTICIPANTS,
        bases=state.base_ids,
        dimension=state.opening.dimension,
        bounds=dump(state.opening.contract),
        next=moves(state.state),
    )


def _untimely(tool: str, state: RunState, complaint: str) -> Refusal | None:
    named: Tool = tool  # type: ignore[assignment]
    return None if allows(state.state, named) else wrong_moment(named, state, complaint)


def _wrong(asked: str, wrong: Wrong) -> Outcome:
    return Outcome(refuse("INVALID_ARGUMENT", asked, wrong.reason, wrong.remedy))


def _nothing(state: RunState, scope: Scope) -> Done:
    raise AssertionError("a call with a wrong argument is not made")


def _without(sent: Mapping[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in sent.items() if name != key}


def _row(sent: Mapping[str, object]) -> rounds.Sent | Wrong:
    """A row in form, or its first fault."""
    found: dict[str, object] = {"round_index": arguments.count("round_index", sent["round_index"])}
    for name in ("is_request_satisfied", "is_in_loop", "is_progress_being_made"):
        found[name] = arguments.switch(name, sent.get(name))
    for name in ("next_speaker", "instruction_or_question"):
        found[name] = arguments.text(name, sent.get(name), 4000)
    found["tokens"] = arguments.count("tokens", sent.get("tokens"))
    wrong = next((value for value in found.values() if isinstance(value, Wrong)), None)
    return wrong or rounds.Sent(**found)  # type: ignore[arg-type]
