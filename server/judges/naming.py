"""Does a file name the keyword, in whatever inflection? The gate only knows the word as given."""

from collections.abc import Iterable
from functools import lru_cache

from gates.kinship import Anchors
from gates.picks import names_keyword
from index.text import content_words
from server.dig_state import Candidate
from server.judges.reading import Reading
from server.moves.picks import naming_texts


class Keyword:
    """A keyword and which words are kin to each of its own: `forgiven` is to `forgiveness`."""

    def __init__(self, keyword: str) -> None:
        self._keyword = keyword
        self._words = tuple(dict.fromkeys(content_words(keyword)))
        self._known: dict[tuple[str, str, str], bool] = {}

    def named(self, candidate: Candidate, reading: Reading) -> bool:
        """Whether the row holds a word of the keyword."""
        texts = naming_texts(candidate.row)
        if any(names_keyword(self._keyword, texts, lang) for lang in ("", reading.lang)):
            return True
        return any(self._kin_in(word, reading.row, reading) for word in self._words)

    def named_whole(self, reading: Reading) -> bool:
        """Whether the row holds every word of the keyword."""
        return all(self._kin_in(word, reading.row, reading) for word in self._words)

    def mentions(self, reading: Reading) -> int:
        """How often the body says the keyword: as often as the rarest of its words."""
        counts = (
            sum(reading.body[key] for key in self._kin_in(word, reading.body, reading))
            for word in self._words
        )
        return min(counts, default=0)

    def without(self, words: Iterable[str], lang: str) -> list[str]:
        """Those of the words that are kin to none of the keyword's."""
        return [w for w in words if not any(self._kin(one, w, lang) for one in self._words)]

    def _kin_in(self, word: str, keys: Iterable[str], reading: Reading) -> list[str]:
        return [
            key
            for key in keys
            if any(self._kin(word, written, reading.lang) for written in reading.written[key])
        ]

    def _kin(self, word: str, written: str, lang: str) -> bool:
        known = (word, written, lang)
        if known not in self._known:
            self._known[known] = _anchors(word, lang).kinship(written) is not None
        return self._known[known]


@lru_cache(maxsize=256)
def _anchors(word: str, lang: str) -> Anchors:
    return Anchors.of((word,), lang or "en")
