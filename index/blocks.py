"""The blocks of a body as slices of the file's own bytes."""

import re
from dataclasses import dataclass

from index.commonmark import Draft, outline
from index.frontmatter import BOM
from index.lines import Lines
from index.prose import ProseReader
from index.records import Block, Problem

# `> [!note]- Title`: a box of that kind, open or folded, as Obsidian and GitHub draw it.
_CALLOUT = re.compile(r"\[![A-Za-z][\w-]{0,40}\][+-]?(?:[ \t]+|$|(?=\n))")


@dataclass(frozen=True, slots=True)
class Body:
    """The part of a file that is markdown, from its first line on."""

    path: str
    content: bytes
    lines: Lines
    line: int

    @property
    def start(self) -> int:
        """The first byte that is text; a byte order mark is an encoding signature."""
        start = self.lines.start(self.line)
        return start + len(BOM) if self.content.startswith(BOM, start) and not start else start

    def text(self) -> str:
        """The body with LF as its only line ending, a line for a line."""
        text = self.content[self.start :].decode()
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")

    def is_blank(self, number: int) -> bool:
        """Whether a line of the file holds nothing but blanks."""
        return not self.content[self.lines.start(number) : self.lines.end(number)].strip(b" \t")

    def problem(self, kind: str, line: int, detail: str) -> Problem:
        """A problem with a line of the body, counted from 0."""
        return Problem(kind, f"{self.path}:{self.line + line}", detail)


def read_blocks(
    path: str, content: bytes, lines: Lines, body_line: int
) -> tuple[tuple[Block, ...], tuple[str, ...], tuple[Problem, ...]]:
    """The blocks of the body in order, where its links lead, and what was too costly to read."""
    body = Body(path, content, lines, body_line)
    found = outline(body.text())
    reader = ProseReader(found.references)
    blocks = tuple(_block(body, draft, reader) for draft in found.drafts)
    problems: list[Problem] = []
    if found.stopped is not None:
        detail = "blocks too many or too deep to read; some text from here on is left out"
        problems.append(body.problem("blocks-unread", found.stopped, detail))
    if reader.silent_from is not None:
        detail = "too much markup to read; the prose of this and perhaps later blocks is left out"
        problems.append(body.problem("prose-unread", reader.silent_from, detail))
    return blocks, tuple(dict.fromkeys(reader.links)), tuple(problems)


def _block(body: Body, draft: Draft, reader: ProseReader) -> Block:
    above, after = draft.lines
    first, last = body.line + above, body.line + after - 1
    while last > first and body.is_blank(last):
        last -= 1
    start, end = max(body.start, body.lines.start(first)), body.lines.end(last)
    sources = draft.sources
    if draft.kind == "block_quote" and sources:
        sources = [_without_kind(sources[0]), *sources[1:]]
    heard = (reader.read(source, above) for source in sources)
    prose = "\n\n".join(filter(None, heard))
    return Block(draft.kind, start, end, first, last, body.content[start:end].decode(), prose)


def _without_kind(source: str) -> str:
    """The first words of a quotation, without the kind of box that it may be."""
    kind = _CALLOUT.match(source)
    return source[kind.end() :] if kind else source
