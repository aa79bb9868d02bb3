"""The contract of an exploration: six bounds, all stated, none clamped."""

from typing import Any

import pytest

from gates.contract import Ceilings, Contract, read_contract
from gates.verdict import Verdict

WHOLE: dict[str, Any] = {
    "max_rounds": 3,
    "max_tokens": 10_000,
    "max_stall_count": 1,
    "max_reset_count": 2,
    "max_plan_revisions": 0,
    "enable_plan_review": False,
}


USUAL = Ceilings()


def refusal(sent: object, ceilings: Ceilings = USUAL) -> str:
    found = read_contract(sent, ceilings)
    assert isinstance(found, Verdict)
    assert (found.flag, found.outcome) == ("INVALID_ARGUMENT", "refused")
    return found.reason


@pytest.mark.requirement("explore:E8")
@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({}, id="A1 as it is"),
        pytest.param(
            {"max_stall_count": 0, "max_plan_revisions": 0, "enable_plan_review": True},
            id="A3 no stall, no revision, with review",
        ),
        pytest.param({"max_rounds": 50, "max_tokens": 2_000_000}, id="at the ceilings"),
        pytest.param({"max_plan_revisions": 1, "enable_plan_review": True}, id="with revisions"),
    ],
)
def test_a_contract_in_bounds_is_taken_as_it_is(changed: dict[str, Any]) -> None:
    sent = {**WHOLE, **changed}
    assert read_contract(sent, Ceilings()) == Contract(**sent)


@pytest.mark.requirement("explore:E8")
@pytest.mark.parametrize("name", WHOLE)
def test_each_field_is_required_and_named_when_it_is_missing(name: str) -> None:
    rest = {key: value for key, value in WHOLE.items() if key != name}
    assert f"{name} is missing" in refusal(rest)


@pytest.mark.requirement("explore:E8")
@pytest.mark.requirement("explore:E9")
@pytest.mark.requirement("explore:E10")
@pytest.mark.requirement("explore:E12")
@pytest.mark.parametrize(
    ("changed", "named"),
    [
        pytest.param({"max_reset_count": 0}, "max_reset_count", id="A2 no reset"),
        pytest.param({"max_rounds": 0}, "max_rounds", id="A2 no round"),
        pytest.param({"max_tokens": 0}, "max_tokens", id="A2 no token"),
        pytest.param({"max_stall_count": -1}, "max_stall_count", id="less than none"),
        pytest.param({"max_rounds": True}, "max_rounds", id="A5 a boolean"),
        pytest.param({"max_rounds": "3"}, "max_rounds", id="A5 a text"),
        pytest.param({"max_rounds": 3.0}, "max_rounds", id="A5 a float"),
        pytest.param({"max_rounds": None}, "max_rounds", id="nothing"),
        pytest.param({"enable_plan_review": 1}, "enable_plan_review", id="1 is no boolean"),
        pytest.param({"max_round": 3}, "'max_round' is no field", id="an unknown field"),
        pytest.param({"max_tokens": 3_000_000}, "ceiling of 2000000", id="A7 beyond the ceiling"),
        pytest.param({"max_plan_revisions": 3}, "enable_plan_review", id="A4 revisions unseen"),
    ],
)
def test_what_is_out_of_bounds_is_refused_by_name(changed: dict[str, Any], named: str) -> None:
    assert named in refusal({**WHOLE, **changed})


@pytest.mark.requirement("explore:E10")
@pytest.mark.parametrize("sent", [None, [], "{}", 3], ids=repr)
def test_what_is_no_object_is_no_contract(sent: object) -> None:
    assert "no object" in refusal(sent)


@pytest.mark.requirement("explore:E12")
def test_an_operator_may_require_the_review() -> None:
    asked = Ceilings(require_plan_review=True)
    assert "requires enable_plan_review" in refusal(WHOLE, asked)
    assert isinstance(read_contract({**WHOLE, "enable_plan_review": True}, asked), Contract)
