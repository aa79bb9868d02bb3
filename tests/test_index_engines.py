"""What every engine must do alike; what is particular to one is tested beside it."""

import random
import resource
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from math import log
from pathlib import Path
from statistics import mean
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index.building import build
from index.engine import ENGINES, Engine, Entry, Maker, maker
from index.faults import BadSettings, IndexTrouble, StorageTrouble
from index.generation import Generation, open_current
from index.rebuild import start_build
from index.records import BaseSettings, EngineName
from index.request import Mode, Outcome, Request
from index.status import status
from index.tokens import asked, counts
from index.weights import MOST_ASKED
from tests.rows_made import make_base, note

NUMBERS = count()
WHOOSH = maker("whoosh")
# Two engines and a machine that is shared; each example writes an index or three.
FEW = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])


def made(
    path: str,
    body: str = "",
    title: str = "",
    summaries: tuple[str, ...] = (),
    keypoints: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
) -> Entry:
    return Entry(path, title, summaries, keypoints, tags, body)


@dataclass(frozen=True)
class Workshop:
    """Makes indexes by one engine below a folder."""

    name: EngineName
    folder: Path

    @property
    def maker(self) -> Maker:
        return maker(self.name)

    def written(self, *batches: tuple[Iterable[Entry], Iterable[str]]) -> Path:
        """A new index: of each batch the entries put, then the paths removed."""
        place = self.folder / f"index-{next(NUMBERS)}"
        place.mkdir()
        for entries, removed in batches:
            writer = self.maker.write(place)
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
    def engine(self, *entries: Entry) -> Generator[Engine]:
        with closing(self.maker.read(self.written((entries, ())))) as opened:
            yield opened


@pytest.fixture(params=get_args(EngineName))
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Workshop:
    return Workshop(request.param, tmp_path)


def found(opened: Engine, query: str, limit: int = 10) -> list[str]:
    return [hit.path for hit in opened.search(query, limit)]


def test_every_engine_that_can_be_named_is_tested_here() -> None:
    assert set(get_args(EngineName)) == ENGINES.keys()


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
def test_a_document_is_found_as_a_person_types(shop: Workshop, text: str, query: str) -> None:
    with shop.engine(made("a.md", text), made("b.md", "something else")) as opened:
        assert found(opened, query) == ["a.md"]
        assert opened.scores([query]).keys() == {"a.md"}


@pytest.mark.parametrize(
    ("lang", "text", "query"),
    [
        pytest.param("de", "Die Kinder spielen", "Kind", id="German"),
        pytest.param("fr", "Les maisons vides", "maison", id="French"),
        pytest.param("nb", "Bøkene ligger der", "bøker", id="Norwegian"),
    ],
)
def test_a_word_is_found_by_its_stem_in_the_language_of_its_document(
    shop: Workshop, lang: str, text: str, query: str
) -> None:
    with shop.engine(replace(made("a.md", text), lang=lang), made("b.md", "other")) as opened:
        assert [hit.path for hit in opened.search(query, 9, ("sv", lang))] == ["a.md"]
        assert opened.scores([query], (lang,)).keys() == {"a.md"}
        phrase = f'"{" ".join(text.split()[:2])}"'
        assert [hit.path for hit in opened.search(phrase, 9, (lang,))] == ["a.md"]


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(made("a.md", title="x rime"), id="title"),
        pytest.param(made("a.md", summaries=("x", "rime")), id="summaries"),
        pytest.param(made("a.md", keypoints=("x", "rime")), id="key points"),
        pytest.param(made("a.md", tags=("x", "rime")), id="tags"),
    ],
)
def test_every_column_of_the_row_is_searched(shop: Workshop, entry: Entry) -> None:
    with shop.engine(entry, made("b.md", "x")) as opened:
        assert found(opened, "rime") == ["a.md"]


def test_a_title_counts_more_than_a_summary_and_that_more_than_a_body(shop: Workshop) -> None:
    entries = (
        made("body.md", "rime", "x", summaries=("x",)),
        made("summary.md", "x", "x", summaries=("rime",)),
        made("title.md", "x", "rime", summaries=("x",)),
    )
    with shop.engine(*entries) as opened:
        assert found(opened, "rime") == ["title.md", "summary.md", "body.md"]


@pytest.mark.requirement("engine:ties")
def test_documents_of_one_score_come_in_the_order_of_their_paths(shop: Workshop) -> None:
    names = [f"{number:03}" for number in range(200)]
    random.Random(1).shuffle(names)
    with shop.engine(*(made(f"{name}.md", "same") for name in names)) as opened:
        for limit in (1, 2, 40):
            assert found(opened, "same", limit) == [f"{n:03}.md" for n in range(limit)]
        assert len(found(opened, "same", 10_000)) == 200


@pytest.mark.requirement("engine:phrases")
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
        pytest.param('"tea"', ["c.md"], id="one word"),
        pytest.param('"water water"', [], id="one word twice"),
        pytest.param('"whale"', [], id="a word of none"),
        pytest.param('cold "water', ["b.md", "a.md", "c.md"], id="a lone quote is nothing"),
        pytest.param('"" cold', ["b.md", "a.md"], id="empty quotes are nothing"),
        pytest.param('"冷たい水"', ["d.md"], id="Japanese"),
        pytest.param('"rule 4.1.2-1 holds"', ["f.md"], id="a number as typed"),
        pytest.param('"4.1"', [], id="no part of a number"),
    ],
)
def test_quotes_ask_for_a_phrase(shop: Workshop, query: str, paths: list[str]) -> None:
    entries = (
        made("a.md", "Cold water. Down to the sea.", "title"),
        made("b.md", "water, cold", "title"),
        made("c.md", "waters of the deep sea with much tea", "title"),
        made("d.md", "冷たい水と水"),
        made("e.md", "水と冷たい茶"),
        made("f.md", "As rule 4.1.2-1 holds"),
    )
    with shop.engine(*entries) as opened:
        assert found(opened, query) == paths


ODD_QUERIES = (
    pytest.param("", id="empty"),
    pytest.param(" \n\t", id="blanks"),
    pytest.param("?!… --- ***", id="punctuation"),
    pytest.param("AND OR NOT (( )) [a TO b] title:x^2~ *?", id="operators"),
    pytest.param('"""" " \'', id="quotes"),
    pytest.param("\ud800 \udfff\x00", id="surrogates and NUL"),
    pytest.param("word/ a/ / path:a.md terms:a \x1f", id="what engines write between tokens"),
    pytest.param("word " * 2_000, id="10,000 characters"),
    pytest.param(f'"{"word " * 2_000}"', id="a phrase of 10,000 characters"),
    pytest.param("x" * 10_000, id="one word of 10,000 characters"),
    pytest.param(f'"{"x" * 10_000}"', id="the same as a phrase"),
    pytest.param(" ".join(map(str, range(2_000))), id="2,000 different words"),
    pytest.param("1.-" * 3_000, id="hyphens and dots"),
    pytest.param('"' + "水" * 3_000 + '"', id="a phrase of 3,000 ideographs"),
)


@pytest.mark.requirement("engine:any-query")
@pytest.mark.parametrize("query", ODD_QUERIES)
def test_no_query_is_an_error(shop: Workshop, query: str) -> None:
    with shop.engine(made("a.md", "word and 1")) as opened:
        assert set(found(opened, query)) <= {"a.md"}
        assert opened.scores([query]).keys() <= {"a.md"}


@FEW
@given(st.text())
def test_no_text_is_an_error_in_a_document_or_a_query(shop: Workshop, query: str) -> None:
    with shop.engine(made("a.md", query, query, (query,)), made("b.md")) as opened:
        assert found(opened, query) == (["a.md"] if asked(query) else [])
        quoted = '"' + query.replace('"', "") + '"'
        assert set(found(opened, quoted)) <= {"a.md"}


@pytest.mark.parametrize(
    "word", [pytest.param("x" * 90_000, id="letters"), pytest.param("1-" * 90_000, id="numbers")]
)
def test_endless_words_are_kept_and_found(shop: Workshop, word: str) -> None:
    with shop.engine(made("a.md", f"ice {word} salt"), made("b.md", "ice")) as opened:
        assert found(opened, word) == ["a.md"]
        assert found(opened, "salt") == ["a.md"]


def test_of_a_pasted_page_the_first_words_are_asked(shop: Workshop) -> None:
    page = " ".join(f"word{number}" for number in range(MOST_ASKED))
    with shop.engine(made("a.md", "word63"), made("b.md", "word64")) as opened:
        assert found(opened, f"{page} word64") == ["a.md"]


def test_limits_of_nothing_and_less_give_nothing(shop: Workshop) -> None:
    with shop.engine(made("a.md", "word")) as opened:
        assert [found(opened, q, n) for q in ("word", '"word"') for n in (0, -1)] == [[]] * 4


WORDS = ("ice", "snow", "salt", "tide", "水の中", "4.1-2", "of", "straße")
BODIES = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
DOCUMENTS = st.dictionaries(st.sampled_from("abcdef"), st.tuples(BODIES, BODIES), max_size=6)


def entries_of(documents: Mapping[str, tuple[str, str]]) -> list[Entry]:
    return [made(path, body, title) for path, (body, title) in documents.items()]


@pytest.mark.requirement("engine:update-is-rebuild")
@FEW
@given(first=DOCUMENTS, second=DOCUMENTS, third=DOCUMENTS)
def test_an_index_after_updates_is_that_of_a_rebuild(
    shop: Workshop,
    first: dict[str, tuple[str, str]],
    second: dict[str, tuple[str, str]],
    third: dict[str, tuple[str, str]],
) -> None:
    updated = shop.written(
        (entries_of(first), ()),
        (entries_of(second), first.keys() - second.keys()),
        (entries_of(third), second.keys() - third.keys()),
    )
    rebuilt = shop.written((entries_of(third), ()))
    with closing(shop.maker.read(updated)) as one, closing(shop.maker.read(rebuilt)) as other:
        assert one.document_count() == other.document_count() == len(third)
        for terms in (WORDS, ("ice",), ("straße of", "水")):
            assert one.scores(terms) == other.scores(terms)
            query = " ".join(terms)
            assert one.search(query, 9) == other.search(query, 9)
            assert one.search(f'"{query}"', 9) == other.search(f'"{query}"', 9)


@pytest.mark.requirement("engine:update-is-rebuild")
def test_many_small_updates_come_to_the_same_as_one(shop: Workshop) -> None:
    entries = [made(f"{n:02}.md", f"word{n % 3} cold water {n}") for n in range(12)]
    old = [replace(each, body="whale water " * 9) for each in entries]
    pairs = zip(entries, old, strict=True)
    batches = [batch for entry, before in pairs for batch in (([before], ()), ([entry], ()))]
    parted = shop.written(*batches)
    with shop.engine(*entries) as whole, closing(shop.maker.read(parted)) as opened:
        for query in ("word1 water", "water", '"cold water" 7', "whale"):
            assert opened.search(query, 60) == whole.search(query, 60)
    # what merging left behind is no longer there
    assert len(list(parted.iterdir())) < 90


@FEW
@given(documents=DOCUMENTS, terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
def test_scores_are_bm25f_or_close_to_it(
    shop: Workshop, documents: dict[str, tuple[str, str]], terms: list[str]
) -> None:
    # tantivy knows frequencies and lengths by classes
    tolerance = {"whoosh": 1e-6, "tantivy": 0.25}[shop.name]
    with shop.engine(*entries_of(documents)) as opened:
        expected = by_the_book(documents, terms)
        assert opened.scores(terms) == pytest.approx(expected, rel=tolerance)


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


def zipf_entries(chance: random.Random, number: int) -> list[Entry]:
    """Documents as they are: a few words everywhere, most words in a few, lengths of all kinds."""
    vocabulary = [f"{a}{b}{c}" for a in "bdfgkmprtv" for b in ("al", "or", "un") for c in range(40)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]

    def text(words: int) -> str:
        return " ".join(chance.choices(vocabulary, weights, k=words))

    return [
        made(f"{n:04}.md", text(chance.choice((30, 90, 200, 600))), text(4), (text(20),), (), ())
        for n in range(number)
    ]


@pytest.mark.requirement("engine:agreement")
@pytest.mark.parametrize("words", [1, 2, 5, 12])
def test_engines_agree_on_the_ten_best(tmp_path: Path, words: int) -> None:
    chance = random.Random(words)
    entries = zipf_entries(chance, 250)
    queries = [
        " ".join(chance.choices(chance.choice(entries).body.split(), k=words)) for _ in range(40)
    ]
    shops = [Workshop(name, tmp_path) for name in ("whoosh", "tantivy")]
    with shops[0].engine(*entries) as exact, shops[1].engine(*entries) as other:
        shared: list[float] = []
        quality: list[float] = []
        for query in queries:
            ours, theirs = found(exact, query), found(other, query)
            scores = exact.scores([query])
            assert scores.keys() == other.scores([query]).keys()
            shared.append(len(set(ours) & set(theirs)) / len(ours))
            quality.append(
                sum(map(scores.__getitem__, theirs)) / sum(map(scores.__getitem__, ours))
            )
    # where they differ, it is among documents that are nearly level
    assert mean(shared) >= 0.8
    assert mean(quality) >= 0.998


def test_a_document_cannot_be_put_twice_at_once(shop: Workshop) -> None:
    with pytest.raises(ValueError, match=r"a\.md is put twice"):
        shop.written(([made("a.md"), made("a.md")], ()))


def test_removing_what_is_not_there_is_nothing(shop: Workshop) -> None:
    place = shop.written(([made("a.md", "word")], ()), ((), ["b.md"]))
    with closing(shop.maker.read(place)) as opened:
        assert found(opened, "word") == ["a.md"]


def test_what_is_abandoned_was_never_there(shop: Workshop) -> None:
    place = shop.written(([made("a.md", "word")], ()))
    writer = shop.maker.write(place)
    writer.put(made("b.md", "word"))
    writer.remove("a.md")
    writer.abandon()
    writer.abandon()
    with closing(shop.maker.read(place)) as opened:
        assert found(opened, "word") == ["a.md"]


def test_threads_may_ask_at_once(shop: Workshop) -> None:
    entries = [made(f"{n}.md", " ".join(f"w{n % k}" for k in range(2, 40))) for n in range(200)]
    with shop.engine(*entries) as opened, ThreadPoolExecutor(8) as threads:
        alone = [opened.search(f"w{n} w{n + 1}", 50) for n in range(20)]
        at_once = [threads.submit(opened.search, f"w{n} w{n + 1}", 50) for n in [*range(20)] * 5]
        assert [each.result() for each in at_once] == alone * 5


def test_a_closed_index_says_so(shop: Workshop) -> None:
    with shop.engine(made("a.md", "word")) as opened:
        opened.close()
        with pytest.raises(IndexTrouble, match="closed"):
            opened.search("word", 1)
        with pytest.raises(IndexTrouble, match="closed"):
            opened.scores(["word"])


def test_an_empty_index_answers(shop: Workshop) -> None:
    with shop.engine() as opened:
        assert opened.document_count() == 0
        assert opened.scores(["word"]) == {}
        assert found(opened, '"word"') == found(opened, "word") == []


def test_an_unknown_engine_is_bad_settings() -> None:
    with pytest.raises(BadSettings, match="there is: tantivy, whoosh"):
        maker("lucene")


SPOILERS: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:40]),
    "overwritten": lambda path: path.write_bytes(b"\xff" * 400),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.parametrize("spoiled", SPOILERS)
@pytest.mark.parametrize("kind", ["meta.json", "documents.json", "*.term", "*.idx", "*.pos"])
def test_files_that_tantivy_cannot_read_are_one_kind_of_trouble(
    tmp_path: Path, kind: str, spoiled: str
) -> None:
    place = Workshop("tantivy", tmp_path).written(([made("a.md", "cold word")], ()))
    SPOILERS[spoiled](next(place.glob(kind)))
    with pytest.raises(IndexTrouble, match="tantivy cannot read its files"):
        maker("tantivy").read(place).search('"cold word"', 1)


# What follows is the whole index of a base on the disk, by each engine.


@dataclass(frozen=True)
class Ground:
    """A base of six notes and the home of its index."""

    base: BaseSettings
    home: Path

    def built(self, mode: Mode = "update") -> Outcome:
        return build(Request(self.base, self.home, mode), lambda phase, done, total: None)

    def opened(self) -> Generation:
        generation = open_current(self.home, self.base)
        assert generation is not None
        return generation

    def paths(self, query: str = "salt") -> list[str]:
        with closing(self.opened()) as generation:
            return sorted(hit.path for hit in generation.search(query, 20))


ALL = [f"n{number}.md" for number in range(6)]


@pytest.fixture(params=get_args(EngineName))
def ground(request: pytest.FixtureRequest, tmp_path: Path) -> Ground:
    base = make_base(tmp_path / "notes", {path: note(n) for n, path in enumerate(ALL)})
    return Ground(replace(base, engine=request.param), tmp_path / "state" / "index" / "notes-1")


@pytest.mark.requirement("engine:generations")
def test_generations_follow_one_another_and_each_stays_whole(ground: Ground) -> None:
    ground.built()
    with closing(ground.opened()) as first:
        Path(ground.base.root, "n1.md").write_text(note(7))
        Path(ground.base.root, "n2.md").unlink()
        assert ground.built().published
        assert not ground.built().published
        assert ground.paths() == [path for path in ALL if path != "n2.md"]
        assert (ground.paths("word7"), ground.paths("word1")) == (["n1.md"], [])
        # its files are shared with the next one, which must not have written to them
        for name, digest in first.manifest.files.items():
            assert digest == _sha256(first.sealed.folder / name)
        for _ in range(2):
            ground.built("rebuild")
        assert not first.sealed.folder.exists()
        assert [hit.path for hit in first.search('"the harbour keeps word3"', 9)] == ["n3.md"]
        assert sorted(first.scores(["salt"])) == ALL


def _sha256(path: Path) -> str:
    from hashlib import sha256

    return sha256(path.read_bytes()).hexdigest()


@pytest.mark.requirement("engine:generations")
def test_opening_an_index_leaves_nothing_in_it(ground: Ground) -> None:
    ground.built()
    for _ in range(3):
        assert ground.paths() == ALL
    assert status(ground.base, ground.home).state == "fresh"
    assert {path.stat().st_mode & 0o077 for path in ground.home.rglob("*") if path.is_dir()} == {0}


@pytest.mark.requirement("index:damage")
def test_no_byte_of_an_engine_may_differ(ground: Ground) -> None:
    ground.built()
    for path in (ground.home / "gen-1" / ground.base.engine).iterdir():
        whole = path.read_bytes()
        spoiled = bytes([whole[0] ^ 0x20]) + whole[1:] if whole else b"x"
        path.write_bytes(spoiled)
        with pytest.raises(IndexTrouble):
            ground.opened()
        path.write_bytes(whole)
        if whole:
            path.unlink()
            with pytest.raises(IndexTrouble):
                ground.opened()
            path.write_bytes(whole)
    assert ground.paths() == ALL


@pytest.mark.requirement("index:planted")
def test_a_file_that_nobody_sealed_is_trouble_which_an_update_cures(ground: Ground) -> None:
    ground.built()
    (ground.home / "gen-1" / ground.base.engine / "0123abcd.idx").write_bytes(b"planted")
    with pytest.raises(IndexTrouble, match="none of ours"):
        ground.opened()
    assert ground.built().indexed == 6
    assert ground.paths() == ALL


@pytest.mark.requirement("engine:switched")
def test_another_engine_is_another_index(ground: Ground) -> None:
    ground.built()
    other: EngineName = "tantivy" if ground.base.engine == "whoosh" else "whoosh"
    switched = Ground(replace(ground.base, engine=other), ground.home)
    with pytest.raises(IndexTrouble, match="of another engine"):
        switched.opened()
    assert status(switched.base, ground.home).state == "outdated"
    assert switched.built().indexed == 6
    assert switched.paths() == ALL
    assert ground.built().indexed == 6


@pytest.mark.requirement("index:killed")
@pytest.mark.parametrize("seconds", [0.4, 0.9])
def test_a_build_by_any_engine_may_be_killed(ground: Ground, seconds: float) -> None:
    ground.built()
    for number in range(60):
        Path(ground.base.root, f"late{number}.md").write_text(note(number + 10))
    running = start_build(ground.base, ground.home, "rebuild")
    running.wait(seconds)
    running.stop()
    assert len(ground.paths()) in (6, 20)
    assert ground.built().documents == 66
    assert sorted(path.name for path in ground.home.iterdir() if path.name.startswith("tmp")) == []


@pytest.mark.requirement("index:no-room")
@pytest.mark.parametrize("size", [60, 400, 2_000])
def test_without_room_an_engine_leaves_the_old_index_as_it_was(ground: Ground, size: int) -> None:
    """No file may grow over so many bytes: what a full disk does, cheaply."""
    ground.built()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        running = start_build(ground.base, ground.home, "rebuild")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with pytest.raises(StorageTrouble, match="room"):
        running.result()
    assert ground.paths() == ALL
    assert not [path for path in ground.home.iterdir() if path.name.startswith("tmp-")]


@pytest.mark.requirement("engine:extra")
def test_a_missing_extra_is_named_with_the_command_that_brings_it(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    if ground.base.engine == "whoosh":
        monkeypatch.setitem(sys.modules, "tantivy", None)
        ground.built()
        assert ground.paths() == ALL
        return
    ground.built()
    monkeypatch.setitem(sys.modules, "tantivy", None)
    for refused in (ground.opened, ground.built, lambda: status(ground.base, ground.home)):
        with pytest.raises(BadSettings, match=r'pip install "corpus-expedition\[tantivy\]"'):
            refused()


@pytest.mark.requirement("engine:languages")
def test_accents_are_no_hindrance_to_phrases_and_endless_words_are_cut_alike(
    shop: Workshop,
) -> None:
    endless = "x" * 150
    texts = {
        "café": "Un café noir, s'il vous plaît.",
        "ring": "Ved rundkjøringen til høyre.",
        "kitab": "كَتَبَ الوَلَدُ",
        "long": f"{endless}suffix and more",
    }
    with shop.engine(*(made(f"{name}.md", body) for name, body in texts.items())) as opened:
        assert found(opened, '"cafe noir"') == ["café.md"]
        assert found(opened, '"rundkjoringen til hoyre"') == ["ring.md"]
        assert found(opened, '"كتب الولد"') == ["kitab.md"]
        assert found(opened, f'"{endless}other and"') == ["long.md"]
