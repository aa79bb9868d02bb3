"""What is particular to Whoosh; what every engine must do is in test_index_engines.py."""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import pytest

from index import whoosh_segment, whoosh_writer
from index.engine import Engine, Entry, entry, maker
from index.faults import IndexTrouble
from index.markdown import read_document
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


def test_an_index_of_many_segments_answers_as_one_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [made(f"{n:03}.md", f"word{n % 7} salt{n % 3} cold water {n}") for n in range(60)]
    with engine(tmp_path, *entries) as whole:
        monkeypatch.setattr(whoosh_writer, "SEGMENT", 1_000)
        monkeypatch.setattr(whoosh_segment, "MOST_SMALL", 100)
        place = written(tmp_path, (entries, ()))
        assert len(list(place.glob("*.trm"))) > 5
        with closing(WHOOSH.read(place)) as parted:
            for query in ("word3 salt1", '"cold water" 17', "44"):
                assert parted.search(query, 60) == whole.search(query, 60)


def test_small_segments_are_joined_once_they_are_many(tmp_path: Path) -> None:
    entries = [made(f"{n:02}.md", f"word{n % 3} cold water {n}") for n in range(30)]
    place = written(tmp_path, *(([entry], ()) for entry in entries))
    assert len(list(place.glob("*.trm"))) <= whoosh_segment.MOST_SMALL + 1
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


SPOILERS: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:40]),
    "overwritten": lambda path: path.write_bytes(b"\xff" * 400),
    "gone": lambda path: path.unlink(),
}


# Whoosh itself leaves the file open that it cannot read.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("spoiled", SPOILERS)
@pytest.mark.parametrize("kind", ["toc", "trm"])
def test_files_that_whoosh_cannot_read_are_one_kind_of_trouble(
    tmp_path: Path, kind: str, spoiled: str
) -> None:
    place = written(tmp_path, ([made("a.md", "word")], ()))
    SPOILERS[spoiled](next(place.glob(f"*.{kind}")))
    with pytest.raises(IndexTrouble, match="Whoosh cannot read its files"):
        WHOOSH.read(place)


def test_an_entry_has_the_prose_of_the_body_and_the_name_of_the_file() -> None:
    content = b"---\ntitle: x\n---\n# Head\n\nSome *prose* <!-- not this -->.\n"
    row = make_row("notes/On ice.md", title="Ice", summary="cut", digests=("cut off",))
    made_of = entry(row, read_document(row.path, content))
    assert made_of.title == "Ice\nOn ice"
    assert made_of.summaries == ("cut", "cut off")
    assert made_of.body.split() == ["Head", "Some", "prose", "."]
