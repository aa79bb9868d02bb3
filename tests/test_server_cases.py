"""Sequences of moves and deeds, written as words: which are refused, and how many briefs."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from server.dig import Digs
from server.moves.asking import Choice
from server.refusals import Refusal
from server.replies import Answer
from server.review import Choices, Hand, Review
from tests.digging import (
    TERMS,
    advance,
    briefs,
    digs_of,
    form_answer,
    hand_on,
    keep,
    open_dig,
    perform,
    shown,
)
from tests.digging_base import TITLE

SHARED = json.loads((Path(__file__).parent / "cases" / "gates_cases.json").read_text("utf-8"))
STATES = [case for case in SHARED if case["gate"] == "dig_state"]
FORGED = "dig_" + "z" * 26
NO_PICKS: dict[str, object] = {"deep_cuts": [], "direct_hits": [], "pass4_empty": True}


class Play:
    """Digs called A, B … and what was last decided about each."""

    def __init__(self, digs: Digs) -> None:
        self.digs = digs
        self.names: dict[str, str] = {}
        self.decisions: dict[str, tuple[Hand, Choices]] = {}
        self.deeds: dict[str, Callable[[str], Answer | None]] = {
            "start": self.start,
            "terms": lambda name: digs.retrieve_candidates(name, list(TERMS)),
            "scores": self.scores,
            "picks": lambda name: self.honestly(name, "scored", "pick_scotoma", NO_PICKS),
            "excerpt": lambda name: self.honestly(name, "picked", "extract_excerpt", ["row_1", 3]),
            "report": self.report,
            "only_report": digs.dig_report,
            "brief": digs.assemble_brief,
            "confirm_human": lambda name: self.decide(name, ()),
            "confirm_relayed": lambda name: self.decide(name, (), "relayed"),
            "drop_human": lambda name: self.decide(name, shown(digs.load(name))),
            "redirect_human": self.redirect,
            "next_passage": self.next_passage,
            "replay": lambda name: Review(digs).decide(name, *self.decisions[name]),
            "abandon": lambda name: Review(digs).abandon(name, "enough"),
            "keep_form": lambda name: self.form(name, "keep all"),
            "drop_form": lambda name: self.form(name, "drop all"),
            "decline_form": lambda name: self.form(name, "no answer"),
            "status": digs.dig_status,
        }

    def refused(self, calls: Sequence[str]) -> list[int]:
        """The places of the calls that were refused."""
        return [place for place, call in enumerate(calls) if isinstance(self.do(call), Refusal)]

    def do(self, call: str) -> Answer | None:
        deed, _, letter = call.partition(":")
        if deed == "restart":
            self.digs = digs_of(self.digs.settings)
            return None
        if deed == "confirm_across":
            one, other = (self.names[which] for which in letter)
            state = self.digs.load(one)
            return Review(self.digs).decide(other, hand_on(state), keep(self.digs.load(other)))
        return self.deeds[deed](letter if deed == "start" else self.names.get(letter, FORGED))

    def start(self, letter: str) -> None:
        voice = "Carbon" if letter == "A" else "Si-C"  # or their reports would be the same
        self.names[letter] = open_dig(self.digs, title=f"{TITLE} {letter}", voice=voice)

    def honestly(self, name: str, state: str, tool: str, otherwise: Any) -> Answer:
        """The honest move in its state; elsewhere just something."""
        if self.digs.load(name).state == state and tool != "extract_excerpt":
            return advance(self.digs, name)
        if self.digs.load(name).state == state:
            return self.digs.extract_excerpt(name, self.digs.load(name).picks.ids[0], None)
        return perform(self.digs, name, tool, otherwise)

    def scores(self, name: str) -> Answer:
        """All batches."""
        if self.digs.load(name).state != "scoring":
            return self.digs.score_summaries(name, 1, [])
        answer = advance(self.digs, name)
        return self.scores(name) if self.digs.load(name).state == "scoring" else answer

    def report(self, name: str) -> Answer:
        """All moves up to the report, or the report again."""
        while name != FORGED and self.digs.load(name).state in ("opened", "scoring", "scored"):
            advance(self.digs, name)
        return self.digs.dig_report(name)

    def decide(self, name: str, dropped: Sequence[str], level: Any = "local") -> Answer:
        if name == FORGED:
            return Review(self.digs).decide(name, Hand(level, "page", "0" * 64), Choices((), ()))
        state = self.digs.load(name)
        chosen = hand_on(state, level), keep(state, dropped)
        if state.state == "reported":
            self.decisions[name] = chosen
        return Review(self.digs).decide(name, *chosen)

    def redirect(self, name: str) -> Answer:
        state = self.digs.load(name)
        self.decisions[name] = hand_on(state), keep(state)
        kept = Choices(shown(state)[:1], ())
        return Review(self.digs).redirect(name, hand_on(state), kept, "more about the ice")

    def next_passage(self, name: str) -> Answer:
        state = self.digs.load(name)
        self.decisions[name] = hand_on(state), keep(state)
        review, hand = Review(self.digs), hand_on(state)
        tried = [review.another_passage(name, hand, id_) for id_ in shown(state)]
        return next(answer for answer in tried if not isinstance(answer, Refusal))

    def form(self, name: str, choice: Choice) -> Answer:
        return self.digs.assemble_brief(name, form_answer(self.digs.load(name), choice))


@pytest.mark.requirement("dig:no-way-round")
@pytest.mark.parametrize("case", STATES, ids=[case["why"] for case in STATES])
def test_the_shared_sequences_end_as_they_must(case: dict[str, Any], digs: Digs) -> None:
    refused = Play(digs).refused(case["input"]["calls"])
    assert refused == case["expected"]["refused"]
    assert len(briefs(digs.settings)) == case["expected"]["briefs"]


WHOLE = "start:A report:A"
TO_PICKS = "start:A terms:A scores:A picks:A"


@pytest.mark.requirement("dig:no-way-round")
@pytest.mark.parametrize(
    ("calls", "refused", "written"),
    [
        pytest.param("start:A scores:A picks:A excerpt:A only_report:A brief:A", [1, 2, 3, 4, 5], 0,
                     id="nothing but the terms may follow the opening"),
        pytest.param("start:A terms:A picks:A excerpt:A only_report:A brief:A", [2, 3, 4, 5], 0,
                     id="the scores may not be skipped"),
        pytest.param("start:A terms:A scores:A excerpt:A only_report:A brief:A", [3, 4, 5], 0,
                     id="the picks may not be skipped"),
        pytest.param(f"{TO_PICKS} brief:A confirm_human:A brief:A", [4, 5, 6], 0,
                     id="the report may not be skipped"),
        pytest.param(f"{TO_PICKS} excerpt:A only_report:A confirm_human:A brief:A", [], 1,
                     id="every step, one by one"),
        pytest.param(f"{WHOLE} report:A brief:A report:A", [3], 0,
                     id="a report may be read again, and opens nothing"),
        pytest.param(f"{WHOLE} scores:A picks:A excerpt:A", [2, 3, 4], 0,
                     id="after the report there is no other evidence"),
        pytest.param(f"{WHOLE} confirm_human:A confirm_human:A brief:A", [3], 1,
                     id="a decision is taken once"),
        pytest.param(f"{WHOLE} confirm_human:A replay:A brief:A replay:A", [3, 5], 1,
                     id="a decision is not taken again"),
        pytest.param(f"{WHOLE} confirm_human:A brief:A brief:A brief:A", [], 1,
                     id="a brief asked for again is the same file"),
        pytest.param(f"{WHOLE} confirm_human:A brief:A redirect_human:A abandon:A drop_human:A",
                     [4, 5, 6], 1, id="a brief cannot be taken back"),
        pytest.param(f"{WHOLE} drop_human:A brief:A confirm_human:A brief:A", [3, 4, 5], 0,
                     id="what was dropped stays dropped"),
        pytest.param(f"{WHOLE} abandon:A report:A brief:A confirm_human:A redirect_human:A",
                     [4, 5, 6], 0, id="an abandoned dig is over, its report can be read"),
        pytest.param(f"{WHOLE} redirect_human:A brief:A replay:A brief:A", [3, 4, 5], 0,
                     id="a redirect opens nothing, and voids what was decided"),
        pytest.param(f"{WHOLE} redirect_human:A report:A replay:A brief:A", [4, 5], 0,
                     id="a decision on the first report is none on the second"),
        pytest.param(f"{WHOLE} redirect_human:A report:A confirm_human:A brief:A", [], 1,
                     id="the second report can be decided"),
        pytest.param(f"{WHOLE} confirm_human:A redirect_human:A brief:A", [4], 0,
                     id="a redirect takes the decision back"),
        pytest.param(f"{WHOLE} confirm_human:A redirect_human:A report:A brief:A replay:A", [5, 6],
                     0, id="a decision does not outlive its report"),
        pytest.param(f"{WHOLE} confirm_across:AA brief:A", [], 1, id="a decision on one's own"),
        pytest.param("start:A start:B report:A report:B confirm_across:AB brief:B brief:A",
                     [4, 5, 6], 0, id="a decision on another dig's report is none"),
        pytest.param("start:A start:B report:A report:B confirm_human:B drop_human:A brief:B",
                     [], 1, id="two digs do not touch each other"),
        pytest.param(f"{WHOLE} keep_form:A brief:A", [], 1, id="a form that keeps all"),
        pytest.param(f"{WHOLE} decline_form:A keep_form:A brief:A", [2, 3, 4], 0,
                     id="a form that was declined is not asked again"),
        pytest.param(f"{WHOLE} decline_form:A confirm_human:A brief:A", [2], 1,
                     id="a form that was declined leaves the terminal"),
        pytest.param(f"{WHOLE} drop_form:A keep_form:A confirm_human:A brief:A", [2, 3, 4, 5], 0,
                     id="a form that drops all is the last word"),
        pytest.param(f"{WHOLE} confirm_human:A drop_form:A", [], 1,
                     id="a form after a decision changes nothing"),
        pytest.param(f"{TO_PICKS} keep_form:A report:A brief:A", [4, 6], 0,
                     id="a form before the report counts for nothing"),
        pytest.param("brief:Q report:Q status:Q confirm_human:Q", [0, 1, 2, 3], 0,
                     id="a dig that never was"),
        pytest.param("start:A restart report:A restart confirm_human:A restart brief:A restart",
                     [], 1, id="a new server after each move"),
        pytest.param(f"{WHOLE} {'redirect_human:A report:A ' * 5}redirect_human:A brief:A",
                     [12, 13], 0, id="five redirects and no more"),
    ],
)  # fmt: skip
def test_sequences_end_as_they_must(
    calls: str, refused: list[int], written: int, digs: Digs
) -> None:
    assert Play(digs).refused(calls.split()) == refused
    assert len(briefs(digs.settings)) == written
    assert digs.store.check() == []


def test_a_decision_does_not_survive_another_passage(digs: Digs) -> None:
    play = Play(digs)
    assert play.refused([*WHOLE.split(), "next_passage:A", "replay:A", "brief:A"]) == [3, 4]


def nearly(name: str) -> dict[str, str]:
    """Names that are almost the name of a dig."""
    return {
        "in capitals": name.upper(),
        "a character less": name[:-1],
        "a character more": f"{name}a",
        "behind a blank": f" {name}",
        "with a NUL": f"{name}\0",
        "with half a character": f"{name}\ud800",
        "without its prefix": name.removeprefix("dig_"),
        "as a pattern": name.replace("_", "%"),
        "as a query": f"' OR run = '{name}",
        "in full width": name.replace("d", "\uff44", 1),
    }


@pytest.mark.parametrize("how", list(nearly("")))
def test_an_id_that_is_nearly_right_is_no_id(how: str, digs: Digs) -> None:
    play = Play(digs)
    play.refused([*WHOLE.split(), "confirm_human:A"])
    answer = digs.assemble_brief(nearly(play.names["A"])[how])
    assert isinstance(answer, Refusal)
    assert answer.text == digs.assemble_brief(FORGED).text
    assert briefs(digs.settings) == []
