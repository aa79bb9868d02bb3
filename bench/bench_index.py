"""What an index costs: building, updating, opening, retrieving; as ratios where two things compare.

The bases are generated: words of a Zipf vocabulary, 4.5 kB a file, one new word in each. Times are
medians; builds run in their own process and are wall time, queries are CPU time of this process.

    python bench/bench_index.py [--files 1000 10000] [--rows 1000 10000 100000] [--queries 20]
    python bench/bench_index.py --smoke
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import accumulate
from pathlib import Path

from index.corpus import load
from index.generation import open_current
from index.rebuild import rebuild, update
from index.records import BaseSettings
from index.substring import RowTable
from index.text import fold

BODY = 4_500
SYLLABLES = [a + b + c for a in "bdfgklmnprstv" for b in "aeiou" for c in ("", "l", "n", "r", "st")]


class Words:
    """Draws words of a vocabulary in which the n-th word comes 1/n as often as the first."""

    def __init__(self, seed: int, size: int = 30_000) -> None:
        self.chance = random.Random(seed)
        self.vocabulary = ["".join(self.chance.choices(SYLLABLES, k=3)) for _ in range(size)]
        self.weights = list(accumulate(1 / rank for rank in range(1, size + 1)))

    def draw(self, count: int) -> list[str]:
        return self.chance.choices(self.vocabulary, cum_weights=self.weights, k=count)

    def rarer(self, count: int) -> list[str]:
        """Terms as an agent suggests them: no function words, every second cut out of a word."""
        words = self.chance.choices(self.vocabulary[200:8_000], k=count)
        return [word if at % 2 else word[1:-1] for at, word in enumerate(words)]


def note(words: Words, number: int) -> str:
    summary = f"{' '.join(words.draw(40))} new{number:x}"
    points = "".join(f"  - {' '.join(words.draw(8))}\n" for _ in range(3))
    head = f"---\nsummary: {summary}\nkeypoints:\n{points}tags: [{', '.join(words.draw(3))}]\n---\n"
    paragraphs: list[str] = []
    while sum(map(len, paragraphs)) < BODY:
        paragraphs.append(" ".join(words.draw(80)) + ".")
    return f"{head}# {' '.join(words.draw(4))}\n\n" + "\n\n".join(paragraphs) + "\n"


def make_base(root: Path, files: int, words: Words) -> BaseSettings:
    for number in range(files):
        place = root / f"{number % 100:02}" / f"{number:06}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(note(words, number), encoding="utf-8")
    return BaseSettings("bench", str(root))


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def spread(times: Sequence[float]) -> str:
    return f"{statistics.median(times):8.1f} ms (worst {max(times):.1f})"


def measure_files(folder: Path, files: int, queries: int) -> Iterator[str]:
    words = Words(seed=files)
    base = make_base(folder / f"notes-{files}", files, words)
    home = folder / "state" / f"bench-{files}"
    size = sum(path.stat().st_size for path in Path(base.root).rglob("*.md")) / 1e6
    reading = seconds(lambda: load(base))
    building = seconds(lambda: rebuild(base, home))
    yield f"{files} files, {size:.1f} MB"
    yield (
        f"  rebuild       {files / building:8.0f} files/s, {size / building:.2f} MB/s;"
        f" {building / reading:.1f} x reading alone"
    )
    disk = sum(path.stat().st_size for path in home.rglob("*") if path.is_file()) / 1e6
    yield f"  on the disk   {disk:8.1f} MB; {disk / size:.2f} x the files"
    for changed in (0, 1, min(100, files)):
        for path in sorted(Path(base.root).rglob("*.md"))[:changed]:
            path.write_text(note(words, 0), encoding="utf-8")
        taken = seconds(lambda: update(base, home))
        gain = building / taken
        yield f"  update of {changed:<4}{taken * 1000:8.0f} ms; {gain:.0f} x faster than a rebuild"
    yield from measure_queries(base, home, words, queries)


def measure_queries(base: BaseSettings, home: Path, words: Words, queries: int) -> Iterator[str]:
    start = time.perf_counter()
    opened = open_current(home, base)
    assert opened is not None
    with closing(opened) as generation:
        yield f"  open          {(time.perf_counter() - start) * 1000:8.0f} ms"
        terms = [words.rarer(12) for _ in range(queries)]
        common = [words.draw(3) for _ in range(queries)]
        generation.matches(terms[0])
        phrases = [f'"{one} {other}"' for one, other, _ in common]
        asked: list[tuple[str, list[Callable[[], object]]]] = [
            ("12 substrings", [lambda t=t: generation.matches(t) for t in terms]),
            ("12 terms BM25F", [lambda t=t: generation.scores(t) for t in terms]),
            ("search 1 word", [lambda t=t: generation.search(t[0], 10) for t in common]),
            ("search 3 words", [lambda t=t: generation.search(" ".join(t), 10) for t in common]),
            ("search phrase", [lambda p=p: generation.search(p, 10) for p in phrases]),
        ]
        for name, calls in asked:
            yield f"  {name:<14}{spread([milliseconds(call) for call in calls])}"


def measure_rows(rows: int, queries: int) -> Iterator[str]:
    from tests.rows_made import make_row

    words = Words(seed=rows)
    made = [
        make_row(
            f"{number}.md",
            summary=" ".join(words.draw(40)) + f" new{number:x}",
            keypoints=(" ".join(words.draw(12)),),
            tags=tuple(words.draw(3)),
        )
        for number in range(rows)
    ]
    table = RowTable(made)
    first = milliseconds(lambda: table.matches(["set up"]))
    terms = [words.rarer(12) for _ in range(queries)]
    fast = [milliseconds(lambda t=t: table.matches(t)) for t in terms]
    texts = [fold("\n".join((row.summary, *row.keypoints, *row.tags))) for row in made]

    def scan(asked: Sequence[str]) -> list[int]:
        folded = [fold(term) for term in asked]
        return [sum(term in text for term in folded) for text in texts]

    plain = [milliseconds(lambda t=t: scan(t)) for t in terms[: max(3, queries // 5)]]
    yield f"{rows} rows"
    yield f"  set up        {first:8.1f} ms, once"
    yield (
        f"  12 substrings {spread(fast)};"
        f" {statistics.median(plain) / statistics.median(fast):.1f} x faster than a scan"
    )


def main() -> None:
    plain = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--files", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("--smoke", action="store_true", help="a few seconds, to see that it runs")
    asked = parser.parse_args()
    if asked.smoke:
        asked.files, asked.rows, asked.queries = [50], [200], 3
    for rows in asked.rows:
        print("\n".join(measure_rows(rows, asked.queries)), flush=True)
    for files in asked.files:
        with tempfile.TemporaryDirectory() as folder:
            print("\n".join(measure_files(Path(folder), files, asked.queries)), flush=True)


if __name__ == "__main__":
    main()
