"""Test sets for retrieval: classic collections with judgements, and known items made of notes."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from index.markdown import read_document
from index.stop_words import LANGUAGES, stop_words
from index.substring import Column
from index.text import fold

# As many terms as a dig has; fewer than these say too little of one file.
MOST_TERMS, LEAST_TERMS = 12, 4
LEAST_WORDS = 60
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_GRAMMAR = frozenset(word for lang in LANGUAGES for word in stop_words(lang))
# What a Cranfield code is worth: 1 is a complete answer, 4 of minimum interest.
_GAINS = {"1": 4, "2": 3, "3": 2, "4": 1}


@dataclass(frozen=True, slots=True)
class Text:
    """One file to be: title, summary and body, any of them empty."""

    title: str = ""
    summary: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """One query, and what each file is worth that answers it, by number."""

    terms: tuple[str, ...]
    gains: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Collection:
    """Files and queries; `columns` are where terms are looked for as substrings."""

    name: str
    texts: Sequence[Text]
    queries: Sequence[Asked]
    columns: tuple[Column, ...] = ("summary", "keypoints", "tags")
    # Whether what is sought has a body; without one no excerpt can be cut, however it is ranked.
    quotable: bool = True


def classic(folder: Path) -> Iterator[Collection]:
    """Cranfield and NPL, as catalogues of summaries and as files with bodies."""
    columns: tuple[Column, ...] = ("title", "summary")
    for name, read in (("Cranfield", _cranfield), ("NPL", _npl)):
        titled, queries = read(folder / name.lower())
        rows = [Text(title, summary=text) for title, text in titled]
        bodies = [Text(title, body=text) for title, text in titled]
        yield Collection(f"{name}, texts as summaries", rows, queries, columns)
        yield Collection(f"{name}, texts as bodies", bodies, queries, columns)


def known_items(folder: Path, seed: int = 7) -> Iterator[Collection]:
    """Each file sought by its title and summary in its body, and by a paragraph in its row.

    Where a third lacks something, it is the files that are sought; all others are whole.
    """
    texts, by_row, by_body = _sought(folder, random.Random(seed))
    bodies = [Text(body=text.body) for text in texts]
    rows = [Text(text.title, text.summary) for text in texts]
    yield Collection("known items, bodies only", bodies, by_row)
    yield Collection("known items, rows only", rows, by_body)
    yield Collection("known items, whole, by a paragraph", texts, by_body)
    some = _mixed(texts, bodies, by_row[::3])
    yield Collection("known items, a third without rows", some, by_row[::3])
    some = _mixed(texts, rows, by_body[::3])
    yield Collection("known items, a third without bodies", some, by_body[::3], quotable=False)


def _sought(folder: Path, chance: random.Random) -> tuple[list[Text], list[Asked], list[Asked]]:
    """The files, and for each that says enough a query out of its row and one out of its body."""
    texts: list[Text] = []
    by_row, by_body = list[Asked](), list[Asked]()
    for path in sorted(folder.rglob("*.md")):
        text, paragraphs = _taken_apart(path)
        number = len(texts)
        texts.append(text)
        if not (text.summary and paragraphs) or len(text.body.split()) < LEAST_WORDS:
            continue
        drawn = terms_of(chance.choice(paragraphs))
        chance.shuffle(drawn)
        for queries, terms in (
            (by_row, terms_of(f"{text.title} {text.summary}")),
            (by_body, drawn),
        ):
            if len(terms) >= LEAST_TERMS:
                queries.append(Asked(tuple(terms[:MOST_TERMS]), {number: 1}))
    return texts, by_row, by_body


def _mixed(texts: Sequence[Text], poor: Sequence[Text], queries: Sequence[Asked]) -> list[Text]:
    sought = {number for query in queries for number in query.gains}
    return [poor[at] if at in sought else text for at, text in enumerate(texts)]


def terms_of(text: str, grammar: frozenset[str] = _GRAMMAR) -> list[str]:
    """The different words of a text, those of grammar left out; notes are of many languages."""
    return [word for word in dict.fromkeys(_WORD.findall(fold(text))) if word not in grammar]


def _taken_apart(path: Path) -> tuple[Text, list[str]]:
    """Title, summary and body with nothing twice; a lead taken from the body is the summary."""
    document = read_document(path.name, path.read_bytes())
    data = document.frontmatter.data or {}
    heading = next((block.prose for block in document.blocks if block.kind == "heading"), "")
    title = str(data.get("title") or heading)
    blocks = [block for block in document.blocks if block.prose and block.prose != title]
    paragraphs = [b.prose for b in blocks if b.kind == "paragraph" and len(b.prose.split()) > 7]
    summary = str(data.get("description") or data.get("summary") or "")
    if not summary and paragraphs:
        summary = paragraphs.pop(0)
    body = "\n\n".join(block.prose for block in blocks if block.prose != summary)
    return Text(title, summary, body), paragraphs


def _cranfield(folder: Path) -> tuple[list[tuple[str, str]], list[Asked]]:
    texts: list[tuple[str, str]] = []
    for part in re.split(r"^\.I ", _read(folder / "cran.all.1400"), flags=re.M)[1:]:
        fields = re.split(r"^\.([TABW])\n", part, flags=re.M)
        said = dict(zip(fields[1::2], fields[2::2], strict=True))
        texts.append((" ".join(said["T"].split()), " ".join(said["W"].split())))
    # Judgements number the queries by their place in the file, not by what it calls them.
    gains: dict[int, dict[int, int]] = {}
    for line in _read(folder / "cranqrel").splitlines():
        query, document, code = line.split()
        if code in _GAINS:
            gains.setdefault(int(query), {})[int(document) - 1] = _GAINS[code]
    parts = re.split(r"^\.I ", _read(folder / "cran.qry"), flags=re.M)[1:]
    words = [part.partition(".W\n")[2] for part in parts]
    return texts, _asked(enumerate(words, start=1), gains)


def _npl(folder: Path) -> tuple[list[tuple[str, str]], list[Asked]]:
    texts = {number: " ".join(text.split()) for number, text in _records(folder / "doc-text")}
    place = {number: at for at, number in enumerate(texts)}
    gains = {
        query: {place[int(document)]: 1 for document in text.split() if int(document) in place}
        for query, text in _records(folder / "rlv-ass")
    }
    return [("", text) for text in texts.values()], _asked(_records(folder / "query-text"), gains)


def _records(path: Path) -> Iterator[tuple[int, str]]:
    for part in re.split(r"^ *\/$", _read(path), flags=re.M):
        number, _, text = part.strip().partition("\n")
        if number.strip().isdigit():
            yield int(number), text


def _asked(
    queries: Iterable[tuple[int, str]], gains: Mapping[int, Mapping[int, int]]
) -> list[Asked]:
    english = stop_words("en")
    return [
        Asked(tuple(terms_of(text, english)), gains[query])
        for query, text in queries
        if query in gains
    ]


def _read(path: Path) -> str:
    return path.read_text(encoding="latin-1")
