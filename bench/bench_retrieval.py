"""How well each order of candidates finds what is relevant: recall@40, nDCG@10 and MRR.

Beside the two orders that can be configured stand plain counting, Whoosh's own BM25F and what else
was tried. Every collection is written down as markdown, indexed and asked as a dig would ask it.
In brackets: 95 % intervals, from bootstrap samples of the queries.

    python bench/bench_retrieval.py [IR] [--corpora FOLDER] [--only NAME]
    python bench/bench_retrieval.py --smoke
"""

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import log, log2
from pathlib import Path
from typing import Any

from bench.known_items import Asked, Collection, Text, classic, known_items
from index.faults import BadSettings
from index.generation import open_current
from index.meanings import folder_of_vectors
from index.rebuild import rebuild
from index.records import BaseSettings
from server.candidates import Query, ordered, reached
from server.dig_state import Context
from server.library import Facts
from server.ordering import Reached, relevances, specified

HOME = Path(__file__).resolve().parent.parent
NOBODY = Context("", "", "", "Silicon", "")
MOST = 40
# Words of a passage; each begins in the middle of the one before.
PASSAGE = 200
TARGETS = {"Cranfield": 0.375, "NPL": 0.45}
RULE, DEFAULT, SEMANTIC = "specified rule", "hybrid (default)", "semantic (extra)"

# Numbers of files, best first.
Order = Callable[["Question"], list[int]]
# nDCG@10 of each query, by order.
Found = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Question:
    """A query with what the index tells of it."""

    terms: tuple[str, ...]
    found: list[Reached]
    substrings: Mapping[int, float]
    facts: Facts
    library: Callable[[Sequence[str]], list[int]]
    passages: Facts


def everywhere(q: Question) -> list[int]:
    return ranked({one.place: one.score for one in q.found})


def union(q: Question) -> list[int]:
    """Who holds a term in the row comes first."""
    return ranked({one.place: one.score + 1e6 * (one.matched > 0) for one in q.found})


def fused(q: Question) -> list[int]:
    """Reciprocal ranks of substrings, weighed by idf, and of BM25F."""
    scores: defaultdict[int, float] = defaultdict(float)
    for each in (ranked(q.substrings), everywhere(q)):
        for rank, place in enumerate(each, start=1):
            scores[place] += 1 / (60 + rank)
    return ranked(scores)


def best_passage(q: Question) -> list[int]:
    best: defaultdict[int, float] = defaultdict(float)
    for path, score in q.passages.scores(q.terms).items():
        file = int(path.partition("-")[0])
        best[file] = max(best[file], score)
    return ranked(best)


def places(found: Sequence[Reached]) -> list[int]:
    return [one.place for one in found]


def ranked(values: Mapping[int, float]) -> list[int]:
    """The best forty that have any value; the files are numbered as their paths sort."""
    kept = (place for place, value in values.items() if value)
    return sorted(kept, key=lambda place: (-values[place], place))[:MOST]


ORDERS: dict[str, Order] = {
    "plain counting": lambda q: ranked({one.place: one.matched for one in q.found}),
    RULE: lambda q: places(specified(q.found, MOST)),
    "Whoosh's own BM25F": lambda q: q.library(q.terms),
    "same set, by BM25F": union,
    "reciprocal rank fusion": fused,
    "best passage": best_passage,
    "BM25F, row and body": everywhere,
    "hybrid, no feedback": lambda q: ranked(relevances(q.found)),
    DEFAULT: lambda q: places(ordered(q.facts, Query(NOBODY, q.terms), q.found)),
    SEMANTIC: lambda q: places(ordered(q.facts, Query(NOBODY, q.terms, rule="semantic"), q.found)),
}


def measures(order: Sequence[int], gains: Mapping[int, int]) -> tuple[float, float, float]:
    """nDCG@10, recall@40 and the reciprocal rank of the first relevant file."""
    ideal = sorted(gains.values(), reverse=True)[:10]
    gained = sum(gains.get(place, 0) / log2(rank + 2) for rank, place in enumerate(order[:10]))
    best = sum(gain / log2(rank + 2) for rank, gain in enumerate(ideal))
    first = next((1 / rank for rank, place in enumerate(order, start=1) if place in gains), 0.0)
    return gained / best, sum(place in gains for place in order) / len(gains), first


def interval(values: Sequence[float], resamples: int) -> tuple[float, float]:
    """Between which bounds the mean of 95 of 100 samples of these values lies."""
    chance = random.Random(1)
    many = len(values)
    means = sorted(sum(chance.choices(values, k=many)) / many for _ in range(resamples))
    return means[int(0.025 * resamples)], means[int(0.975 * resamples)]


def write(texts: Sequence[Text], root: Path, cut: bool = False) -> BaseSettings:
    """The files, called by their numbers; or a file for each passage of a body."""
    root.mkdir()
    for number, text in enumerate(texts):
        words = text.body.split()
        starts = range(0, max(1, len(words) - PASSAGE // 2), PASSAGE // 2) if cut else [0]
        for start in starts:
            head = "".join(
                f"{key}: {json.dumps(value, ensure_ascii=False)}\n"
                for key, value in (("title", text.title), ("summary", text.summary))
                if value
            )
            body = " ".join(words[start : start + PASSAGE]) if cut else text.body
            name = f"{number:06}-{start}.md" if cut else f"{number:06}.md"
            (root / name).write_text(f"---\n{head}---\n\n{body}\n", encoding="utf-8")
    return BaseSettings("bench", str(root), kind="folder")


def library_ranking(texts: Sequence[Text], folder: Path) -> Callable[[Sequence[str]], list[int]]:
    """Whoosh as it comes: stemmed text fields, all words alternatives, its own BM25F."""
    from whoosh import analysis, fields, index, qparser

    stemmed: Any = analysis
    asked: Any = qparser
    folder.mkdir()
    names = ("title", "summary", "body")
    made: Any = index.create_in(
        str(folder),
        fields.Schema(
            number=fields.NUMERIC(stored=True),
            **{name: fields.TEXT(analyzer=stemmed.StemmingAnalyzer()) for name in names},
        ),
    )
    writer = made.writer(limitmb=256)
    for number, text in enumerate(texts):
        said = {name: getattr(text, name) for name in names}
        writer.add_document(number=number, **said)
    writer.commit()
    searcher = made.searcher()
    parser = asked.MultifieldParser(list(names), made.schema, group=asked.OrGroup)
    parser.plugins = [p for p in parser.plugins if isinstance(p, asked.plugins.MultifieldPlugin)]
    parser.add_plugin(asked.plugins.WhitespacePlugin())

    def best(terms: Sequence[str]) -> list[int]:
        hits = searcher.search(parser.parse(" ".join(terms)), limit=MOST)
        return [hit["number"] for hit in hits]

    return best


def answers(collection: Collection, folder: Path) -> Iterator[tuple[Question, Asked]]:
    bases = {cut: write(collection.texts, folder / f"files-{cut}", cut) for cut in (False, True)}
    opened = []
    for cut, base in bases.items():
        home = folder / "state" / f"bench-{cut}"
        rebuild(base, home)
        opened.append(open_current(home, base, collection.columns))
    whole, cut_up = opened
    assert whole is not None and cut_up is not None
    library = library_ranking(collection.texts, folder / "whoosh")
    with closing(whole), closing(cut_up):
        facts = Facts(whole)
        for asked in collection.queries:
            matches = facts.matches(asked.terms)
            found = reached(facts, Query(NOBODY, asked.terms), matches)
            weights = rarities(facts, asked.terms)
            substrings = {
                place: sum(weights[term] for term, _ in matches[place]) for place in matches
            }
            yield (
                Question(asked.terms, found, substrings, facts, library, Facts(cut_up)),
                asked,
            )


def rarities(facts: Facts, terms: Sequence[str]) -> dict[str, float]:
    rows = len(facts.rows)
    holding = {term: len(facts.matches([term])) for term in terms}
    return {term: log(1 + (rows - n + 0.5) / (n + 0.5)) for term, n in holding.items()}


def measure(collection: Collection, resamples: int) -> Found:
    """Print the table of one collection; nDCG@10 of each query comes back, by order."""
    found: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for question, asked in answers(collection, Path(folder)):
            for name, order in ORDERS.items():
                found[name].append(measures(order(question), asked.gains))
    print(f"\n{collection.name}: {len(collection.texts)} files, {len(collection.queries)} queries")
    print(f"  {'':24}{'nDCG@10':22}{'recall@40':22}MRR")
    for name in ORDERS:
        cells = ""
        for values in zip(*found[name], strict=True):
            low, high = interval(values, resamples)
            cells += f"{sum(values) / len(values):.3f} [{low:.3f} {high:.3f}]   "
        print(f"  {name:24}{cells.rstrip()}", flush=True)
    return {name: [each[0] for each in found[name]] for name in ORDERS}


def conclude(measured: Sequence[tuple[Collection, Found]], resamples: int) -> None:
    """What the default gains on the specified rule, and whether it may be the default."""
    print(f"\nnDCG@10 of {DEFAULT} less that of the {RULE}")
    gains: list[float] = []
    for collection, found in measured:
        differences = [new - old for new, old in zip(found[DEFAULT], found[RULE], strict=True)]
        low, high = interval(differences, resamples)
        gain = sum(differences) / len(differences)
        note = "" if collection.quotable else "  (not counted: no excerpt can be cut)"
        print(f"  {collection.name:38}{gain:+.3f} [{low:+.3f} {high:+.3f}]{note}")
        if collection.quotable:
            gains.append(gain)
        if target := TARGETS.get(collection.name.partition(",")[0]):
            now = sum(found[DEFAULT]) / len(found[DEFAULT])
            said = "reached" if now >= target else "not reached"
            print(f"    target {target}: {now:.3f}, {said}")
    print(f"  mean {sum(gains) / len(gains):+.3f}, worst {min(gains):+.3f}")
    kept = min(gains) >= -0.01 and sum(gains) > 0
    print(f"  nowhere worse by a point, better on the mean: {'yes' if kept else 'NO'}")


def collections(asked: argparse.Namespace) -> Iterator[Collection]:
    if asked.smoke:
        yield from known_items(HOME / "kb_fixtures" / "codex")
        return
    if asked.ir.is_dir():
        yield from classic(asked.ir)
    else:
        print(f"MISSING: {asked.ir} is no folder, so Cranfield and NPL are not measured")
    if asked.corpora.is_dir():
        yield from known_items(asked.corpora)
    else:
        print(f"MISSING: {asked.corpora} is no folder, so known items are not measured")


def main() -> int:
    plain = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    shared = HOME.parent / "shared"
    parser.add_argument("ir", type=Path, nargs="?", default=shared / "ir")
    parser.add_argument("--corpora", type=Path, default=shared / "corpora")
    parser.add_argument("--only", default="", help="collections whose name begins so")
    parser.add_argument("--resamples", type=int, default=1_000)
    parser.add_argument("--smoke", action="store_true", help="seconds, on kb_fixtures alone")
    asked = parser.parse_args()
    if without_extra():
        del ORDERS[SEMANTIC]
        print("MISSING: the extra `semantic` is not installed, so that order is not measured")
    measured = [
        (collection, measure(collection, asked.resamples))
        for collection in collections(asked)
        if collection.name.startswith(asked.only)
    ]
    if measured:
        conclude(measured, asked.resamples)
    return 0 if measured else 1


def without_extra() -> bool:
    """Whether the word vectors of the extra are missing."""
    try:
        folder_of_vectors()
    except BadSettings:
        return True
    return False


if __name__ == "__main__":
    sys.exit(main())
