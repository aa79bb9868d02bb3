"""What frontmatter says is found under the names that columns have, as text and bounded."""

from collections.abc import Mapping

import pytest

from index.fields import OwnFields, as_text, split_items
from index.records import Value


@pytest.mark.parametrize(
    ("data", "field", "text"),
    [
        pytest.param({"Summary": " A  b\nc "}, "summary", "A b c", id="one line"),
        pytest.param({"summary": "", "description": "D"}, "summary", "D", id="the first filled"),
        pytest.param({"gist": "G", "abstract": "A"}, "summary", "A", id="the first in the list"),
        pytest.param({"monomyth-stage": "Home"}, "monomyth", "Home", id="hyphens"),
        pytest.param({"title": ["A", None, ["B", "C"]]}, "title", "A, B, C", id="a list"),
        pytest.param({"title": {"a": "b"}}, "title", "", id="a mapping is no text"),
        pytest.param({"title": "A", "Title": "B"}, "title", "A", id="the first spelling"),
        pytest.param({}, "title", "", id="nothing"),
    ],
)
def test_a_field_is_text(data: Mapping[str, Value], field: str, text: str) -> None:
    assert OwnFields(data).text(field) == text


@pytest.mark.parametrize(
    ("data", "field", "items"),
    [
        pytest.param({"tags": ["a", "", None, "b c"]}, "tags", ("a", "b c"), id="a list"),
        pytest.param({"tags": "a, b; c"}, "tags", ("a", "b", "c"), id="text"),
        pytest.param({"tags": "#a #b/c"}, "tags", ("a", "b/c"), id="hash tags"),
        pytest.param({"tags": [], "topics": ["t"]}, "tags", ("t",), id="the first filled"),
        pytest.param({"takeaways": "a, b; c"}, "keypoints", ("a, b", "c"), id="points"),
        pytest.param({"keypoints": "a<br>b<br />c"}, "keypoints", ("a", "b", "c"), id="breaks"),
        pytest.param({}, "tags", (), id="nothing"),
    ],
)
def test_a_field_is_a_list(data: Mapping[str, Value], field: str, items: tuple[str, ...]) -> None:
    assert OwnFields(data).items(field) == items


def test_the_number_is_that_of_the_first_key_that_has_one() -> None:
    assert OwnFields({"id": "7", "ref": "", "number": "'1.10'"}).number == "1.10"
    assert OwnFields({"requirement_number": "Krav 4", "number": "5"}).number == "Krav 4"
    assert OwnFields({"title": "A"}).number == ""


def test_everything_else_is_a_facet() -> None:
    data: Mapping[str, Value] = {"title": "A", "stale_after": "2026", "n": {"a": "b"}, "m": ["x"]}
    assert OwnFields(data).facets() == (("stale_after", "2026"), ("m", "x"))


@pytest.mark.requirement("fields:bounded")
def test_aliases_cannot_make_a_block_larger_than_it_may_be() -> None:
    long: Value = "x" * 30_000
    many: list[Value] = [long] * 9_000
    own = OwnFields({"tags": many, **{f"k{number}": long for number in range(9_000)}})
    assert sum(map(len, own.items("tags"))) <= 64 * 1024
    assert sum(len(text) for _, text in own.facets()) <= 64 * 1024
    nested: list[Value] = [many, many]
    assert len(as_text(nested)) <= 64 * 1024


def test_a_cell_without_items_is_an_empty_list() -> None:
    assert split_items("tags", " , ;; #") == ()
    assert split_items("keypoints", "") == ()
