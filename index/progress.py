"""How far a build is: a small file beside the index, for whoever waits, in any process."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Literal

PROGRESS = "progress"
# The count of files that a first, partial generation leaves to the next.
PENDING = "pending"
Phase = Literal["waiting", "reading", "writing"]

# A person sees no more than this, and an agent asks far less often.
_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Progress:
    """What a build does, and how many files of how many it has read."""

    phase: Phase
    done: int = 0
    total: int = 0


class ProgressFile:
    """Keeps the file up to date while a build runs; `waiting` is no progress and is not told."""

    def __init__(self, home: Path) -> None:
        self._path = home / PROGRESS
        self._beside = home / f"{PROGRESS}.{os.getpid()}.new"
        self._told = 0.0

    def tell(self, phase: Phase, done: int, total: int) -> None:
        """Write it down, but not too often."""
        now = monotonic()
        if phase == "waiting" or (phase == "reading" and now - self._told < _SECONDS):
            return
        self._told = now
        self._beside.write_text(json.dumps(asdict(Progress(phase, done, total))))
        self._beside.replace(self._path)

    def end(self) -> None:
        """Nothing is being built any more."""
        self._path.unlink(missing_ok=True)


def read_progress(home: Path) -> Progress | None:
    """What the last build wrote down; None if none runs, unless one was killed."""
    try:
        record = json.loads((home / PROGRESS).read_text())
        return Progress(record["phase"], int(record["done"]), int(record["total"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
