"""The index by tantivy, for large corpora: its files and its unions; words and ranking are ours."""

import unicodedata
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from heapq import nsmallest
from itertools import islice, repeat
from math import ceil, log, log2
from operator import itemgetter, mul, sub
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from index.engine import Engine, Hit, Writer
from index.faults import IndexTrouble
from index.tantivy_ledger import read_ledger
from index.tantivy_terms import SEPARATOR, often
from index.tantivy_writer import TantivyWriter, has_deletions, library, schema
from index.tokens import asked, asked_by_word, stemmer_version, words
from index.weights import MOST_ASKED, SATURATION, parsed

if TYPE_CHECKING:
    import tantivy

# Raise it when fields, tokens, classes of terms or passage weights change.
FORMAT = 3

# Tantivy adds scores as 32-bit floats in any order. Multiples of one power of two that stay below
# 2^24 of it come to the same sum in every order, so that the same files rank alike, always.
_BITS = 22
# Of documents whose terms are of the same classes the shorter one is better, by less than a step.
_NUDGE, _LONGEST = 0.49, 100_000
# Whatever tantivy has been seen to raise on files that are not as it wrote them.
_DAMAGE = (OSError, ValueError, TypeError, LookupError, AttributeError)


class TantivyMaker:
    """Writes and opens indexes by tantivy, an extra that is imported when one is asked for."""

    @property
    def version(self) -> str:
        """Our format, the package and its own, and the tables that words and stems come from."""
        tables = f"stems {stemmer_version()}, unicode {unicodedata.unidata_version}"
        return f"tantivy {FORMAT}, {library().__version__}, {tables}"

    def write(self, folder: Path) -> Writer:
        """Continue the index in this folder, or begin one in an empty folder."""
        return TantivyWriter(folder)

    def read(self, folder: Path) -> Engine:
        """Open the index in this folder; IndexTrouble if tantivy cannot read it."""
        return TantivyEngine(folder)

    def count(self, folder: Path) -> int:
        """How many documents can be found."""
        return TantivyEngine(folder).document_count()


MAKER = TantivyMaker()


# Of each document found its score and where tantivy keeps it.
Hits = Sequence[tuple[Any, "tantivy.DocAddress"]]


class Worths(NamedTuple):
    """What one token is worth in this index at most, and each of its terms."""

    most: float
    terms: Sequence[tuple[str, float]]


class TantivyEngine:
    """One index, open for reading; threads ask at once."""

    def __init__(self, folder: Path) -> None:
        package = library()
        with _damage(*_DAMAGE):
            ledger = read_ledger(folder)
            index = package.Index.open(str(folder))
            # Nothing is written here any more, so nobody need look whether there is.
            index.config_reader("manual")
            self._searcher: tantivy.Searcher | None = index.searcher()
            self._deletions = has_deletions(folder)
            if index.schema != schema() or index.searcher().num_docs != len(ledger.documents):
                raise ValueError("other fields, or documents are missing")
        self._count = len(ledger.documents)
        self._paths = ledger.paths()
        self._means = ledger.means()
        self._nudges = [_NUDGE * min(n, _LONGEST) / _LONGEST for n in ledger.lengths()]
        self._worths: dict[str, float] = {}

    def scores(self, terms: Sequence[str], languages: Sequence[str] = ()) -> dict[str, float]:
        """BM25F of all terms over row and body, for every document that holds a word of them."""
        searcher = self._open()
        found = self._found(searcher, asked("\n".join(terms), languages))
        step = _step(found.values())
        if step is None:
            return {}
        hits = _hits(searcher, _any(found.values(), step), self._count)
        return dict(zip(*self._named(searcher, hits, step), strict=True))

    def search(self, query: str, limit: int, languages: Sequence[str] = ()) -> list[Hit]:
        """The best documents for plain words; those that lack a "quoted phrase" are left out."""
        searcher = self._open()
        text, phrases = parsed(query)
        wanted = dict(islice(asked_by_word(text, languages).items(), MOST_ASKED))
        found = self._found(searcher, [t for tokens in wanted.values() for t in tokens])
        step = _step(found.values())
        if step is None or limit <= 0:
            return []
        question = _with(phrases, wanted, found, step) if phrases else _any(found.values(), step)
        hits = self._best(searcher, question, limit)
        named = zip(*self._named(searcher, hits, step), strict=True)
        best = nsmallest(limit, named, key=lambda hit: (-hit[1], hit[0]))
        return [Hit(path, score) for path, score in best]

    def document_count(self) -> int:
        """How many documents can be found."""
        return self._count

    def close(self) -> None:
        """Let go of all files; nothing can be asked any more."""
        self._searcher = None

    def _open(self) -> "tantivy.Searcher":
        # A thread that asks keeps its own hold, so that another may close meanwhile.
        if (searcher := self._searcher) is None:
            raise IndexTrouble("this index is closed", "open the current one")
        return searcher

    def _found(self, searcher: "tantivy.Searcher", tokens: Sequence[str]) -> Mapping[str, Worths]:
        with _damage(ValueError):
            return {token: self._worths_of(searcher, token) for token in tokens}

    def _worths_of(self, searcher: "tantivy.Searcher", token: str) -> Worths:
        start = f"{token}{SEPARATOR}"
        held = searcher.terms_with_prefix("terms", start)
        holding = sum(count for _, count in held)
        if self._deletions and held:
            # These counts are of the living and the dead.
            living = _any([Worths(1.0, [(term, 1.0) for term, _ in held])], 1.0)
            holding = cast(Any, searcher.search(living, 1)).count
        if not holding:
            return Worths(0.0, ())
        rarity = log(1 + (self._count - holding + 0.5) / (holding + 0.5))
        terms = [(term, rarity * self._worth(term[len(start) :])) for term, _ in held]
        # Not that of the best term: it may be one that only the dead have.
        return Worths(rarity * (SATURATION + 1), terms)

    def _worth(self, code: str) -> float:
        if code not in self._worths:
            times = often(code, self._means)
            self._worths[code] = times * (SATURATION + 1) / (times + SATURATION)
        return self._worths[code]

    def _best(self, searcher: "tantivy.Searcher", question: "tantivy.Query", limit: int) -> Hits:
        """The best and whatever scores as the last of them: tantivy knows no order of these."""
        most = limit
        while most < self._count:
            most = min(self._count, 2 * most + 20)
            hits = _hits(searcher, question, most)
            if len(hits) < most or hits[-1][0] < hits[limit - 1][0]:
                return hits
        return _hits(searcher, question, self._count)

    def _named(
        self, searcher: "tantivy.Searcher", hits: Hits, step: float
    ) -> tuple[Iterable[str], Iterable[float]]:
        """Paths and scores, in one order; there may be so many that no loop here is written out."""
        addresses = list(map(itemgetter(1), hits))
        numbers = cast(list[int], searcher.fast_field_values("number", addresses))
        nudges = map(mul, map(self._nudges.__getitem__, numbers), repeat(step))
        return map(self._paths.__getitem__, numbers), map(sub, map(itemgetter(0), hits), nudges)


def _hits(searcher: "tantivy.Searcher", question: "tantivy.Query", most: int) -> Hits:
    with _damage(ValueError):
        return searcher.search(question, most, count=False).hits


@contextmanager
def _damage(*kinds: type[Exception]) -> Generator[None]:
    """Files that are not as tantivy wrote them, when it opens them or only when it is asked."""
    try:
        yield
    except kinds as trouble:
        raise IndexTrouble(
            f"tantivy cannot read its files ({type(trouble).__name__})", "rebuild the index"
        ) from trouble


def _step(found: Iterable[Worths]) -> float | None:
    """What all scores of a query are multiples of; None if nothing can be found."""
    most = sum(worths.most for worths in found)
    return 2.0 ** (ceil(log2(most)) - _BITS) if most else None


def _any(found: Iterable[Worths], step: float) -> "tantivy.Query":
    """Documents that hold any of the terms, each scored by the sum of what its terms are worth."""
    package, fields = library(), schema()
    query, should = package.Query, package.Occur.Should
    parts = (
        (query.term_query(fields, "terms", term, "basic"), max(1, round(worth / step)) * step)
        for worths in found
        for term, worth in worths.terms
    )
    made: tantivy.Query = query.boolean_query(
        [(should, query.const_score_query(part, score)) for part, score in parts]
    )
    return made


def _with(
    phrases: Sequence[str],
    wanted: Mapping[str, Sequence[str]],
    found: Mapping[str, Worths],
    step: float,
) -> "tantivy.Query":
    """Documents that hold every phrase, and a token of each of its words as a whole."""
    package = library()
    must, should = package.Occur.Must, package.Occur.Should
    needed = {word for phrase in phrases for word in asked_by_word(phrase)}
    tokens = [
        (must if word in needed else should, _any([found[token] for token in tokens], step))
        for word, tokens in wanted.items()
    ]
    spoken = [(must, _phrase(phrase)) for phrase in phrases]
    made: tantivy.Query = package.Query.boolean_query(tokens + spoken)
    return made


def _phrase(phrase: str) -> "tantivy.Query":
    query = library().Query
    spoken = words(phrase)
    if len(spoken) == 1:
        found = query.term_query(schema(), "words", spoken[0])
    else:
        found = query.phrase_query(schema(), "words", spoken)
    made: tantivy.Query = query.const_score_query(found, 0.0)
    return made
