"""How much of the pattern a file holds, and which words of it: the grade is counted, not felt."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from index.text import count_words
from server.dig_state import Context
from server.judges.reading import Reader, Reading
from server.judges.significance import rarity
from server.judges.words import Word, matter

# What a word of the pattern weighs by where it comes from, before its rarity.
KEYWORD, TERM, CLAIM, CONTEXT = 2.0, 1.0, 1.0, 0.5
# A body holds many words; one of them says half of what the same word in the row says, at most.
BODY = 0.5
# BM25's saturation and length normalisation, for words in bodies.
SATURATION, LENGTH = 1.2, 0.75
# A word in nearly every file still says a little.
LEAST_RARITY = 0.2
# The share of the pattern's heaviest words that a file must hold for each grade: set so that of the
# forty candidates of a usual dig about three are exact, eight strong and a quarter nothing.
HEAVIEST = 6
GRADES = ((3, 0.55), (2, 0.3), (1, 0.1))
WHY_WORDS, WHY_CHARACTERS = 12, 200
NAMED_IN_ROW, NAMED_IN_BODY = 5, 3
NOTHING = "shares no word with the pattern"


@dataclass(frozen=True, slots=True)
class Overlap:
    """The share of the pattern that a file holds, and the words of it, the heaviest first."""

    share: float
    in_row: tuple[str, ...]
    in_body: tuple[str, ...]

    @property
    def grade(self) -> int:
        """0 none, 1 touches, 2 strong, 3 exact; never 3 for what the row does not say."""
        grade = next((grade for grade, least in GRADES if self.share >= least), 0)
        return grade if self.in_row else min(grade, 2)

    @property
    def why(self) -> str:
        """The words shared, in at most twelve words."""
        row, body = list(self.in_row[:NAMED_IN_ROW]), list(self.in_body[:NAMED_IN_BODY])
        while not _fits(said := _said(row, body)):
            (body or row).pop()
        return said


class Pattern:
    """The words of a dig's pattern and what each weighs in this base."""

    def __init__(self, context: Context, terms: Sequence[str], reader: Reader) -> None:
        self._sources = tuple(_sources(context, terms))
        self._usual = reader.usual
        self._by_language: dict[str, Mapping[str, tuple[str, float]]] = {}

    def overlap(self, reading: Reading) -> Overlap:
        """What a file and the pattern share."""
        words = self.words(reading.lang)
        heaviest = sorted((weight for _, weight in words.values()), reverse=True)[:HEAVIEST]
        row = [key for key in words if key in reading.row]
        body = [key for key in words if key in reading.body and key not in reading.row]
        strength = sum(words[key][1] for key in row)
        strength += sum(BODY * words[key][1] * self._saturated(reading, key) for key in body)
        return Overlap(
            strength / sum(heaviest) if heaviest else 0.0, _named(words, row), _named(words, body)
        )

    def words(self, lang: str) -> Mapping[str, tuple[str, float]]:
        """The words of the pattern as a language inflects them: by key, as written, with weight."""
        if lang not in self._by_language:
            self._by_language[lang] = dict(self._weighed(lang))
        return self._by_language[lang]

    def rarity(self, key: str) -> float:
        """How rare a word is in this base."""
        return max(LEAST_RARITY, rarity(key, self._usual))

    def _weighed(self, lang: str) -> Iterator[tuple[str, tuple[str, float]]]:
        weights: dict[Word, float] = {}
        for text, weight in self._sources:
            for word in matter(text, lang):
                weights.setdefault(word, weight)
        seen: set[str] = set()
        for word, weight in weights.items():
            if word.key not in seen:
                seen.add(word.key)
                yield word.key, (word.written, weight * self.rarity(word.key))

    def _saturated(self, reading: Reading, key: str) -> float:
        count, length = reading.body[key], reading.body.total() / max(1.0, self._usual.length)
        return count / (count + SATURATION * (1 - LENGTH + LENGTH * length))


def _sources(context: Context, terms: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The texts of the pattern, those that weigh most first."""
    yield context.keyword_primary, KEYWORD
    yield from ((term, TERM) for term in terms)
    yield from ((claim, CLAIM) for claim in context.blaze_claims)
    for text in (context.title, context.archetype_primary):
        yield text, CONTEXT


def _named(words: Mapping[str, tuple[str, float]], found: Sequence[str]) -> tuple[str, ...]:
    ordered = sorted(found, key=lambda key: (-words[key][1], words[key][0]))
    return tuple(words[key][0] for key in ordered)


def _said(row: Sequence[str], body: Sequence[str]) -> str:
    parts = [", ".join(row)] if row else []
    parts += [f"in the body {', '.join(body)}"] if body else []
    return f"shares {'; '.join(parts)}" if parts else NOTHING


def _fits(text: str) -> bool:
    return count_words(text) <= WHY_WORDS and len(text) <= WHY_CHARACTERS
