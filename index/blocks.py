"""The top-level blocks of a body, by CommonMark with tables and footnotes, as byte slices."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from index.frontmatter import BOM
from index.lines import Lines
from index.prose import inline_prose
from index.records import Block, BlockKind, Problem

_KINDS: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "list_item_open": "list_item",
    "blockquote_open": "block_quote",
    "heading_open": "heading",
    "code_block": "code",
    "fence": "code",
    "table_open": "table",
    "html_block": "html",
    "hr": "rule",
    "footnote_reference_open": "footnote",
}
_LISTS = ("bullet_list_open", "ordered_list_open")
_CHAINS = ["paragraph", "reference", "blockquote", "list"]


@dataclass(slots=True)
class _Draft:
    """A block by lines of the body, its inline sources not yet read."""

    kind: BlockKind
    first: int
    after: int
    sources: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reading:
    """What one parse has found so far, and how much it may still do."""

    left: int
    drafts: list[_Draft] = field(default_factory=list)
    stopped: int | None = None

    def take(self, tokens: list[Token]) -> None:
        """Turn finished top-level constructs into drafts, so that tokens never pile up."""
        level = 0
        hidden = 0
        for token in tokens:
            kind = _KINDS.get(token.type)
            if kind and token.map and level == 0:
                self.drafts.append(_Draft(kind, token.map[0], token.map[1]))
            if token.type == "inline" and not hidden:
                self.drafts[-1].sources.append(token.content)
            if token.type in _LISTS and level == 0:
                continue
            level += token.nesting
        tokens.clear()


def _metered(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    return False


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    footnote_plugin(parser, inline=False, move_to_end=False, always_match_refs=True)
    parser.core.ruler.enableOnly(["block"])
    return parser


def read_blocks(
    path: str, content: bytes, lines: Lines, body_line: int | None
) -> tuple[tuple[Block, ...], tuple[Problem, ...]]:
    """The blocks of the body in order; none where the body is unknown."""
    if body_line is None or body_line > len(lines):
        return (), ()
    source = _normalised(content, lines, body_line)
    env: dict[str, Any] = {}
    tokens = _parser().parse(source, env)
    references = env.get("references", {})
    blocks: list[Block] = []
    depth = 0
    shut = 0
    draft: tuple[BlockKind, int, int] | None = None
    sources: list[str] = []
    for token in tokens:
        opens_list = token.type in _LISTS or token.type in ("bullet_list_close", "ordered_list_close")
        kind = _KINDS.get(token.type)
        if kind is not None and depth == 0 and token.map is not None:
            if draft is not None:
                blocks.append(_block(content, lines, body_line, draft, sources, references))
            draft, sources = (kind, token.map[0], token.map[1]), []
        if token.type in ("table_open", "footnote_reference_open") and depth:
            shut += 1
        if token.type == "inline" and not shut and draft is not None and draft[0] != "table":
            sources.append(token.content)
        if token.type in ("table_close", "footnote_reference_close") and shut:
            shut -= 1
        if not (opens_list and depth == 0):
            depth += token.nesting
    if draft is not None:
        blocks.append(_block(content, lines, body_line, draft, sources, references))
    return tuple(blocks), ()


def _block(
    content: bytes,
    lines: Lines,
    body_line: int,
    draft: tuple[BlockKind, int, int],
    sources: Sequence[str],
    references: dict[str, Any],
) -> Block:
    kind, first, after = draft
    first_line = body_line + first
    last_line = body_line + after - 1
    while last_line > first_line and not content[lines.start(last_line) : lines.end(last_line)].strip(b" \t"):
        last_line -= 1
    start, end = lines.start(first_line), lines.end(last_line)
    if first_line == 1 and content.startswith(BOM):
        start = len(BOM)
    prose = "\n\n".join(filter(None, (inline_prose(source, references) for source in sources)))
    return Block(kind, start, end, first_line, last_line, content[start:end].decode(), prose)


def _normalised(content: bytes, lines: Lines, body_line: int) -> str:
    """The body with LF as its only line ending, a line for a line."""
    body = content[lines.start(body_line) :]
    if body_line == 1:
        body = body.removeprefix(BOM)
    return body.decode().replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
