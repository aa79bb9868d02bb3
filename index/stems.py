"""What a text is about: its content words, and the stems under which inflected forms meet."""

import importlib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from index.folds import loose, plain
from index.stop_words import stop_words

if TYPE_CHECKING:
    import regex

_STEMMERS = {
    "en": "english",
    "nb": "norwegian",
    "nn": "norwegian",
    "sv": "swedish",
    "da": "danish",
    "de": "german",
    "nl": "dutch",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "fi": "finnish",
    "hu": "hungarian",
    "ro": "romanian",
    "ca": "catalan",
    "pl": "polish",
    "tr": "turkish",
    # alphabets of their own, which tell the language where nobody else does
    "el": "greek",
    "ru": "russian",
    "hy": "armenian",
    "ar": "arabic",
    "hi": "hindi",
    "ta": "tamil",
}
# Alphabets that name a language well enough to stem by.
_ALPHABETS = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0531", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
_STACKED = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_BLANKLESS = rf"\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Hangul}}{_STACKED}"
_TOKENS = (
    r"(?P<han>\p{Han}++)",
    # kana right after an ideograph inflect it or are particles
    r"(?<=\p{Han})\p{Hiragana}++",
    r"(?P<hiragana>\p{Hiragana}{2,}+)",
    r"(?P<katakana>[\p{Katakana}\u30fc]++)",
    r"(?P<hangul>\p{Hangul}++)",
    rf"(?P<stacked>[{_STACKED}][{_STACKED}\p{{M}}]*+)",
    # l'arte, d'acqua, qu'elle: the article is not part of the word
    r"\b(?:[cdjlmnst]|qu|un|all|dall|dell|nell|sull|quest)'(?=\p{L})",
    rf"(?P<word>(?P<bare>[\p{{L}}\p{{M}}\p{{N}}--[{_BLANKLESS}]]++)(?:'(?:s|t|d|m|ll|re|ve)\b)?+)",
)
# Letters in a gram: ideographs mean much each, letters of kana and of Thai little.
_GRAMS = {"han": 2, "hangul": 2, "hiragana": 3, "katakana": 3, "stacked": 3}
_GRAMMAR = """
です ます した して する いる ある こと もの ない から まで より など これ それ あれ この その あの
ここ そこ だけ ため よう ので のに という である だった でした ました
은 는 이 가 을 를 의 와 과 도 하다 하는 한다 했다 하고 이다 에서 으로 에게 까지 부터 ความ การ
"""
_GRAMMATICAL = frozenset(_GRAMMAR.split())


_SHORT = 200


class _Word(NamedTuple):
    written: str  # by the loose fold
    plain: str
    gram: bool


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


def algorithm_of(lang: str) -> str:
    """The Snowball algorithm of a language by its code; "" where there is none."""
    return _STEMMERS.get(lang, "")


def content_words(s: str, lang: str = "") -> list[str]:
    """The words that carry matter, by `skeleton`; grams where a script has no blanks."""
    return [word.plain for word in _content(s, lang)]


def stems(s: str, lang: str = "") -> set[str]:
    """The stems of the content words: two texts share a word if these sets meet."""
    return set(stemmed(s, lang))


def stemmed(s: str, lang: str = "") -> dict[str, str]:
    """Each stem of the content words, with the first of these that has it."""
    # titles and terms are asked about again and again, bodies are not
    return dict(_short(s, lang)) if len(s) <= _SHORT else _stemmed(s, lang)


@lru_cache(maxsize=4096)
def _short(s: str, lang: str) -> Mapping[str, str]:
    return _stemmed(s, lang)


def _stemmed(s: str, lang: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in _content(s, lang):
        if word.gram:
            found.setdefault(word.plain, word.plain)
        else:
            written = _stem(word.written, _algorithm(word.written, lang))
            found.setdefault(plain(written), word.plain)
            found.setdefault(_stem(word.plain, _algorithm(word.plain, lang)), word.plain)
    return found


@cache
def _token() -> "regex.Pattern[str]":
    import regex

    return regex.compile("|".join(_TOKENS), regex.VERSION1)


def _content(s: str, lang: str) -> Iterator[_Word]:
    stops = stop_words(lang)
    for match in _token().finditer(loose(s.replace("_", " "))):
        if n := _GRAMS.get(match.lastgroup or ""):
            yield from (_Word(gram, gram, gram=True) for gram in _grams(match[0], n))
        elif match.lastgroup == "word" and stops.isdisjoint((match[0], match["bare"])):
            word = _Word(match["bare"], plain(match["bare"]), gram=False)
            if len(word.plain) > 1 and not _stop_word_in_costume(word, stops):
                yield word


def _stop_word_in_costume(word: _Word, stops: frozenset[str]) -> bool:
    """Letters of another alphabet spell a stop word; an accent does not: `får` is not `far`."""
    return word.plain in stops and any(letter > "\u024f" for letter in word.written)


def _grams(run: str, n: int) -> list[str]:
    grams = [run[at : at + n] for at in range(max(1, len(run) - n + 1))]
    return [gram for gram in grams if gram not in _GRAMMATICAL]


def _algorithm(word: str, lang: str) -> str:
    for first, last, algorithm in _ALPHABETS:
        if first <= word[0] <= last:
            return algorithm
    return _STEMMERS.get(lang, "english")


@lru_cache(maxsize=65536)
def _stem(word: str, algorithm: str) -> str:
    return _stemmer(algorithm).stemWord(word)


@cache
def _stemmer(algorithm: str) -> _Stemmer:
    # its own cache is not safe between threads, so it gets none
    return cast(_Stemmer, importlib.import_module("Stemmer").Stemmer(algorithm, 0))
