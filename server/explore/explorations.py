"""An exploration, one method a move: load, judge, append. Both drivers come through here."""

from collections.abc import Callable, Mapping

from server.explore import arguments, closing, planning, rounds
from server.explore.answers import Answer, Closed, Opened
from server.explore.arguments import Wrong, traced
from server.explore.committing import commit
from server.explore.declaring import declare
from server.explore.opening import read_opening, run_id
from server.explore.outcome import Outcome
from server.explore.reading import Done, Scope, list_bundles, read_dir, read_file
from server.explore.refusals import refuse
from server.explore.runs import Runs, wrong_argument
from server.explore.state import RunState
from server.explore.states import moves
from server.explore.status import open_runs, status_of
from server.explore.validating import check
from server.fold import dump
from server.refusals import Refusal
from server.store import Conflict, UnknownRun

Work = Callable[[RunState, Scope], Done]


class Explorations(Runs):
    """The explorations of one principal; a connection holds nothing, the ledger everything."""

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
            state, complaint = self.current(name)
            return status_of(state, complaint)

        return self.known("exploration_status", run, judge)

    def list_bundles(self, run: object = None, role: str = "") -> Answer:
        """The bases; without a run all of them, uncounted."""
        if run is None or run == "":
            refs = self.bases.refs()
            return list_bundles(Scope(refs, "", ("open_exploration",)), self.bases)
        asked, wrong = traced("list_bundles", role=role)
        return self.traced(
            run, asked, wrong, lambda state, scope: Done(list_bundles(scope, self.bases))
        )

    def read_bundle(self, run: object, base: object, role: str = "") -> Answer:
        """The top level of a base."""
        asked, wrong = traced("read_bundle", base=base, role=role)
        limit = arguments.limit_of(asked, None)
        return self.traced(
            run, asked, wrong, lambda state, scope: read_dir(asked, limit, scope, self.bases)
        )

    def read_dir(self, run: object, sent: Mapping[str, object], role: str = "") -> Answer:
        """One level of a base; `sent` has base, path, filter, offset, limit."""
        asked, wrong = traced("read_dir", **{**sent, "role": role})
        limit = arguments.limit_of(asked, sent.get("limit"))
        return self.traced(
            run, asked, wrong, lambda state, scope: read_dir(asked, limit, scope, self.bases)
        )

    def read_file(self, run: object, sent: Mapping[str, object], role: str = "") -> Answer:
        """One document; `sent` has base, path, offset."""
        asked, wrong = traced("read_file", **{**sent, "role": role})
        return self.traced(
            run, asked, wrong, lambda state, scope: read_file(asked, scope, self.bases)
        )

    def declare_requirement(
        self, run: object, sent: Mapping[str, object], role: str = ""
    ) -> Answer:
        """Declare the requirement that binds; `sent` has base, path, ref."""
        asked, wrong = traced("declare_requirement", **{**_without(sent, "ref"), "role": role})
        ref = arguments.text("ref", sent.get("ref"), 200, blank=False)
        if isinstance(ref, Wrong):
            return self.traced(run, asked, wrong or ref, _nothing)
        return self.traced(
            run, asked, wrong, lambda state, scope: declare(state, asked, ref, scope, self.bases)
        )

    def quick_validate(self, run: object, base: object, proposal: object, role: str = "") -> Answer:
        """The advisory check of a proposal in JSON."""
        asked, wrong = traced("quick_validate", base=base, role=role)
        words = arguments.text("proposal_json", proposal, blank=True)
        if isinstance(words, Wrong):
            return self.traced(run, asked, wrong or words, _nothing)
        return self.traced(
            run, asked, wrong, lambda state, scope: check(asked, words, scope, self.bases)
        )

    def commit_hypothesis(self, run: object, sent: Mapping[str, object], role: str = "") -> Answer:
        """Commit a direction; `sent` has the fields of a hypothesis."""
        base = sent.get("base")
        asked, wrong = traced("commit_hypothesis", base=base, role=role)
        return self.traced(
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
                    return wrong_argument("submit_plan", part)
            assert isinstance(plan, str) and isinstance(progress, str) and isinstance(tokens, int)
            return planning.submit(state, plan, progress, tokens, checkpoint or {})

        return self.moved(run, "submit_plan", judge)

    def record_round(self, run: object, sent: Mapping[str, object]) -> Answer:
        """Record one assessment; the last one again gets its reply again."""
        row = _row(sent)

        def before(state: RunState) -> Answer | None:
            return None if isinstance(row, Wrong) else rounds.repeated(state, row)

        def judge(state: RunState) -> Outcome:
            if isinstance(row, Wrong):
                return wrong_argument("record_round", row)
            return rounds.record(state, row)

        return self.moved(run, "record_round", judge, before)

    def close_exploration(self, run: object, tokens: object) -> Answer:
        """End a run; a repeated close gets the same reply and changes nothing."""
        count = arguments.count("tokens", tokens)

        def before(state: RunState) -> Answer | None:
            if state.state != "closed" or state.reply is None:
                return None
            if not closing.are_written(state):
                self.write_files(state)
            return Closed.model_validate(state.reply)

        def judge(state: RunState) -> Outcome:
            if isinstance(count, Wrong):
                return wrong_argument("close_exploration", count)
            return closing.close(state, count)

        return self.moved(run, "close_exploration", judge, before)

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
