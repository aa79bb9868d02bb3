"""Folds: `fold` search, `loose` prose, `skeleton` looks, `unaccented` names, `bare` tokens."""

import json
import re
from functools import cache
from unicodedata import name, normalize

# Default_Ignorable_Code_Point of the Unicode database: characters that take no room on the page.
IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
EMPHASIS = "*_~"
_IGNORABLE = re.compile(f"[{IGNORABLE}]")
_UNSEEN = re.compile(f"[{IGNORABLE}{EMPHASIS}]")
# Accents of a letter; the voicing mark of kana and the signs of Indic scripts are letters' parts.
_ACCENT = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
_APOSTROPHE = re.compile("[\u2018\u2019\u02bc\u055a`\u00b4]")
_DIGIT_AS_LETTER = re.compile(r"(?<=[^\W\d_])[01]|[01](?=[^\W\d_])")
_PLAIN_LETTER = re.compile(
    r"(?:LATIN (?:SMALL |CAPITAL )?LETTER|CAPITAL|SYMBOL LETTER) ([A-Z])(?: WITH .*)?$"
)
_COSTUMES = (
    range(0x0180, 0x02B0),
    range(0x1D00, 0x1DC0),
    range(0x2C60, 0x2C80),
    range(0xA720, 0xA800),
    range(0xAB30, 0xAB70),
    range(0x1F150, 0x1F200),
)
_SPELT_OUT = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "ł": "l", "þ": "th"}
)
# Below this length the quadratic reordering of combining marks inside `normalize` costs nothing.
_SHORT = 1024


def stream_safe(s: str) -> str:
    """The text with runs of combining marks broken after 30 (UAX #15): normalizing it is linear."""
    if len(s) < _SHORT or s.isascii():
        return s
    import regex

    return regex.sub(r"(\p{M}{30})(?=\p{M})", "\\1\u034f", s)


def fold(s: str) -> str:
    """The search fold: letter case and composed spelling do not matter, accents do."""
    if s.isascii():
        return s.lower()
    return normalize("NFC", normalize("NFD", stream_safe(s)).casefold())


def loose(s: str) -> str:
    """The prose fold: case, width, blanks, hidden characters and emphasis do not matter."""
    if s.isascii() and s.isalnum():
        return s.lower()
    s = _compatible(s)
    return " ".join(_APOSTROPHE.sub("'", _UNSEEN.sub("", s)).split())


def without_ignorable(s: str, emphasis: bool = False) -> tuple[str, list[int]]:
    """The text without what takes no room (nor emphasis marks), and where in `s` that stood."""
    dropped = _UNSEEN if emphasis else _IGNORABLE
    places = [match.start() for match in dropped.finditer(s)]
    return (dropped.sub("", s) if places else s), places


def plain(loosened: str) -> str:
    """Text by `loose`, with accents and letters that look Latin folded away too."""
    if not loosened.isascii():
        loosened = _without_marks(loosened).translate(_look_alikes())
    return _DIGIT_AS_LETTER.sub(lambda digit: "ol"[int(digit[0])], loosened)


def skeleton(s: str) -> str:
    """The look-alike fold: as `loose`, and accents and letters that look Latin go too."""
    return plain(loose(s))


def unaccented(s: str) -> str:
    """The name fold: case, width and combining marks do not matter, Nordic letters are spelt out.

    What a person types without the keys for it meets what was written with them.
    """
    if s.isascii():
        return s.casefold()
    import regex

    decomposed = normalize("NFD", stream_safe(_compatible(s)))
    return normalize("NFC", regex.sub(r"\p{M}+", "", decomposed).translate(_SPELT_OUT))


def bare(folded: str) -> str:
    """Text by `fold`, without accents and with Nordic letters spelt out; vowel signs stay."""
    return folded if folded.isascii() else _without_marks(folded).translate(_SPELT_OUT)


def _compatible(s: str) -> str:
    if s.isascii():
        return s.casefold()
    return normalize("NFKC", normalize("NFKC", stream_safe(s)).casefold())


def _without_marks(s: str) -> str:
    return normalize("NFC", _ACCENT.sub("", normalize("NFD", stream_safe(s))))


@cache
def _look_alikes() -> dict[int, str]:
    """Each small letter outside ASCII that looks Latin: by the table of UTS #39, else by its name.

    Where only the capital looks Latin (Cyrillic ve) the small letter follows it: letter case is
    folded before, and a word in capitals must meet itself in small letters.
    """
    from importlib.resources import files

    table = files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    pairs: dict[str, list[dict[str, str]]] = json.loads(table)
    looks = _letters_by_name()
    capitals: dict[int, str] = {}
    for letter, partners in pairs.items():
        small, seen = letter.casefold(), _without_marks(partners[0]["c"].casefold())
        latin = len(partners) == 1 and seen.isascii() and seen.isalpha()
        if latin and len(small) == 1 and not small.isascii():
            (looks if letter == small else capitals)[ord(small)] = seen
    return capitals | looks


def _letters_by_name() -> dict[int, str]:
    """Latin letters in a costume the table leaves out: small capitals, hooks, boxes."""
    looks: dict[int, str] = {}
    for code in (code for block in _COSTUMES for code in block):
        if (match := _PLAIN_LETTER.search(name(chr(code), ""))) and chr(code).casefold() == chr(
            code
        ):
            looks[code] = match[1].lower()
    return looks
