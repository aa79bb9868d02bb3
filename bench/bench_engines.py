"""The engines side by side on the same files in one run: Whoosh, tantivy, and SQLite FTS5.

Building is wall time from nothing to searchable, the reading of the files included; FTS5 has one
process for it. An engine's own part is CPU time. Queries are CPU milliseconds, the median and the
worst. Each engine has a process of its own, which says what it took at its peak; a build says it
of its largest process. Agreement is with Whoosh: how many of its ten best are found, and what
those found are worth by its scores.

    python bench/bench_engines.py [--files 1000 10000] [--queries 20]
    python bench/bench_engines.py --smoke
"""

import argparse
import json
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench_index import Words, make_base, milliseconds

from index.corpus import load
from index.engine import Entry, maker
from index.generation import open_current
from index.rebuild import rebuild
from index.records import BaseSettings, Row
from index.weights import DIGEST, TITLE

ENGINES = ("whoosh", "tantivy", "fts5")
TOP = 10
Queries = Mapping[str, Sequence[Sequence[str]]]


def queries(files: int, count: int) -> dict[str, list[list[str]]]:
    """Words to ask for: rarer ones as an agent suggests them, common ones as a person types."""
    words = Words(files)
    common = [words.draw(12) for _ in range(count)]
    return {
        "one word": [[each[0]] for each in common],
        "any of 12": [words.chance.choices(words.vocabulary[50:5_000], k=12) for _ in range(count)],
        "any of 12 common": common,
        "phrase": [each[:2] for each in common],
    }


class Fts5:
    """The same texts in SQLite's own full-text index."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "fts5.db"
        self.database = sqlite3.connect(self.path)

    def build(self, base: BaseSettings) -> None:
        columns = "path UNINDEXED, title, summary, keypoints, tags, body"
        self.database.execute(
            f"CREATE VIRTUAL TABLE found USING fts5({columns}, tokenize='porter unicode61')"
        )
        self.writing = written(base, self._put, self.database.commit)

    def _put(self, entry: Entry) -> None:
        lists = (entry.summaries, entry.keypoints, entry.tags)
        texts = ("\n".join(each) for each in lists)
        values = (entry.path, entry.title, *texts, entry.body)
        self.database.execute("INSERT INTO found VALUES (?, ?, ?, ?, ?, ?)", values)

    def search(self, words: Sequence[str], *, phrase: bool, limit: int = TOP) -> list[str]:
        asked_for = f'"{" ".join(words)}"' if phrase else " OR ".join(f'"{w}"' for w in words)
        rank = f"bm25(found, 0, {TITLE}, {DIGEST}, {DIGEST}, {DIGEST}, 1)"
        found = self.database.execute(
            f"SELECT path FROM found WHERE found MATCH ? ORDER BY {rank}, path LIMIT ?",
            (asked_for, limit),
        )
        return [path for (path,) in found]


def written(
    base: BaseSettings, put: Callable[[Entry], object], commit: Callable[[], object]
) -> float:
    """CPU seconds of what an engine itself does with the files of a base, read by one process."""
    spent = 0.0

    def take(_: Row, entry: Entry) -> None:
        nonlocal spent
        spent += milliseconds(lambda: put(entry)) / 1000

    load(base, None, None, take)
    return spent + milliseconds(commit) / 1000


def measure(engine: str, base: BaseSettings, state: Path, asked_for: Queries) -> dict[str, Any]:
    """All figures of one engine, in this process and those that it starts."""
    start = time.perf_counter()
    if engine == "fts5":
        folder = state / "fts5"
        folder.mkdir(parents=True)
        fts5 = Fts5(folder)
        fts5.build(base)
        built = time.perf_counter() - start
        peak = _own_peak()
        times = {
            name: _timed(lambda words, n=name: fts5.search(words, phrase=n == "phrase"), each)
            for name, each in asked_for.items()
        }
        found: dict[str, Any] = {"times": times, "open": 0.0, "writing": fts5.writing}
    else:
        folder = state / engine
        settings = replace(base, engine=engine)  # type: ignore[arg-type]
        rebuild(settings, folder)
        built = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        found = _asked(settings, folder, asked_for)
    searching = _own_peak()
    if engine != "fts5":
        found["writing"] = _writing(engine, base, state)
    disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {
        **found,
        "build": built,
        "peak": peak,
        "searching": searching,
        "disk": disk / 1e6,
    }


def _own_peak() -> float:
    """Most memory of this process, in MB; `getrusage` would count that of whoever started it."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line) / 1024


def _writing(engine: str, base: BaseSettings, state: Path) -> float:
    folder = state / f"{engine}-alone"
    folder.mkdir()
    writer = maker(engine).write(folder)
    return written(base, writer.put, writer.commit)


def _asked(settings: BaseSettings, home: Path, asked_for: Queries) -> dict[str, Any]:
    start = time.perf_counter()
    generation = open_current(home, settings)
    assert generation is not None
    opened = (time.perf_counter() - start) * 1000
    with closing(generation):

        def ask(words: Sequence[str], name: str) -> list[str]:
            text = " ".join(words)
            query = f'"{text}"' if name == "phrase" else text
            return [hit.path for hit in generation.search(query, TOP)]

        times = {
            name: _timed(lambda words, n=name: ask(words, n), each)
            for name, each in asked_for.items()
        }
        twelve = asked_for["any of 12"]
        times["12 candidates"] = _timed(generation.scores, twelve)
        best = {name: [ask(words, name) for words in each] for name, each in asked_for.items()}
        worth: dict[str, Any] = {}
        if settings.engine == "whoosh":
            worth = {
                name: [generation.scores(words) for words in each]
                for name, each in asked_for.items()
            }
        held = statistics.mean(len(generation.scores(words)) for words in twelve)
    return {"times": times, "open": opened, "best": best, "worth": worth, "candidates": held}


def _timed(ask: Callable[[Sequence[str]], object], asked_for: Sequence[Sequence[str]]) -> Any:
    # Stems are remembered, and so is what a file system has read.
    ask(asked_for[0])
    return [milliseconds(lambda words=words: ask(words)) for words in asked_for]


def report(found: Mapping[str, dict[str, Any]], reading: float, files: int) -> list[str]:
    """The figures as a table, with ratios to Whoosh."""
    whoosh = found["whoosh"]
    lines = [
        f"{files} files; one process reads them in {reading:.1f} s",
        f"  {'':<24}{_row(ENGINES)}",
    ]

    def row(name: str, value: Callable[[dict[str, Any]], float | None], unit: str) -> None:
        cells = []
        for engine in ENGINES:
            mine, base = value(found[engine]), value(whoosh)
            shown = "-" if mine is None or base is None else f"{mine:.1f} ({mine / base:.2f}x)"
            cells.append(shown)
        lines.append(f"  {name + ', ' + unit:<24}{_row(cells)}")

    row("build", lambda one: one["build"], "s")
    row("its own part, CPU", lambda one: one["writing"], "s")
    row("build, peak", lambda one: one["peak"], "MB")
    row("on the disk", lambda one: one["disk"], "MB")
    row("searching, peak", lambda one: one["searching"], "MB")
    row("open", lambda one: one["open"] or None, "ms")
    for name in whoosh["times"]:
        row(name, lambda one, n=name: _median(one["times"].get(n)), "ms")
        row("  worst", lambda one, n=name: max(one["times"].get(n) or [0.0]) or None, "ms")
    lines.append(f"  12 candidates are {whoosh['candidates']:.0f} files on average")
    for name, best in whoosh["best"].items():
        pairs = list(zip(best, found["tantivy"]["best"][name], whoosh["worth"][name], strict=True))
        lines.append(f"  agreement of tantivy, {name:<18}{_agreement(pairs)}")
    return lines


def _agreement(pairs: Sequence[tuple[list[str], list[str], dict[str, float]]]) -> str:
    asked_for = [(ours, theirs, scores) for ours, theirs, scores in pairs if ours]
    if not asked_for:
        return "nothing found"
    shared = statistics.mean(len({*ours} & {*theirs}) / len(ours) for ours, theirs, _ in asked_for)
    worth = statistics.mean(
        sum(scores.get(path, 0.0) for path in theirs) / sum(scores[path] for path in ours)
        for ours, theirs, scores in asked_for
    )
    return f"{shared:.3f} of the ten best, worth {worth:.4f} of theirs"


def _median(times: Sequence[float] | None) -> float | None:
    return statistics.median(times) if times else None


def _row(cells: Sequence[str]) -> str:
    return "".join(f"{cell:>18}" for cell in cells)


def compare(folder: Path, files: int, count: int) -> list[str]:
    base = make_base(folder / "notes", files, Words(seed=files))
    start = time.perf_counter()
    load(base)
    reading = time.perf_counter() - start
    found = {
        engine: json.loads(
            subprocess.run(
                [sys.executable, __file__, "--one", engine, str(folder), str(files), str(count)],
                check=True,
                stdout=subprocess.PIPE,
            ).stdout
        )
        for engine in ENGINES
    }
    return report(found, reading, files)


def main() -> None:
    plain = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--files", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--smoke", action="store_true", help="a few seconds, to see that it runs")
    given = parser.parse_args()
    if given.one:
        engine, folder, files, count = given.one
        base = BaseSettings("bench", str(Path(folder) / "notes"))
        words = queries(int(files), int(count))
        json.dump(measure(engine, base, Path(folder) / "state", words), sys.stdout)
        return
    if given.smoke:
        given.files, given.queries = [50], 3
    for files in given.files:
        with tempfile.TemporaryDirectory() as made:
            print("\n".join(compare(Path(made), files, given.queries)), flush=True)


if __name__ == "__main__":
    main()
