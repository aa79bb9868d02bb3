"""One level of a base: its directories and documents, filtered and windowed, and its neighbours."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from index.concepts import Concept
from index.standing import plain_names
from index.text import unaccented

DEFAULT_LIMIT = 50
LONGEST_LIMIT = 200
LONGEST_TITLE = 200
LONGEST_EXCERPT = 200
MOST_NEIGHBOURS = 5

_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    """A directory of a level and how many documents it holds, at any depth."""

    path: str
    documents: int


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document of a level; `name` is the path to read it by."""

    name: str
    type: str
    title: str
    title_truncated: bool
    number: str
    chars: int


@dataclass(frozen=True, slots=True)
class Level:
    """A window on one level: directories by path, then documents by path.

    `total` counts the entries of the level whatever the filter; `total_matches` those it keeps, and
    `matches_below` matching documents deeper down. Without a filter both are None, `filter` is "".
    """

    path: str
    directories: tuple[DirectoryEntry, ...]
    documents: tuple[DocumentEntry, ...]
    total: int
    offset: int
    limit: int
    filter: str
    total_matches: int | None
    matches_below: int | None


@dataclass(frozen=True, slots=True)
class NoSuchLevel:
    """No document given stands at or below this path."""

    path: str


@dataclass(frozen=True, slots=True)
class NamesDocument:
    """The path is that of a document, in its plain form."""

    path: str


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest level that exists, "" for the top, and what on it looks most like the path."""

    level: str
    directories: tuple[str, ...]
    documents: tuple[str, ...]


def list_level(
    concepts: Sequence[Concept],
    path: str,
    words: str = "",
    offset: int = 0,
    limit: int = DEFAULT_LIMIT,
) -> Level | NoSuchLevel | NamesDocument:
    """The level of a path among concepts sorted by path; the path was judged before.

    `words` is the filter, blank for none; `offset` and `limit` are brought within their bounds.
    """
    place = "/".join(plain_names(path))
    below = _below(concepts, place)
    if place and not below:
        known = any(concept.path == place for concept in _from(concepts, place)[:1])
        return NamesDocument(place) if known else NoSuchLevel(place)
    directories, documents = _entries(below, place)
    matches = _matcher(words)
    named = [entry for entry in directories if matches(entry.path[_depth(place) :])]
    kept = [concept for concept in documents if matches(_searched(concept, place))]
    offset, limit = max(0, offset), min(max(1, limit), LONGEST_LIMIT)
    shown = [*named, *map(_document_entry, kept)][offset : offset + limit]
    filtered = bool(words.split())
    deeper = sum(matches(_searched(one, place)) for one in below) if filtered else 0
    return Level(
        path=place,
        directories=tuple(entry for entry in shown if isinstance(entry, DirectoryEntry)),
        documents=tuple(entry for entry in shown if isinstance(entry, DocumentEntry)),
        total=len(directories) + len(documents),
        offset=offset,
        limit=limit,
        filter=words if filtered else "",
        total_matches=len(named) + len(kept) if filtered else None,
        matches_below=deeper - len(kept) if filtered else None,
    )


def nearest_level(concepts: Sequence[Concept], path: str) -> Neighbours:
    """The nearest ancestor of an absent path, and the entries there that begin most like it."""
    names = plain_names(path)
    depth = len(names) - 1
    while depth > 0 and not _below(concepts, "/".join(names[:depth])):
        depth -= 1
    depth = max(depth, 0)
    place = "/".join(names[:depth])
    directories, documents = _entries(_below(concepts, place), place)
    failing = names[depth] if names else ""
    return Neighbours(
        place,
        _likest([entry.path for entry in directories], failing),
        _likest([concept.path for concept in documents], failing),
    )


def index_excerpt(body: str) -> tuple[str, bool]:
    """How the body of a root index begins, and whether it goes on."""
    if len(body) <= LONGEST_EXCERPT:
        return body, False
    breaks = [match.start() for match in _BREAK.finditer(body, 0, LONGEST_EXCERPT + 1)]
    cut = breaks[-1] if breaks else 0
    return body[: cut or LONGEST_EXCERPT], True


def _below(concepts: Sequence[Concept], place: str) -> Sequence[Concept]:
    """The documents anywhere below a directory; sorted by path they stand together."""
    if not place:
        return concepts
    start = _from(concepts, f"{place}/")
    # the sign after the slash comes after every path that begins with the directory
    return start[: bisect_left(start, f"{place}0", key=_path)]


def _from(concepts: Sequence[Concept], path: str) -> Sequence[Concept]:
    return concepts[bisect_left(concepts, path, key=_path) :]


def _path(concept: Concept) -> str:
    return concept.path


def _depth(place: str) -> int:
    """How many characters of a path on a level only say which level it is."""
    return len(place) + 1 if place else 0


def _entries(below: Sequence[Concept], place: str) -> tuple[list[DirectoryEntry], list[Concept]]:
    depth = _depth(place)
    counts: Counter[str] = Counter()
    documents: list[Concept] = []
    for concept in below:
        end = concept.path.find("/", depth)
        if end < 0:
            documents.append(concept)
        else:
            counts[concept.path[:end]] += 1
    return [DirectoryEntry(path, counts[path]) for path in sorted(counts)], documents


def _matcher(words: str) -> Callable[[str], bool]:
    wanted = unaccented(words).split()

    def matches(text: str) -> bool:
        folded = unaccented(text) if wanted else ""
        return all(word in folded for word in wanted)

    return matches


def _searched(concept: Concept, place: str) -> str:
    """What a filter word may occur in; no word holds the blank that keeps the three apart."""
    return f"{concept.title}\n{concept.number}\n{concept.path[_depth(place) :]}"


def _document_entry(concept: Concept) -> DocumentEntry:
    title = concept.title
    return DocumentEntry(
        name=concept.path,
        type=concept.type,
        title=title[:LONGEST_TITLE],
        title_truncated=len(title) > LONGEST_TITLE,
        number=concept.number,
        chars=concept.chars,
    )


def _likest(paths: Sequence[str], failing: str) -> tuple[str, ...]:
    """The few whose own name shares the most leading characters with the failing one."""
    ranked = sorted(paths, key=lambda path: (-_shared(path.rpartition("/")[2], failing), path))
    return tuple(ranked[:MOST_NEIGHBOURS])


def _shared(name: str, other: str) -> int:
    pairs = enumerate(zip(name, other, strict=False))
    differ = (at for at, (one, two) in pairs if one != two)
    return next(differ, min(len(name), len(other)))
