"""The bundle, the vault and the broken base hold what other tests build on."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import pytest

from index.corpus import Corpus, load
from index.markdown import read_document
from index.records import BaseSettings, Document
from index.text import hidden

FIXTURES = Path(__file__).resolve().parent.parent / "kb_fixtures"
EXPECTED: dict[str, dict[str, Any]] = json.loads(
    (FIXTURES / "broken.expected.json").read_text(encoding="utf-8")
)["files"]
SAYS_I = re.compile(r"\bI\b")


def base(name: str) -> Corpus:
    return load(BaseSettings(id=name, root=str(FIXTURES / name)))


def read(folder: str, path: str) -> Document:
    return read_document(path, (FIXTURES / folder / path).read_bytes())


def test_everything_is_dedicated_to_the_public_domain() -> None:
    readme = (FIXTURES / "README.md").read_text(encoding="utf-8")
    assert "CC0 1.0 Universal" in readme
    assert all(f"`{folder}/`" in readme for folder in ("codex", "okf", "vault", "broken"))


def test_git_leaves_every_byte_as_it_is() -> None:
    assert "* -text" in (FIXTURES / ".gitattributes").read_text(encoding="utf-8").splitlines()


def test_the_bundle_is_read_as_one() -> None:
    corpus = base("okf")
    assert corpus.kind == "okf"
    assert 8 <= len(corpus.rows) <= 12
    assert not any("verdict" in row.path for row in corpus.rows)


def test_one_concept_of_the_bundle_is_a_verdict_and_one_deviates() -> None:
    concepts = [
        read("okf", str(path.relative_to(FIXTURES / "okf")))
        for path in sorted((FIXTURES / "okf").rglob("*.md"))
        if path.name not in ("index.md", "log.md")
    ]
    types = Counter(str(concept.frontmatter.data.get("type", "")) for concept in concepts)
    assert (types["verdict"], types[""]) == (1, 1)
    assert sum(types.values()) - 2 in range(8, 13)


def test_the_vault_is_a_folder_of_notes() -> None:
    corpus = base("vault")
    notes = [row for row in corpus.rows if not row.path.startswith("Templates/")]
    long = [row for row in notes if row.words > 200]
    spoken = [row for row in long if SAYS_I.search(read("vault", row.path).content.decode())]
    assert corpus.kind == "folder"
    assert len(notes) >= 12
    assert len(spoken) >= 5
    assert not any(row.path.startswith(".obsidian") for row in corpus.rows)


@pytest.mark.parametrize("path", EXPECTED)
def test_a_broken_file_is_read_as_expected(path: str) -> None:
    expected = EXPECTED[path]
    document = read("broken", path)
    text = "\n".join(block.text for block in document.blocks)
    assert (document.body_start is not None) == expected["body"]
    assert bool(hidden(text)) == expected.get("hidden", False)
    if "paragraphs" in expected:
        assert sum(b.kind == "paragraph" for b in document.blocks) == expected["paragraphs"]
    for key, value in expected.get("data", {}).items():
        assert document.frontmatter.data[key] == value
    if expected.get("error_any"):
        assert document.frontmatter.error is not None
    elif not expected.get("kind_any"):
        read_as = (document.frontmatter.kind, document.frontmatter.error)
        assert read_as == (expected["frontmatter"], expected["error"])


@pytest.mark.parametrize("kind", ["auto", "folder"])
def test_the_broken_base_loads_with_every_file_accounted_for(
    kind: Literal["auto", "folder"],
) -> None:
    corpus = load(BaseSettings(id="broken", root=str(FIXTURES / "broken"), kind=kind))
    assert {row.path for row in corpus.rows} >= set(EXPECTED)
    assert corpus.problems


def test_every_broken_file_has_an_expectation() -> None:
    broken = FIXTURES / "broken"
    ends = (".md", ".markdown")
    found = {
        str(path.relative_to(broken))
        for path in broken.rglob("*")
        if path.is_file() and path.name.lower().endswith(ends)
    }
    assert found - set(EXPECTED) == {"corpus_index.md", ".hidden/inside.md"}
    assert set(EXPECTED) <= found


def test_the_broken_base_stays_small() -> None:
    files = [path for path in (FIXTURES / "broken").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 300_000
