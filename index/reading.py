"""One file of a base as a reader gets it: judged by what its bytes say now, whole or a window."""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from index.concepts import Concept, concept_of, text_of
from index.faults import NotFound
from index.frontmatter import BOM
from index.holdings import Holdings
from index.markdown import read_top
from index.paths import BaseFolder, FileRead
from index.records import Document
from index.scope import is_brief, is_foreign
from index.standing import Standing, standing
from index.walk import Listed

BASELINE = "cost-baseline.json"
LONGEST_TEXT = 60_000

_BREAK = re.compile(r"\r\n|\r|\n")

Obstacle = Literal[
    "outside", "directory", "absent", "not_document", "verdict", "foreign", "not_text"
]


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a path gives no text; `path` is its plain form ("" if it is outside the base)."""

    obstacle: Obstacle
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A file's whole text. Only a document counts as read; `sha256` is that of the file's bytes."""

    path: str
    is_document: bool
    title: str
    number: str
    text: str
    sha256: str
    device: int
    inode: int

    @property
    def chars(self) -> int:
        """The characters of the text."""
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of a text and where the next one starts; None at the end."""

    offset: int
    text: str
    next_offset: int | None


def read_path(
    folder: BaseFolder, holdings: Holdings, dimension: str, path: str
) -> Reading | Unread:
    """The file of a path as sent, or the first obstacle; what exists but fails to open is raised.

    The order: outside the base, a directory, absent, no readable kind, verdict, foreign, no text.
    """
    there = standing(folder, path)
    if obstacle := _obstacle(there, holdings):
        return obstacle
    settings = holdings.settings
    try:
        read = folder.read(there.path, settings.limits.file, settings.hard_links)
    except NotFound:
        return Unread("absent", there.path, "is not there")
    if there.path == BASELINE:
        return _baseline(read)
    document = read_top(there.path, read.content, settings.limits)
    is_document = there.path not in holdings.reserved
    file = Listed(read.path, read.size, read.mtime_ns, read.device, read.inode)
    return _judged(document, concept_of(document, file, settings.limits), dimension, is_document)


def window(text: str, offset: int = 0) -> Window:
    """The piece from a place on, cut after the last line break within the bound if it is longer."""
    offset = max(0, offset)
    end = offset + LONGEST_TEXT
    if end >= len(text):
        return Window(offset, text[offset:], None)
    # one character further, to see whether a CR at the very end has its LF
    ends = [match.end() for match in _BREAK.finditer(text, offset, end + 1)]
    cut = max((place for place in ends if place <= end), default=end)
    return Window(offset, text[offset:cut], cut)


def _obstacle(there: Standing, holdings: Holdings) -> Unread | None:
    """What stands in the way before a file is opened."""
    path, limit = there.path, holdings.settings.limits.file
    if there.kind in ("outside", "directory", "absent"):
        return Unread(there.kind, path, there.reason)
    if there.kind != "file":
        return Unread("not_document", path, there.reason)
    if path != BASELINE and path not in holdings.reserved and path not in holdings.held:
        return Unread("not_document", path, "is no document of the base")
    if there.size > limit:
        return Unread("not_document", path, f"has {there.size:,} bytes, {limit:,} are allowed")
    return None


def _judged(
    document: Document, concept: Concept, dimension: str, is_document: bool
) -> Reading | Unread:
    """The text of a markdown file, once nothing that it says of itself forbids it."""
    if concept.is_verdict:
        return Unread("verdict", concept.path, "belongs to the verdict layer")
    if is_document and is_foreign(concept.dimensions, dimension):
        return Unread("foreign", concept.path, "belongs to another dimension")
    if is_brief(document):
        return Unread("not_document", concept.path, "is no document of the base")
    text = text_of(document)
    if text is None:
        return Unread("not_text", concept.path, "is no UTF-8 text")
    return Reading(
        path=concept.path,
        is_document=is_document,
        title=concept.title,
        number=concept.number,
        text=text,
        sha256=document.sha256,
        device=concept.device,
        inode=concept.inode,
    )


def _baseline(read: FileRead) -> Reading | Unread:
    """The cost baseline, which is JSON and judged by nobody but its own gate."""
    try:
        text = read.content.removeprefix(BOM).decode()
    except UnicodeDecodeError:
        return Unread("not_text", read.path, "is no UTF-8 text")
    seal = sha256(read.content).hexdigest()
    return Reading(BASELINE, False, BASELINE, "", text, seal, read.device, read.inode)
