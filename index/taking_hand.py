"""The work of a helper that reads files: batches of tasks come, lists of what was taken go."""

from multiprocessing.connection import Connection

from index.paths import BaseFolder
from index.taking import Taken, Taker, Task


def work(line: "Connection[list[Taken], Taker]") -> None:
    """Answer each batch in its order until nobody asks any more."""
    taker: Taker = line.recv()
    with BaseFolder.open(taker.settings.root) as folder:
        while True:
            batch: list[Task] = line.recv()  # type: ignore[assignment]
            line.send([taker.take(folder, task) for task in batch])
