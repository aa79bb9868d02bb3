"""The blaze: the owner's guidance note that a dig starts from. Quoted whole, never a candidate."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from index.faults import PathRefused
from index.records import BaseSettings, Block, Document, Excerpt, Row, Value
from index.text import count_words, fold
from server.library import Library, Unreadable

MAX_PHRASE_WORDS = 6
# Each alternative is bounded, so a hostile file costs no more than its length.
_NAMED = re.compile(
    r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__"
    "|\u201c([^\u201c\u201d\n]{1,200})\u201d|\u00ab([^\u00ab\u00bb\n]{1,200})\u00bb"
    r'|"([^"\n]{1,200})"'
)
_CLAIMS = ("claims", "claim")
_QUESTIONS = ("open_questions", "open questions", "questions")


@dataclass(frozen=True, slots=True)
class Blaze:
    """What a dig takes from its blaze; an empty path means there is none."""

    path: str = ""
    claims: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    named_phrases: tuple[str, ...] = ()


NO_BLAZE = Blaze()


def read_blaze(row: Row, base: BaseSettings, library: Library) -> Blaze:
    """The blaze of this row; raises PathRefused unless it is a readable file of role guidance."""
    if row.role != "guidance":
        raise PathRefused(
            "a blaze is a file of role guidance; this one is not", "name another, or none"
        )
    document = library.read(base, row.path)
    if document.body_start is None:
        raise PathRefused("the file has no readable body", "mend its frontmatter or encoding")
    data = document.frontmatter.data
    named = (row.title, *_texts(data.get("named_phrases")), *_marked(document))
    short = (phrase.strip() for phrase in named if 0 < count_words(phrase) <= MAX_PHRASE_WORDS)
    return Blaze(
        row.path,
        _texts(data.get("claims")) or _listed(document, _CLAIMS),
        _texts(data.get("open_questions")) or _listed(document, _QUESTIONS),
        tuple(dict.fromkeys(short)),
    )


def quote_blaze(document: Document | Unreadable, pass_number: int) -> Excerpt | None:
    """The whole body of the blaze as one excerpt; None if it holds nothing readable."""
    if isinstance(document, Unreadable) or not document.blocks:
        return None
    first, last = document.blocks[0], document.blocks[-1]
    piece = document.content[first.start : last.end]
    return Excerpt(
        row="blaze",
        path=document.path,
        start=first.start,
        end=last.end,
        first_line=first.first_line,
        last_line=last.last_line,
        text=piece.decode("utf-8"),
        words=sum(count_words(block.prose) for block in document.blocks),
        sha256=hashlib.sha256(piece).hexdigest(),
        file_sha256=document.sha256,
        blocks=len(document.blocks),
        flags=(),
        pass_number=pass_number,
    )


def _texts(value: Value) -> tuple[str, ...]:
    """A frontmatter value as a list of texts, each on one line."""
    entries = value if isinstance(value, list) else [value]
    texts = (" ".join(entry.split()) for entry in entries if isinstance(entry, str))
    return tuple(text for text in texts if text)


def _listed(document: Document, names: tuple[str, ...]) -> tuple[str, ...]:
    """The list items under the first heading of one of these names, up to the next heading."""
    return tuple(" ".join(block.prose.split()) for block in _under(document, names))


def _under(document: Document, names: tuple[str, ...]) -> Iterator[Block]:
    inside = False
    for block in document.blocks:
        if block.kind == "heading":
            inside = fold(block.prose.strip().rstrip(":")) in names
        elif inside and block.kind == "list_item":
            yield block


def _marked(document: Document) -> tuple[str, ...]:
    """Bold and quoted runs of the prose blocks."""
    found: list[str] = []
    for block in document.blocks:
        if block.prose:
            for match in _NAMED.finditer(block.text):
                found += [group for group in match.groups() if group]
    return tuple(found)
