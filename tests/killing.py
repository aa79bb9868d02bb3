"""Kill a process at a random moment of a whole dig, time and again, and count what is left.

    python -m tests.killing BASE INDEX STATE KILLS SEED

A process that has done nothing but import starts each dig as a child of its own. Every child says
how many events its dig has as soon as it was told so itself: what was said must be there after.
"""

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NoReturn

from index.faults import StorageTrouble
from server.brief import BriefTrouble
from server.brief_text import read_brief
from server.config import Settings
from server.dig import Digs
from server.fold import fold
from server.store import Run, Store
from tests.digging import (
    Ground,
    advance,
    briefs,
    decide,
    digs_of,
    open_dig,
)
from tests.digging_base import TITLE

Say = Callable[[int], None]
# The lists of `Counts` that must stay empty.
TROUBLES = ("damaged", "forgotten", "half_briefs", "not_continued", "not_one_brief", "strays")


@dataclass
class Counts:
    """What became of the kills; each list of troubles should be empty."""

    seed: int
    kills: int = 0
    came_too_late: int = 0
    killed_while: dict[str, int] = field(default_factory=dict[str, int])
    damaged: list[str] = field(default_factory=list[str])
    forgotten: list[str] = field(default_factory=list[str])
    half_briefs: list[str] = field(default_factory=list[str])
    not_continued: list[str] = field(default_factory=list[str])
    not_one_brief: list[str] = field(default_factory=list[str])
    strays: list[str] = field(default_factory=list[str])


class Child:
    """A process of its own that takes the dig of a title to its brief, and tells how far it is."""

    def __init__(self, settings: Settings, title: str) -> None:
        reads, writes = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(reads)
            _live(settings, title, writes)
        os.close(writes)
        self._pipe = os.fdopen(reads, "rb")
        self.said: list[int] = []

    def hear(self, times: int) -> None:
        """Wait until it spoke so often, or ended."""
        while len(self.said) < times and (line := self._pipe.readline()):
            self.said.append(int(line))

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Wait for its end; 0 if it was a good one."""
        self.hear(sys.maxsize)
        self._pipe.close()
        return os.waitpid(self.pid, 0)[1]


class Killer:
    """Digs in one state directory, each killed once or twice and then brought to its brief."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.store = Store(settings.state)
        self.counts = Counts(seed)
        self.chance = random.Random(seed)
        # How often a child speaks in a whole dig, and how long it is silent in between.
        self.often, self.pause = self._paced()

    def round(self, number: int) -> None:
        """One dig: killed, looked at, perhaps killed again, continued, looked at."""
        title = f"{TITLE} {number}"
        self._killed(title, self.chance.randint(1, self.often))
        if self.chance.random() < 1 / 3:
            self._killed(title, self.chance.randint(1, 3))
        status = Child(self.settings, title).end()
        run = self._run(title)
        if status or run is None or run.state != "briefed":
            self.counts.not_continued.append(f"{title}: {run and run.state}")
            return
        self._look_at_brief(run)

    def finish(self) -> Counts:
        """The counts, the store checked from end to end."""
        self.counts.damaged += self.store.check()
        digs = [run for run in self.store.runs("dig") if run.state == "briefed"]
        if len(briefs(self.settings)) != len(digs):
            self.counts.not_one_brief.append(f"{len(digs)} digs, {briefs(self.settings)}")
        return self.counts

    def _killed(self, title: str, after: int) -> None:
        """Kill a dig somewhere between one word and the next, and look at what is there."""
        child = Child(self.settings, title)
        child.hear(after)
        time.sleep(self.chance.uniform(0, 1.5 * self.pause))
        child.kill()
        status, said = child.end(), child.said
        self.counts.kills += 1
        self.counts.came_too_late += status == 0
        run = self._run(title)
        was = run.state if run else "nothing"
        self.counts.killed_while[was] = self.counts.killed_while.get(was, 0) + (status != 0)
        if run is None:
            if len(said) > 1:
                self.counts.forgotten.append(f"{title}: no dig after {said}")
            return
        try:
            fold(*self.store.load(run.run))
        except StorageTrouble as trouble:
            self.counts.damaged.append(f"{title}: {trouble}")
        if run.seq < max(said, default=0):
            self.counts.forgotten.append(f"{title}: {run.seq} of {said}")
        self._look_at_files()

    def _look_at_files(self) -> None:
        """Whatever has the name of a brief is a whole one."""
        for name in briefs(self.settings):
            if name.endswith(".md"):
                try:
                    read_brief((self.settings.briefs / name).read_text("utf-8"))
                except BriefTrouble as trouble:
                    self.counts.half_briefs.append(f"{name}: {trouble}")

    def _look_at_brief(self, run: Run) -> None:
        found = briefs(self.settings)
        self.counts.strays += [name for name in found if not name.endswith(".md")]
        texts = [(self.settings.briefs / name).read_text("utf-8") for name in found]
        of_dig = [text for text in texts if run.run in text]
        state = fold(*self.store.load(run.run))
        written = state.brief is not None and Path(state.brief.path).is_file()
        if len(of_dig) != 1 or not written:
            self.counts.not_one_brief.append(f"{run.title}: {len(of_dig)} files, {state.brief}")

    def _run(self, title: str) -> Run | None:
        runs = [run for run in self.store.runs("dig") if run.title == title]
        if len(runs) > 1:
            self.counts.damaged.append(f"{title}: opened {len(runs)} times")
        return runs[0] if runs else None

    def _paced(self) -> tuple[int, float]:
        child = Child(self.settings, f"{TITLE} paced")
        child.hear(1)
        begun = time.monotonic()
        child.end()
        return len(child.said), (time.monotonic() - begun) / len(child.said)


def _live(settings: Settings, title: str, pipe: int) -> NoReturn:
    """The whole life of a child; its first word is that it is ready."""

    def say(seq: int) -> None:
        os.write(pipe, b"%d\n" % seq)

    try:
        digs = digs_of(settings)
        digs.library.facts(settings.bases[0])
        say(0)
        dig_to_the_end(digs, title, say)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def dig_to_the_end(digs: Digs, title: str, say: Say) -> None:
    """From nothing, or from wherever a dig of this title stands, to its brief."""
    known = [run.run for run in digs.store.runs("dig") if run.title == title]
    name = known[0] if known else open_dig(digs, title=title)
    while (state := digs.load(name)).state != "briefed":
        say(state.seq)
        if state.state == "reported":
            decide(digs, name)
        else:
            advance(digs, name)
    say(state.seq)


def kill_many(ground: Ground, state: Path, kills: int, seed: int) -> Counts:
    """Kill at least so many times."""
    killer = Killer(ground.at(state), seed)
    number = 0
    while killer.counts.kills < kills:
        killer.round(number)
        number += 1
    return killer.finish()


def main(base: str, index: str, state: str, kills: str, seed: str) -> None:
    """Print the counts as JSON."""
    ground = Ground(Path(base), Path(index))
    print(json.dumps(asdict(kill_many(ground, Path(state), int(kills), int(seed)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
