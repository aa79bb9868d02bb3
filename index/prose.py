"""What a reader hears of inline markdown: no code, no HTML, no targets, no marks."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

# Each may cost the parser up to 20 µs; 4 MiB of the densest of 724 real files hold 190,000.
MARKS = 300_000
_MARK = re.compile(r"[\\`*_\[\]<&!]|  \n")
_LONGEST_LABEL = 500
# More than any index of notes has; each may be looked up in the whole base.
MOST_LINKS = 2_000
_TEXT = ("text", "text_special")
_LINK = ("link_open", "link_close")
_PRIVATE_USE = range(0xE000, 0x110000)


@dataclass(slots=True)
class ProseReader:
    """Reads inline sources against one text's link definitions, until its marks are used up."""

    references: Mapping[str, Any]
    left: int = MARKS
    silent_from: int | None = None
    # where the links and embeds that were read lead, as written
    links: list[str] = field(default_factory=list[str])

    def read(self, source: str, line: int) -> str:
        """The prose, a wrapped line read on as one; none once there are too many marks to read."""
        marks = sum(1 for _ in _MARK.finditer(source))
        if not marks:
            return " ".join(line.strip(" \t") for line in source.split("\n")).strip()
        if marks > self.left:
            self.silent_from = line if self.silent_from is None else self.silent_from
            return ""
        self.left -= marks
        tokens = _tokens(source, self.references)
        self.links += itertools.islice(_targets(tokens), MOST_LINKS - len(self.links))
        return "".join(_heard(tokens)).strip()

    def targets(self, source: str) -> list[str]:
        """Where the links of a source lead, percent escapes as written."""
        marks = sum(1 for _ in _MARK.finditer(source))
        if marks > self.left:
            return []
        self.left -= marks
        tokens = _tokens(source, self.references) if marks else []
        links = (token for token in tokens if token.type == "link_open")
        return [_href(link) for link in links]


def prose_between(source: str, places: Iterable[int]) -> list[tuple[int, str]]:
    """The prose of a paragraph from each place to the next, the first place being its start.

    A place inside a link, code or HTML cannot be cut at and is left out.
    """
    opens, closes = _unused(source)
    spelled: list[str] = []
    done = 0
    for place in places:
        # with blanks on both sides, so that the mark keeps no emphasis from opening or closing
        spelled += source[done:place], f"{opens}{place}{closes} "
        done = place
    tokens = _tokens("".join([*spelled, source[done:]]), {})
    heard = "".join(_unlinked(tokens, re.compile(f"{opens}[0-9]+{closes}")))
    first, *others = re.split(f"{opens}([0-9]+){closes}", heard)
    texts = (text.strip() for text in others[1::2])
    return [(0, first.strip()), *zip(map(int, others[::2]), texts, strict=True)]


def _tokens(source: str, references: Mapping[str, Any]) -> "list[Token]":
    tokens: list[Token] = []
    parser = _parser()
    parser.inline.parse(source, parser, {"references": references}, tokens)
    return tokens


def _unused(source: str) -> Iterator[str]:
    """Two characters that a text does not use, of no meaning while there are any."""
    used = set(source)
    return itertools.islice((c for c in map(chr, _PRIVATE_USE) if c not in used), 2)


def _unlinked(tokens: "Iterable[Token]", mark: re.Pattern[str]) -> Iterator[str]:
    """The pieces of text among inline tokens, those of links and images without marks."""
    links = 0
    for token in tokens:
        links += token.nesting if token.type in _LINK else 0
        text = "".join(_heard([token]))
        uncut = links or token.markup or token.type == "image"
        yield mark.sub("", text) if uncut else text


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.inline.ruler.before("link", "wikilink", _wikilink)
    parser.inline.ruler.before("link", "footnote_mark", _footnote_mark)
    return parser


def _heard(tokens: "Iterable[Token]") -> Iterator[str]:
    """The pieces of text among inline tokens; of an image its description."""
    for token in tokens:
        if token.type in _TEXT:
            yield token.content
        elif token.type == "softbreak":
            yield " "
        elif token.type == "hardbreak":
            yield "\n"
        elif token.type == "image":
            yield from _heard(token.children or ())


def _targets(tokens: "Iterable[Token]") -> Iterator[str]:
    for token in tokens:
        if token.type == "link_open":
            yield _href(token)
        elif token.markup == "[[":
            yield token.info


def _href(link: "Token") -> str:
    return str(link.attrs.get("href", ""))


def _wikilink(state: "StateInline", silent: bool) -> bool:
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
    if not silent:
        # a text of its own, which the parser does not join to its neighbours
        token = state.push("embed" if embed else "text_special", "", 0)
        token.content = "" if embed else label.rpartition("|")[2]
        token.info = label.partition("|")[0]
        token.markup = "[["
    state.pos = after
    return True


def _footnote_mark(state: "StateInline", silent: bool) -> bool:
    """`[^label]` is a mark, whether or not its note is there."""
    if not state.src.startswith("[^", state.pos):
        return False
    label = _label(state, state.pos + 2, "]", "[ \t\n")
    if not label:
        return False
    state.pos += len(label) + 3
    return True


def _label(state: "StateInline", opened: int, closing: str, banned: str) -> str:
    """The text up to the closing brackets; empty if there is none or it holds what no label may."""
    closed = state.src.find(closing, opened, min(state.posMax, opened + _LONGEST_LABEL))
    label = state.src[opened:closed] if closed > opened else ""
    return "" if any(character in banned for character in label) else label
