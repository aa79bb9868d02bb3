"""Helper processes that write segments of one index at the same time."""

import pickle
from collections.abc import Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from index.crew import SECONDS, Helper, HelperLost
from index.engine import Entry

# What each helper does.
WORK = "index.whoosh_hand"


class Press:
    """Deals documents out to helpers; HelperLost if any of them may not have written its own."""

    def __init__(self, folder: Path, count: int) -> None:
        self._helpers: list[Helper] = []
        self._counts: dict[int, int] = {}
        try:
            for _ in range(count):
                self._helpers.append(Helper(WORK, str(folder)))
        except OSError as trouble:
            self.close()
            raise HelperLost("no process can be started") from trouble

    def take(self, entries: Sequence[Entry]) -> None:
        """Let whoever is free write these."""
        message = pickle.dumps(list(entries), pickle.HIGHEST_PROTOCOL)
        while not (free := [each for each in self._helpers if each.has_room(len(message))]):
            self._hear()
        number = len(self._counts)
        self._counts[number] = len(entries)
        min(free, key=lambda each: len(each.given)).give(number, message)

    def segments(self) -> list[Any]:
        """All segments, finished, with every document that was given; nobody works afterwards."""
        while any(helper.given for helper in self._helpers):
            self._hear()
        for helper in self._helpers:
            helper.give(-1, pickle.dumps(None))
        found: list[Any] = [each for helper in self._helpers for each in helper.answer()[1]]
        written = sum(segment.doc_count_all() for segment in found)
        if written != sum(self._counts.values()):
            raise HelperLost(f"{written} documents were written")
        self.close()
        return found

    def close(self) -> None:
        """End all of them."""
        while self._helpers:
            self._helpers.pop().stop()

    def _hear(self) -> None:
        busy = {helper.line: helper for helper in self._helpers if helper.given}
        spoken = wait(list(busy), SECONDS)
        if not spoken:
            raise HelperLost("all are silent")
        for line in spoken:
            number, count = busy[line].answer()  # type: ignore[index]
            if count != self._counts[number]:
                raise HelperLost(f"{count} of {self._counts[number]} documents were taken")
