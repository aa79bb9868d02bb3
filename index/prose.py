"""What a reader hears of inline markdown: no code, no HTML, no targets, no marks."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_MARKUP = re.compile(r"[\\`*_\[\]<>&!]")


@cache
def _inline_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 20})
    parser.inline.ruler.before("link", "wikilink", _wikilink)
    parser.inline.ruler.before("link", "footnote_ref", _footnote_mark)
    return parser


def _wikilink(state: StateInline, silent: bool) -> bool:
    """`[[A]]` reads as A, `[[A|b]]` as b; an embed, `![[A]]`, is somebody else's text."""
    start = state.pos
    embed = state.src.startswith("![[", start)
    if not embed and not state.src.startswith("[[", start):
        return False
    opened = start + (3 if embed else 2)
    closed = state.src.find("]]", opened, min(state.posMax, opened + 500))
    if closed < 0:
        return False
    inner = state.src[opened:closed]
    if not inner or "[" in inner or "\n" in inner:
        return False
    if not silent and not embed:
        token = state.push("text", "", 0)
        token.content = inner.rpartition("|")[2]
    state.pos = closed + 2
    return True


def _footnote_mark(state: StateInline, silent: bool) -> bool:
    """`[^label]` is a mark, whether or not the note is there."""
    start = state.pos
    if not state.src.startswith("[^", start):
        return False
    closed = state.src.find("]", start + 2, min(state.posMax, start + 200))
    label = state.src[start + 2 : closed]
    if closed < 0 or not label or any(character in label for character in " \n["):
        return False
    state.pos = closed + 1
    return True


def inline_prose(source: str, references: Mapping[str, Any]) -> str:
    """The prose of one paragraph's inline source, a wrapped line read on as one."""
    if _MARKUP.search(source) is None:
        return " ".join(line.strip(" \t") for line in source.split("\n"))
    parser = _inline_parser()
    tokens: list[Token] = []
    parser.inline.parse(source, parser, {"references": references}, tokens)
    return "".join(_heard(tokens)).strip()


def _heard(tokens: Iterable[Token]) -> Iterable[str]:
    for token in tokens:
        match token.type:
            case "text":
                yield token.content
            case "softbreak":
                yield " "
            case "hardbreak":
                yield "\n"
            case "image":
                yield from _heard(token.children or ())
            case _:
                pass
