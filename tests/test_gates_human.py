"""The human gate: a recorded decision on this report, strong enough, that keeps something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.human import LEVELS, Decided, Level, decided_by_person, weakest_level

SHA = "a" * 64


@pytest.mark.requirement("human:recorded-decision")
@pytest.mark.parametrize(
    ("decided", "weakest", "flag"),
    [
        pytest.param(None, "relayed", "NOT_DECIDED", id="nobody decided"),
        pytest.param(Decided("person", "b" * 64, 2), "client", "REPORT_VOID", id="another report"),
        pytest.param(Decided("client", SHA, 2), "person", "NOT_DECIDED", id="the host's word only"),
        pytest.param(Decided("relayed", SHA, 2), "client", "NOT_DECIDED", id="a file only"),
        pytest.param(Decided("person", SHA, 0), "client", "NOTHING_KEPT", id="all dropped"),
        pytest.param(Decided("local", SHA, 1), "client", "", id="a terminal"),
        pytest.param(Decided("relayed", SHA, 1), "relayed", "", id="a file, where allowed"),
    ],
)
def test_only_a_persons_decision_on_this_report_opens_the_brief(
    decided: Decided | None, weakest: Level, flag: str
) -> None:
    verdict = decided_by_person(decided, SHA, weakest)
    assert verdict.flag == flag
    assert verdict.passed is (not flag)


@pytest.mark.parametrize(
    ("passphrase", "relayed", "level"),
    [
        pytest.param(True, True, "person", id="a passphrase leaves only the person"),
        pytest.param(True, False, "person", id="with or without relays"),
        pytest.param(False, True, "relayed", id="relays allowed"),
        pytest.param(False, False, "client", id="as it comes"),
    ],
)
def test_the_settings_say_what_counts(passphrase: bool, relayed: bool, level: Level) -> None:
    assert weakest_level(passphrase, relayed) == level


@given(st.sampled_from(LEVELS), st.sampled_from(LEVELS))
def test_a_stronger_way_never_counts_less(level: Level, weakest: Level) -> None:
    passed = decided_by_person(Decided(level, SHA, 1), SHA, weakest).passed
    assert passed is (LEVELS.index(level) <= LEVELS.index(weakest))
