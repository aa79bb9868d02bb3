"""The orders of candidates: what weighs how much, and that nothing else does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import pytest

from server.ordering import Reached, Words, hybrid, specified, spread, taught

MOST = 40


@dataclass(frozen=True)
class Said:
    """The words of rows, by place; all are equally rare."""

    words: Mapping[int, str] = field(default_factory=dict[int, str])

    def of(self, place: int) -> frozenset[str]:
        return frozenset(self.words.get(place, "").split())

    def rarity(self, word: str) -> float:
        return 2.0 if word else 0.0


class Rows:
    """Rows by name, in the order in which they were made."""

    def __init__(self) -> None:
        self.made: list[Reached] = []

    def add(self, path: str, matched: int = 0, score: float = 0.0, structural: bool = False) -> int:
        self.made.append(Reached(len(self.made), path, matched, structural, score))
        return len(self.made) - 1

    def many(self, count: int, matched: int, score: float) -> None:
        for n in range(count):
            self.add(f"many{n:02}", matched, score)


@pytest.fixture
def rows() -> Rows:
    return Rows()


def paths(found: list[Reached]) -> list[str]:
    return [one.path for one in found]


def learning(rows: list[Reached], words: Words) -> list[Reached]:
    return hybrid(rows, MOST, partial(taught, words))


plain = partial(learning, words=Said())


@pytest.mark.requirement("dig:candidates")
def test_the_specified_rule_counts_first_and_takes_bodies_last(rows: Rows) -> None:
    rows.add("body", score=9.0)
    rows.add("b", matched=1, score=1.0)
    rows.add("a", matched=1, score=1.0)
    rows.add("better", matched=1, score=2.0)
    rows.add("structure", structural=True)
    rows.add("both", matched=1, structural=True)
    order = ["both", "structure", "better", "a", "b", "body"]
    assert paths(specified(rows.made, MOST)) == order
    assert paths(specified(rows.made, 4)) == order[:4]


@pytest.mark.requirement("retrieval:hybrid")
def test_what_a_body_holds_competes_with_what_a_row_holds(rows: Rows) -> None:
    rows.add("row", matched=2, score=3.0)
    rows.add("body", score=4.0)
    assert paths(plain(rows.made)) == ["body", "row"]


@pytest.mark.requirement("retrieval:hybrid")
def test_structure_is_worth_two_terms(rows: Rows) -> None:
    rows.add("one term", matched=1, score=2.0)
    rows.add("two terms and a little", matched=2, score=4.1)
    rows.add("a usual one", matched=1, score=1.9)
    rows.add("structure", structural=True)
    # Four terms brought 8.0 together, so two are worth 4.0.
    assert paths(plain(rows.made)) == [
        *("two terms and a little", "structure", "one term", "a usual one")
    ]


@pytest.mark.requirement("retrieval:hybrid")
def test_a_row_that_matches_by_structure_alone_is_not_cut(rows: Rows) -> None:
    rows.many(60, matched=1, score=3.0)
    rows.add("structure", structural=True)
    assert paths(plain(rows.made))[0] == "structure"


@pytest.mark.requirement("retrieval:hybrid")
def test_terms_inside_longer_words_are_worth_half_a_usual_one(rows: Rows) -> None:
    rows.add("words", matched=2, score=6.0)
    rows.add("inside", matched=2)
    rows.add("body", score=1.4)
    # Four matches brought 6.0, so two of them are worth 1.5 at least.
    assert paths(plain(rows.made)) == ["words", "inside", "body"]


@pytest.mark.requirement("retrieval:hybrid")
def test_where_only_parts_of_words_match_their_count_decides(rows: Rows) -> None:
    rows.add("one", matched=1)
    rows.add("three", matched=3)
    rows.add("structure", structural=True)
    assert paths(plain(rows.made)) == ["structure", "three", "one"]


@pytest.mark.requirement("retrieval:feedback")
def test_of_two_alike_the_one_that_shares_words_with_the_best_comes_first(rows: Rows) -> None:
    rows.add("best", matched=1, score=5.0)
    rows.add("a stranger", matched=1, score=2.0)
    kin = rows.add("kin", matched=1, score=1.9)
    said = Said({0: "rust hull", 1: "bread oven", kin: "rust hull paint"})
    assert paths(learning(rows.made, said)) == ["best", "kin", "a stranger"]


@pytest.mark.requirement("retrieval:feedback")
def test_nobody_learns_where_the_best_says_nothing(rows: Rows) -> None:
    rows.add("best", matched=1, score=5.0)
    rows.add("a stranger", matched=1, score=2.0)
    kin = rows.add("kin", matched=1, score=1.9)
    said = Said({1: "bread oven", kin: "rust hull paint"})
    assert paths(learning(rows.made, said)) == ["best", "a stranger", "kin"]


@pytest.mark.requirement("retrieval:feedback")
def test_likeness_brings_no_row_in_front_of_one_much_better(rows: Rows) -> None:
    rows.add("best", matched=1, score=5.0)
    rows.add("second", matched=1, score=4.5)
    rows.add("kin", matched=1, score=0.5)
    said = Said({0: "rust hull", 1: "bread oven", 2: "rust hull"})
    assert paths(learning(rows.made, said)) == ["best", "second", "kin"]


def test_the_order_follows_from_the_rows_and_not_from_how_they_came(rows: Rows) -> None:
    rows.many(30, matched=1, score=3.0)
    rows.many(30, matched=0, score=3.0)
    rows.add("structure", structural=True)
    said = Said({place: f"word{place % 7} hull" for place in range(60)})
    forth = learning(rows.made, said)
    assert forth == learning(rows.made[::-1], said)
    assert specified(rows.made, MOST) == specified(rows.made[::-1], MOST)


@pytest.mark.requirement("retrieval:semantic")
def test_of_two_alike_the_one_that_is_nearer_in_meaning_comes_first(rows: Rows) -> None:
    rows.add("best", matched=1, score=5.0)
    rows.add("stranger", matched=1, score=2.0)
    rows.add("kin", matched=1, score=1.9)
    found = hybrid(rows.made, MOST, partial(spread, [0.6, 0.1, 0.4]))
    assert paths(found) == ["best", "kin", "stranger"]
    assert paths(hybrid(rows.made, MOST, partial(spread, [0.3, 0.3, 0.3])))[1] == "stranger"


def test_nothing_reached_is_nothing_to_order() -> None:
    assert plain([]) == specified([], MOST) == []
