"""Batches asked about before their turn: several at once, their answers taken in order."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from server.judge import Judge, Metered, ScoresRequest


class Ahead:
    """A judge that is asked about so many batches at once as it allows.

    Closed before all answers were taken, it stops what is still being asked.
    """

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._at_once = judge.at_once if isinstance(judge, Metered) else 1
        self._threads = ThreadPoolExecutor(self._at_once)
        self._asked: dict[int, tuple[ScoresRequest, Future[object]]] = {}

    def close(self) -> tuple[ScoresRequest, ...]:
        """Stop what is still being asked, and name what was asked and not taken."""
        if self._asked and isinstance(self.judge, Metered):
            self.judge.stop()
        self._threads.shutdown(cancel_futures=True)
        return tuple(request for request, _ in self._asked.values())

    def score_first(self, requests: Sequence[ScoresRequest]) -> object:
        """The answer about the first batch; those after it are asked about meanwhile."""
        if self._at_once == 1:
            return self.judge.score_batch(requests[0])
        for request in requests[: self._at_once]:
            if request.batch not in self._asked:
                asking = self._threads.submit(self.judge.score_batch, request)
                self._asked[request.batch] = (request, asking)
        _, first = self._asked[requests[0].batch]
        try:
            return first.result()
        finally:
            # taken, or refused: asked again, it is asked anew
            if first.done():
                del self._asked[requests[0].batch]
