"""Is a term one of the words to leave, in a costume: inflected, in other letters, in pieces?"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gates.irregular import lemma
from index.text import LANGUAGES, content_words, guess, loose, skeleton, stemmed, stems

# Where the language is unknown every stemmer has a say, but in plain letters on long stems only:
# the Norwegian one makes `mark` of `market`.
_FOREIGN_STEM = 5
_ACCENTED_STEM = 3
_ROOT = 5
_SUFFIXES = "s es e d ed en er ers est ing ings ly ness eness ingly able ably ful fully ies ied"
_ENDINGS = frozenset(["", *_SUFFIXES.split()])
_FRAGMENT = 5
_MISSPELT = 7
# Words of an anchor that a term may write as one.
_COMPOUND = 3
_TOKEN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Kinship:
    """The word to leave that a term is tied to, and the costume it comes in, if any."""

    word: str
    costume: str = ""


@dataclass(frozen=True, slots=True)
class Anchors:
    """The words to leave, in the forms under which a term may carry them."""

    lang: str
    languages: tuple[str, ...]
    written: str
    words: tuple[str, ...]
    joined: frozenset[str]
    stems: Mapping[tuple[str, str], str]
    basic: Mapping[str, str]

    @classmethod
    def of(cls, anchors: Sequence[str], lang: str = "") -> "Anchors":
        """The anchors of a dig; its language is guessed where nobody says it."""
        lang = lang or guess(" ".join(anchors))
        languages = tuple(dict.fromkeys((lang, "en"))) if lang else LANGUAGES
        words = dict.fromkeys(word for text in anchors for word in content_words(text, lang))
        kin: dict[tuple[str, str], str] = {}
        for text in anchors:
            kin = _stems(text, lang, languages, _ACCENTED_STEM) | kin
        return cls(
            lang=lang,
            languages=languages,
            written=loose(" ".join(anchors)),
            words=tuple(words),
            joined=frozenset(joined for text in anchors for joined in _joined(text, _COMPOUND)),
            stems=kin,
            basic={form: word for word in words for form in _basic_forms(word)}
            if "en" in languages
            else {},
        )

    def kinship(self, term: str) -> Kinship | None:
        """The tie of a term to these words; None if it leaves them all."""
        # a term may hide its letters behind emphasis marks or in boxes
        words = content_words(term, self.lang) + content_words(skeleton(term), self.lang)
        shared = next((word for word in words if word in self.words), None)
        if shared is not None:
            plainly = shared in loose(term) and shared in self.written
            return Kinship(shared, "" if plainly else "in other letters")
        least = _FOREIGN_STEM if term.isascii() else _ACCENTED_STEM
        for key in _stems(term, self.lang, self.languages, least):
            if key in self.stems:
                return Kinship(self.stems[key], "inflected")
        return self._irregular(words) or self._in_pieces(term, words) or self._alike(words)

    def _irregular(self, words: Sequence[str]) -> Kinship | None:
        if not self.basic:
            return None
        forms = (form for word in words for form in _basic_forms(word))
        found = next((self.basic[form] for form in forms if form in self.basic), None)
        return Kinship(found, "inflected") if found else None

    def _in_pieces(self, term: str, words: Sequence[str]) -> Kinship | None:
        for joined in _joined(term, len(term)):
            if joined in self.words:
                return Kinship(joined, "spelled apart")
            for key in _stems(joined, self.lang, self.languages, _FOREIGN_STEM):
                if key in self.stems:
                    return Kinship(self.stems[key], "spelled apart")
        together = next((word for word in words if word in self.joined), None)
        return Kinship(together, "spelled together") if together else None

    def _alike(self, words: Sequence[str]) -> Kinship | None:
        for word in words:
            for anchor in self.words:
                if costume := _costume(word, anchor):
                    return Kinship(anchor, costume)
        return None


def _basic_forms(word: str) -> Iterator[str]:
    """What an English word may be a form of: `kept` and `keeps` meet in `keep`."""
    yield lemma(word)
    yield from map(lemma, stems(word, "en"))


def _stems(
    text: str, lang: str, languages: Sequence[str], least: int
) -> dict[tuple[str, str], str]:
    """Stems of the content words, by language, with the word each comes from."""
    found = {(lang or "en", stem): word for stem, word in stemmed(text, lang).items()}
    for word in content_words(text, lang):
        for language in languages:
            for stem in stems(word, language):
                if language in (lang, "en") or len(stem) >= least:
                    found.setdefault((language, stem), word)
    return found


def _joined(text: str, most: int) -> Iterator[str]:
    """Two to `most` neighbouring words written as one: `for give ness`, `b.o.a.t`."""
    tokens = _TOKEN.findall(skeleton(text))
    for start in range(len(tokens) - 1):
        for end in range(start + 2, min(start + most, len(tokens)) + 1):
            yield "".join(tokens[start:end])


def _costume(word: str, anchor: str) -> str:
    start = _shared_start(word, anchor)
    for root in range(_ROOT, start + 1):
        if word[root:] in _ENDINGS and anchor[root:] in _ENDINGS:
            return "inflected"
    if len(word) >= _FRAGMENT and word in anchor and 4 * len(word) > 3 * len(anchor):
        return "a piece of it"
    long_enough = min(len(word), len(anchor)) >= _MISSPELT
    if long_enough and word[0] == anchor[0] and _one_edit_apart(word, anchor):
        return "one letter off"
    return ""


def _shared_start(a: str, b: str) -> int:
    pairs = zip(a, b, strict=False)
    return next((at for at, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


def _one_edit_apart(a: str, b: str) -> bool:
    """One letter put in, left out or changed, or two neighbours swapped."""
    start = _shared_start(a, b)
    rest_a, rest_b = a[start:], b[start:]
    end = _shared_start(rest_a[::-1], rest_b[::-1])
    rest_a, rest_b = rest_a[: len(rest_a) - end], rest_b[: len(rest_b) - end]
    swapped = len(rest_a) == 2 and rest_a == rest_b[::-1]
    return swapped or max(len(rest_a), len(rest_b)) == 1
