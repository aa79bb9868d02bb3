"""Rounds of an exploration: their order, when a run stalls, and as what it ends."""

from dataclasses import replace
from typing import Any

import pytest

from gates.contract import Contract
from gates.rounds import (
    Assessment,
    Budget,
    Ending,
    Stalls,
    after_round,
    classify,
    over_tokens,
    round_in_order,
    rounds_left,
)

CONTRACT = Contract(3, 10_000, 1, 2, 1, False)
GOING = Assessment(False, False, True, "navigator")
STUCK = replace(GOING, progress=False)
DONE = replace(GOING, satisfied=True)


@pytest.mark.requirement("explore:E87")
@pytest.mark.parametrize(("index", "in_order"), [(1, False), (2, True), (3, False), (0, False)])
def test_the_next_round_is_the_one_after_the_last(index: int, in_order: bool) -> None:
    verdict = round_in_order(index, rows=1)
    assert verdict.passed is in_order
    assert in_order or "2 is expected" in verdict.reason


@pytest.mark.requirement("explore:E77")
@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("navigator", True),
        ("hypothesiser", True),
        ("manager", False),
        ("Navigator", False),
        ("", False),
    ],
)
def test_only_a_participant_can_speak_next(name: str, known: bool) -> None:
    assert replace(GOING, next_speaker=name).speaker_known is known


@pytest.mark.requirement("explore:E78")
def test_stalls_add_up_and_are_taken_off_and_become_resets() -> None:
    stalls, seen = Stalls(), list[tuple[int, int, bool]]()
    for row in (STUCK, GOING, STUCK, STUCK):  # A64
        stalls = after_round(stalls, row, CONTRACT)
        seen.append((stalls.count, stalls.resets, stalls.replan))
    assert seen == [(1, 0, False), (0, 0, False), (1, 0, False), (0, 1, True)]
    assert after_round(Stalls(), replace(GOING, in_loop=True), CONTRACT).count == 1
    assert after_round(Stalls(), GOING, CONTRACT) == Stalls()


@pytest.mark.requirement("explore:E78")
def test_the_last_reset_that_is_allowed_ends_the_run() -> None:
    strict = replace(CONTRACT, max_stall_count=0, max_reset_count=1)  # A65
    assert after_round(Stalls(), STUCK, strict) == Stalls(0, 1, replan=True, over=True)
    assert not after_round(Stalls(), STUCK, replace(strict, max_reset_count=2)).over


@pytest.mark.requirement("explore:E80")
def test_rounds_and_lost_rounds_are_one_budget() -> None:
    assert rounds_left([GOING], 1, CONTRACT).passed
    assert rounds_left([GOING, GOING], 1, CONTRACT).flag == "BUDGET_EXHAUSTED"


@pytest.mark.requirement("explore:E82")
@pytest.mark.parametrize(
    ("spent", "over"), [(10_000, None), (10_001, Budget("tokens", 10_000, 10_001))]
)
def test_all_tokens_may_be_spent_and_not_one_more(spent: int, over: Budget | None) -> None:
    assert over_tokens(spent, CONTRACT) == over


@pytest.mark.requirement("explore:E79")
@pytest.mark.parametrize(
    ("rows", "lost", "past", "ending"),
    [
        pytest.param([DONE], 0, True, {"stop": "plan_revisions_exhausted"}, id="revised"),
        pytest.param(
            [replace(GOING, next_speaker="manager"), DONE], 0, False, {"stop": "unknown_speaker"},
            id="A66 an answer nobody was asked for",
        ),
        pytest.param(
            [replace(DONE, next_speaker="")], 0, False, {"stop": "unknown_speaker"},
            id="A67 satisfied by nobody",
        ),
        pytest.param([GOING, GOING, DONE], 0, False, {"concluded": True}, id="A68 satisfied last"),
        pytest.param(
            [GOING] * 3, 0, False, {"exhausted": Budget("rounds", 3, 3)}, id="A69 out of rounds"
        ),
        pytest.param(
            [GOING] * 2, 1, False, {"exhausted": Budget("rounds", 3, 3)}, id="A89 one was lost"
        ),
        pytest.param([GOING], 0, False, {"stop": "stalled"}, id="A70 one round"),
        pytest.param([], 0, False, {"stop": "stalled"}, id="A70 no round"),
    ],
)  # fmt: skip
def test_a_run_ends_by_counts_and_flags_in_one_order(
    rows: list[Assessment], lost: int, past: bool, ending: dict[str, Any]
) -> None:
    assert classify(rows, lost, past, CONTRACT) == Ending(**ending)
