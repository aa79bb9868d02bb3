"""One document as an exploration knows it: its name, number, scope and length, never its text."""

from dataclasses import dataclass

from index.fields import OwnFields
from index.frontmatter import BOM
from index.paths import on_one_line
from index.records import Document, Limits
from index.scope import dimensions, is_verdict
from index.titles import title_of
from index.walk import Listed

LONGEST_ID = 128
# Longer ones are no numbers and no types, but would be paid for in every listing.
_LONGEST_WORD = 200
_UNREADABLE = ("binary", "encoding")


@dataclass(frozen=True, slots=True)
class Concept:
    """A document of a base as it was when last read; `chars` is the length of its `text_of`.

    `dimensions` are the declared ones as they are compared, `declared_id` the base's id that the
    file declares ("" if none), `number` the document's own reference number.
    """

    path: str
    type: str
    title: str
    number: str
    chars: int
    dimensions: tuple[str, ...]
    is_verdict: bool
    declared_id: str
    size: int
    mtime_ns: int
    device: int
    inode: int


def concept_of(document: Document, file: Listed, limits: Limits) -> Concept:
    """The document of a file, told from the bytes that were read."""
    own = OwnFields(document.frontmatter.data)
    text = text_of(document)
    return Concept(
        path=file.path,
        type=", ".join(own.words("type"))[:_LONGEST_WORD],
        title=title_of(document, limits),
        number=own.requirement_number[:_LONGEST_WORD],
        chars=len(text) if text is not None else 0,
        dimensions=dimensions(document),
        is_verdict=is_verdict(document),
        declared_id=declared_id(document),
        size=file.size,
        mtime_ns=file.mtime_ns,
        device=file.device,
        inode=file.inode,
    )


def text_of(document: Document) -> str | None:
    """The whole file as text, its byte order mark left out; None if it is no UTF-8 text."""
    if any(problem.kind in _UNREADABLE for problem in document.problems):
        return None
    return document.content.removeprefix(BOM).decode()


def body_of(document: Document) -> str:
    """What stands below the frontmatter, verbatim; empty where nobody knows where it starts."""
    start = document.body_start
    if start is None or text_of(document) is None:
        return ""
    return document.content[start:].removeprefix(BOM).decode()


def declared_id(document: Document) -> str:
    """The base's id that a file declares; empty if it declares none that could be one."""
    value = document.frontmatter.data.get("bundle_id")
    name = value.strip() if isinstance(value, str) else ""
    return name if len(name) <= LONGEST_ID and on_one_line(name) else ""
