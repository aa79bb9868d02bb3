"""The table of a dig's states: what an agent may call, what only a person may do."""

from typing import get_args

import pytest

from server import steps
from server.steps import State, Tool

STATES: tuple[State, ...] = get_args(State)


def test_every_state_has_its_tools_and_deeds() -> None:
    assert set(steps.TOOLS) == set(STATES) == set(steps.DEEDS)


@pytest.mark.requirement("dig:order")
@pytest.mark.parametrize(
    ("state", "tools"),
    [
        ("opened", {"retrieve_candidates"}),
        ("scoring", {"score_summaries"}),
        ("scored", {"pick_scotoma"}),
        ("picked", {"extract_excerpt", "dig_report"}),
        ("reported", {"assemble_brief"}),
        ("decided", {"assemble_brief"}),
        ("briefed", set[str]()),
        ("failed", set[str]()),
        ("abandoned", set[str]()),
    ],
)
def test_a_state_allows_just_its_moves(state: State, tools: set[str]) -> None:
    allowed = {tool for tool in get_args(Tool) if steps.allows(state, tool)}
    assert allowed == tools


def test_no_tool_of_an_agent_is_a_deed_of_a_person() -> None:
    assert not set(get_args(Tool)) & set(get_args(steps.Deed))


def test_only_a_report_can_be_decided() -> None:
    assert [state for state in STATES if steps.permits(state, "decide")] == ["reported"]


def test_only_a_failed_dig_is_reopened_and_at_the_step_that_failed() -> None:
    assert [state for state in STATES if steps.permits(state, "reopen")] == ["failed"]
    assert steps.BEFORE_STEP == {1: "opened", 2: "opened", 3: "scoring", 4: "scored"}


def test_the_second_counted_refusal_fails_a_step() -> None:
    assert [steps.fails(before) for before in (0, 1, 2)] == [False, True, True]
