"""The files that a keyword leads to, best first: the ground on which terms are looked for."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from index.records import Row
from index.text import content_words, fold
from server.judges.reading import Reader, Reading
from server.judges.words import keys

# Enough for statistics; the best hits of a common keyword are more telling than all of them.
MOST = 12
# Of a small base no more than this part, so that something is left to compare with.
PART = 4
FEWEST = 2


@dataclass(frozen=True, slots=True)
class Hits:
    """The files that hold a keyword: those whose row names it, and those with bodies that do."""

    keyword: str
    named: tuple[Row, ...]
    in_bodies: tuple[Row, ...]

    def __len__(self) -> int:
        """How many files there are."""
        return len(self.named) + len(self.in_bodies)

    def led_by(self, rows: Sequence[Row]) -> "Hits":
        """The same with these rows before all others."""
        named = (row for row in self.named if row not in rows)
        in_bodies = (row for row in self.in_bodies if row not in rows)
        return Hits(self.keyword, (*rows, *named), tuple(in_bodies))


def keyword_hits(reader: Reader, keyword: str) -> Hits:
    """Every file with the keyword: as whole words in title or columns, inside words, in bodies.

    Within each of these by BM25F, then path. A body needs each content word of the keyword.
    """
    wanted = fold(keyword)
    whole = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
    scores = reader.facts.scores([keyword])
    places = reader.facts.matches([keyword])
    ranks: dict[str, int] = {}
    for place, row in enumerate(reader.facts.rows):
        title = fold(row.title)
        if whole.search(title) or (place in places and whole.search(fold(reader.searched(row)))):
            ranks[row.path] = 0
        elif place in places or wanted in title:
            ranks[row.path] = 1
    ranks |= dict.fromkeys(_with_every_word(reader, keyword, scores) - ranks.keys(), 2)
    found = sorted(
        (row for row in reader.rows if row.path in ranks),
        key=lambda row: (ranks[row.path], -scores.get(row.path, 0.0), row.path),
    )
    named = sum(ranks[row.path] < 2 for row in found)
    return Hits(keyword, tuple(found[:named]), tuple(found[named:]))


def text_hits(reader: Reader, text: str) -> list[Row]:
    """The files with words of a text, best first."""
    scores = reader.facts.scores([text])
    found = (row for row in reader.rows if scores.get(row.path, 0.0) > 0)
    return sorted(found, key=lambda row: (-scores[row.path], row.path))


def sizes(reader: Reader) -> tuple[int, ...]:
    """How many files to learn from: first as many as can be compared, then as many as there are."""
    return min(MOST, max(FEWEST, len(reader.rows) // PART)), MOST


def foreground(reader: Reader, hits: Hits, lang: str, size: int) -> list[Row]:
    """The best hits to learn from: of one language, and guidance only where nothing else is.

    Guidance says what to look for: the words around the keyword are the owner's there. Among bodies
    those come first that say the keyword most often for their length.
    """
    bodies = {row.path: reader.reading(row) for row in hits.in_bodies[: 2 * size]}
    dense = sorted(
        hits.in_bodies[: 2 * size], key=lambda row: -_density(hits.keyword, bodies[row.path])
    )
    best = (*hits.named[: 2 * size], *dense)[: 2 * size]
    languages = {row.path: reader.reading(row).lang for row in best}
    lang = lang or _commonest(languages.values())
    spoken = [row for row in best if languages[row.path] in (lang, "")]
    evidence = [row for row in spoken if row.role != "guidance"]
    return next((rows for rows in (evidence, spoken) if len(rows) >= FEWEST), list(best))[:size]


def _density(keyword: str, reading: Reading) -> float:
    counts = (reading.body[key] for key in keys(keyword, reading.lang))
    return min(counts, default=0) / max(1, reading.body.total())


def _with_every_word(reader: Reader, keyword: str, scores: Mapping[str, float]) -> set[str]:
    words = content_words(keyword)
    found = {path for path, score in scores.items() if score > 0}
    if len(words) > 1:
        for word in words:
            found &= reader.facts.scores([word]).keys()
    return found


def _commonest(values: Iterable[str]) -> str:
    counts = Counter(filter(None, values))
    return max(counts, key=lambda value: (counts[value], value), default="")
