"""Where words and sentences are: the boundaries of UAX #29, and where prose stops."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from index.folds import IGNORABLE

if TYPE_CHECKING:
    import regex

Span = tuple[int, int]

# UAX #29 breaks between any two letters of scripts written without blanks.
BLANKLESS = r"\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

_END = re.compile(
    "(?<![.!?\u2026])[.!?\u2026\u061f\u06d4\u0964]++[\"'\u2019\u201d\u00bb\u203a)\\]*_]*+(?=\\s|$)"
    "|[\u3002\uff01\uff1f\uff61]++[\u300d\u300f\u201d\u2019\uff09\u3011]*+"
    "|\n[ \t]*+\r?\n"
)
_NEXT_WORD = re.compile(r"\s*+[\"'(\[*_\u2018\u201c\u00ab]*+([^\W\d_]*)")
_LAST_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*$")
_SHORT_FORMS = """
mr mrs ms dr prof st jr sr vs e.g i.e eg ie cf nr fig figs vol eds pp approx ca lt sgt rev hon
f.eks bl.a ev jf kap tlf mht iht t.ex s.k fl o.l m.fl m.m z.b d.h u.a bzw vgl bl bijv o.a d.w.z
m mme mlle p.ex sra ud uds pág sig dott
"""
_ABBREVIATIONS = frozenset(_SHORT_FORMS.split())
# The same words by the standard library, where it can tell them, at less than half the price.
_ASCII_WORD = re.compile(
    r"[A-Za-z0-9]\w*(?:(?:(?<=[A-Za-z])[':.](?=[A-Za-z])|(?<=[0-9])['.,;](?=[0-9]))\w+)*", re.ASCII
)


@cache
def _word() -> "regex.Pattern[str]":
    import regex

    return regex.compile(
        rf"(?P<blankless>[{BLANKLESS}](?:[\p{{M}}{IGNORABLE}])*+)|[\p{{L}}\p{{N}}].*?\b",
        regex.WORD | regex.VERSION1 | regex.DOTALL,
    )


def word_spans(s: str) -> list[Span]:
    """The words of a text as character offsets: UAX #29 segments that hold a letter or a digit."""
    spans: list[Span] = []
    for match in _word().finditer(s):
        start, end = match.span()
        while s[end - 1] == "_":
            end -= 1
        spans.append((start, end))
    return spans


def words(s: str) -> list[str]:
    """The words of a text in order, as written."""
    return [s[start:end] for start, end in word_spans(s)]


def count_words(s: str) -> int:
    """How many words a reader would count; two letters of a script without blanks are one."""
    if s.isascii():
        return len(_ASCII_WORD.findall(s))
    letters = whole = 0
    for match in _word().finditer(s):
        if match.lastgroup:
            letters += 1
        else:
            whole += 1
    return whole + (letters + 1) // 2


def shingles(tokens: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    """Every run of `n` tokens, in order, overlapping."""
    return (tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1))


def sentence_spans(s: str) -> list[Span]:
    """The sentences of prose as character offsets, without the blanks around them."""
    spans: list[Span] = []
    start = 0
    for end in [*(end.end() for end in _END.finditer(s) if _ends(s, end)), len(s)]:
        piece = s[start:end]
        if text := piece.strip():
            lead = len(piece) - len(piece.lstrip())
            spans.append((start + lead, start + lead + len(text)))
        start = end
    return spans


def sentences(s: str) -> list[str]:
    """The sentences of prose, as written."""
    return [s[start:end] for start, end in sentence_spans(s)]


def _ends(s: str, mark: re.Match[str]) -> bool:
    """Whether a full stop closes a sentence rather than an abbreviation, an initial or a pause."""
    if not mark[0].startswith((".", "\u2026")) and mark[0][-1] not in "\"'\u2019\u201d\u00bb":
        return True
    following = _NEXT_WORD.match(s, mark.end())
    word = following[1] if following else ""
    if word[:1].islower() and word != "i":
        return False
    before = _LAST_WORD.search(s[max(0, mark.start() - 12) : mark.start()])
    if mark[0] != "." or before is None:
        return True
    initial = len(before[0]) == 1 and before[0].isupper() and word[:1].isupper()
    return not initial and before[0].lower() not in _ABBREVIATIONS
