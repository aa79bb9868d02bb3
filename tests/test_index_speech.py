"""Which language a file is in, and bases in which files of several are found."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from index.generation import Generation, open_current
from index.rebuild import rebuild, update
from index.records import BaseSettings
from tests.rows_made import make_base

FILES = {
    "en.md": "# Dogs\n\nThe dogs of the village were barking, and nobody came out of the houses.\n",
    "nb.md": "# Hunder\n\nHundene i bygda bjeffet, og det var ingen som kom ut av husene ved "
    "rundkjøringen.\n",
    "de.md": "# Hunde\n\nDie Hunde im Dorf bellten, und niemand kam aus den Häusern, weil es noch "
    "dunkel war.\n",
    "fr.md": "---\nlang: fr-CA\n---\nLes élections passées.\n",
    "ja.md": "# 犬\n\n村の犬は吠えていたが、誰も家から出て来なかった。それはまだ暗い朝だった。\n",
    "ru.md": "# Собаки\n\nСобаки в деревне лаяли, и никто не вышел из домов.\n",
    "bare.md": "4.1.2-1\n",
}


@pytest.fixture
def base(tmp_path: Path) -> BaseSettings:
    return make_base(tmp_path / "kb", FILES)


@pytest.fixture
def generation(base: BaseSettings, tmp_path: Path) -> Iterator[Generation]:
    rebuild(base, tmp_path / "home")
    opened = open_current(tmp_path / "home", base)
    assert opened is not None
    with closing(opened):
        yield opened


@pytest.mark.requirement("engine:languages")
def test_the_language_of_a_file_is_what_it_says_or_what_it_sounds_like(
    generation: Generation,
) -> None:
    speech = {path: row.speech for path, row in generation.by_path.items()}
    assert speech == {
        **{name: name.removesuffix(".md") for name in FILES},
        "bare.md": "",
    }
    assert generation.by_path["nb.md"].lang == ""


@pytest.mark.requirement("engine:languages")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("dog", ["en.md"]),
        ("bjeffer", ["nb.md"]),
        ("rundkjoring", ["nb.md"]),
        ("rundkjøringer", ["nb.md"]),
        ("haus", ["de.md"]),
        ("election", ["fr.md"]),
        ("犬", ["ja.md"]),
        ("собака", ["ru.md"]),
        ("4.1.2\u20131", ["bare.md"]),
        ('"hundene i bygda"', ["nb.md"]),
        ('"hunden i bygda"', []),
    ],
)
def test_a_word_finds_the_files_that_hold_it_in_their_language(
    generation: Generation, query: str, found: list[str]
) -> None:
    hits = [hit.path for hit in generation.search(query, 20)]
    assert hits[: len(found)] == found or sorted(hits) == found
    assert bool(hits) == bool(found)


@pytest.mark.requirement("engine:languages")
def test_a_file_that_says_another_language_is_searched_anew(
    base: BaseSettings, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    rebuild(base, home)
    changed = BaseSettings(base.id, base.root, lang_rules=(("bare.md", "nb"),))
    update(changed, home)
    opened = open_current(home, changed)
    assert opened is not None
    with closing(opened):
        assert opened.by_path["bare.md"].speech == "nb"
