"""Terms out of the corpus's own words: those that stand out around the keyword's best hits.

Opposites and causes cannot be had this way: what nobody wrote beside the keyword is not found.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gates.kinship import Anchors
from gates.terms import FEWEST as FEWEST_TERMS
from gates.terms import LONGEST, MOST
from index.records import Row
from index.text import LANGUAGES, content_words, guess
from server.dig_state import Context
from server.judge import Asked, NoAnswer
from server.judges.foreground import (
    FEWEST,
    Hits,
    foreground,
    keyword_hits,
    sizes,
    text_hits,
)
from server.judges.reading import Reader, Reading, spread
from server.judges.significance import significance
from server.judges.words import is_gram, keys

# The best words are among the first; each costs a search.
TRIED = 400
# Rows looked at to tell whole words from pieces of other words: `rust` in `trust`.
PROBED = 50
# A word of the blaze's claims is what the owner asks about.
ASKED_FOR = 2
SHORTEST = 4


@dataclass(frozen=True, slots=True)
class _Ground:
    """The files around the keyword and how much each of their words is theirs.

    `wanted` are the words that a person sent the dig back for.
    """

    lang: str
    rows: list[Row]
    files: list[Reading]
    significance: dict[str, float]
    wanted: frozenset[str]


def suggest(reader: Reader, asked: Asked) -> list[str]:
    """The keyword and up to eleven words that leave it behind; NoAnswer if there are not enough."""
    context = asked.context
    hits = keyword_hits(reader, context.keyword_primary)
    sent_back = text_hits(reader, asked.redirect)[: MOST // 2] if asked.redirect else []
    around = hits.led_by(sent_back)
    if len(around) < FEWEST:
        raise NoAnswer(
            f"the keyword is in {len(hits)} files of this base, {FEWEST} are needed to tell which "
            "words go with it; open a dig with another keyword"
        )
    terms: list[str] = []
    for size in sizes(reader):
        found = _distinct(reader, _ground(reader, around, asked, size), asked)
        terms = [*_keyword(reader, context), *found][:MOST]
        if len(terms) >= FEWEST_TERMS:
            return terms
    raise NoAnswer(
        f"only {len(terms)} words stand out around the keyword; {FEWEST_TERMS} terms are needed"
    )


def _ground(reader: Reader, hits: Hits, asked: Asked, size: int) -> _Ground:
    context = asked.context
    words = (context.keyword_primary, context.title, *context.blaze_claims, asked.redirect)
    rows = foreground(reader, hits, guess(" ".join(words)), size)
    files = [reader.reading(row) for row in rows]
    lang = files[0].lang
    weights = significance(files, reader.usual)
    for key in _known(context.blaze_claims, lang, weights):
        weights[key] *= ASKED_FOR
    # What a person sends a dig back for comes before everything that statistics find.
    highest = max(weights.values(), default=0.0)
    for key in (wanted := _known((asked.redirect,), lang, weights)):
        weights[key] = highest + abs(weights[key])
    return _Ground(lang, rows, files, weights, wanted)


def _known(texts: Iterable[str], lang: str, weights: Mapping[str, float]) -> frozenset[str]:
    return frozenset(key for text in texts for key in keys(text, lang) if key in weights)


def _keyword(reader: Reader, context: Context) -> list[str]:
    """The keyword as a term, so that its direct hits are found; nothing if it cannot be one."""
    keyword = context.keyword_primary
    half = len(reader.facts.rows) / 2
    fits = len(keyword) <= LONGEST and bool(content_words(keyword))
    return [keyword] if fits and len(reader.facts.matches([keyword])) <= half else []


def _distinct(reader: Reader, ground: _Ground, asked: Asked) -> list[str]:
    """Words that share nothing with keyword, title and named phrases, the most telling first.

    First those that lead on to other rows, as whole words of a searched column; then those that
    only rows around the keyword have, or only bodies; at last mere pieces of other words.
    """
    context = asked.context
    anchors = Anchors.of((context.keyword_primary, context.title, *context.named_phrases))
    tiers: dict[int, list[str]] = {0: [], 1: [], 2: [], 3: []}
    found: list[str] = []
    for key, term in _candidates(reader, ground):
        if anchors.kinship(term) is None and not _straddles(term, found):
            tier = _tier(reader, ground, key, term)
            tiers.get(tier, []).append(term)
            found.append(term)
        if len(tiers[0]) == MOST:
            break
    return [term for tier in tiers.values() for term in tier]


def _candidates(reader: Reader, ground: _Ground) -> Iterator[tuple[str, str]]:
    """Words by significance, each as it is mostly written around the keyword.

    Where no stop words are known for the language, common words are taken for function words.
    """
    weights = ground.significance
    known = ground.lang in ("", *LANGUAGES)
    grammar = frozenset[str]() if known else reader.common(ground.lang)
    for key in sorted(weights.keys() - grammar, key=lambda key: (-weights[key], key))[:TRIED]:
        written = Counter[str]()
        for reading in ground.files:
            written.update(reading.written.get(key, {}))
        term = min(written, key=lambda word: (-written[word], len(word), word))
        if (len(term) >= SHORTEST or is_gram(term)) and len(term) <= LONGEST:
            yield key, term


def _straddles(term: str, found: list[str]) -> bool:
    """Whether two letters lie across two words found before: `础设` across `基础` and `设施`."""
    if not is_gram(term):
        return False
    return any(is_gram(one) and (term[0] == one[-1] or term[-1] == one[0]) for one in found)


def _tier(reader: Reader, ground: _Ground, key: str, term: str) -> int:
    """How well a term serves, 0 best; 4 if it occurs in more than half of the rows or files."""
    rows = reader.facts.rows
    places = sorted(reader.facts.matches([term]))
    if 2 * len(places) > len(rows):
        return 4
    if not places:
        return 4 if key in reader.common(ground.lang) else _tier_in_bodies(ground, key)
    probed = spread(places, PROBED)
    whole = sum(key in reader.column_keys(rows[place], ground.lang) for place in probed)
    if 2 * whole < len(probed):
        return 3
    known = {row.path for row in ground.rows}
    leads_on = any(rows[place].path not in known for place in places)
    return 0 if key in ground.wanted or (leads_on and ground.significance[key] > 0) else 1


def _tier_in_bodies(ground: _Ground, key: str) -> int:
    around = sum(key in reading.body for reading in ground.files)
    return 2 if around >= max(2, len(ground.files) / 3) else 3
