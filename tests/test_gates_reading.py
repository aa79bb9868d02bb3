"""The gate on declaring: what is declared was read, and enough beside it."""

import pytest

from gates.reading import must_have_looked, ref_agrees, still_as_read


@pytest.mark.requirement("explore:E50")
@pytest.mark.parametrize(
    ("opened", "declared", "in_base", "flag"),
    [
        pytest.param(["a", "b", "c"], "b", 10, "", id="three, one of them declared"),
        pytest.param(["a", "b", "c"], "d", 10, "REQUIREMENT_NOT_READ", id="never opened"),
        pytest.param(["a", "b"], "a", 10, "NOT_LOOKED_ENOUGH", id="two"),
        pytest.param(["a", "a", "b"], "a", 10, "NOT_LOOKED_ENOUGH", id="one twice"),
        pytest.param(["a", "b"], "a", 2, "", id="all that there are"),
        pytest.param([], "a", 0, "REQUIREMENT_NOT_READ", id="nothing to read"),
    ],
)
def test_enough_different_documents_were_read(
    opened: list[str], declared: str, in_base: int, flag: str
) -> None:
    verdict = must_have_looked(opened, declared, in_base)
    assert verdict.flag == flag
    assert verdict.passed is (not flag)


@pytest.mark.requirement("explore:E49")
def test_a_document_changed_since_is_to_be_read_again() -> None:
    assert still_as_read("a", "a").passed
    changed = still_as_read("a", "b")
    assert (changed.flag, changed.remedy) == ("REQUIREMENT_NOT_READ", "read it again")


@pytest.mark.requirement("explore:E52")
@pytest.mark.parametrize(
    ("ref", "number", "agrees"),
    [
        pytest.param("4.1.2-1", "Krav 4.1.2-1", True, id="A43 the part after the last blank"),
        pytest.param("Krav 4.1.2-1", "4.1.2-1", True, id="the other way round"),
        pytest.param("KRAV  4.1.2-1", "Krav 4.1.2-1", True, id="folded"),
        pytest.param("4.1.2-2", "Krav 4.1.2-1", False, id="A44 another number"),
        pytest.param("1", "Krav 4.1.2-1", False, id="a piece of it"),
        pytest.param("Krav", "Krav 4.1.2-1", False, id="the part before it"),
        pytest.param("x 4.1.2-1", "Krav 4.1.2-1", False, id="two different wholes"),
        pytest.param("G1", "", True, id="A45 a document without a number"),
        pytest.param("1.1", "1.10", False, id="1.10 stays 1.10"),
    ],
)
def test_a_reference_is_the_documents_own_number(ref: str, number: str, agrees: bool) -> None:
    verdict = ref_agrees(ref, number)
    assert verdict.passed is agrees
    assert agrees or (verdict.flag == "REQUIREMENT_REF_MISMATCH" and number in verdict.reason)
