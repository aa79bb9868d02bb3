"""How text becomes search tokens: stems without accents, whole numbers, pairs of dense scripts.

A document is stemmed by its own language. A query may be in any language of the base, so each of
its words is asked for by its stem in every one of them, and in English.
"""

import importlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Protocol, cast

from index.folds import bare, fold
from index.stems import algorithm_of

# Longer runs are encoded data. They are cut alike in documents and queries, so they stay findable.
LONGEST = 100
# A hostile corpus may hold any number of different words; the memory of their stems may not.
REMEMBERED = 500_000

# Thai to Myanmar, Khmer, kana, ideographs, Hangul: no blank divides their words, or not alone.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
_DENSE_RUN = re.compile(f"[{_DENSE}]+")
_ASCII_RUN = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
_PLAIN_RUN = re.compile(r"[^\W_]+(?:[.-][^\W_]+)*")
_JOINT = re.compile("[.-]")
# A soft hyphen is not there, and a typographer's hyphen is one.
_HYPHENS = (("\u00ad", ""), ("\u2010", "-"), ("\u2011", "-"))
# 4.1.2\u20131 is the number 4.1.2-1 as a typesetter writes it.
_DASH_IN_NUMBER = re.compile("(?<=[0-9])[\u2012\u2013\u2212](?=[0-9])")


def counts(text: str, lang: str = "") -> Counter[str]:
    """Every token of a document in that language and how often it occurs."""
    return _counts(_runs(text), lang)


def counts_and_words(text: str, lang: str = "") -> tuple[Counter[str], list[str]]:
    """Both of a document, whose text is taken apart only once."""
    runs = _runs(text)
    return _counts(runs, lang), _words(runs)


def _counts(runs: list[str], lang: str) -> Counter[str]:
    found: Counter[str] = Counter()
    stems = _stems(lang)
    for run, times in Counter(runs).items():
        if run.isalpha() and (run.isascii() or not _DENSE_RUN.match(run)):
            found[stems[run]] += times
        else:
            for token in _tokens(run, stems, asked=False):
                found[token] += times
    return found


def asked(text: str, languages: Iterable[str] = ()) -> list[str]:
    """The different tokens that a query asks for, in its order."""
    return [token for tokens in asked_by_word(text, languages).values() for token in tokens]


def asked_by_word(text: str, languages: Iterable[str] = ()) -> dict[str, list[str]]:
    """What a query asks for, by the words that it is written in; none asks for a token again."""
    tables = {id(stems): stems for stems in map(_stems, ("", *languages))}.values()
    found: dict[str, list[str]] = {}
    known: set[str] = set()
    for run in _runs(text):
        asked = (token for stems in tables for token in _tokens(run, stems, asked=True))
        if tokens := [token for token in dict.fromkeys(asked) if token not in known]:
            found[run] = tokens
            known.update(tokens)
    return found


def words(text: str) -> list[str]:
    """The words of a text for phrases, without accents; each character of a dense script is one."""
    return _words(_runs(text))


def _words(runs: list[str]) -> list[str]:
    pieces: list[str] = []
    for run in runs:
        if run.isalnum() and run.isascii():
            pieces.append(run[:LONGEST])
        elif _DENSE_RUN.match(run):
            pieces += run
        else:
            pieces += [piece[:LONGEST] for piece in _JOINT.split(bare(run))]
    return pieces


def _runs(text: str) -> list[str]:
    folded = fold(text)
    if folded.isascii():
        return _ASCII_RUN.findall(folded)
    for written, read in _HYPHENS:
        folded = folded.replace(written, read)
    folded = _DASH_IN_NUMBER.sub("-", folded)
    hard, run = _beyond_latin()
    return (run if hard.search(folded) else _PLAIN_RUN).findall(folded)


@cache
def _beyond_latin() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What tells a text with dense scripts or combining marks, and the slower pattern of its runs.

    The marks are listed because Python's `\\w` has none; many scripts write vowels with them.
    """
    codes = (code for code in range(0x300, 0x10000) if not _DENSE_RUN.match(chr(code)))
    marks = "".join(chr(code) for code in codes if unicodedata.category(chr(code))[0] == "M")
    word = rf"[^\W_{_DENSE}]+(?:[{marks}][^\W_{_DENSE}]*)*"
    return re.compile(f"[{_DENSE}{marks}]"), re.compile(f"[{_DENSE}]+|{word}(?:[.-]{word})*")


def _tokens(run: str, stems: "_Stems", *, asked: bool) -> list[str]:
    """The tokens of one run: all of them in a document, fewer and sharper ones in a query.

    A number like 4.1.2-1 is one token beside its parts; a query asks for it whole.
    """
    if _DENSE_RUN.match(run):
        pairs = [run[at : at + 2] for at in range(len(run) - 1)]
        return pairs if asked and pairs else [*pairs, *run]
    parts = _JOINT.split(run)
    if len(parts) == 1 or not any(map(str.isdigit, run)):
        return [stems[part] for part in parts]
    spelled = [stems[part] for part in parts if part.isalpha() or not asked]
    return [run[:LONGEST], *spelled]


def stemmer_version() -> str:
    """Which stems these are; those of another version need not meet them."""
    return _snowball().version()


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


class _Snowball(Protocol):
    def Stemmer(self, algorithm: str, cached: int) -> _Stemmer: ...
    def version(self) -> str: ...


def _snowball() -> _Snowball:
    # It has no type hints, and start-up needs no stemmer.
    return cast(_Snowball, importlib.import_module("Stemmer"))


class _Stems(dict[str, str]):
    """Stems by word, without accents; English has none, and its stemmer knows a to z only."""

    def __init__(self, algorithm: str) -> None:
        super().__init__()
        self._english = algorithm == "english"
        # Its own cache is off, because purging it is not safe among threads.
        self._stemmer = _snowball().Stemmer(algorithm, 0)

    def __missing__(self, word: str) -> str:
        short = word[:LONGEST]
        if self._english:
            short = bare(short)
        is_word = short.isalpha() and (short.isascii() or not self._english)
        stem = bare(self._stemmer.stemWord(short)) if is_word else bare(short)
        if len(self) < REMEMBERED:
            self[word] = stem
        return stem


def _stems(lang: str) -> _Stems:
    return _stems_by(algorithm_of(lang) or "english")


@cache
def _stems_by(algorithm: str) -> _Stems:
    return _Stems(algorithm)
