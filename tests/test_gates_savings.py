"""The savings check: the worked numbers, strict reading, and a slow telling of the optimum."""

import itertools
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gates import savings
from gates.carrying import TOLERANCE, GaveUp, carried, credited
from gates.proposals import Line, Measure, NotReadable, Triangle, read_baseline, read_proposal
from gates.sampling import stream, triangular
from gates.savings import Validation, validate_text
from tests.explore_base import BASELINE

BASE = read_baseline(json.dumps(BASELINE))
POINTS = ("low", "mode", "high")


def measure(
    id_: str, codes: Sequence[str], share: float, r: Sequence[float] = (), x: Sequence[str] = ()
) -> dict[str, Any]:
    found: dict[str, Any] = {"id": id_, "label": id_, "codes": list(codes), "max_share": share}
    if r:
        found["realisation"] = dict(zip(POINTS, r, strict=True))
    if x:
        found["excludes"] = list(x)
    return found


def proposal(claim: float, *measures: Mapping[str, Any], **changed: Any) -> str:
    whole = {
        "label": "a proposal",
        "currency": "NOK",
        "base_year": 2026,
        "claimed_saving": claim,
        "measures": list(measures),
    }
    return json.dumps({**whole, **changed})


M1 = measure("m1", ["21.1"], 0.2)
ASSUMED = {"code": "x", "amount": 1_000_000, "band": {"low": 8e5, "mode": 1e6, "high": 1.1e6}}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "W1": (proposal(150_000, M1), {"carriable": 200_000, "p": (150_000, 150_000, 150_000)}),
    "W2": (proposal(250_000, M1), {"check": "not_carried", "carriable": 200_000}),
    "W3": (
        proposal(300_000, M1, measure("m2", ["21.1"], 0.15)),
        {"check": "not_carried", "carriable": 200_000},
    ),
    "W4": (
        proposal(200_000, M1, measure("m2", ["21.1"], 0.15)),
        {"by": {"21.1": ("m1", 200_000)}, "p": (200_000, 200_000, 200_000)},
    ),
    "W5": (
        proposal(400_000, measure("m1", ["21.1"], 0.2, x=["m2"]), measure("m2", ["31.1"], 0.1)),
        {"check": "not_carried", "carriable": 250_000},
    ),
    "W6": (
        proposal(250_000, measure("m1", ["21.1"], 0.2, x=["m2"]), measure("m2", ["31.1"], 0.1)),
        {"by": {"31.1": ("m2", 250_000)}, "p": (236_459.58, 256_346.73, 289_879.76)},
    ),
    "W7": (
        proposal(40_000, measure("m1", ["21.2"], 0.1)),
        {"p": (36_121.72, 43_274.71, 51_322.42)},
    ),
    "W8": (
        proposal(150_000, measure("m1", ["21.1"], 0.2, (0.7, 1, 1.1))),
        {"p": (122_105.56, 141_873.86, 156_229.61)},
    ),
    "W9": (
        proposal(
            330_000,
            measure("m1", ["21.1", "21.2"], 0.1, (0.8, 1, 1.2)),
            measure("m2", ["31.1"], 0.08, (0.5, 0.9, 1.2)),
        ),
        {
            "carriable": 340_000,
            "by": {
                "21.1": ("m1", 97_058.82),
                "21.2": ("m1", 38_823.53),
                "31.1": ("m2", 194_117.65),
            },
            "p": (271_757.86, 315_439.23, 363_801.43),
        },
    ),
    "W10": (
        proposal(150_000, measure("m1", ["21.1"], 0.2, (0.3, 0.5, 0.8))),
        {"check": "above_p90", "p": (60_615.17, 79_068.37, 103_016.21)},
    ),
    "W11": (
        proposal(
            240_000,
            measure("m1", ["21.1", "31.1"], 0.1, x=["m2"]),
            measure("m2", ["31.1", "21.2"], 0.12),
        ),
        {
            "carriable": 350_000,
            "by": {"21.1": ("m1", 68_571.43), "31.1": ("m1", 171_428.57)},
            "p": (230_715.14, 244_352.04, 267_346.12),
        },
    ),
    "W12": (
        proposal(400_000, measure("m1", ["21.2"], 1, (1, 1, 1.3))),
        {"p": (361_217.19, 432_747.10, 513_224.22)},
    ),
    "W13": (
        proposal(5_000_000, measure("m1", ["21.1", "21.2", "31.1"], 1)),
        {"check": "above_lines"},
    ),
    "W15": (
        proposal(
            200_000,
            measure("m1", ["21.1"], 0.2, (0.5, 0.8, 1.2)),
            measure("m2", ["21.1"], 0.2, (0.9, 1, 1.1)),
        ),
        {"by": {"21.1": ("m1", 200_000)}, "p": (130_171.37, 165_435.67, 209_060.96)},
    ),
}


def assert_as_worked(found: Validation, wanted: dict[str, Any]) -> None:
    assert found.check == wanted.get("check", "")
    assert found.decision == ("rejected" if "check" in wanted else "validated")
    if "carriable" in wanted:
        assert found.carriable == pytest.approx(wanted["carriable"], abs=0.01)
    if "p" in wanted:
        assert (found.p10, found.p50, found.p90) == pytest.approx(wanted["p"], abs=0.01)
    if "by" in wanted:
        assert found.carried_by is not None
        assert set(found.carried_by) == set(wanted["by"])
        for code, (id_, amount) in wanted["by"].items():
            assert found.carried_by[code][0] == id_
            assert found.carried_by[code][1] == pytest.approx(amount, abs=0.01)


@pytest.mark.requirement("explore:E61")
@pytest.mark.requirement("explore:E63")
@pytest.mark.parametrize(("text", "wanted"), CASES.values(), ids=CASES)
def test_the_worked_numbers_come_out(text: str, wanted: dict[str, Any]) -> None:
    found = validate_text(text, BASE)
    assert found.anchored
    assert_as_worked(found, wanted)
    assert validate_text(text, BASE) == found


@pytest.mark.requirement("explore:E60")
def test_without_a_baseline_the_assumed_lines_are_the_lines() -> None:
    text = proposal(90_000, measure("m1", ["x"], 0.1), assumed_lines=[ASSUMED])
    found = validate_text(text, None)
    assert not found.anchored
    assert_as_worked(found, {"p": (79_256.39, 88_089.30, 94_047.68)})  # W14


@pytest.mark.requirement("explore:E64")
@pytest.mark.requirement("explore:E65")
def test_each_uncertain_quantity_has_a_stream_of_its_own() -> None:
    line, one = stream("line", "21.2"), stream("measure", "m1")
    assert next(line) == pytest.approx(0.596176637144, abs=1e-12)
    assert next(line) == pytest.approx(0.353231558831, abs=1e-12)
    assert next(one) == pytest.approx(0.744084588117, abs=1e-12)
    assert next(one) == pytest.approx(0.478344343000, abs=1e-12)
    assert triangular(0.5, Triangle(2, 2, 2)) == 2
    assert triangular(0.0, Triangle(1, 2, 4)) == 1
    assert triangular(1.0, Triangle(1, 2, 4)) == 4


@pytest.mark.requirement("explore:E60")
@pytest.mark.parametrize(
    ("text", "base", "check"),
    [
        pytest.param(proposal(1, M1), None, "no_lines", id="no lines at all"),
        pytest.param(proposal(1, M1, currency="EUR"), BASE, "currency", id="A51 another currency"),
        pytest.param(proposal(1, M1, base_year=2025), BASE, "base_year", id="another year"),
        pytest.param(proposal(1, measure("m", ["99.9"], 1)), BASE, "unknown_code", id="A51 a code"),
        pytest.param(
            proposal(1, M1, assumed_lines=[ASSUMED]), BASE, "unknown_code", id="an assumed code"
        ),
        pytest.param(
            proposal(1, M1, assumed_lines=[{"code": "21.1", "amount": 1_010_001}]),
            BASE,
            "assumed_line",
            id="more than a hundredth off",
        ),
        pytest.param(
            proposal(1, measure("m", ["88.9"], 1)), BASE, "above_lines", id="a line of nothing"
        ),
    ],
)
def test_the_first_check_that_fails_is_named(text: str, base: Any, check: str) -> None:
    found = validate_text(text, base)
    assert (found.decision, found.check) == ("rejected", check)


@pytest.mark.requirement("explore:E60")
def test_an_assumed_line_within_a_hundredth_is_compared_and_not_used() -> None:
    near = [{"code": "21.1", "amount": 1_010_000, "label": "near"}]
    assert_as_worked(validate_text(proposal(150_000, M1, assumed_lines=near), BASE), CASES["W1"][1])


@pytest.mark.requirement("explore:E59")
@pytest.mark.parametrize(("amount", "carriable"), [(1, 0.12), (3, 0.38), (5, 0.62)])
def test_money_is_rounded_half_to_even(amount: int, carriable: float) -> None:
    text = proposal(
        0.1, measure("m", ["x"], 0.125), assumed_lines=[{"code": "x", "amount": amount}]
    )
    assert validate_text(text, None).carriable == carriable


@pytest.mark.requirement("explore:E59")
@pytest.mark.parametrize(
    ("claim", "decision"), [(200_000.004, "validated"), (200_000.01, "rejected")]
)
def test_half_a_hundredth_more_than_can_be_carried_is_carried(claim: float, decision: str) -> None:
    assert validate_text(proposal(claim, M1), BASE).decision == decision


@pytest.mark.requirement("explore:E63")
def test_a_line_of_nothing_among_others_carries_nothing() -> None:
    found = validate_text(proposal(100, measure("m", ["88.9", "21.1"], 0.2)), BASE)
    assert found.carried_by == {"21.1": ("m", 100.0)}
    nothing = carried([Measure("m", ("88.9",), 1.0)], BASE.lines)
    assert nothing.total == 0


@pytest.mark.requirement("explore:E55")
def test_a_solver_that_gives_up_refuses_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    out_of_time = SimpleNamespace(status=1, message="Time limit reached.")

    def solved(*_: object, **__: object) -> SimpleNamespace:
        return out_of_time

    monkeypatch.setattr("scipy.optimize.milp", solved)
    with pytest.raises(GaveUp):
        carried([Measure("m", ("21.1",), 0.2)], BASE.lines)
    found = validate_text(proposal(1, M1), BASE)
    assert (found.decision, found.anchored) == ("refused", False)


BAD: dict[str, str] = {
    "no JSON": "{",
    "empty": "",
    "deep": "[" * 20_000,
    "not a number": proposal(1, M1).replace(": 1,", ": NaN,", 1),
    "infinite": proposal(1, M1).replace(": 1,", ": 1e999,", 1),
    "a huge integer": proposal(1, M1).replace(": 1,", f": {'9' * 400},", 1),
    "an endless integer": proposal(1, M1).replace(": 1,", f": {'9' * 5000},", 1),
    "a key twice": proposal(1, M1).replace('"label"', '"currency": "NOK", "label"', 1),
    "a lone surrogate": '"\ud800"',
    "too long": json.dumps("x" * 70_000),
    "a list": "[]",
    "an unknown key": proposal(1, M1, more=1),
    "no label": proposal(1, M1, label=" "),
    "a long label": proposal(1, M1, label="x" * 201),
    "no currency": proposal(1, M1, currency="nok"),
    "a year as text": proposal(1, M1, base_year="2026"),
    "a year too early": proposal(1, M1, base_year=1899),
    "no claim": proposal(0, M1),
    "a claim beyond": proposal(1.1e12, M1),
    "a claim that is true": proposal(True, M1),
    "no measure": proposal(1),
    "too many measures": proposal(1, *(measure(f"m{n}", ["21.1"], 0.1) for n in range(21))),
    "measures as text": proposal(1, measures="m1"),
    "a measure as text": proposal(1, measures=["m1"]),
    "a measure twice": proposal(1, M1, M1),
    "an id out of form": proposal(1, measure("m 1", ["21.1"], 0.1)),
    "a code twice": proposal(1, measure("m", ["21.1", "21.1"], 0.1)),
    "a code that is none": proposal(1, measures=[{**M1, "codes": [1]}]),
    "a share of none": proposal(1, measure("m", ["21.1"], 0)),
    "a share of more": proposal(1, measure("m", ["21.1"], 1.1)),
    "an unknown measure excluded": proposal(1, measure("m", ["21.1"], 0.1, x=["n"])),
    "itself excluded": proposal(1, measure("m", ["21.1"], 0.1, x=["m"])),
    "an extra field of a measure": proposal(1, measures=[{**M1, "more": 1}]),
    "realisation upside down": proposal(1, measure("m", ["21.1"], 0.1, (1, 0.5, 1))),
    "realisation beyond": proposal(1, measure("m", ["21.1"], 0.1, (1, 1, 2.1))),
    "an assumed line without a code": proposal(1, M1, assumed_lines=[{"amount": 1}]),
    "an assumed line of less": proposal(1, M1, assumed_lines=[{"code": "x", "amount": -1}]),
    "an assumed line twice": proposal(1, M1, assumed_lines=[ASSUMED, ASSUMED]),
    "an amount out of its band": proposal(1, M1, assumed_lines=[{**ASSUMED, "amount": 2e6}]),
    "a label that is none": proposal(1, M1, assumed_lines=[{"code": "x", "amount": 1, "label": 1}]),
}


@pytest.mark.requirement("explore:E55")
@pytest.mark.requirement("explore:E57")
@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_what_is_no_proposal_is_unparseable_and_the_reason_lists_what_is(text: str) -> None:
    for base in (BASE, None):
        found = validate_text(text, base)
        assert (found.decision, found.anchored) == ("unparseable", base is not None)
        assert "claimed_saving > 0" in found.reason
        assert len(found.reason) < 1000


@pytest.mark.requirement("explore:E58")
@pytest.mark.parametrize(
    "changed",
    [
        {"currency": None},
        {"base_year": True},
        {"lines": None},
        {"lines": [{"code": "a", "amount": 1}, {"code": "a", "amount": 2}]},
        {"lines": [{"code": "a", "amount": 1, "band": {"low": 2, "mode": 1, "high": 3}}]},
        {"lines": [{"code": " ", "amount": 1}]},
        {"lines": ["a"]},
        {"lines": [{"code": f"c{n}", "amount": 1} for n in range(5001)]},
    ],
    ids=lambda changed: str(changed)[:40],
)
def test_a_baseline_that_breaks_a_rule_is_unreadable(changed: dict[str, Any]) -> None:
    with pytest.raises(NotReadable):
        read_baseline(json.dumps({**BASELINE, **changed}))


@pytest.mark.requirement("explore:E58")
def test_other_keys_of_a_baseline_are_ignored_and_no_lines_are_some() -> None:
    lines = [{"code": "a", "amount": 1, "note": 1, "band": None}]
    assert (
        read_baseline(json.dumps({**BASELINE, "lines": lines, "note": []})).lines["a"].amount == 1
    )
    assert read_baseline(json.dumps({**BASELINE, "lines": []})).lines == {}


@st.composite
def small_cases(draw: st.DrawFn) -> tuple[list[Measure], dict[str, Line]]:
    """Up to five measures on up to four lines, with alternatives among them."""
    scale = draw(st.sampled_from([1.0, 1e3, 1e9]))
    codes = [f"c{n}" for n in range(draw(st.integers(1, 4)))]
    lines = {code: Line(code, draw(st.integers(0, 9)) * scale) for code in codes}
    ids = [f"m{n}" for n in range(draw(st.integers(1, 5)))]
    measures = [
        Measure(
            id_,
            tuple(draw(st.lists(st.sampled_from(codes), min_size=1, unique=True))),
            draw(st.sampled_from([0.1, 0.2, 0.5, 1.0])),
            frozenset(draw(st.lists(st.sampled_from(ids), max_size=2))) - {id_},
        )
        for id_ in ids
    ]
    return measures, lines


@pytest.mark.requirement("explore:E62")
@settings(max_examples=40, deadline=None)
@given(small_cases())
def test_the_optimum_is_that_of_every_choice_tried(
    case: tuple[list[Measure], dict[str, Line]],
) -> None:
    measures, lines = case
    best, chosen = 0.0, dict[str, Measure]()
    totals: list[tuple[int, float, dict[str, Measure]]] = []
    for flags in itertools.product([0, 1], repeat=len(measures)):
        some = [one for one, on in zip(measures, flags, strict=True) if on]
        if any(a.id in b.excludes for a in some for b in some):
            continue
        by = credited(some)
        total = sum(by[code].max_share * lines[code].amount for code in sorted(by))
        totals.append((sum(on << at for at, on in enumerate(flags)), total, by))
        best = max(best, total)
    _, _, chosen = min((t for t in totals if t[1] >= best - TOLERANCE), key=lambda t: t[0])
    found = carried(measures, lines)
    assert found.total == pytest.approx(best, abs=TOLERANCE)
    assert {c: m.id for c, m in found.by.items()} == {c: m.id for c, m in chosen.items()}


@pytest.mark.requirement("explore:E61")
def test_many_measures_on_many_lines_are_carried_in_time() -> None:
    lines = {f"c{n}": Line(f"c{n}", 1000.0 + n) for n in range(5000)}
    measures = [
        Measure(f"m{n}", tuple(f"c{(n * 150 + k) % 5000}" for k in range(200)), 0.1 + n / 100)
        for n in range(20)
    ]
    assert carried(measures, lines).total > 0


@pytest.mark.requirement("explore:E61")
def test_the_solver_prints_nothing_and_is_loaded_at_first_use() -> None:
    program = (
        "import sys, gates.savings\n"
        "assert not {'scipy', 'numpy'} & set(sys.modules)\n"
        "from gates.carrying import carried\n"
        "from gates.proposals import Line, Measure\n"
        "carried([Measure('m', ('a',), .2), Measure('n', ('a',), .1)], {'a': Line('a', 9.0)})\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_public_names_are_those_of_the_module() -> None:
    assert savings.validate_proposal(read_proposal(CASES["W1"][0]), BASE).decision == "validated"
