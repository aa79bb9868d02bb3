"""The outline of a markdown text: which lines are which top-level block, by CommonMark with tables
and footnotes, for a price that any input is held to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from index.plain_outline import Part, plain_parts
from index.records import BlockKind

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

# A unit takes about 5 µs: a look at a line, a token made, or 32 characters of a line looked at.
# 4 MiB of the densest of 724 real files take 800,000; a quarter of a million is usual.
UNITS = 1_200_000
_BLOCK = 2
_DEFINITION_LINE = 3
# Twice the levels of lists in any real text; each level costs the parser two stack frames.
LEVELS = 64
# A title or label of a link definition that goes on longer would be copied anew for every line.
_DEFINITION_LINES = 200
# Tokens weigh far more than the text they come from, so they are not let pile up.
_BATCH = 1000

_KINDS: Mapping[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "blockquote_open": "block_quote",
    "heading_open": "heading",
    "code_block": "code",
    "fence": "code",
    "table": "table",
    "html_block": "html",
    "hr": "rule",
    "footnote_reference_open": "footnote",
}
_FOOTNOTE = ("footnote_reference_open", "footnote_reference_close")
_CHAINS = ["paragraph", "reference", "blockquote", "list"]


@dataclass(slots=True)
class Draft:
    """One top-level block and the inline texts in it, in order."""

    kind: BlockKind
    opening: "Token | Part"
    sources: list[str] = field(default_factory=list[str])

    @property
    def lines(self) -> tuple[int, int]:
        """The first line, counted from 0, and the line after the last; known once all is read."""
        first, after = self.opening.map or (0, 0)
        return first, after


@dataclass(slots=True)
class Outline:
    """What a text holds; `stopped` is the line from which it was too costly to read, or None."""

    drafts: list[Draft] = field(default_factory=list[Draft])
    references: Mapping[str, Any] = field(default_factory=dict[str, Any])
    stopped: int | None = None
    spent: int = 0
    inner_notes: int = 0
    definition_lines: int = 0

    def take(self, tokens: "list[Token]") -> None:
        """Keep what matters of the tokens and drop them."""
        self.spent += len(tokens)
        for token in tokens:
            if token.type in _FOOTNOTE and token.level:
                self.inner_notes += token.nesting
            elif token.type == "inline" and not self.inner_notes:
                self.drafts[-1].sources.append(token.content)
            elif kind := _block_kind(token):
                self.spent += _BLOCK
                self.drafts.append(Draft(kind, token))
        tokens.clear()


def outline(text: str) -> Outline:
    """The top-level blocks of a text whose lines end at LF, in order."""
    parts = plain_parts(text)
    if parts is None:
        return parsed(text)
    return Outline([Draft(part.kind, part, [part.source]) for part in parts])


def parsed(text: str) -> Outline:
    """The same by the parser, which any text may be given to."""
    found = Outline()
    env: dict[str, Any] = {"outline": found}
    found.take(_parser().parse(text, env))
    found.references = env.get("references", {})
    return found


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    # the parser's own limit would end a text without a word, so the meter's comes first
    parser = MarkdownIt("commonmark", {"maxNesting": 2 * LEVELS}).enable("table")
    footnote_plugin(parser, inline=False, move_to_end=False)
    parser.core.ruler.enableOnly(["block"])
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.block.ruler.before("table", "meter", _meter, {"alt": _CHAINS})
    return parser


def _block_kind(token: "Token") -> BlockKind | None:
    """The kind of the top-level block that starts with this token, or None."""
    if token.level == 0:
        return _KINDS.get(token.type)
    return "list_item" if token.type == "list_item_open" and token.level == 1 else None


def _meter(state: "StateBlock", line: int, end: int, silent: bool) -> bool:
    """The first rule of every chain; once the units are spent it swallows what is left."""
    found: Outline = state.env["outline"]
    found.spent += 1 + (state.eMarks[line] - state.bMarks[line]) // 32
    if silent and state.parentType == "reference":
        found.spent += _DEFINITION_LINE
        found.definition_lines += 1
        return found.definition_lines > _DEFINITION_LINES
    found.definition_lines = 0
    if len(state.tokens) >= _BATCH:
        found.take(state.tokens)
    if found.spent <= UNITS and state.level < LEVELS:
        return False
    if found.stopped is None:
        found.stopped = line
    state.line = end
    return True


def _table(state: "StateBlock", line: int, end: int, silent: bool) -> bool:
    """A table as one token: only its extent matters, and cells would weigh more than the text."""
    from markdown_it.rules_block import table as gfm_table

    if not gfm_table(state, line, end, True):
        return False
    if silent:
        return True
    enclosing, state.parentType = state.parentType, "table"
    after = line + 2
    while after < end and _is_row(state, after, end):
        after += 1
    state.parentType = enclosing
    state.line = after
    token = state.push("table", "", 0)
    token.map = [line, after]
    return True


def _is_row(state: "StateBlock", line: int, end: int) -> bool:
    """Whether the line goes on with a table."""
    if state.sCount[line] < state.blkIndent or state.isEmpty(line) or state.is_code_block(line):
        return False
    enders = state.md.block.ruler.getRules("blockquote")
    return not any(rule(state, line, end, True) for rule in enders)
