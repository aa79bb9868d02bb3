"""One row out of what the catalogue says of a file and what the file says of itself."""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from index.bundle import concept_date
from index.catalogue import ELLIPSES
from index.fields import OwnFields, split_items
from index.links import links_of, with_inline_tags
from index.openings import is_opening, opening
from index.records import BaseSettings, Digest, Document, Row, SummaryOrigin, Value
from index.roles import language_of, role_of
from index.text import count_words, guess, language
from index.titles import heading, stem

# Below this a cell that begins like the file's own field is simply a shorter one.
_SHORTEST_CUT = 32
# Shorter key points hold no run of words that could give a copy away.
_SHORTEST_DIGEST = 5
_PROSE = ("paragraph", "list_item", "block_quote")
_NUMBERED = re.compile(
    r"(§+ ?\d+[a-z]?(?:[.-]\d+[a-z]?)*|[A-Z]{0,3}\d{1,3}(?:\.\d{1,3}){2,}(?:-\d+)*)"
    r"(?=[.:]?(?:\s|$))"
)


# The beginning of a text tells its language, and a few words tell English beyond doubt.
_BLOCKS, _ENOUGH = 20, 600
_ENGLISH = (" the ", " of ", " and ")

_NO_DATA: Mapping[str, Value] = {}


@dataclass(frozen=True, slots=True)
class Cells:
    """What a catalogue says of one file: `cut` names the fields whose cell ends too early."""

    cell: str = ""
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    cut: frozenset[str] = frozenset()
    facets: tuple[tuple[str, str], ...] = ()
    listed: bool = False


UNLISTED = Cells()


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found where a row's file should be."""

    path: str
    size: int = 0
    mtime_ns: int = 0
    document: Document | None = None
    problems: tuple[str, ...] = ()
    fingerprint: str = ""


def build_row(settings: BaseSettings, position: int, cells: Cells, seen: Seen) -> Row:
    """The row; every field has its catalogue cell, else the file's own word."""
    document = seen.document
    data = document.frontmatter.data if document else _NO_DATA
    own = OwnFields(data)
    summary, origin = _summary(cells, own, document)
    own_heading = heading(document) if document else ""
    title = _text("title", cells, own) or own_heading or stem(seen.path)
    category = _text("category", cells, own)
    keypoints = _items("keypoints", cells, own)
    lang = language_of(seen.path, own, settings.lang_rules, settings.lang)
    return Row(
        base=settings.id,
        position=position,
        path=seen.path,
        cell=cells.cell,
        title=title,
        summary=summary,
        summary_origin=origin,
        digests=() if origin == "lead" else _digests(cells, own, keypoints),
        lead=opening(document) if document else "",
        keypoints=keypoints,
        tags=with_inline_tags(_items("tags", cells, own), document),
        category=category,
        archetype=_text("archetype", cells, own),
        monomyth=_text("monomyth", cells, own),
        role=role_of(seen.path, category, own, cells.fields.get("role", ""), settings.roles),
        date=_text("date", cells, own) or concept_date(data),
        lang=lang,
        aliases=own.items("aliases"),
        links=links_of(document) if document else (),
        speech=language(lang) or _heard(title, summary, document),
        number=own.number or _number(title),
        facets=cells.facets if cells.listed else own.facets(),
        listed=cells.listed,
        problems=seen.problems,
        size=seen.size,
        mtime_ns=seen.mtime_ns,
        words=_words(document),
        sha256=document.sha256 if document else None,
        fingerprint=seen.fingerprint,
    )


def _summary(cells: Cells, own: OwnFields, document: Document | None) -> tuple[str, SummaryOrigin]:
    cell = cells.fields.get("summary", "")
    summary = _text("summary", cells, own)
    if not summary:
        return "", "none"
    if summary != cell:
        return summary, "frontmatter"
    if cells.fields.get("summary_origin", "").casefold() != "lead" or document is None:
        return summary, "catalogue"
    return summary, "lead" if is_opening(cell, document) else "catalogue"


def _text(name: str, cells: Cells, own: OwnFields) -> str:
    cell, full = cells.fields.get(name, ""), own.text(name)
    return full if full and (not cell or _cut(name, cells, full)) else cell


def _items(name: str, cells: Cells, own: OwnFields) -> tuple[str, ...]:
    cell, full = cells.fields.get(name, ""), own.items(name)
    if full and (not cell or _cut(name, cells, own.text(name))):
        return full
    return split_items(name, cell)


def _cut(name: str, cells: Cells, full: str) -> bool:
    """Whether a cell is only the beginning of what the file says at full length."""
    cell = cells.fields.get(name, "")
    beginning = len(full) > len(cell) >= _SHORTEST_CUT and full.startswith(cell)
    return name in cells.cut or beginning


def _digests(cells: Cells, own: OwnFields, keypoints: tuple[str, ...]) -> tuple[Digest, ...]:
    """Every text by somebody else that a body might be copied from, or copy."""
    cell, full = cells.fields.get("summary", ""), own.text("summary")
    cut = _cut("summary", cells, full)
    for ellipsis in ELLIPSES:
        cell = cell.removesuffix(ellipsis).rstrip()
    points = (point for point in keypoints if count_words(point) >= _SHORTEST_DIGEST)
    texts = {cell: cut, full: False, **dict.fromkeys(points, False)}
    return tuple(Digest(text, cut) for text, cut in texts.items() if text)


def _heard(title: str, summary: str, document: Document | None) -> str:
    """The language that the words of a file seem to be in."""
    blocks = document.blocks if document else ()
    prose = "\n".join(itertools.islice((b.prose for b in blocks if b.kind in _PROSE), _BLOCKS))
    text = f"{prose[:_ENOUGH]}\n{summary[:_ENOUGH]}\n{title}"
    if text.isascii() and all(word in text for word in _ENGLISH):
        return "en"
    return guess(text)


def _number(title: str) -> str:
    found = _NUMBERED.match(title)
    return found[1] if found else ""


def _words(document: Document | None) -> int:
    blocks = document.blocks if document else ()
    return sum(count_words(block.prose) for block in blocks if block.kind in _PROSE)


def row_to_json(row: Row) -> dict[str, Any]:
    """The row as JSON knows it."""
    record: dict[str, Any] = {name: getattr(row, name) for name in _NAMES}
    record["digests"] = [[digest.text, digest.cut] for digest in row.digests]
    return record


def row_from_json(record: Mapping[str, Any]) -> Row:
    """The row that `row_to_json` was given."""
    lists: dict[str, Any] = {name: tuple(record[name]) for name in _LISTS}
    lists["facets"] = tuple((name, text) for name, text in record["facets"])
    # most digests are the summary and the key points again, and need not be kept twice
    known = {text: text for text in (record["summary"], record["lead"], *lists["keypoints"])}
    lists["digests"] = tuple(Digest(known.get(text, text), cut) for text, cut in record["digests"])
    return Row(**{**record, **lists})


_LISTS = ("keypoints", "tags", "problems", "aliases", "links")
_NAMES = tuple(field.name for field in fields(Row))
