"""Directions: whole, resting on what was declared, and going to a base that is named."""

from typing import Any

import pytest

from gates.routing import (
    Direction,
    base_routable,
    experts_routable,
    numbered,
    read_direction,
    requirement_declared,
    sameness,
)
from gates.verdict import Verdict

WHOLE: dict[str, Any] = {
    "label": "Smaller roundabouts",
    "rationale": "  word for word\n",
    "requirement": {"path": "krav/a.md", "ref": "4.1.2-1"},
    "why_none": None,
    "base": "roads",
    "affected_codes": ["21.1"],
    "claimed_saving": 5,
}


def direction(**changed: Any) -> Direction:
    found = read_direction({**WHOLE, **changed})
    assert isinstance(found, Direction), found
    return found


def flag(sent: dict[str, Any]) -> str:
    found = read_direction(sent)
    assert isinstance(found, Verdict), found
    return found.flag


@pytest.mark.requirement("explore:E66")
def test_a_hypothesis_is_kept_word_for_word() -> None:
    found = direction()
    assert (found.label, found.rationale) == (WHOLE["label"], WHOLE["rationale"])
    assert found.requirement == ("krav/a.md", "4.1.2-1")
    assert (found.affected_codes, found.claimed_saving) == (("21.1",), 5.0)
    bare = direction(base=None, affected_codes=None, claimed_saving=None)
    assert (bare.base, bare.affected_codes, bare.claimed_saving) == ("", (), None)
    assert direction(requirement=None, why_none="nothing binds it").requirement is None


@pytest.mark.requirement("explore:E67")
@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"requirement": None}, id="A54 null and no reason"),
        pytest.param({"requirement": None, "why_none": "  "}, id="a blank reason"),
        pytest.param({"requirement": {"path": "krav/a.md"}}, id="A54 no ref"),
        pytest.param({"requirement": {"path": "a", "ref": " "}}, id="a blank ref"),
        pytest.param({"requirement": {"path": 1, "ref": "x"}}, id="a path that is no text"),
        pytest.param({"requirement": {"path": "\ud800", "ref": "x"}}, id="no Unicode"),
        pytest.param({"requirement": {"path": "a", "ref": "b", "c": "d"}}, id="a third field"),
        pytest.param({"requirement": "krav/a.md"}, id="a text"),
        pytest.param({"why_none": "also"}, id="a reason beside a requirement"),
    ],
)
def test_a_requirement_is_named_or_its_absence_explained(changed: dict[str, Any]) -> None:
    assert flag({**WHOLE, **changed}) == "HYPOTHESIS_INCOMPLETE"


@pytest.mark.requirement("explore:E67")
def test_a_requirement_left_out_is_no_null() -> None:
    rest = {key: value for key, value in WHOLE.items() if key != "requirement"}
    assert flag(rest) == "HYPOTHESIS_INCOMPLETE"


@pytest.mark.requirement("explore:E66")
@pytest.mark.parametrize(
    "changed",
    [
        {"label": ""}, {"label": " "}, {"label": "x" * 201}, {"label": 3}, {"label": "\ud800"},
        {"rationale": ""}, {"rationale": "x" * 8001}, {"base": 3}, {"why_none": 3},
        {"affected_codes": "21.1"}, {"affected_codes": [21]}, {"affected_codes": 0},
        {"claimed_saving": -1}, {"claimed_saving": True}, {"claimed_saving": "5"},
        {"claimed_saving": float("nan")}, {"claimed_saving": float("inf")},
    ],
    ids=str,
)  # fmt: skip
def test_a_field_out_of_form_is_an_invalid_argument(changed: dict[str, Any]) -> None:
    assert flag({**WHOLE, **changed}) == "INVALID_ARGUMENT"


@pytest.mark.requirement("explore:E68")
def test_what_it_rests_on_must_have_been_declared() -> None:
    assert requirement_declared(direction(), True).passed
    assert requirement_declared(direction(), False).flag == "REQUIREMENT_NOT_DECLARED"
    none = direction(requirement=None, why_none="none")
    assert requirement_declared(none, False).passed


@pytest.mark.requirement("explore:E72")
@pytest.mark.parametrize(
    ("named", "bases", "to"),
    [
        pytest.param("roads", ["roads", "small"], "roads", id="named"),
        pytest.param("", ["roads"], "roads", id="the only one"),
        pytest.param("", [], "", id="none at all"),
        pytest.param("", ["roads", "small"], None, id="A56 several and none named"),
        pytest.param("rods", ["roads", "small"], None, id="A56 an unknown one"),
        pytest.param("rods", [], None, id="one where there is none"),
    ],
)
def test_a_base_is_never_guessed(named: str, bases: list[str], to: str | None) -> None:
    found = base_routable(named, bases)
    if to is not None:
        assert found == to
        return
    assert isinstance(found, Verdict)
    assert found.flag == "UNROUTABLE_APPROACH"
    assert (", ".join(bases) or "none configured") in found.remedy


@pytest.mark.requirement("explore:E73")
@pytest.mark.parametrize(
    ("approaches", "bases", "passes"),
    [
        pytest.param([("a", "roads"), ("b", "small")], ["roads", "small"], True, id="all named"),
        pytest.param([("a", "")], ["roads"], True, id="unnamed with one base"),
        pytest.param([("a", "")], [], True, id="unnamed with none"),
        pytest.param([("a", "")], ["roads", "small"], False, id="A59 unnamed with two"),
        pytest.param([("a", "rods")], ["roads"], False, id="an unknown base"),
        pytest.param([("a", "rods")], [], False, id="a base where there is none"),
        pytest.param([("a", ""), ("a", "")], ["roads"], False, id="an id twice"),
        pytest.param([("own-proposal", "")], ["roads"], False, id="the reserved id"),
    ],
)
def test_experts_approaches_are_checked_before_anything_is_spent(
    approaches: list[tuple[str, str]], bases: list[str], passes: bool
) -> None:
    verdict = experts_routable(approaches, bases)
    assert verdict.passed is passes
    assert passes or verdict.flag == "UNROUTABLE_APPROACH"


@pytest.mark.requirement("explore:E71")
def test_one_label_base_and_requirement_are_one_hypothesis() -> None:
    one = direction(label="Rundkjøring  liten")
    assert sameness(one, "roads") == sameness(direction(label="RUNDKJORING liten"), "roads")
    assert sameness(one, "roads") != sameness(one, "small")
    none = direction(requirement=None, why_none="none")
    assert sameness(none, "roads") != sameness(direction(), "roads")


@pytest.mark.requirement("explore:E75")
def test_a_number_that_is_taken_is_skipped_and_not_used_again() -> None:
    assert numbered(2, {"hypothesis-1"}) == ["hypothesis-2", "hypothesis-3"]  # A60
    assert numbered(0, set()) == []
