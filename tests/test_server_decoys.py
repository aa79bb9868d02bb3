"""Decoys: rows that match nothing, hidden in the batches, and what becomes of who scores them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from server.config import Overrides as Said
from server.config import Settings, load_settings
from server.dig import Digs
from server.dig_state import DigState
from server.refusals import Refusal
from server.replies import Batch
from server.review import Review
from tests.digging import Ground, decide, digs_of, drive, hand_on, keep, open_dig, picks_of

FIXTURES = Path(__file__).resolve().parent.parent / "kb_fixtures"
OPENING = {
    "keyword_primary": "forgiveness",
    "title": "When Nobody Says Sorry",
    "voice": "Si-C",
    "archetype_primary": "Mender",
    "blaze_path": None,
}
TERMS = [
    "rust",
    "debt",
    "grudge",
    "scraping",
    "unpaid",
    "wound",
    "burden",
    "repair",
    "hull",
    "salt",
]
Scored = Callable[[DigState, str], int]


@pytest.fixture(scope="module")
def codex(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    state = tmp_path_factory.mktemp("decoys") / "state"
    return load_settings(Said(kb=(FIXTURES / "codex",), state=state), {})


def hiding(settings: Settings, each: int) -> Digs:
    chosen = settings.judge.model_copy(update={"decoys": each})
    return digs_of(replace(settings, judge=chosen))


def retrieved(digs: Digs, title: str) -> DigState:
    dig = open_dig(digs, **{**OPENING, "title": title})
    answer = digs.retrieve_candidates(dig, TERMS)
    assert isinstance(answer, Batch), answer.text
    return digs.load(dig)


def score_all(digs: Digs, dig: str, decoy: int) -> DigState:
    """Every batch scored: candidates by turns, decoys as said."""
    while (state := digs.load(dig)).state == "scoring":
        batch = state.batches_scored + 1
        scores = [
            {"id": one.id, "embodies": decoy if one.id in state.decoys else at % 4, "why": "so"}
            for at, one in enumerate(state.shown(batch))
        ]
        answer = digs.score_summaries(dig, batch, scores)
        assert not isinstance(answer, Refusal), answer.text
    return state


@pytest.mark.requirement("judge:decoys")
@pytest.mark.parametrize("each", [1, 2])
def test_each_batch_hides_rows_that_match_nothing_under_ids_like_the_others(
    codex: Settings, each: int
) -> None:
    plain = retrieved(hiding(codex, 0), f"Without {each}")
    state = retrieved(hiding(codex, each), f"With {each}")
    assert {one.row.path for one in state.candidates.values()} == {
        one.row.path for one in plain.candidates.values()
    }
    assert all(len(batch) <= 10 for batch in state.batches)
    assert [sum(id_ in state.decoys for id_ in batch) for batch in state.batches] == [each] * len(
        state.batches
    )
    ids = [id_ for batch in state.batches for id_ in batch]
    assert ids == [f"row_{number}" for number in range(1, len(ids) + 1)]
    said = " ".join([*TERMS, "forgiveness"])
    for decoy in state.decoys.values():
        assert decoy.row.summary
        text = f"{decoy.row.title} {decoy.row.summary} {' '.join(decoy.row.tags)}".lower()
        assert not any(word in text for word in said.split()), decoy.row.path


@pytest.mark.requirement("judge:decoys")
def test_they_are_scored_like_the_others_and_come_no_further(codex: Settings) -> None:
    digs = hiding(codex, 1)
    state = score_all(digs, retrieved(digs, "No further").dig, decoy=1)
    assert set(state.scores) == set(state.candidates)
    assert not set(state.decoys) & {one.id for one in state.top}
    assert "DECOY_SCORED" not in state.flags
    digs.pick_scotoma(
        state.dig, {"deep_cuts": [], "direct_hits": [state.top[0].id], "pass4_empty": True}
    )
    report = drive(digs, state.dig).report
    assert report is not None
    assert f"{len(state.candidates)} summaries scored" in report.text
    assert not any(one.row.path in report.text for one in state.decoys.values())
    assert "DECOY_SCORED" not in report.text


@pytest.mark.requirement("judge:decoys")
@pytest.mark.parametrize("high", [2, 3])
def test_who_scores_one_high_is_flagged_in_the_report_and_not_told_before(
    codex: Settings, high: int
) -> None:
    digs = hiding(codex, 1)
    dig = retrieved(digs, f"High {high}").dig
    state = digs.load(dig)
    scores = [
        {"id": one.id, "embodies": high if one.id in state.decoys else 0, "why": "so"}
        for one in state.shown(1)
    ]
    answer = digs.score_summaries(dig, 1, scores)
    assert not isinstance(answer, Refusal)
    assert "DECOY" not in answer.text
    state = score_all(digs, dig, decoy=0)
    hits = [state.top[0].id]
    digs.pick_scotoma(dig, {"deep_cuts": [], "direct_hits": hits, "pass4_empty": True})
    report = drive(digs, dig).report
    assert report is not None
    assert "DECOY_SCORED" in report.flags
    assert "DECOY_SCORED" in report.text


@pytest.mark.requirement("judge:decoys")
def test_the_same_dig_hides_the_same_rows_and_a_redirect_numbers_on(codex: Settings) -> None:
    digs = hiding(codex, 1)
    state = score_all(digs, retrieved(digs, "Numbered on").dig, decoy=0)
    again = digs_of(digs.settings).load(state.dig)
    assert again.decoys == state.decoys
    hits = [state.top[0].id]
    digs.pick_scotoma(state.dig, {"deep_cuts": [], "direct_hits": hits, "pass4_empty": True})
    reported = drive(digs, state.dig)
    Review(digs).redirect(state.dig, hand_on(reported), keep(reported), "look further")
    digs.retrieve_candidates(state.dig, [*TERMS[:9], "silence"])
    after = digs.load(state.dig)
    new = {id_ for batch in after.batches for id_ in batch}
    assert not new & {*state.candidates, *state.decoys}
    kept = {after.candidates[id_].row.path for id_ in after.kept}
    assert not kept & {one.row.path for one in after.decoys.values() if one.id in new}


@pytest.mark.requirement("judge:decoys")
def test_where_everything_matches_nothing_is_hidden(ground: Ground, tmp_path: Path) -> None:
    digs = hiding(ground.at(tmp_path / "state"), 1)
    dig = open_dig(digs)
    state = drive(digs, dig, "scoring")
    assert all(len(batch) <= 10 for batch in state.batches)
    shown = {one.row.path for one in state.decoys.values()}
    assert not shown & {one.row.path for one in state.candidates.values()}
    state = score_all(digs, dig, decoy=0)
    assert not isinstance(digs.pick_scotoma(dig, picks_of(state)), Refusal)
    drive(digs, dig)
    assert not isinstance(decide(digs, dig), Refusal)
    assert drive(digs, dig, "briefed").brief is not None
