"""Words as the offline judge counts them: inflections under one key, grammar left out."""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from index.text import LANGUAGES, content_words, fold, hidden, stems, stop_words, words

if TYPE_CHECKING:
    import regex

# Scripts whose words no blank divides are counted by grams; kana of Chinese characters is grammar.
_DENSE = r"[\p{Han}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{M}]{2,}"
_UNINFLECTED = r"[\p{Katakana}\p{Hangul}]"


class Word(NamedTuple):
    """A word as written, after the search fold, and the key that it shares with its inflections."""

    key: str
    written: str


def matter(text: str, lang: str = "") -> Iterator[Word]:
    """The words of a text that carry matter; a language that is not known is stemmed as English."""
    folded = fold(text)
    for word in words(folded):
        written = _bare(word)
        if key := _key(written, lang):
            yield Word(key, written)
    for run in _pattern(_DENSE).finditer(folded):
        yield from (Word(gram, gram) for gram in content_words(run[0], lang))


def is_gram(word: str) -> bool:
    """Whether a word is a piece of text in a script whose words no blank divides."""
    return bool(_pattern(_DENSE).fullmatch(word) or _pattern(_UNINFLECTED).match(word))


def keys(text: str, lang: str = "") -> frozenset[str]:
    """The keys of the words of a text."""
    return frozenset(word.key for word in matter(text, lang))


def _bare(word: str) -> str:
    """A word without its article or ending behind an apostrophe: `l'arte`, `boat's`."""
    return max(word.replace("\u2019", "'").split("'"), key=len)


@lru_cache(maxsize=65536)
def _key(written: str, lang: str) -> str:
    if len(written) < 2 or not any(map(str.isalpha, written)) or hidden(written):
        return ""
    if not lang and written in _grammar():
        return ""
    if _pattern(_UNINFLECTED).search(written):
        return written
    return min(stems(written, lang), default="")


@cache
def _grammar() -> frozenset[str]:
    """Every function word known, for texts whose language is not."""
    return frozenset[str]().union(*(stop_words(lang) for lang in LANGUAGES))


@cache
def _pattern(source: str) -> "regex.Pattern[str]":
    import regex

    return regex.compile(source)
