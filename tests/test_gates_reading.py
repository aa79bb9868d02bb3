"""The gate on declaring: what is declared was read, and enough beside it."""

import pytest

from gates.reading import must_have_looked


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
