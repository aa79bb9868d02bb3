"""What a reader hears of inline markdown: no code, no HTML, no targets, no marks."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

# Each may cost the parser up to 20 µs; 4 MiB of the densest of 724 real files hold 190,000.
MARKS = 300_000
_MARK = re.compile(r"[\\`*_\[\]<&!]|  \n")
_LONGEST_LABEL = 500


@dataclass(slots=True)
class ProseReader:
    """Reads inline sources against one text's link definitions, until its marks are used up."""

    references: Mapping[str, Any]
    left: int = MARKS
    silent_from: int | None = None

    def read(self, source: str, line: int) -> str:
        """The prose, a wrapped line read on as one; none once there are too many marks to read."""
        marks = sum(1 for _ in _MARK.finditer(source))
        if not marks:
            return " ".join(line.strip(" \t") for line in source.split("\n"))
        if marks > self.left:
            self.silent_from = line if self.silent_from is None else self.silent_from
            return ""
        self.left -= marks
        tokens: list[Token] = []
        parser = _parser()
        parser.inline.parse(source, parser, {"references": self.references}, tokens)
        return "".join(_heard(tokens)).strip()


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.inline.ruler.before("link", "wikilink", _wikilink)
    parser.inline.ruler.before("link", "footnote_mark", _footnote_mark)
    return parser


def _heard(tokens: Iterable[Token]) -> Iterator[str]:
    """The pieces of text among inline tokens; of an image its description."""
    for token in tokens:
        if token.type == "text":
            yield token.content
        elif token.type == "softbreak":
            yield " "
        elif token.type == "hardbreak":
            yield "\n"
        elif token.type == "image":
            yield from _heard(token.children or ())


def _wikilink(state: StateInline, silent: bool) -> bool:
    """`[[A]]` reads as A, `[[A|b]]` as b; an embed, `![[A]]`, is another file's text."""
    embed = state.src.startswith("![[", state.pos)
    opened = state.pos + (3 if embed else 2)
    if not embed and not state.src.startswith("[[", state.pos):
        return False
    label = _label(state, opened, "]]", "[]\n")
    after = opened + len(label) + 2
    # `[[1]](target)` is an ordinary link whose text is in brackets
    if not label or state.src.startswith("(", after):
        return False
    if not silent and not embed:
        state.push("text", "", 0).content = label.rpartition("|")[2]
    state.pos = after
    return True


def _footnote_mark(state: StateInline, silent: bool) -> bool:
    """`[^label]` is a mark, whether or not its note is there."""
    if not state.src.startswith("[^", state.pos):
        return False
    label = _label(state, state.pos + 2, "]", "[ \t\n")
    if not label:
        return False
    state.pos += len(label) + 3
    return True


def _label(state: StateInline, opened: int, closing: str, banned: str) -> str:
    """The text up to the closing brackets; empty if there is none or it holds what no label may."""
    closed = state.src.find(closing, opened, min(state.posMax, opened + _LONGEST_LABEL))
    label = state.src[opened:closed] if closed > opened else ""
    return "" if any(character in banned for character in label) else label
