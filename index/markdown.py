"""One markdown file as a document: its frontmatter, and its body as blocks of its own bytes."""

import hashlib
from dataclasses import replace

from index.frontmatter import Head, read_head
from index.lines import Lines, read_lines
from index.records import Block, Document, Frontmatter, Limits, Problem

# Where git looks when it decides that a file is binary.
_SNIFFED = 8000
_LIMITS = Limits()


def read_document(path: str, content: bytes, limits: Limits = _LIMITS) -> Document:
    """The file as read; whatever is wrong with it is in the record, nothing is raised."""
    lines = read_lines(content)
    top = _top(path, content, lines, limits)
    blocks, links, problems = _body(path, content, lines, top.body_line)
    return replace(top, blocks=blocks, links=links, problems=top.problems + problems)


def read_top(path: str, content: bytes, limits: Limits = _LIMITS) -> Document:
    """The file as `read_document` reads it, but for the blocks of its body, which cost the most."""
    return _top(path, content, read_lines(content), limits)


def _top(path: str, content: bytes, lines: Lines, limits: Limits) -> Document:
    head = _unreadable(path, content) or read_head(path, content, lines, limits)
    return Document(
        path=path,
        content=content,
        sha256=hashlib.sha256(content).hexdigest(),
        frontmatter=head.frontmatter,
        body_start=head.body_start,
        body_line=head.body_line,
        blocks=(),
        problems=head.problems,
    )


def _unreadable(path: str, content: bytes) -> Head | None:
    """Why these bytes are no text of ours, or None."""
    if 0 in content[:_SNIFFED]:
        return _failed(path, "binary", f"a NUL at byte {content.index(0)}")
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return _failed(path, "encoding", f"no UTF-8 at byte {error.start}")
    return None


def _failed(path: str, kind: str, detail: str) -> Head:
    frontmatter = Frontmatter("error", {}, "encoding", detail)
    return Head(frontmatter, None, None, (Problem(kind, path, detail),))


def _body(
    path: str, content: bytes, lines: Lines, body_line: int | None
) -> tuple[tuple[Block, ...], tuple[str, ...], tuple[Problem, ...]]:
    if body_line is None or body_line > len(lines):
        return (), (), ()
    # the parser is slow to import, and much of the program never reads a body
    from index.blocks import read_blocks

    return read_blocks(path, content, lines, body_line)
