"""The pictures of a search: every candidate has its place, and no two share one."""

from dataclasses import replace

import pytest

from server.dig import Digs
from server.dig_state import DigState, Score
from server.page.pictures import FIELD_HEIGHT, FIELD_WIDTH, matrix, scatter, searched
from tests.decided import Passage, decided_dig
from tests.digging import reported


def crowd(count: int) -> DigState:
    """So many candidates with one prescore and one score."""
    state = decided_dig([Passage("words", path=f"{n}.md") for n in range(count)])
    scores = {id_: Score(id_, 1, "") for id_ in state.candidates}
    return replace(state, batches=(tuple(state.candidates),), scores=scores)


@pytest.mark.parametrize("count", [1, 2, 7, 40, 240])
def test_a_crowd_stays_in_its_field_and_apart(count: int) -> None:
    state = crowd(count)
    dots = scatter(state, searched(state)).dots
    places = {(dot.x, dot.y) for dot in dots}
    assert len(places) == count
    xs, ys = zip(*places, strict=True)
    assert max(xs) - min(xs) < FIELD_WIDTH
    assert max(ys) - min(ys) < FIELD_HEIGHT


def test_every_term_that_was_found_has_its_cell(digs: Digs) -> None:
    state = reported(digs)
    candidates = searched(state)
    drawn = matrix(state, candidates)
    assert len(candidates) == len(state.scores)
    found = sum(len(c.hits) + c.structural for c in candidates)
    assert sum(len(row.cells) for row in drawn.rows) == found
    columns = {label.whole: label.x for label in drawn.terms}
    for candidate, row in zip(candidates, drawn.rows, strict=True):
        terms = {columns[term] for term, _ in candidate.hits}
        assert terms <= {cell.x for cell in row.cells}


def test_the_picks_are_marked_and_the_best_come_first(digs: Digs) -> None:
    state = reported(digs)
    drawn = matrix(state, searched(state))
    scores = [row.score for row in drawn.rows]
    assert scores == sorted(scores, reverse=True)
    marks = [row.mark for row in drawn.rows]
    assert marks.count("cut") == len(state.picks.deep_cuts)
    assert marks.count("hit") == len(state.picks.direct_hits)


def test_before_the_scores_there_is_a_matrix_and_no_dot() -> None:
    state = replace(crowd(3), scores={}, terms=("ice",))
    candidates = searched(state)
    assert [row.score for row in matrix(state, candidates).rows] == ["-", "-", "-"]
    assert scatter(state, candidates).dots == ()
