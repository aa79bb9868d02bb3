"""What a note says between its lines: where its links lead inside the base, and its inline tags."""

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from index.records import Document
from index.standing import outside
from index.text import fold

# As many as a note has that somebody tags by hand.
MOST_TAGS = 50
# `#tag` and `#tag/part`, not the `#` of C#, of an address, or of number #1.
_TAG = re.compile(r"(?<![\w/#&])#([^\W\d][\w/-]{0,80})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PROSE = ("paragraph", "list_item", "block_quote")


def links_of(document: Document) -> tuple[str, ...]:
    """What the links of a file may lead to in its base: paths, and names of wikilinks."""
    folder = document.path.rpartition("/")[0]
    places = (_place(target, folder) for target in document.links)
    return tuple(dict.fromkeys(filter(None, places)))


def with_inline_tags(tags: tuple[str, ...], document: Document | None) -> tuple[str, ...]:
    """The tags of a row, and those that stand in the text of its file."""
    known = {fold(tag) for tag in tags}
    found: list[str] = []
    for tag in _inline_tags(document) if document else ():
        if len(found) < MOST_TAGS and fold(tag) not in known:
            known.add(fold(tag))
            found.append(tag)
    return (*tags, *found)


def _inline_tags(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if block.kind in _PROSE and "#" in block.prose:
            yield from (match[1].rstrip("/-") for match in _TAG.finditer(block.prose))


def _place(target: str, folder: str) -> str:
    """A target without its heading, as a path of the base; "" if it leads elsewhere."""
    if _SCHEME.match(target) or target.startswith(("/", "#")):
        return ""
    # Whoever copies a wikilink out of a table has a backslash before its bar.
    name = unquote(target.partition("#")[0]).strip().removesuffix("\\")
    if not name or outside(name.replace("../", "")):
        return ""
    place = posixpath.normpath(posixpath.join(folder, name)) if _is_relative(name) else name
    return "" if place.startswith("..") else place


def _is_relative(name: str) -> bool:
    """Whether a target starts from its file's folder: a wikilink's name stands for itself."""
    return name.lower().endswith((".md", ".markdown")) or name.startswith(("./", "../"))
