"""The parts of the offline judge, each on a base of a few made-up notes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.scoring import scores_complete
from gates.terms import enough_terms, read_terms, terms_distinct
from index.text import fold
from server.dig_state import Candidate, Context, Score
from server.judge import Asked, NoAnswer, PickRequest
from server.judges.naming import Keyword
from server.judges.overlap import NOTHING, Overlap, Pattern
from server.judges.picking import distance, pick
from server.judges.reading import Reader, spread
from server.judges.significance import log_likelihood, significance
from server.judges.suggesting import suggest
from server.judges.words import is_gram, matter
from tests.facts_made import Note, note, reader_of

COMPANY = "anchor bakery candle dragon embers fiddle garden hammer island jacket kettle ladder"
OTHERS = "marble needle orchard pebble quarry ribbon saddle timber umbrella vessel willow yonder"
WORDS, MORE = COMPANY.split(), OTHERS.split()
CHINESE = "集群需要基础设施。网络架构原理。节点容器处理增加管理系统平台服务。"
ELSEWHERE = "别的东西没有。"


def context(keyword: str = "harbour", title: str = "Where We Wait", **said: object) -> Context:
    return Context(keyword, title, "s", "Silicon", "", **said)  # type: ignore[arg-type]


def harbour_base() -> dict[str, Note]:
    """Four files about a harbour, each with the same company, and twelve about other things."""
    near = {
        f"near{at}.md": note(
            f"The harbour at dawn. {' '.join(WORDS)}.",
            summary=f"A harbour with {' and '.join(WORDS[at : at + 6])}.",
        )
        for at in range(4)
    }
    far = {
        f"far{at}.md": note(
            f"Nothing of the kind. {MORE[at]} {MORE[at - 1]}.",
            summary=f"Of {MORE[at]} and {WORDS[at]}.",
        )
        for at in range(12)
    }
    return near | far


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        pytest.param("boats; the BOAT", "en", ["boat:boats", "boat:boat"], id="inflections"),
        pytest.param("It is what it was", "en", [], id="grammar is no matter"),
        pytest.param("the boat's l\u2019arte", "en", ["boat:boat", "art:arte"], id="apostrophes"),
        pytest.param("2024 7 §", "en", [], id="numbers and signs"),
        pytest.param("ba\u202edcat fine", "en", ["fine:fine"], id="hidden characters"),
        pytest.param("hver sin båt", "", ["bat:båt"], id="grammar of a language not known"),
    ],
)
def test_words_are_counted_by_what_they_mean(text: str, lang: str, expected: list[str]) -> None:
    assert [f"{word.key}:{word.written}" for word in matter(text, lang)] == expected


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        pytest.param("基础设施", {"基础", "础设", "设施"}, id="Chinese in pairs"),
        pytest.param("アプリケーションの方法", {"アプリケーション", "方法"}, id="Japanese"),
    ],
)
def test_scripts_without_blanks_are_counted_in_pieces(text: str, grams: set[str]) -> None:
    found = {word.written for word in matter(text, "ja")}
    assert found == grams
    assert all(map(is_gram, found))


@given(st.text(), st.sampled_from(["", "en", "nb", "de", "ja", "zh"]))
def test_any_text_has_words_that_stand_in_it(text: str, lang: str) -> None:
    for word in matter(text, lang):
        assert word.key
        assert is_gram(word.written) or word.written in fold(text).replace("\u2019", "'")


def test_a_sample_is_spread_evenly_and_starts_with_the_first() -> None:
    assert spread(range(10), 4) == [0, 3, 6, 9]
    assert spread(range(3), 4) == [0, 1, 2]
    assert spread([], 4) == []


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        pytest.param((10, 100), (1, 100), 8.55, id="ten times as often"),
        pytest.param((1, 100), (10, 100), -8.55, id="as rarely"),
        pytest.param((5, 50), (10, 100), 0.0, id="as often"),
        pytest.param((5, 50), (0, 0), 0.0, id="nothing to compare with"),
    ],
)
def test_log_likelihood_tells_by_how_much_a_share_is_larger(
    here: tuple[float, float], there: tuple[float, float], expected: float
) -> None:
    assert log_likelihood(here, there) == pytest.approx(expected, abs=0.01)


def test_a_word_of_the_searched_columns_says_more_than_one_of_bodies() -> None:
    reader = reader_of(
        {
            "one.md": note("fiddle kettle", summary="fiddle"),
            "two.md": note("fiddle kettle", summary="fiddle"),
            "other.md": note("garden ladder", summary="island"),
        }
    )
    files = [reader.reading(row) for row in reader.rows]
    weights = significance(files[:2], reader.usual)
    assert weights["fiddl"] > weights["kettl"] > 0


def test_terms_are_the_keyword_and_the_company_that_it_keeps() -> None:
    terms = suggest(reader_of(harbour_base()), Asked(context()))
    assert terms[0] == "harbour"
    assert len(terms) == 12
    assert len(set(terms) & set(WORDS)) == 11


def test_words_in_more_than_half_of_the_rows_are_no_terms() -> None:
    base = harbour_base()
    for path, entry in base.items():
        base[path] = note(entry.body, summary=f"{entry.row['summary']} Waterline.")
    assert "waterline" not in suggest(reader_of(base), Asked(context()))


def test_a_keyword_in_more_than_half_of_the_rows_is_no_term_itself() -> None:
    others = list(zip(WORDS, MORE, strict=True))
    base = {f"{one}.md": note(summary=f"Harbour, {one}, {other}.") for one, other in others}
    base |= {f"{other}.md": note(summary=f"A {other}, a {one}.") for one, other in others[:6]}
    terms = suggest(reader_of(base), Asked(context()))
    assert "harbour" not in terms


def test_whole_words_come_before_pieces_of_other_words() -> None:
    base = {
        path: note(f"{entry.body} rust", summary=f"{entry.row['summary']} rust")
        if path == "near0.md"
        else note(entry.body, summary=f"{entry.row['summary']} trust" if path > "far5" else "x")
        for path, entry in harbour_base().items()
    }
    terms = suggest(reader_of(base), Asked(context()))
    assert "rust" not in terms[:8]


def test_guidance_is_no_ground_for_terms() -> None:
    base = harbour_base()
    base["Guides/how.md"] = note(
        "Write of the harbour in short sentences, harbour by harbour.",
        summary="Harbour: paragraph, sentence, revision.",
        role="guidance",
    )
    terms = suggest(reader_of(base), Asked(context()))
    assert not {"paragraph", "sentence", "revision"} & set(terms)


def test_what_the_person_sent_the_dig_back_for_leads_the_terms() -> None:
    terms = suggest(reader_of(harbour_base()), Asked(context(), redirect="look at willow"))
    assert terms[:2] == ["harbour", "willow"]


@pytest.mark.requirement("judge:offline-two-hits")
@pytest.mark.parametrize(
    ("keyword", "reason"),
    [
        pytest.param("zeppelin", "0 file", id="nowhere"),
        pytest.param("zither", "1 file", id="in one file"),
        pytest.param("harbour zeppelin", "0 file", id="half of it nowhere"),
    ],
)
def test_a_keyword_with_fewer_than_two_hits_has_no_terms(keyword: str, reason: str) -> None:
    base = harbour_base() | {"one.md": note(summary="Of a zither.")}
    with pytest.raises(NoAnswer, match=reason):
        suggest(reader_of(base), Asked(context(keyword)))


def test_a_base_of_few_words_has_no_terms() -> None:
    base = {f"{n}.md": note("harbour", summary="harbour anchor") for n in range(4)}
    with pytest.raises(NoAnswer, match="stand out"):
        suggest(reader_of(base), Asked(context()))


def test_pairs_that_lie_across_two_words_are_no_terms() -> None:
    text = "集群需要基础设施。网络架构原理。节点容器处理增加管理系统平台服务。"
    base = {f"{n}.md": note(text, summary=text, lang="zh") for n in range(4)}
    base |= {
        f"x{n}.md": note("别的东西没有。", summary="别的东西没有。", lang="zh") for n in range(12)
    }
    terms = suggest(reader_of(base), Asked(context("集群", "机器")))
    assert all(one[-1] != other[0] for one in terms[1:] for other in terms[1:] if one != other)


@pytest.mark.parametrize(
    ("share", "in_row", "grade"),
    [
        pytest.param(0.0, (), 0, id="nothing"),
        pytest.param(0.1, ("a",), 1, id="touches"),
        pytest.param(0.3, ("a",), 2, id="strong"),
        pytest.param(0.55, ("a",), 3, id="exact"),
        pytest.param(0.9, (), 2, id="what the row does not say is never exact"),
    ],
)
def test_a_share_of_the_pattern_is_a_grade(
    share: float, in_row: tuple[str, ...], grade: int
) -> None:
    assert Overlap(share, in_row, ("b",)).grade == grade


@given(st.lists(st.text(min_size=1)), st.lists(st.text(min_size=1)))
def test_every_reason_passes_the_gate(row: list[str], body: list[str]) -> None:
    words = [word for word in (*row, *body) if word.isprintable() and word.strip()]
    overlap = Overlap(0.5, tuple(words[::2]), tuple(words[1::2]))
    sent = [{"id": "row_1", "embodies": overlap.grade, "why": overlap.why}]
    assert scores_complete(["row_1"], sent).passed


def test_a_reason_names_the_words_shared_and_where() -> None:
    assert Overlap(0.5, ("rust", "debt"), ("hull",)).why == "shares rust, debt; in the body hull"
    assert Overlap(0.0, (), ()).why == NOTHING


def test_rare_words_of_the_pattern_weigh_more() -> None:
    base = harbour_base()
    pattern = Pattern(context(), ("willow", "anchor"), reader_of(base))
    words = pattern.words("en")
    assert words["willow"][1] > words["anchor"][1]
    assert words["harbour"][1] > words["wait"][1]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param("A harbour at night", True, id="as it is"),
        pytest.param("Harbours", True, id="inflected"),
        pytest.param("HARB0UR", True, id="in a costume"),
        pytest.param("Quay and sea", False, id="not at all"),
    ],
)
def test_a_row_names_the_keyword_in_any_dress(text: str, named: bool) -> None:
    reader = reader_of({"a.md": note(summary=text)})
    candidate = _candidates(reader)[0]
    assert Keyword("harbour").named(candidate, reader.reading(candidate.row)) is named


def test_a_body_mentions_a_keyword_as_often_as_its_rarest_word() -> None:
    reader = reader_of({"a.md": note("open source, open doors, sources of it, opened")})
    assert Keyword("open source").mentions(reader.reading(reader.rows[0])) == 2


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param({"x": 1.0}, {"x": 2.0}, 0.0, id="the same words"),
        pytest.param({"x": 1.0}, {"y": 2.0}, 1.0, id="no word in common"),
        pytest.param({}, {"y": 2.0}, 1.0, id="no words"),
        pytest.param({"x": 1.0, "y": 1.0}, {"y": 1.0}, 0.293, id="half"),
    ],
)
def test_distance_is_of_words(a: dict[str, float], b: dict[str, float], expected: float) -> None:
    assert distance(a, b) == pytest.approx(expected, abs=0.001)


def test_a_deep_cut_shares_the_pattern_without_its_keyword_and_lies_apart() -> None:
    reader = reader_of(
        {
            "direct.md": note("harbour harbour quay", summary="The harbour, an anchor, a candle."),
            "deep.md": note("A barn. Hay and mice.", summary="An anchor and a candle in a barn."),
            "near.md": note(
                "harbours harbour harbour", summary="An anchor and a candle, at anchor."
            ),
            "guide.md": note(summary="Anchor, candle: how to write.", role="guidance"),
            "weak.md": note(summary="A candle."),
        }
    )
    picked = _picked(
        reader, {"direct.md": 3, "deep.md": 2, "near.md": 2, "guide.md": 3, "weak.md": 1}
    )
    assert picked["direct_hits"] == ["row_1", "row_3"]
    assert [cut["id"] for cut in picked["deep_cuts"]] == ["row_2"]
    assert picked["deep_cuts"][0]["connection"].startswith("without the keyword; shares anchor")
    assert picked["pass4_empty"] is False


def test_where_nothing_lies_apart_the_pass_is_empty() -> None:
    same = note("harbour harbour", summary="harbour anchor candle")
    picked = _picked(reader_of({"a.md": same, "b.md": same}), {"a.md": 3, "b.md": 2})
    assert picked == {"deep_cuts": [], "direct_hits": ["row_1", "row_2"], "pass4_empty": True}


def test_the_best_row_is_shown_even_if_it_is_neither() -> None:
    picked = _picked(reader_of({"a.md": note(summary="A candle.")}), {"a.md": 1})
    assert picked == {"deep_cuts": [], "direct_hits": ["row_1"], "pass4_empty": True}


def test_rows_that_are_nothing_are_not_picked() -> None:
    picked = _picked(reader_of({"a.md": note(summary="A barn.")}), {"a.md": 0})
    assert picked == {"deep_cuts": [], "direct_hits": [], "pass4_empty": True}


@given(
    st.lists(
        st.lists(st.sampled_from([*WORDS, *MORE, "harbour"]), max_size=12).map(" ".join),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(["harbour", "anchor", "the", "garden hammer"]),
)
def test_in_any_base_terms_pass_their_gates_or_are_not_given(
    texts: list[str], keyword: str
) -> None:
    base = {f"{at}.md": note(text, summary=text[:40]) for at, text in enumerate(texts)}
    try:
        terms = suggest(reader_of(base), Asked(context(keyword)))
    except NoAnswer:
        return
    read = read_terms(terms, (keyword, "Where We Wait"))
    assert enough_terms(read).passed
    assert terms_distinct(read).passed


def _candidates(reader: Reader) -> list[Candidate]:
    return [
        Candidate(f"row_{at}", row, 1, False, "row", (), 1.0, at)
        for at, row in enumerate(reader.rows, start=1)
    ]


def _picked(reader: Reader, scores: dict[str, int]) -> dict[str, Any]:
    top = tuple(
        (candidate, Score(candidate.id, scores[candidate.row.path], "why"))
        for candidate in _candidates(reader)
    )
    return pick(reader, PickRequest(Asked(context()), ("anchor", "candle"), top))
