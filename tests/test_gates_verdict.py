"""A verdict is a value: passed, refused or undecidable, with the reason and the way out."""

from gates.verdict import first_refusal, passed, refused, undecidable


def test_only_a_pass_passes() -> None:
    assert passed("a").passed
    assert not refused("b", "F", "why", "how").passed
    assert not undecidable("c", "F", "why", "how").passed
    assert passed("a", "fine").reason_if_refused == ""
    assert refused("b", "F", "why", "how").reason_if_refused == "why"


def test_the_first_that_did_not_pass_is_the_refusal() -> None:
    first = undecidable("b", "F", "why", "how")
    assert first_refusal([passed("a"), first, refused("c", "F", "why", "how")]) is first
    assert first_refusal([passed("a", "fine", "FLAG")]) is None
