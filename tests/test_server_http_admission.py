"""How many calls of one principal are let in: by a clock of the test's own."""

import pytest

from server.http.admission import Admission


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.requirement("http:limits")
def test_an_allowance_is_used_up_and_fills_up_again(clock: Clock) -> None:
    admission = Admission(6, 100, clock)
    for _ in range(6):
        assert admission.enter("anna") == 0
        admission.leave("anna")
    assert admission.enter("anna") == 10
    clock.now += 9.5
    assert admission.enter("anna") == 1
    clock.now += 0.5
    assert admission.enter("anna") == 0
    clock.now += 3600
    assert [admission.enter("anna") for _ in range(7)] == [0, 0, 0, 0, 0, 0, 10]


@pytest.mark.requirement("http:limits")
def test_only_so_many_are_answered_at_a_time(clock: Clock) -> None:
    admission = Admission(600, 2, clock)
    assert [admission.enter("anna") for _ in range(3)] == [0, 0, 1]
    assert admission.enter("berit") == 0
    admission.leave("anna")
    assert admission.enter("anna") == 0


@pytest.mark.requirement("http:limits")
def test_a_call_that_is_refused_costs_nothing(clock: Clock) -> None:
    admission = Admission(60, 1, clock)
    assert admission.enter("anna") == 0
    assert {admission.enter("anna") for _ in range(500)} == {1}
    admission.leave("anna")
    assert admission.enter("anna") == 0


@pytest.mark.requirement("http:limits")
def test_names_without_end_take_no_room_without_end(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.http.admission._REMEMBERED", 3)
    admission = Admission(60, 1, clock)
    assert admission.enter("anna") == 0
    for number in range(50):
        assert admission.enter(f"somebody {number}") == 0
        admission.leave(f"somebody {number}")
    # whoever is being answered is not forgotten
    assert admission.enter("anna") == 1
    admission.leave("anna")
