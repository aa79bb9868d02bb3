"""That what is measured of retrieval is what it says."""

from pathlib import Path

import pytest

from bench.bench_retrieval import interval, measures
from bench.known_items import classic, known_items


@pytest.mark.parametrize(
    ("order", "gains", "ndcg", "recall", "rank"),
    [
        pytest.param([1, 2], {1: 4, 2: 1}, 1.0, 1.0, 1.0, id="as good as can be"),
        pytest.param([3, 1], {1: 1}, 0.6309, 1.0, 0.5, id="second place"),
        pytest.param([2, 1], {1: 4, 2: 1}, 0.7609, 1.0, 1.0, id="the better one second"),
        pytest.param([*range(10, 20), 1], {1: 1}, 0.0, 1.0, 1 / 11, id="beyond the tenth"),
        pytest.param([3], {1: 1, 2: 1}, 0.0, 0.0, 0.0, id="nothing relevant"),
    ],
)
def test_an_order_is_worth(
    order: list[int], gains: dict[int, int], ndcg: float, recall: float, rank: float
) -> None:
    assert measures(order, gains) == pytest.approx((ndcg, recall, rank), abs=1e-4)


def test_an_interval_holds_the_mean_and_is_wider_where_values_differ() -> None:
    low, high = interval([0.0, 1.0] * 20, 200)
    assert low < 0.5 < high
    assert interval([0.5] * 40, 200) == (0.5, 0.5)


def test_known_items_lack_what_they_are_sought_by(fixtures: Path) -> None:
    bodies, rows, whole, some, poor = known_items(fixtures / "codex")
    assert not any(text.title or text.summary for text in bodies.texts)
    assert not any(text.body for text in rows.texts)
    for mixed, kept in ((some, bodies), (poor, rows)):
        for number, text in enumerate(mixed.texts):
            sought = any(number in query.gains for query in mixed.queries)
            assert text == (kept if sought else whole).texts[number]
    assert [one.quotable for one in (bodies, rows, whole, some, poor)] == [True] * 4 + [False]


def test_the_judged_collections_are_read_whole(shared: Path) -> None:
    found = {
        one.name.partition(",")[0]: (
            len(one.texts),
            len(one.queries),
            sum(len(query.gains) for query in one.queries),
        )
        for one in classic(shared / "ir")
    }
    assert found == {"Cranfield": (1400, 225, 1612), "NPL": (11426, 93, 2083)}
