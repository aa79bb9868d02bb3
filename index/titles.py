"""What a document is called: by its frontmatter, else its first heading, else its name."""

import re
from collections.abc import Iterator

from index.fields import OwnFields
from index.markdown import read_document
from index.records import Document, Limits

# Longer headings are paragraphs that somebody marked as one.
_LONGEST = 200
# A first heading stands at the top: parsing a whole body for it costs a hundred times as much.
_TOP = 4096
_FIRST_LINE = re.compile(rb"[ \t\r\n]*?([^ \t\r\n][^\r\n]*)")


def title_of(document: Document, limits: Limits) -> str:
    """A document's title; its blocks need not have been read."""
    written = OwnFields(document.frontmatter.data).text("title")
    return written or _first_heading(document, limits) or stem(document.path)


def heading(document: Document) -> str:
    """The first heading among the blocks, on one line; empty if there is none."""
    proses = (" ".join(b.prose.split()) for b in document.blocks if b.kind == "heading")
    return next(filter(None, proses), "")[:_LONGEST].rstrip()


def stem(path: str) -> str:
    """A file's name without its suffix."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _first_heading(document: Document, limits: Limits) -> str:
    content, start = document.content, document.body_start
    if start is None:
        return ""
    for end in _tops(content, start):
        top = heading(read_document(document.path, content[:end], limits))
        # a heading with a link may need a definition further down
        if top and "[" not in top:
            return top
    return heading(read_document(document.path, content, limits))


def _tops(content: bytes, start: int) -> Iterator[int]:
    """Where beginnings of a body end that may be parsed alone: a first line that is a heading by
    itself, and some lines."""
    first = _FIRST_LINE.match(content, start)
    if first and first[1].startswith(b"#"):
        yield first.end()
    if end := content.find(b"\n", start + _TOP) + 1:
        yield end
