"""Which language a text is in, by its letters and function words; empty if that cannot be told."""

import re
from collections import Counter
from functools import cache

from index.text import LANGUAGES, loose, stop_words

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
_PERSIAN = re.compile("[\u067e\u0686\u0698\u06a9\u06af\u06cc]")
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
# The beginning of a text tells its language; a whole book tells no more.
_ENOUGH = 20_000
# Of running prose at least four words in ten are function words of its own language; the nearest
# relatives without a list (Catalan by the Spanish one) reach 0.37.
_SHARE = 0.4
_FEWEST = 2
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
    votes = _votes(words)
    best = max(LANGUAGES, key=lambda lang: votes[lang])
    known = _known(words, best)
    return best if known >= _FEWEST and known >= _SHARE * len(words) else ""


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


@cache
def _weights() -> dict[str, float]:
    uses = Counter(word for lang in LANGUAGES for word in stop_words(lang))
    return {word: 1 / count for word, count in uses.items()}


def _votes(words: list[str]) -> dict[str, float]:
    """By language the weight of its function words; a word of many languages weighs little."""
    weights = _weights()
    telling = Counter(word for word in words if word in weights)
    return {
        lang: sum(
            weights[word] * count for word, count in telling.items() if word in stop_words(lang)
        )
        for lang in LANGUAGES
    }
