from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import count
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index import whoosh_segment, whoosh_writer
from index.engine import Engine, Entry, entry, maker
from index.faults import BadSettings, IndexTrouble
from index.markdown import read_document
from index.tokens import asked, counts
from tests.rows_made import make_row

WHOOSH = maker("whoosh")
NUMBERS = count()


def made(
    path: str,
    body: str = "",
    title: str = "",
    summaries: tuple[str, ...] = (),
    keypoints: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
) -> Entry:
    return Entry(path, title, summaries, keypoints, tags, body)


def written(folder: Path, *batches: tuple[Iterable[Entry], Iterable[str]]) -> Path:
    """A new index below the folder: of each batch the entries put, then the paths removed."""
    place = folder / f"index-{next(NUMBERS)}"
    place.mkdir()
    for entries, removed in batches:
        writer = WHOOSH.write(place)
        try:
            for each in entries:
                writer.put(each)
            for path in removed:
                writer.remove(path)
            writer.commit()
        finally:
            writer.abandon()
    return place


@contextmanager
def engine(folder: Path, *entries: Entry) -> Generator[Engine]:
    with closing(WHOOSH.read(written(folder, (entries, ())))) as opened:
        yield opened


def found(opened: Engine, query: str, limit: int = 10) -> list[str]:
    return [hit.path for hit in opened.search(query, limit)]


@pytest.mark.requirement("engine:as-typed")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        pytest.param("He swims out", "swimming", id="an inflected English word"),
        pytest.param("Die STRASSE", "straße", id="case and sharp s"),
        pytest.param("un cafe\u0301 noir", "CAFÉ", id="composition"),
        pytest.param("Requirement 4.1.2-1 holds", "4.1.2-1", id="a number as typed"),
        pytest.param("Requirement 4.1.2\u20111.", "4.1.2-1", id="a number with another hyphen"),
        pytest.param("see RFC-2119", "2119", id="a part of a number"),
        pytest.param("今日は水の中で泳ぐ", "水の中", id="Japanese"),
        pytest.param("今日は水の中で泳ぐ", "泳", id="a single ideograph"),
        pytest.param("เรียนภาษาไทยทุกวัน", "ภาษาไทย", id="Thai"),
        pytest.param("한국어를 배운다", "한국어", id="Korean with a particle"),
        pytest.param("यह हिन्दी में है", "हिन्दी", id="Hindi"),
        pytest.param("og så gikk vi på isen", "ISEN", id="Norwegian"),
        pytest.param("to be or not to be", "or not", id="words that others leave out"),
        pytest.param("l'eau froide", "eau", id="after an elided article"),
    ],
)
def test_a_document_is_found_as_a_person_types(tmp_path: Path, text: str, query: str) -> None:
    with engine(tmp_path, made("a.md", text), made("b.md", "something else")) as opened:
        assert found(opened, query) == ["a.md"]
        assert opened.scores([query]).keys() == {"a.md"}


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(made("a.md", title="x rime"), id="title"),
        pytest.param(made("a.md", summaries=("x", "rime")), id="summaries"),
        pytest.param(made("a.md", keypoints=("x", "rime")), id="key points"),
        pytest.param(made("a.md", tags=("x", "rime")), id="tags"),
    ],
)
def test_every_column_of_the_row_is_searched(tmp_path: Path, entry: Entry) -> None:
    with engine(tmp_path, entry, made("b.md", "x")) as opened:
        assert found(opened, "rime") == ["a.md"]


def test_a_title_counts_more_than_a_summary_and_that_more_than_a_body(tmp_path: Path) -> None:
    entries = (
        made("body.md", "rime", "x", summaries=("x",)),
        made("summary.md", "x", "x", summaries=("rime",)),
        made("title.md", "x", "rime", summaries=("x",)),
    )
    with engine(tmp_path, *entries) as opened:
        assert found(opened, "rime") == ["title.md", "summary.md", "body.md"]


def test_documents_of_one_score_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    with engine(tmp_path, *(made(f"{name}.md", "same") for name in "cab")) as opened:
        assert found(opened, "same", 2) == ["a.md", "b.md"]


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        pytest.param('"cold water"', ["a.md"], id="words in order"),
        pytest.param("\u201ccold water\u201d", ["a.md"], id="typographic quotes"),
        pytest.param('"COLD, water"', ["a.md"], id="whatever case and marks"),
        pytest.param('"water cold"', ["b.md"], id="another order"),
        pytest.param('"cold water" tea', ["a.md"], id="other words do not widen it"),
        pytest.param('"cold water" "the sea"', ["a.md"], id="two phrases"),
        pytest.param('"title cold"', [], id="not over the end of a text"),
        pytest.param('"old wat"', [], id="whole words only"),
        pytest.param('"cold waters"', [], id="as typed, not by stems"),
        pytest.param('cold "water', ["b.md", "a.md", "c.md"], id="a lone quote is nothing"),
        pytest.param('"" cold', ["b.md", "a.md"], id="empty quotes are nothing"),
        pytest.param('"冷たい水"', ["d.md"], id="Japanese"),
    ],
)
def test_quotes_ask_for_a_phrase(tmp_path: Path, query: str, paths: list[str]) -> None:
    entries = (
        made("a.md", "Cold water. Down to the sea.", "title"),
        made("b.md", "water, cold", "title"),
        made("c.md", "waters of the deep sea with much tea", "title"),
        made("d.md", "冷たい水と水"),
        made("e.md", "水と冷たい茶"),
    )
    with engine(tmp_path, *entries) as opened:
        assert found(opened, query) == paths


ODD_QUERIES = (
    pytest.param("", id="empty"),
    pytest.param(" \n\t", id="blanks"),
    pytest.param("?!… --- ***", id="punctuation"),
    pytest.param("AND OR NOT (( )) [a TO b] title:x^2~ *?", id="operators"),
    pytest.param('"""" " \'', id="quotes"),
    pytest.param("\ud800 \udfff\x00", id="surrogates and NUL"),
    pytest.param("word " * 2_000, id="10,000 characters"),
    pytest.param("x" * 10_000, id="one word of 10,000 characters"),
    pytest.param(" ".join(map(str, range(2_000))), id="2,000 different words"),
    pytest.param("1.-" * 3_000, id="hyphens and dots"),
)


@pytest.mark.requirement("engine:any-query")
@pytest.mark.parametrize("query", ODD_QUERIES)
def test_no_query_is_an_error(tmp_path: Path, query: str) -> None:
    with engine(tmp_path, made("a.md", "word and 1")) as opened:
        assert set(found(opened, query)) <= {"a.md"}
        assert opened.scores([query]).keys() <= {"a.md"}


@given(st.text())
def test_no_text_is_an_error_as_a_query(
    tmp_path_factory: pytest.TempPathFactory, query: str
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    with engine(folder, made("a.md", query), made("b.md")) as opened:
        assert found(opened, query) == (["a.md"] if asked(query) else [])


def test_limits_of_nothing_and_less_give_nothing(tmp_path: Path) -> None:
    with engine(tmp_path, made("a.md", "word")) as opened:
        assert [found(opened, q, n) for q in ("word", '"word"') for n in (0, -1)] == [[]] * 4


WORDS = ("ice", "snow", "salt", "tide", "水の中", "4.1-2", "of", "straße")
BODIES = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
DOCUMENTS = st.dictionaries(st.sampled_from("abcdef"), st.tuples(BODIES, BODIES), max_size=6)


def entries_of(documents: Mapping[str, tuple[str, str]]) -> list[Entry]:
    return [made(path, body, title) for path, (body, title) in documents.items()]


@given(first=DOCUMENTS, second=DOCUMENTS, third=DOCUMENTS)
def test_an_index_after_updates_is_that_of_a_rebuild(
    tmp_path_factory: pytest.TempPathFactory,
    first: dict[str, tuple[str, str]],
    second: dict[str, tuple[str, str]],
    third: dict[str, tuple[str, str]],
) -> None:
    folder = tmp_path_factory.mktemp("updated")
    updated = written(
        folder,
        (entries_of(first), ()),
        (entries_of(second), first.keys() - second.keys()),
        (entries_of(third), second.keys() - third.keys()),
    )
    rebuilt = written(folder, (entries_of(third), ()))
    with closing(WHOOSH.read(updated)) as one, closing(WHOOSH.read(rebuilt)) as other:
        assert one.document_count() == other.document_count() == len(third)
        for terms in (WORDS, ("ice",), ("straße of", "水")):
            assert one.scores(terms) == other.scores(terms)
            query = " ".join(terms)
            assert one.search(query, 9) == other.search(query, 9)


@given(documents=DOCUMENTS, terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
def test_scores_are_bm25f(
    tmp_path_factory: pytest.TempPathFactory,
    documents: dict[str, tuple[str, str]],
    terms: list[str],
) -> None:
    with engine(tmp_path_factory.mktemp("bm25f"), *entries_of(documents)) as opened:
        assert opened.scores(terms) == pytest.approx(by_the_book(documents, terms))


def by_the_book(documents: Mapping[str, tuple[str, str]], terms: Sequence[str]) -> dict[str, float]:
    """BM25F with two streams, written down from its definition: b = 0.6, k1 = 1.5, titles x 3."""
    streams = [{path: counts(texts[at]) for path, texts in documents.items()} for at in (0, 1)]
    means = [sum(c.total() for c in each.values()) / (len(each) or 1) or 1.0 for each in streams]
    scores: dict[str, float] = {}
    for token in dict.fromkeys(token for term in terms for token in asked(term)):
        often = {
            path: sum(
                weight * each[path][token] / (0.4 + 0.6 * each[path].total() / mean)
                for weight, each, mean in zip((1, 3), streams, means, strict=True)
            )
            for path in documents
        }
        holding = sum(value > 0 for value in often.values())
        rarity = log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        for path, value in often.items():
            if value:
                scores[path] = scores.get(path, 0) + rarity * value * 2.5 / (value + 1.5)
    return scores


def test_an_index_of_many_segments_answers_as_one_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [made(f"{n:03}.md", f"word{n % 7} salt{n % 3} cold water {n}") for n in range(60)]
    with engine(tmp_path, *entries) as whole:
        monkeypatch.setattr(whoosh_writer, "SEGMENT", 1_000)
        monkeypatch.setattr(whoosh_segment, "MOST_SMALL", 100)
        place = written(tmp_path, (entries, ()))
        assert len(list(place.glob("*.seg"))) > 5
        with closing(WHOOSH.read(place)) as parted:
            for query in ("word3 salt1", '"cold water" 17', "44"):
                assert parted.search(query, 60) == whole.search(query, 60)


def test_small_segments_are_joined_once_they_are_many(tmp_path: Path) -> None:
    entries = [made(f"{n:02}.md", f"word{n % 3} cold water {n}") for n in range(30)]
    place = written(tmp_path, *(([entry], ()) for entry in entries))
    assert len(list(place.glob("*.seg"))) <= whoosh_segment.MOST_SMALL + 1
    with engine(tmp_path, *entries) as whole, closing(WHOOSH.read(place)) as parted:
        assert parted.search("word1 water", 60) == whole.search("word1 water", 60)


def test_an_index_gets_rid_of_deleted_documents_once_they_are_the_most(tmp_path: Path) -> None:
    entries = [made(f"{n}.md", f"ballast{n} " * 200) for n in range(40)]
    kept = written(tmp_path, (entries, ()))
    before = sum(path.stat().st_size for path in kept.iterdir())
    writer = WHOOSH.write(kept)
    for number in range(1, 40):
        writer.remove(f"{number}.md")
    writer.put(made("new.md", "fresh"))
    writer.commit()
    assert sum(path.stat().st_size for path in kept.iterdir()) < before / 2
    with closing(WHOOSH.read(kept)) as opened:
        assert found(opened, "fresh ballast0 ballast7") == ["0.md", "new.md"]


def test_a_document_cannot_be_put_twice_at_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.md is put twice"):
        written(tmp_path, ([made("a.md"), made("a.md")], ()))


def test_removing_what_is_not_there_is_nothing(tmp_path: Path) -> None:
    place = written(tmp_path, ([made("a.md", "word")], ()), ((), ["b.md"]))
    with closing(WHOOSH.read(place)) as opened:
        assert found(opened, "word") == ["a.md"]


def test_threads_may_ask_at_once(tmp_path: Path) -> None:
    entries = [made(f"{n}.md", " ".join(f"w{n % k}" for k in range(2, 40))) for n in range(200)]
    with engine(tmp_path, *entries) as opened, ThreadPoolExecutor(8) as threads:
        alone = [opened.search(f"w{n} w{n + 1}", 50) for n in range(20)]
        at_once = [threads.submit(opened.search, f"w{n} w{n + 1}", 50) for n in [*range(20)] * 5]
        assert [each.result() for each in at_once] == alone * 5


def test_a_closed_index_says_so(tmp_path: Path) -> None:
    with engine(tmp_path, made("a.md", "word")) as opened:
        opened.close()
        with pytest.raises(IndexTrouble, match="closed"):
            opened.search("word", 1)


def test_an_empty_index_answers(tmp_path: Path) -> None:
    with engine(tmp_path) as opened:
        assert opened.document_count() == 0
        assert opened.scores(["word"]) == {}
        assert found(opened, '"word"') == []


SPOILERS: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:40]),
    "overwritten": lambda path: path.write_bytes(b"\xff" * 400),
    "gone": lambda path: path.unlink(),
}


# Whoosh itself leaves the file open that it cannot read.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("spoiled", SPOILERS)
@pytest.mark.parametrize("kind", ["toc", "seg"])
def test_files_that_whoosh_cannot_read_are_one_kind_of_trouble(
    tmp_path: Path, kind: str, spoiled: str
) -> None:
    place = written(tmp_path, ([made("a.md", "word")], ()))
    SPOILERS[spoiled](next(place.glob(f"*.{kind}")))
    with pytest.raises(IndexTrouble, match="Whoosh cannot read its files"):
        WHOOSH.read(place)


def test_an_unknown_engine_is_bad_settings() -> None:
    with pytest.raises(BadSettings, match="there is: whoosh"):
        maker("lucene")


def test_an_entry_has_the_prose_of_the_body_and_the_name_of_the_file() -> None:
    content = b"---\ntitle: x\n---\n# Head\n\nSome *prose* <!-- not this -->.\n"
    row = make_row("notes/On ice.md", title="Ice", summary="cut", digests=("cut off",))
    made_of = entry(row, read_document(row.path, content))
    assert made_of.title == "Ice\nOn ice"
    assert made_of.summaries == ("cut", "cut off")
    assert made_of.body.split() == ["Head", "Some", "prose", "."]
