"""A storm of edits while clients search: is a stale hit ever served as fresh, is a file ever lost?

Files are created, edited, renamed and deleted at random, while clients look for the word that only
one version of one file holds. Bases are generated; times are wall time on whatever machine this is.

    python bench/bench_storm.py [--edits 1000] [--clients 4] [--pause 0.03]
    python bench/bench_storm.py --smoke
"""

import argparse
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from index.generation import open_current
from index.rebuild import rebuild
from server.config import Overrides, Settings, load_settings
from server.dig import Digs
from server.folders import make_private
from server.library import Facts, Library
from server.looking import search_base
from server.replies import Found
from server.watch import watched

QUIET_SECONDS = 60.0
STALE = "STALE SERVED AS FRESH"


def word(number: int) -> str:
    """A word that occurs in one version of one file; no stem cuts it."""
    return f"v{number}q"


def text(number: int) -> str:
    return f"# Note {number}\n\nThe harbour keeps {word(number)} and salt.\n"


@dataclass
class Truth:
    """What the files hold now: path to version, changed together with the files."""

    root: Path
    chance: random.Random
    held: dict[str, int] = field(default_factory=dict[str, int])
    since: dict[str, float] = field(default_factory=dict[str, float])
    lock: threading.Lock = field(default_factory=threading.Lock)
    made: int = 0

    def create(self) -> None:
        self.write(f"{self.chance.randrange(20):02}/n{self.made}.md")

    def edit(self) -> None:
        self.write(self.chance.choice(list(self.held)))

    def write(self, path: str) -> None:
        self.made += 1
        place = self.root / path
        place.parent.mkdir(exist_ok=True)
        beside = place.with_suffix(".new")
        beside.write_text(text(self.made), encoding="utf-8")
        with self.lock:
            beside.replace(place)
            self.held[path] = self.made
            self.since[path] = time.monotonic()

    def rename(self) -> None:
        self.made += 1
        old, new = self.chance.choice(list(self.held)), f"renamed/r{self.made}.md"
        (self.root / "renamed").mkdir(exist_ok=True)
        with self.lock:
            (self.root / old).rename(self.root / new)
            self.held[new] = self.held.pop(old)
            self.since[new] = time.monotonic()

    def delete(self) -> None:
        path = self.chance.choice(list(self.held))
        with self.lock:
            (self.root / path).unlink()
            del self.held[path]

    def one(self) -> tuple[str, int, float]:
        """A file, its version, and for how long it has had it."""
        with self.lock:
            path = self.chance.choice(list(self.held))
            return path, self.held[path], time.monotonic() - self.since[path]

    def version(self, path: str) -> int | None:
        with self.lock:
            return self.held.get(path)


@dataclass
class Seen:
    """What the clients saw, counted; and after how long a change was surely found."""

    counts: Counter[str] = field(default_factory=Counter[str])
    late: list[float] = field(default_factory=list[float])
    took: list[float] = field(default_factory=list[float])


def ask(digs: Digs, truth: Truth, seen: Seen) -> None:
    """Look for one version of one file, and compare the answer with the truth around it."""
    path, version, age = truth.one()
    began = time.monotonic()
    answer = search_base(digs, word(version), None, None)
    seen.took.append(time.monotonic() - began)
    assert isinstance(answer, Found), answer.text
    stable = truth.version(path) == version
    hits = [hit.file for hit in answer.hits]
    seen.counts["answers"] += 1
    seen.counts["flagged"] += bool(answer.flags)
    if not stable:
        seen.counts["changed meanwhile"] += 1
    elif path in hits:
        seen.counts["found"] += 1
    else:
        seen.counts["missed, flagged" if answer.flags else "missed, not flagged"] += 1
        if not answer.flags:
            seen.late.append(age)
    wrong = [hit for hit in hits if hit != path or not stable]
    if wrong and not answer.flags and any(truth.version(hit) != version for hit in wrong):
        # what was shown as fresh is neither what was nor what is
        seen.counts["changed meanwhile" if not stable else STALE] += 1


def client(digs: Digs, truth: Truth, seen: Seen, stop: threading.Event) -> None:
    while not stop.is_set():
        ask(digs, truth, seen)


def storm(settings: Settings, edits: int, clients: int, pause: float) -> Iterator[str]:
    truth = Truth(Path(settings.bases[0].root), random.Random(1))
    for _ in range(edits):
        truth.create()
    digs = Digs(Library(settings))
    digs.library.facts(settings.bases[0])
    seen = Seen()
    with watched(digs.library, starts_after=0.0):
        with asking(digs, truth, seen, clients):
            for _ in range(edits):
                truth.chance.choice((truth.create, truth.edit, truth.rename, truth.delete))()
                time.sleep(pause)
        began = time.monotonic()
        facts = at_rest(digs.library, truth)
        rest = time.monotonic() - began
    lost = [path for path, version in truth.held.items() if not holds(facts, path, version)]
    yield f"{edits} edits, {clients} clients, {len(truth.held)} files at the end"
    yield f"  answers          {dict(sorted(seen.counts.items()))}"
    took = sorted(seen.took)
    yield f"  an answer took   p50 {took[len(took) // 2]:.3f} s, worst {took[-1]:.3f} s"
    yield f"  unflagged misses of files at most {max(seen.late, default=0.0):.2f} s old"
    yield f"  at rest after    {rest:.2f} s; {facts.generation}"
    yield f"  lost at the end  {len(lost)}"
    assert not lost
    assert not seen.counts[STALE]
    assert as_rebuilt(settings, facts.scores(["harbour", "salt"])), "an update is no rebuild"
    yield "  an index from nothing ranks the same"


@contextmanager
def asking(digs: Digs, truth: Truth, seen: Seen, clients: int) -> Generator[None]:
    """Clients that ask without a pause while the block runs; their failures are failures."""
    stop = threading.Event()
    with ThreadPoolExecutor(clients) as threads:
        futures = [threads.submit(client, digs, truth, seen, stop) for _ in range(clients)]
        try:
            yield
        finally:
            stop.set()
    for future in futures:
        future.result()


def at_rest(library: Library, truth: Truth) -> Facts:
    """The index once it knows all that was done."""
    end = time.monotonic() + QUIET_SECONDS
    while True:
        facts = library.facts(library.settings.bases[0])
        if not facts.flags and set(facts.by_path) == set(truth.held):
            return facts
        assert time.monotonic() < end, "the index never comes to rest"
        time.sleep(0.05)


def holds(facts: Facts, path: str, version: int) -> bool:
    return path in {hit.path for hit in facts.search(word(version), 5)}


def as_rebuilt(settings: Settings, scores: Mapping[str, float]) -> bool:
    """Whether an index from nothing scores the same files the same."""
    base = settings.bases[0]
    with tempfile.TemporaryDirectory() as state:
        home = Path(state) / "state" / "again"
        rebuild(base, home)
        opened = open_current(home, base)
        assert opened is not None
        with closing(opened):
            return opened.scores(["harbour", "salt"]) == scores


def main() -> None:
    plain = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--edits", type=int, default=1_000)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--pause", type=float, default=0.03)
    parser.add_argument("--smoke", action="store_true", help="a few seconds, to see that it runs")
    asked = parser.parse_args()
    if asked.smoke:
        asked.edits, asked.clients = 40, 2
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "notes"
        root.mkdir()
        settings = load_settings(Overrides(kb=(root,), state=Path(folder) / "state"), {})
        make_private(settings.state)
        for line in storm(settings, asked.edits, asked.clients, asked.pause):
            print(line, flush=True)


if __name__ == "__main__":
    main()
