"""Step 2: which rows the terms reach, in which order, and what is said of those left out."""

from dataclasses import replace
from pathlib import Path

import pytest

from server.candidates import matches_structure
from server.dig import Digs
from server.dig_state import Candidate, Context
from server.moves.scores import shown
from server.replies import Batch
from tests.digging import Ground, digs_of, open_dig
from tests.retrieval_base import (
    GONE,
    GUIDE,
    LONG_SUMMARY,
    MANY_TERMS,
    ORDER_TERMS,
    TALLOW_TERMS,
)
from tests.rows_made import make_row

CONTEXT = {"keyword_primary": "xylem", "title": "A quiet xylem", "voice": "Silicon"}


@pytest.fixture
def found(retrieval_ground: Ground, tmp_path: Path) -> Digs:
    return digs_of(retrieval_ground.at(tmp_path / "state"))


@pytest.fixture
def specified(retrieval_ground: Ground, tmp_path: Path) -> Digs:
    settings = retrieval_ground.at(tmp_path / "specified")
    return digs_of(replace(settings, retrieval="specified"))


def retrieve(digs: Digs, terms: tuple[str, ...], **context: object) -> tuple[Batch, str]:
    dig = open_dig(digs, **{**CONTEXT, "archetype_primary": "", "blaze_path": None, **context})
    answer = digs.retrieve_candidates(dig, list(terms))
    assert isinstance(answer, Batch), answer.text
    return answer, dig


def candidates(digs: Digs, terms: tuple[str, ...], **context: object) -> list[Candidate]:
    _, dig = retrieve(digs, terms, **context)
    return list(digs.load(dig).candidates.values())


@pytest.mark.requirement("dig:candidates")
def test_candidates_come_by_prescore_then_relevance_then_path(specified: Digs) -> None:
    rows = candidates(specified, ORDER_TERMS, archetype_primary="weaver", blaze_path=GUIDE)
    assert [(row.row.path, row.prescore, row.via) for row in rows] == [
        ("Dyes/three.md", 3, "row"),
        ("Dyes/both.md", 3, "row"),
        ("Dyes/stage.md", 2, "row"),
        ("Dyes/weaver.md", 2, "row"),
        ("Dyes/tagged.md", 1, "row"),
        ("Dyes/part.md", 1, "row"),
        ("Dyes/titled.md", 0, "body"),
        ("Dyes/body.md", 0, "body"),
    ]
    assert [row.rank for row in rows] == list(range(1, 9))
    assert [row.id for row in rows] == [f"row_{n}" for n in range(1, 9)]


@pytest.mark.requirement("retrieval:prescore")
def test_another_order_changes_neither_prescore_nor_hits(found: Digs, specified: Digs) -> None:
    def facts(digs: Digs) -> dict[str, tuple[int, object, str]]:
        rows = candidates(digs, ORDER_TERMS, archetype_primary="weaver", blaze_path=GUIDE)
        return {row.row.path: (row.prescore, row.hits, row.via) for row in rows}

    assert facts(found) == facts(specified)


@pytest.mark.requirement("retrieval:hybrid")
def test_unless_told_otherwise_a_row_comes_by_what_all_of_its_file_holds(found: Digs) -> None:
    rows = candidates(found, ORDER_TERMS, archetype_primary="weaver", blaze_path=GUIDE)
    assert [row.row.path for row in rows] == [
        "Dyes/three.md",
        "Dyes/both.md",
        "Dyes/weaver.md",
        "Dyes/stage.md",
        "Dyes/titled.md",
        "Dyes/tagged.md",
        "Dyes/body.md",
        # BM25F knows no word of it: the term is a part of one.
        "Dyes/part.md",
    ]
    assert [row.rank for row in rows] == list(range(1, 9))


@pytest.mark.requirement("dig:candidates")
def test_a_candidate_says_which_term_hit_which_column(found: Digs) -> None:
    rows = {row.row.path: row for row in candidates(found, ORDER_TERMS, blaze_path=GUIDE)}
    assert dict(rows["Dyes/three.md"].hits) == {
        "saffron": ("summary",),
        "cobalt": ("summary",),
        "ochre": ("keypoints",),
    }
    assert dict(rows["Dyes/part.md"].hits) == {"saffron": ("summary",)}
    assert rows["Dyes/body.md"].hits == ()


def test_a_row_found_in_its_body_alone_has_no_prescore(found: Digs) -> None:
    bodies = [row for row in candidates(found, ORDER_TERMS) if row.via == "body"]
    assert {row.row.path for row in bodies} == {"Dyes/titled.md", "Dyes/body.md"}
    assert {(row.prescore, row.structural) for row in bodies} == {(0, False)}


@pytest.mark.requirement("dig:blaze-apart")
def test_the_blaze_is_no_candidate_though_it_matches_best(found: Digs) -> None:
    without = candidates(found, ORDER_TERMS, blaze_path=GUIDE)
    assert GUIDE in {row.row.path for row in candidates(found, ORDER_TERMS)}
    assert GUIDE not in {row.row.path for row in without}


def test_a_listed_file_that_is_not_there_is_no_candidate(found: Digs) -> None:
    answer, dig = retrieve(found, ORDER_TERMS)
    state = found.load(dig)
    assert GONE not in {row.row.path for row in state.candidates.values()}
    assert answer.counts["matched"] == len([c for c in state.candidates.values() if c.prescore])
    assert state.left_out == {"missing": 1}


@pytest.mark.requirement("dig:candidates")
def test_forty_are_kept_and_the_rest_is_counted(found: Digs) -> None:
    answer, dig = retrieve(found, MANY_TERMS)
    state = found.load(dig)
    assert [row.row.path for row in state.candidates.values()] == [
        f"Mass/{n:02}.md" for n in range(1, 41)
    ]
    assert answer.counts == {
        "rows": 62,
        "matched": 50,
        "structural": 0,
        "cut": 10,
        "from_bodies": 0,
    }
    assert "cut 10" in answer.text
    assert [len(batch) for batch in state.batches] == [10, 10, 10, 10]
    assert [row.id for row in answer.rows] == list(state.batches[0])


def test_a_long_summary_is_shown_cut_and_says_so(found: Digs) -> None:
    answer, _ = retrieve(found, TALLOW_TERMS)
    first = answer.rows[0]
    assert first.summary == LONG_SUMMARY[:1200]
    assert first.note == "truncated"
    assert "[truncated]" in answer.text


def test_a_row_without_a_summary_shows_title_and_lead_and_says_so(found: Digs) -> None:
    bare = candidates(found, TALLOW_TERMS)[1]
    text, note = shown(bare)
    assert text == "Bare. Somebody wrote this under the name of Bare."
    assert note == "no summary: title and lead"


@pytest.mark.requirement("dig:structural-match")
@pytest.mark.parametrize(
    ("category", "archetype", "monomyth", "sought", "hint", "matched"),
    [
        pytest.param("", "The Weaver", "", "the  WEAVER", "", True, id="archetype, folded"),
        pytest.param("Weaver", "", "", "weaver", "", True, id="category instead"),
        pytest.param("", "Weavers", "", "Weaver", "", False, id="equal, not alike"),
        pytest.param("", "", "", "", "", False, id="an empty archetype matches nothing"),
        pytest.param("", "", "01 - Call", "", "Call", False, id="nor does a stage alone"),
        pytest.param(
            *("", "Weaver", "01 - Ordinary World", "Weaver", "Ordinary World", True),
            id="the number of a stage is no part of it",
        ),
        pytest.param(
            *("", "Weaver", "ordinary world", "Weaver", "01. Ordinary World", True),
            id="nor in the hint",
        ),
        pytest.param("", "Weaver", "02 - Call", "Weaver", "Ordinary World", False, id="other"),
        pytest.param("", "Weaver", "", "Weaver", "Call", False, id="a hint, and no stage"),
        pytest.param("", "Weaver", "02 - Call", "Weaver", "", True, id="no hint, any stage"),
    ],
)
def test_a_row_matches_by_structure(
    category: str, archetype: str, monomyth: str, sought: str, hint: str, matched: bool
) -> None:
    row = make_row(category=category, archetype=archetype, monomyth=monomyth)
    context = Context("xylem", "A quiet xylem", "xylem", "Silicon", sought, hint)
    assert matches_structure(row, context) is matched
