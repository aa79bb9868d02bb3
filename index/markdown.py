"""One markdown file as blocks of its own bytes."""

import hashlib

from index.blocks import read_blocks
from index.frontmatter import Head, read_head
from index.lines import read_lines
from index.records import Document, Frontmatter, Limits, Problem

# Where git looks when it decides that a file is binary.
_SNIFFED = 8000


def read_document(path: str, content: bytes, limits: Limits = Limits()) -> Document:
    """The file as read; whatever is wrong with it is in the record, nothing is raised."""
    lines = read_lines(content)
    unread = _unreadable(path, content)
    if unread is not None:
        head, blocks, problems = unread, (), unread.problems
    else:
        head = read_head(path, content, lines, limits)
        blocks, found = read_blocks(path, content, lines, head.body_line)
        problems = head.problems + found
    return Document(
        path=path,
        content=content,
        sha256=hashlib.sha256(content).hexdigest(),
        frontmatter=head.frontmatter,
        body_start=head.body_start,
        body_line=head.body_line,
        blocks=blocks,
        problems=problems,
    )


def _unreadable(path: str, content: bytes) -> Head | None:
    """Why these bytes are no text of ours, or None."""
    if 0 in content[:_SNIFFED]:
        return _failed(path, "binary", "a NUL byte near the start")
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return _failed(path, "encoding", f"no UTF-8 at byte {error.start}")
    return None


def _failed(path: str, kind: str, detail: str) -> Head:
    frontmatter = Frontmatter("error", {}, "encoding", detail)
    return Head(frontmatter, None, None, (Problem(kind, path, detail),))
