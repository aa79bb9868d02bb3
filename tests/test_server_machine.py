"""Random digs, over every tool and every deed of a person, held against a second telling."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import cast

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from server.dig import Digs
from server.fold import dump
from server.replies import Answer
from server.review import Choices, Hand, Review
from server.store import canonical
from tests.conftest import REPOSITORY
from tests.dig_machine import NOBODY, AgentMachine, Bench, flag_of, numbers
from tests.dig_model import Model
from tests.digging import DICTATED, Ground, briefs, digs_of, hand_on, in_memory

# 500 sequences and 10 new processes in all; parts run beside each other.
PARTS, SEQUENCES, PROCESSES = 5, 100, 2
# What becomes of a passage that a person points to; where no anchor is needed, less is refused.
PLACES = {
    "Logs/ferry.md": "",
    "Guides/keeper.md": "INVALID_ARGUMENT",
    "Essays/quiet.md": "VOICE_ANCHOR_MISSING",
    "Essays/told.md": "THIRD_PERSON_REJECTED",
    "../Logs/ferry.md": "PATH_REFUSED",
}
TOLD_OF = "He waited on the stairs until his mother came home, and nobody put the lamp on."
FOR_ANCHORS = ("INVALID_ARGUMENT", "VOICE_ANCHOR_MISSING")
masks = st.integers(0, 255)
stales = st.sampled_from([False, False, False, True])


class DigMachine(AgentMachine):
    """The agent, the persons around it, and a server that is started anew now and then."""

    @property
    def review(self) -> Review:
        return Review(self.bench.digs)

    @rule(at=numbers, drop=masks, stale=stales)
    def decide(self, at: int, drop: int, stale: bool) -> None:
        name, model = self.dig(at, "decide")
        choices = _dropping(model.shown, drop)
        self.deed(
            (name, "decide", stale),
            lambda hand: self.review.decide(name, hand, choices),
            lambda: model.decide(choices.drop),
        )

    @rule(at=numbers)
    def a_decision_and_its_brief(self, at: int) -> None:
        self.decide(at, 0, False)
        self.assemble(at, "", False)

    @rule(at=numbers, keep=masks, drop=masks, stale=stales)
    def redirect(self, at: int, keep: int, drop: int, stale: bool) -> None:
        name, model = self.dig(at, "redirect")
        kept = _masked(model.shown, keep)
        dropped = tuple(id_ for id_ in _masked(model.shown, drop) if id_ not in kept)
        self.deed(
            (name, "redirect", stale),
            lambda hand: self.review.redirect(name, hand, Choices(kept, dropped), "less ice"),
            lambda: model.redirect(kept, dropped),
        )

    @rule(at=numbers, place=st.sampled_from([*PLACES]), drop=masks, stale=stales)
    def point(self, at: int, place: str, drop: int, stale: bool) -> None:
        name, model = self.dig(at, "add_passage")
        choices, id_ = _dropping(model.shown, drop), _next(model.path, "added")
        self.deed(
            (name, "add_passage", stale),
            lambda hand: self.review.point(name, hand, choices, (place, 1)),
            lambda: _of_voice(model, PLACES[place]) or model.add(id_, place, choices.drop),
        )
        self.see_report(name)

    @rule(at=numbers, drop=masks, short=st.booleans(), stale=stales)
    def dictate(self, at: int, drop: int, short: bool, stale: bool) -> None:
        name, model = self.dig(at, "add_passage")
        choices, id_ = _dropping(model.shown, drop), _next(model.path, "dictated")
        text, flag = (TOLD_OF, "VOICE_ANCHOR_MISSING") if short else (DICTATED, "")
        self.deed(
            (name, "add_passage", stale),
            lambda hand: self.review.dictate(name, hand, choices, text),
            lambda: _of_voice(model, flag) or model.add(id_, id_, choices.drop),
        )
        self.see_report(name)

    @rule(at=numbers, which=numbers, stale=stales)
    def another_passage(self, at: int, which: int, stale: bool) -> None:
        name, model = self.dig(at, "another_passage")
        ids = [*model.shown, "row_999"]
        id_ = ids[which % len(ids)]
        hand = self.hand(name, stale)
        waits = model.permits("another_passage")
        answer = self.review.another_passage(name, hand, id_)
        if not waits or stale:
            assert flag_of(answer) == ("REPORT_VOID" if waits else "WRONG_STEP")
        elif id_ not in model.cut:
            assert flag_of(answer) == "INVALID_ARGUMENT"
        elif not flag_of(answer):
            self.see_report(name)

    @rule(at=numbers, which=st.integers(0, 9))
    def abandon(self, at: int, which: int) -> None:
        name, model = self.dig(at, "abandon")
        if which == 0:
            self.deed(
                (name, "abandon", False),
                lambda hand: self.review.abandon(name, "enough"),
                model.abandon,
            )

    @rule(at=numbers)
    def reopen(self, at: int) -> None:
        name, model = self.dig(at, "reopen")
        self.deed((name, "reopen", False), lambda hand: self.review.reopen(name), model.reopen)

    @rule(whole=numbers)
    def a_new_server_takes_over(self, whole: int) -> None:
        library = None if whole == 0 else self.bench.digs.library
        self.bench.digs = Digs(library) if library else digs_of(self.bench.settings)

    @rule()
    def another_process_finds_the_same(self) -> None:
        if self.bench.processes == PROCESSES:
            return
        self.bench.processes += 1
        state = str(self.bench.settings.state)
        command = [sys.executable, "-m", "tests.dig_elsewhere", state, *self.models]
        found = subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=True)
        here = [canonical(dump(self.bench.digs.load(name))) for name in self.models]
        assert found.stdout.decode("ascii").splitlines() == here
        self.bench.digs = digs_of(self.bench.settings)

    def teardown(self) -> None:
        for name, model in self.models.items():
            if model.state == "briefed":
                _, events = self.bench.digs.store.load(name)
                kinds = [event.kind for event in events]
                decided = max(at for at, kind in enumerate(kinds) if kind == "decided")
                assert events[decided].actor in ("person", "client")
                assert kinds[decided + 1 :] == ["brief_started", "brief_written"]
        super().teardown()

    def deed(
        self,
        what: tuple[str, str, bool],
        act: Callable[[Hand], Answer],
        judge: Callable[[], str],
    ) -> None:
        """Do what only a person may, on the report as it is or on one that never was."""
        name, deed, stale = what
        model, before = self.models[name], self.bench.digs.load(name)
        hand = self.hand(name, stale)
        if not model.permits(deed):
            expected = "WRONG_STEP"
        elif stale:
            expected = "REPORT_VOID"
        else:
            expected = judge()
        answer = act(hand)
        assert flag_of(answer) == expected, (deed, answer.text)
        assert (self.bench.digs.load(name).seq == before.seq) == bool(expected)

    def hand(self, name: str, stale: bool) -> Hand:
        return Hand("local", "terminal", NOBODY) if stale else hand_on(self.bench.digs.load(name))


@pytest.mark.requirement("dig:no-way-round")
@pytest.mark.parametrize("part", range(PARTS))
def test_no_sequence_of_calls_gets_past_the_rules(part: int, ground: Ground) -> None:
    with in_memory() as folder:
        bench = Bench(ground.at(folder / f"state{part}"))
        machine = cast("type[DigMachine]", lambda: DigMachine(bench))
        run_state_machine_as_test(
            machine,
            settings=hypothesis.settings(
                max_examples=SEQUENCES,
                stateful_step_count=40,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            ),
        )
        assert bench.sequences >= SEQUENCES
        assert bench.processes == PROCESSES
        assert bench.briefed > 0
        assert len(briefs(bench.settings)) == bench.briefed
        assert bench.digs.store.check() == []


def _dropping(shown: Sequence[str], mask: int) -> Choices:
    dropped = _masked(shown, mask)
    return Choices(tuple(id_ for id_ in shown if id_ not in dropped), dropped)


def _of_voice(model: Model, flag: str) -> str:
    """The flag, unless it is about voice anchors and the dig needs none."""
    return "" if model.voice != "Carbon" and flag in FOR_ANCHORS else flag


def _masked(ids: Sequence[str], mask: int) -> tuple[str, ...]:
    return tuple(id_ for place, id_ in enumerate(ids) if mask >> place & 1)


def _next(known: dict[str, str], stem: str) -> str:
    return f"{stem}_{1 + sum(id_.startswith(stem) for id_ in known)}"
