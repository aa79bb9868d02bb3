"""Characters that a reader cannot see but a program can: where they are, and how to show them."""

from functools import cache
from typing import TYPE_CHECKING

from index.folds import IGNORABLE

if TYPE_CHECKING:
    import regex

# Scripts whose letters join or stack: there the joiners choose a form, as in Persian and Hindi.
_JOINING = (
    r"[[\p{Arabic}\p{Syriac}\p{Mandaic}\p{Nko}\p{Mongolian}\p{Adlam}\p{Devanagari}\p{Bengali}"
    r"\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}"
    r"\p{Khmer}\p{Myanmar}\p{Tibetan}]&&[\p{L}\p{M}]]"
)
_STACKED = r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
_RTL = r"[\p{Hebrew}\p{Arabic}\p{Syriac}\p{Thaana}\p{Nko}]"
_PICTURE = r"\p{Extended_Pictographic}"
_LEGAL = (
    # a flag of a region: a black flag, a subdivision code in tags, the cancel tag
    "\U0001f3f4[\U000e0061-\U000e007a]{2}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,4}\U000e007f",
    rf"(?<=[{_PICTURE}\p{{Emoji_Modifier}}\ufe0f])\u200d(?={_PICTURE})",
    rf"(?<=[{_PICTURE}0-9#*])[\ufe0e\ufe0f]",
    rf"(?<={_JOINING})\u200c(?={_JOINING})",
    rf"(?<={_JOINING})\u200d",
    rf"(?<={_STACKED})\u200b(?={_STACKED})",
    # a mark of direction beside right-to-left text or the blank and stop next to it
    rf"(?<={_RTL}|{_RTL}[\s\p{{P}}])[\u200e\u200f\u061c]|[\u200e\u200f\u061c](?=[\s\p{{P}}]?{_RTL})",
    r"(?<=\p{L})\u00ad(?=\p{L})",
    r"(?<=\p{L}|\p{M})\u034f(?=\p{M})",
    r"(?<=\p{Han})[\ufe00-\ufe02\U000e0100-\U000e01ef]",
    r"(?<=\p{Sm})[\ufe00\ufe01]",
    r"(?<=\p{Mongolian})[\u180b-\u180f]",
    r"[\u115f\u1100-\u115e\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6]",
    r"\A\ufeff",
)
# Beside what takes no room: controls (but tab, line ends, form feed), separators, lone surrogates.
_HIDDEN = f"[{IGNORABLE}\\x00-\\x08\\x0b\\x0e-\\x1f\\x7f-\\x9f\u2028\u2029\\ud800-\\udfff]"


@cache
def _pattern() -> "regex.Pattern[str]":
    import regex

    return regex.compile(f"{'|'.join(_LEGAL)}|(?P<hidden>{_HIDDEN})", regex.VERSION1)


@cache
def _control() -> "regex.Pattern[str]":
    import regex

    return regex.compile(_HIDDEN, regex.VERSION1)


def hidden(s: str) -> list[int]:
    """Where characters stand that no reader sees and that no script or emoji needs there."""
    if not _control().search(s):
        return []
    return [match.start() for match in _pattern().finditer(s) if match.lastgroup]


def visible(s: str) -> str:
    """The text with every hidden character written as an escape, for people and logs."""
    places = hidden(s)
    if not places:
        return s
    shown: list[str] = []
    done = 0
    for place in places:
        shown += (s[done:place], _escape(ord(s[place])))
        done = place + 1
    return "".join([*shown, s[done:]])


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
