"""What it takes to make a base searchable, beside other ways to do it: the same files, one run.

Beside: this program on one core; Whoosh as it comes (its own stemming, one process, files read as
plain text, nothing understood of them); SQLite FTS5 (porter stems, likewise). Wall time, and the
time of all processors together: on a busy machine only the latter compares.

    python bench/bench_build.py [--files 10000] [--base FOLDER]
    python bench/bench_build.py --smoke
"""

import argparse
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bench_index import Words, make_base, note
from whoosh import fields, index
from whoosh.analysis import StemmingAnalyzer

from index.generation import open_current
from index.rebuild import Build, start_build, update
from index.records import BaseSettings

_POLL = 0.05


def plain_whoosh(base: BaseSettings, folder: Path) -> None:
    """The index that the tutorial makes."""
    folder.mkdir()
    schema = fields.Schema(path=fields.ID(stored=True), body=fields.TEXT(StemmingAnalyzer()))
    writer = index.create_in(str(folder), schema).writer(limitmb=256)
    for path in files(base):
        writer.add_document(path=str(path), body=path.read_text(encoding="utf-8"))
    writer.commit()


def fts5(base: BaseSettings, folder: Path) -> None:
    """A full-text table of the standard library."""
    with closing(sqlite3.connect(folder)) as database:
        database.execute("CREATE VIRTUAL TABLE notes USING fts5(path, body, tokenize=porter)")
        texts = ((str(path), path.read_text(encoding="utf-8")) for path in files(base))
        database.executemany("INSERT INTO notes VALUES (?, ?)", texts)
        database.commit()


def files(base: BaseSettings) -> Iterator[Path]:
    return (path for path in sorted(Path(base.root).rglob("*.md")) if path.is_file())


def family(pid: int) -> Iterator[int]:
    """A process and all that it started."""
    yield pid
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in thread.read_text().split():
            yield from family(int(child))


def memory(pid: int) -> float:
    """MB that a process and those it started take, what they share counted once."""
    total = 0
    for each in list(family(pid)):
        try:
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


class Watched:
    """A build, how long it took, when it first could be asked, and the most memory it took."""

    def __init__(self, build: Build, base: BaseSettings, home: Path) -> None:
        self.began = time.perf_counter()
        self.peak = 0.0
        self.first: float | None = None
        self.first_rows = 0
        while not build.wait(_POLL):
            self.peak = max(self.peak, memory(build.pid))
            if self.first is None and (home / "CURRENT").exists():
                self._ask(base, home)
        self.seconds = time.perf_counter() - self.began
        self.outcome = build.result()

    def _ask(self, base: BaseSettings, home: Path) -> None:
        opened = open_current(home, base)
        if opened is not None:
            with closing(opened):
                self.first, self.first_rows = time.perf_counter() - self.began, len(opened.rows)


@contextmanager
def one_core() -> Generator[None]:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def processors() -> float:
    """Seconds of all processors, of this process and of those that it waited for."""
    return sum(os.times()[:4])


def built(base: BaseSettings, state: Path) -> Watched:
    state.mkdir(mode=0o700)
    home = state / "notes"
    return Watched(start_build(base, home, "update"), base, home)


def measure(base: BaseSettings, folder: Path) -> Iterator[str]:
    took: dict[str, tuple[float, float]] = {}
    results: list[Watched] = []

    def run(name: str, work: Callable[[], object]) -> None:
        before = processors()
        seconds = timed(work)
        took[name] = seconds, processors() - before

    run("ours, all cores", lambda: results.append(built(base, folder / "ours")))
    with one_core():
        run("ours, one core", lambda: results.append(built(base, folder / "alone")))
    run("plain Whoosh", lambda: plain_whoosh(base, folder / "whoosh"))
    run("SQLite FTS5", lambda: fts5(base, folder / "fts5.db"))
    ours, alone = results
    count, size = ours.outcome.documents, sum(path.stat().st_size for path in files(base)) / 1e6
    yield f"{count} files, {size:.1f} MB; {len(os.sched_getaffinity(0))} cores, load {load()}"
    for name, (seconds, cpu) in took.items():
        gain = seconds / ours.seconds
        yield f"  {name:<16}{seconds:8.2f} s, {cpu:7.2f} s of processors; {gain:.2f} x of ours"
    first = f"{ours.first:.2f} s: {ours.first_rows} of {count}" if ours.first else "with the last"
    yield f"  first answers   {first}"
    yield f"  peak memory     {ours.peak:.0f} MB with helpers, {alone.peak:.0f} MB alone"
    yield from changes(base, folder / "ours" / "notes")


def changes(base: BaseSettings, home: Path) -> Iterator[str]:
    """What a change of one file takes, to be taken in and to be seen unasked."""
    path = next(files(base))
    words = Words(seed=1)
    took = []
    for _ in range(3):
        path.write_text(note(words, 0), encoding="utf-8")
        took.append(timed(lambda: update(base, home)))
    yield f"  update of one   {min(took):.2f} s at best of {len(took)}, {max(took):.2f} s at worst"
    seen = [seen_unasked(base, home, path, number) for number in range(3)]
    yield f"  seen unasked    after {min(seen):.2f} s at best, {max(seen):.2f} s at worst"


def seen_unasked(base: BaseSettings, home: Path, path: Path, number: int) -> float:
    """From a write to the generation that holds it, by what `index watch` does."""
    from index.watching import notices

    stop, stands = threading.Event(), threading.Event()

    def follow() -> None:
        for _ in notices(base, stop):
            update(base, home)
            stands.set()

    keeper = threading.Thread(target=follow)
    keeper.start()
    stands.wait()
    before = (home / "CURRENT").read_text()
    began = time.perf_counter()
    path.write_text(f"# Seen\n\nquagga{number} at {began}\n", encoding="utf-8")
    while (home / "CURRENT").read_text() == before:
        time.sleep(0.005)
    took = time.perf_counter() - began
    stop.set()
    keeper.join()
    return took


def load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def main() -> None:
    plain = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--base", type=Path, help="a folder of notes; it is copied, never written")
    parser.add_argument("--smoke", action="store_true", help="a few seconds, to see that it runs")
    asked = parser.parse_args()
    count = 50 if asked.smoke else asked.files
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        root = folder / "files"
        if asked.base:
            copy(asked.base, root)
            base = BaseSettings("notes", str(root))
        else:
            base = make_base(root, count, Words(seed=count))
        for line in measure(base, folder):
            print(line, flush=True)


def copy(base: Path, root: Path) -> None:
    for path in base.rglob("*.md"):
        place = root / path.relative_to(base)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())


if __name__ == "__main__":
    main()
