from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.records import Row
from index.substring import COLUMNS, Column, Hits, RowTable, column_texts
from index.text import fold
from tests.rows_made import make_row

SCAN, WORD_LIST = 10**9, 0
METHODS = (pytest.param(SCAN, id="by scanning"), pytest.param(WORD_LIST, id="by the word list"))

# Characters whose case, composition or white space is odd, and plain ones to make them meet.
ODD = (
    "aaabbee\u00df \u017fK\u212bA\u030a\u00e9e\u0301\u0301\ufb01fi\u0130i\u0131I\u03a3\u03c3"
    "\u03c2\u01c5\u01c6\ud55c\u1112\u1161\u11ab\u6c34\u306e"
    " \n\t\x1c\x85\u2028\u00a0\u200b\u1e9e\ud800\x00"
)
TEXTS = st.text(st.sampled_from(ODD), max_size=8) | st.text(max_size=12)


@st.composite
def rows_drawn(draw: st.DrawFn) -> Row:
    texts = st.lists(TEXTS, max_size=2)
    return make_row(
        summary=draw(TEXTS),
        digests=tuple(draw(texts)),
        keypoints=tuple(draw(texts)),
        tags=tuple(draw(texts)),
    )


def slowly(rows: Sequence[Row], terms: Sequence[str]) -> dict[int, Hits]:
    """The definition, word for word."""
    found: dict[int, Hits] = {}
    for place, row in enumerate(rows):
        texts: dict[Column, list[str]] = {
            "summary": [row.summary, *(digest.text for digest in row.digests)],
            "keypoints": list(row.keypoints),
            "tags": list(row.tags),
        }
        # A key point that also stands among the digests is no summary.
        texts["summary"] = [text for text in texts["summary"] if text not in row.keypoints]
        hits: list[tuple[str, tuple[Column, ...]]] = []
        for term in terms:
            columns: list[Column] = [
                column
                for column in COLUMNS
                if term and any(fold(term) in fold(text) for text in texts[column])
            ]
            if columns:
                hits.append((term, tuple(columns)))
        if hits:
            found[place] = tuple(hits)
    return found


@pytest.mark.requirement("index:substring")
@pytest.mark.parametrize("scanned", METHODS)
@given(data=st.data())
def test_every_method_finds_what_the_definition_says(scanned: int, data: st.DataObject) -> None:
    rows = data.draw(st.lists(rows_drawn(), max_size=6))
    pieces = [text for row in rows for column in COLUMNS for text in column_texts(row, column)]
    part = st.sampled_from(pieces or [""]).flatmap(
        lambda text: st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(
            lambda cut: text[min(cut) : max(cut)]
        )
    )
    terms = data.draw(st.lists(part | TEXTS, max_size=5))
    assert dict(RowTable(rows, scanned=scanned).matches(terms)) == slowly(rows, terms)


@pytest.mark.parametrize("scanned", METHODS)
@pytest.mark.parametrize(
    ("term", "summary", "found"),
    [
        pytest.param("water", "Cold WATERFALLS", True, id="inside a word in capitals"),
        pytest.param("STRASSE", "die Straße", True, id="sharp s"),
        pytest.param("cafe\u0301", "a café", True, id="composed and decomposed"),
        pytest.param("ﬁre", "Fire", True, id="ligature"),
        pytest.param("cold wat", "in the cold water", True, id="over a blank"),
        pytest.param("cold  water", "in the cold water", False, id="two blanks are not one"),
        pytest.param("dwa", "cold water", False, id="not over a blank that is there"),
        pytest.param("cafe", "a café", False, id="accents count"),
        pytest.param("", "anything", False, id="an empty term is nowhere"),
        pytest.param(" ", "two words", True, id="a blank"),
        pytest.param("", "", False, id="nothing in nothing"),
    ],
)
def test_a_term_is_found_as_a_folded_substring(
    term: str, summary: str, found: bool, scanned: int
) -> None:
    table = RowTable([make_row(summary=summary), make_row(summary="Other")], scanned=scanned)
    assert (0 in table.matches([term])) is found


def test_a_hit_names_its_columns() -> None:
    row = make_row(summary="ice", digests=("ice and snow",), keypoints=("snow",), tags=("ice",))
    hits = RowTable([row]).matches(["ice", "snow", "rain"])[0]
    assert hits == (("ice", ("summary", "tags")), ("snow", ("summary", "keypoints")))


def test_the_full_summary_is_searched_beside_a_cut_cell() -> None:
    row = make_row(summary="A long sum", digests=("A long sum", "A long summary of the ice"))
    assert RowTable([row]).matches(["of the ice"])[0] == (("of the ice", ("summary",)),)


def test_a_key_point_among_the_digests_is_no_summary() -> None:
    row = make_row(summary="ice", digests=("ice", "snow falls"), keypoints=("snow falls",))
    assert RowTable([row]).matches(["snow"])[0] == (("snow", ("keypoints",)),)


def test_other_columns_can_be_searched() -> None:
    row = make_row(title="Ice", summary="snow")
    assert dict(RowTable([row], ["title"]).matches(["ice", "snow"])) == {0: (("ice", ("title",)),)}


@pytest.mark.parametrize("scanned", METHODS)
def test_no_match_runs_from_one_text_into_the_next(scanned: int) -> None:
    row = make_row(summary="ends in ice", tags=("snow", "rain"))
    matches = RowTable([row], scanned=scanned).matches(["ice\nsnow", "snow\nrain", "icesnow"])
    assert not matches
    assert matches.get(0) is None


def test_counts_say_how_many_terms_hit_each_row() -> None:
    rows = [make_row(summary="ice"), make_row(summary="fire"), make_row(summary="ice and fire")]
    matches = RowTable(rows).matches(["ice", "fire", "fire and ice"])
    assert dict(matches.counts) == {0: 1, 1: 1, 2: 2}
    assert len(matches) == 3


@pytest.mark.requirement("index:substring-100k")
def test_twelve_terms_over_100_000_rows_are_found_exactly() -> None:
    syllables = [a + b for a in "bdfgklmnprst" for b in ("a", "ei", "o", "ü", "ss")]
    count = len(syllables)
    rows = [
        make_row(
            summary=" ".join(
                syllables[(n * k) % count] + syllables[(n // k) % count] for k in (1, 7, 31)
            ),
            tags=(f"Nr{n:06}",),
        )
        for n in range(100_000)
    ]
    terms = ["BA", "ssk", "Mü", "eiS", "r0999", "ma bo", "o t", "99999", "zz", "e", "üss", "dapü"]
    matches = RowTable(rows).matches(terms)
    folded = [[fold(row.summary), fold(row.tags[0])] for row in rows]
    counts = [sum(any(fold(t) in text for text in texts) for t in terms) for texts in folded]
    assert [matches.counts.get(place, 0) for place in range(len(rows))] == counts
    assert ("99999", ("tags",)) in matches[99_999]
