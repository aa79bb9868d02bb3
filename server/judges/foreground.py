"""The files that a keyword leads to, best first: the ground on which terms are looked for."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from index.records import Row
from index.text import content_words, fold
from server.judges.reading import Reader

# Enough for statistics; the best hits of a common keyword are more telling than all of them.
MOST = 12
# Of a small base no more than this part, or nothing would be left to compare with.
PART = 4
FEWEST = 2


def keyword_hits(reader: Reader, keyword: str) -> list[Row]:
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
    found = (row for row in reader.rows if row.path in ranks)
    return sorted(found, key=lambda row: (ranks[row.path], -scores.get(row.path, 0.0), row.path))


def text_hits(reader: Reader, text: str) -> list[Row]:
    """The files with words of a text, best first."""
    scores = reader.facts.scores([text])
    found = (row for row in reader.rows if scores.get(row.path, 0.0) > 0)
    return sorted(found, key=lambda row: (-scores[row.path], row.path))


def foreground(reader: Reader, hits: Sequence[Row], lang: str) -> list[Row]:
    """The best hits to learn from: of one language, and guidance only where nothing else is.

    Guidance says what to look for: the words around the keyword are the owner's there.
    """
    size = min(MOST, max(FEWEST, len(reader.rows) // PART))
    best = hits[: 2 * size]
    languages = {row.path: reader.reading(row).lang for row in best}
    lang = lang or _commonest(languages.values())
    spoken = [row for row in best if languages[row.path] in (lang, "")]
    evidence = [row for row in spoken if row.role != "guidance"]
    return next((rows for rows in (evidence, spoken) if len(rows) >= FEWEST), list(best))[:size]


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
