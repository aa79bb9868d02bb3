"""An agent that sends anything to up to three digs, and what the model says must come of it."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from server.config import Settings
from server.dig_state import DigState
from server.drafts import check_against_brief
from server.looking import search_base
from server.moves.asking import Choice, FormAnswer
from server.refusals import Refusal
from server.replies import Answer, Batch
from server.review import Review
from server.store import canonical
from tests import dig_sent as sent
from tests.dig_model import ENDED, UNCOUNTED, Model
from tests.digging import digs_of, open_dig, perform

NOBODY = "0" * 64
FORGED = "dig_" + "a" * 26
CHOICES: tuple[Choice, ...] = ("keep all", "drop all", "decide elsewhere", "no answer")
VOICES = st.sampled_from(["Carbon", "Si-C"])
_SHOWN = re.compile(r" \(((?:row|added|dictated)_\d+), ")

numbers = st.integers(0, 7)


class Bench:
    """What the sequences of one test share: a store that fills up, and the objects over it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.digs = digs_of(settings)
        self.sequences = self.opened = self.briefed = self.processes = 0


class AgentMachine(RuleBasedStateMachine):
    """After each step the model and the store must agree."""

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self.bench = bench
        self.models: dict[str, Model] = {}
        self.asked: dict[str, dict[str, object]] = {}
        self.tops: dict[str, tuple[str, ...]] = {}
        self.calls: list[tuple[str, str, Any]] = []
        bench.sequences += 1

    def teardown(self) -> None:
        self.bench.briefed += sum(model.state == "briefed" for model in self.models.values())
        for name, model in self.models.items():
            if model.state not in ENDED:
                Review(self.bench.digs).abandon(name, "the test is over")

    @initialize(voice=VOICES, moves=st.integers(0, 8))
    def a_dig_somewhere_on_its_way(self, voice: str, moves: int) -> None:
        self.another_dig(voice)
        for _ in range(moves):
            self.an_honest_move(0)

    @precondition(lambda self: len(self.models) < 3)
    @rule(voice=VOICES)
    def another_dig(self, voice: str) -> None:
        self.bench.opened += 1
        asked: dict[str, object] = {
            "voice": voice,
            "title": f"What the Kiln Keeps {self.bench.opened}",
        }
        name = open_dig(self.bench.digs, **asked)
        self.models[name], self.asked[name] = Model(voice), asked

    @rule(at=numbers)
    def the_same_words_open_the_same_dig(self, at: int) -> None:
        name, model = self.dig(at)
        if model.state == "opened" and model.passes == 1:
            assert open_dig(self.bench.digs, **self.asked[name]) == name

    @rule(at=numbers)
    def an_honest_move(self, at: int) -> None:
        match self.dig(at)[1].state:
            case "opened":
                self.retrieve(at, "good", 0)
            case "scoring":
                self.score(at, "logs", 0, 0)
            case "scored":
                self.pick(at, "honest", 0)
            case "picked":
                self.report(at)
            case _:
                self.assemble(at, "", False)

    @rule(at=numbers, turn=numbers)
    def two_bad_attempts(self, at: int, turn: int) -> None:
        name, model = self.dig(at, "pick_scotoma" if at > 4 else "score_summaries")
        at = list(self.models).index(name)
        for attempt in (turn, turn + 1):
            match model.state:
                case "opened":
                    self.retrieve(at, "nothing", attempt)
                case "scoring":
                    self.score(at, "one missing", attempt, 0)
                case "scored":
                    self.pick(at, "a stranger", attempt)
                case _:
                    return

    @rule(at=numbers, kind=st.sampled_from(["good", "costumes", "nothing", "count"]), turn=numbers)
    def retrieve(self, at: int, kind: str, turn: int) -> None:
        name, model = self.dig(at, "retrieve_candidates")
        paths = model.reachable(kind == "costumes")
        searched = len(model.path)
        terms = sent.terms(kind, turn)
        self.call(name, "retrieve_candidates", terms, lambda: model.retrieve(kind))
        if model.state == "scoring" and not model.batches:
            state = self.bench.digs.load(name)
            rows = {i: state.candidates[i].row.path for batch in state.batches for i in batch}
            assert set(rows.values()) == paths
            assert not set(rows) & set(model.path)
            model.found(state.batches, rows)
            assert len(model.path) == searched + len(paths)

    @rule(
        at=numbers,
        kind=st.sampled_from([*sent.GOOD_SCORES, *sent.BAD_SCORES]),
        turn=numbers,
        ahead=st.sampled_from([0, 0, 0, 0, 1, -1, 10**9]),
    )
    def score(self, at: int, kind: str, turn: int, ahead: int) -> None:
        name, model = self.dig(at, "score_summaries")
        unscored = model.batches[model.scored :]
        ids = unscored[0] if unscored else ["row_999"]
        good = sent.embodied(model, ids, kind) if unscored and kind in sent.GOOD_SCORES else None
        scores = sent.bad_scores(ids, kind, turn) if good is None else sent.scores(good)
        batch = model.scored + 1 + ahead
        arguments = [batch, scores]
        answer = self.call(name, "score_summaries", arguments, lambda: model.score(batch, good))
        if isinstance(answer, Batch) and answer.top:
            self.tops[name] = top = tuple(row.id for row in answer.top)
            given = [model.embodies[id_] for id_ in top]
            assert given == sorted(given, reverse=True)
            others = [i for batch in model.batches for i in batch if i not in top]
            assert all(model.embodies[id_] <= given[-1] for id_ in others)

    @rule(at=numbers, kind=st.sampled_from([*sent.GOOD_PICKS, *sent.BAD_PICKS]), turn=numbers)
    def pick(self, at: int, kind: str, turn: int) -> None:
        name, model = self.dig(at, "pick_scotoma")
        top = self.tops.get(name)
        ids: list[str] | None = None
        if top is None:
            picks: dict[str, Any] = {"deep_cuts": [], "direct_hits": [], "pass4_empty": True}
        elif kind in sent.BAD_PICKS:
            picks = sent.bad_picks(model, top, kind, turn)
        else:
            picks = sent.picks(model, top, kind)
            ids = [*picks["direct_hits"], *(cut["id"] for cut in picks["deep_cuts"])]
        self.call(name, "pick_scotoma", picks, lambda: model.pick(ids))

    @rule(at=numbers, which=numbers, after=st.sampled_from([None, None, 10_000, 10_001]))
    def extract(self, at: int, which: int, after: int | None) -> None:
        name, model = self.dig(at, "extract_excerpt")
        ids = [*model.picked, *model.kept, "row_999"]
        id_ = ids[which % len(ids)]
        self.call(name, "extract_excerpt", [id_, after], lambda: model.extract(id_, after))

    @rule(at=numbers)
    def report(self, at: int) -> None:
        name, model = self.dig(at, "dig_report")
        self.call(name, "dig_report", {}, model.report)
        self.see_report(name)

    @rule(at=numbers, choice=st.sampled_from(CHOICES))
    def ask_twice(self, at: int, choice: Any) -> None:
        at = list(self.models).index(self.dig(at, "assemble_brief")[0])
        for _ in range(2):
            self.assemble(at, choice, False)

    @rule(at=numbers, choice=st.sampled_from(["", "", *CHOICES]), stale=st.booleans())
    def assemble(self, at: int, choice: Any, stale: bool) -> None:
        name, model = self.dig(at, "assemble_brief")
        question = self.bench.digs.question(name)
        assert (question is not None) == model.form_is_due()
        # A form that nobody was shown, or about another report, is no form.
        true = question is not None and not stale
        answered = choice if true else ""
        sha256 = question.report_sha256 if question and true else NOBODY
        form = FormAnswer(sha256, choice) if choice else None
        self.call(name, "assemble_brief", form, lambda: model.assemble(answered))

    @rule(at=numbers, which=st.integers(0, 100))
    def the_same_call_again(self, at: int, which: int) -> None:
        name, model = self.dig(at)
        calls = [
            call for call in self.calls if call[0] == name and _key(*call[1:]) in model.answers
        ]
        if calls:
            _, tool, arguments = calls[which % len(calls)]
            self.call(name, tool, arguments, lambda: "never judged")

    @rule(at=numbers, tool=st.sampled_from(["dig_status", "search_corpus", "check_draft"]))
    def look(self, at: int, tool: str) -> None:
        name, model = self.dig(at)
        digs = self.bench.digs
        before = digs.load(name).seq
        match tool:
            case "dig_status":
                assert model.state in digs.dig_status(name).text
            case "search_corpus":
                assert "Logs/" in search_base(digs, "harbour", None, None).text
            case _:
                found = check_against_brief(digs, name, "> nobody wrote this line of mine\n")
                assert flag_of(found) == ("" if model.state == "briefed" else "INVALID_ARGUMENT")
        assert digs.load(name).seq == before

    @rule(tool=st.sampled_from([*sent.ANYTHING]))
    def a_forged_id_is_no_dig(self, tool: str) -> None:
        answer = perform(self.bench.digs, FORGED, tool, sent.ANYTHING[tool])
        assert flag_of(answer) == "UNKNOWN_DIG"

    @invariant()
    def the_store_agrees(self) -> None:
        for name, model in self.models.items():
            agree(model, self.bench.digs.load(name))

    def dig(self, at: int, move: str = "") -> tuple[str, Model]:
        """One of the digs; as a rule one in which the move is in turn."""
        due = [n for n, model in self.models.items() if model.allows(move) or model.permits(move)]
        names = due if at and due else list(self.models)
        name = names[at % len(names)]
        return name, self.models[name]

    def call(self, name: str, tool: str, arguments: Any, judge: Callable[[], str]) -> Answer:
        """Make a call and hold its flag, its text and its traces against the model."""
        model, key = self.models[name], _key(tool, arguments)
        kept = model.answers.get(key)
        before = self.bench.digs.load(name)
        # Only the form of `assemble_brief` may count before its turn is known.
        form = isinstance(arguments, FormAnswer)
        expected = kept[0] if kept else judge() if form or model.allows(tool) else "WRONG_STEP"
        answer = perform(self.bench.digs, name, tool, arguments)
        assert flag_of(answer) == expected, (tool, arguments, answer.text)
        after = self.bench.digs.load(name)
        if kept or expected in ("WRONG_STEP", "INVALID_ARGUMENT"):
            assert after.seq == before.seq
        if kept and tool == "dig_report":
            assert after.report is None or after.report.sha256 in answer.text
        elif kept:
            assert answer.text == kept[1]
        if expected not in UNCOUNTED and after.seq > before.seq:
            model.answers[key] = (expected, answer.text)
            self.calls.append((name, tool, arguments))
        return answer

    def see_report(self, name: str) -> None:
        """Tell the model what the report shows; a person is asked about just that."""
        state, model = self.bench.digs.load(name), self.models[name]
        if state.report is not None and state.report.sha256 != model.report_sha256:
            shown = dict.fromkeys(_SHOWN.findall(state.report.text))
            model.reported(tuple(shown), _silent(state), state.report.sha256)


def agree(model: Model, state: DigState) -> None:
    """Every field that the model has, the store has too."""
    assert state.state == model.state
    assert (state.pass_number, state.reopened) == (model.passes, model.reopened)
    assert Counter(state.refusals) == +model.refused
    assert state.batches_scored == model.scored
    assert state.kept == model.kept
    assert set(state.evidence) == model.cut
    assert set(state.rejections) == model.rejected
    if state.state in ("decided", "briefed"):
        assert state.decision is not None
        assert set(state.decision.keep) == set(model.decided or ())
    else:
        assert state.brief is None


def flag_of(answer: Answer) -> str:
    """A refusal's flag without the reason behind it; empty for a success."""
    return answer.flag.partition(" — ")[0] if isinstance(answer, Refusal) else ""


def _key(tool: str, arguments: Any) -> tuple[str, str]:
    return tool, canonical({} if isinstance(arguments, FormAnswer) else arguments or {})


def _silent(state: DigState) -> set[str]:
    """The excerpts that the voice gate did not let pass."""
    return {id_ for id_, found in state.evidence.items() if found.voice.outcome != "passed"}
