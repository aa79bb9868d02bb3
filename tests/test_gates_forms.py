"""What an agent sent is looked at before it is believed."""

import pytest

from gates.forms import as_list, as_mapping, is_text, naming, shown


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        pytest.param("a\u202e", "'a\\u202e'", id="hidden characters"),
        pytest.param("x" * 60, f"'{'x' * 60}'", id="as long as may be"),
        pytest.param("x" * 61, f"'{'x' * 60}…'", id="long text"),
        pytest.param(True, "true or false", id="boolean"),
        pytest.param(1.5, "a number", id="float"),
        pytest.param((1,), "something else", id="what JSON has not"),
    ],
)
def test_a_reason_quotes_briefly_and_shows_all(sent: object, told: str) -> None:
    assert shown(sent) == told


def test_lists_and_mappings_are_told_from_the_rest() -> None:
    assert as_list((1, 2)) == [1, 2]
    assert as_list("ab") is None
    assert as_mapping({"a": 1}) == {"a": 1}
    assert as_mapping([]) is None


def test_text_is_what_can_be_written_down() -> None:
    assert is_text("å")
    assert not is_text("\udfff")
    assert not is_text("a\ud800")
    assert is_text("\ue000")
    assert not is_text(b"a")


def test_the_first_six_faults_are_named_and_the_rest_counted() -> None:
    assert naming(["a"] * 6) == "a; a; a; a; a; a"
    assert naming(["a"] * 8) == "a; a; a; a; a; a; and 2 more"
    assert naming(["a"] * 7) == "a; a; a; a; a; a; and 1 more"
