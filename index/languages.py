"""Which language a text is in, by its letters and function words; empty if that cannot be told."""

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from index.folds import loose
from index.stop_words import LANGUAGES, stop_words

# Names and longer codes of the languages with word lists, as files write them.
_NAMES = {
    "no": "nb",
    "nor": "nb",
    "nob": "nb",
    "norwegian": "nb",
    "norsk": "nb",
    "bokmål": "nb",
    "nno": "nn",
    "nynorsk": "nn",
    "eng": "en",
    "english": "en",
    "swe": "sv",
    "swedish": "sv",
    "svenska": "sv",
    "dan": "da",
    "danish": "da",
    "dansk": "da",
    "deu": "de",
    "ger": "de",
    "german": "de",
    "deutsch": "de",
    "nld": "nl",
    "dut": "nl",
    "dutch": "nl",
    "nederlands": "nl",
    "fra": "fr",
    "fre": "fr",
    "french": "fr",
    "français": "fr",
    "spa": "es",
    "spanish": "es",
    "español": "es",
    "ita": "it",
    "italian": "it",
    "italiano": "it",
    "por": "pt",
    "portuguese": "pt",
    "português": "pt",
    "jpn": "ja",
    "japanese": "ja",
    "zho": "zh",
    "chi": "zh",
    "chinese": "zh",
    "kor": "ko",
    "korean": "ko",
}
# Alphabets by their letters; one list of pronouns serves the Cyrillic languages.
_SCRIPTS = {
    "latin": re.compile("[A-Za-z\u00c0-\u024f]"),
    "kana": re.compile("[\u3041-\u30ff\u31f0-\u31ff]"),
    "han": re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"),
    "ko": re.compile("[\u1100-\u11ff\uac00-\ud7a3]"),
    "ru": re.compile("[\u0400-\u052f]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "he": re.compile("[\u05d0-\u05ea]"),
    "arabic": re.compile("[\u0620-\u064a\u066e-\u06d3]"),
    "hi": re.compile("[\u0900-\u0965]"),
    "th": re.compile("[\u0e01-\u0e4e]"),
}
# A text without any of these has no letter of another alphabet: one look instead of ten.
_BEYOND_LATIN = re.compile("[^\x00-\u036f\u1e00-\u1eff\u2000-\u2bff\u2e00-\u2e7f]")
_PERSIAN = re.compile("[\u067e\u0686\u0698\u06a9\u06af\u06cc]")
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
# The beginning of a text tells its language; a whole book tells no more.
_ENOUGH = 20_000
# These share most of their function words, so they vote together before one of them is chosen.
_FAMILIES = {"nb": "scandinavian", "nn": "scandinavian", "da": "scandinavian", "sv": "scandinavian"}
# Texts of our corpora score 0.12 to 0.54 and five times the next family; languages without a list
# (Catalan, Polish, Hungarian, Esperanto) at most 0.15 and 1.7 times.
_SHARE = 0.12
_MARGIN = 3
# One word may be a coincidence: Finnish `ei` is Norwegian for a and one.
_DIFFERENT = 2
# A declared language is overruled only by this many function words, four times its own.
_PLAIN = 20
_OVERRULED = 4


def language(declared: str) -> str:
    """The code of a language as somebody wrote it: `en-US`, `nob`, `English`; unknown ones stay."""
    code = loose(declared.replace("_", "-"))
    return _NAMES.get(code) or _NAMES.get(code.split("-")[0]) or code.split("-")[0]


def guess(text: str) -> str:
    """The language of a text by a vote of its letters and function words; empty if undecided."""
    script = _script(text)
    if script != "latin":
        return script
    words = _words(text)
    second, first = sorted(_votes(words, _families).items(), key=lambda vote: vote[1])[-2:]
    if first[1] < _SHARE * len(words) or first[1] < _MARGIN * second[1]:
        return ""
    members = [lang for lang in LANGUAGES if _FAMILIES.get(lang, lang) == first[0]]
    votes = _votes(words, _speakers)
    best = max(members, key=lambda lang: votes[lang])
    telling = {word for word in words if len(word) > 1 and word in stop_words(best)}
    return best if len(telling) >= _DIFFERENT else ""


@lru_cache(maxsize=4)  # several gates ask about the same excerpt in turn
def settle(declared: str, text: str) -> str:
    """The language to judge a text in: the declared one, unless the text is plainly in another."""
    lang, script = language(declared), _script(text)
    if not lang:
        return guess(text)
    if script != "latin":
        return lang if {lang, script} <= {"ja", "zh"} else script
    if lang not in LANGUAGES:
        return ""
    words, other = _words(text), guess(text)
    foreign = _known(words, other) if other else 0
    return other if foreign >= max(_PLAIN, _OVERRULED * _known(words, lang)) else lang


def _words(text: str) -> list[str]:
    return _TOKEN.findall(loose(text[:_ENOUGH]))


def _known(words: list[str], lang: str) -> int:
    return sum(word in stop_words(lang) for word in words)


def _script(text: str) -> str:
    if not _BEYOND_LATIN.search(text, 0, _ENOUGH):
        return "latin"
    counts = {name: len(letters.findall(text, 0, _ENOUGH)) for name, letters in _SCRIPTS.items()}
    ideographs, kana = counts.pop("han"), counts["kana"]
    # a letter of these scripts says about as much as two of an alphabet
    counts["kana"] = 2 * (kana + ideographs)
    best = max(counts, key=lambda name: counts[name])
    if best == "kana":
        return "ja" if 10 * kana >= ideographs else "zh"
    if best == "arabic":
        return "fa" if _PERSIAN.search(text) else "ar"
    return best


def _votes(words: list[str], known: Callable[[str], frozenset[str]]) -> dict[str, float]:
    """By language or family the weight of its function words; a word of many weighs little."""
    votes = dict.fromkeys((*LANGUAGES, *_FAMILIES.values()), 0.0)
    for word, count in Counter(words).items():
        speakers = known(word)
        for speaker in speakers:
            votes[speaker] += count / len(speakers)
    return votes


@lru_cache(maxsize=16_384)
def _speakers(word: str) -> frozenset[str]:
    # one letter is a word in too many languages
    return frozenset(lang for lang in LANGUAGES if len(word) > 1 and word in stop_words(lang))


@lru_cache(maxsize=16_384)
def _families(word: str) -> frozenset[str]:
    return frozenset(_FAMILIES.get(lang, lang) for lang in _speakers(word))
