"""The work of a helper that writes segments: documents come, at last the finished segments go."""

from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from index.whoosh_segment import SegmentMaker, opened
from index.whoosh_writer import SEGMENT, tokenized


def work(line: "Connection[Any, Any]") -> None:
    """Answer documents by how many they were, and None by the segments that hold them."""
    index = opened(Path(line.recv()))
    making = SegmentMaker(index, locked=False)
    segments: list[Any] = []
    while (documents := line.recv()) is not None:
        for entry in documents:
            making.take(tokenized(entry))
        if making.size > SEGMENT:
            segments.append(making.finished())
            making = SegmentMaker(index, locked=False)
        line.send(len(documents))
    if making.size:
        segments.append(making.finished())
    line.send(segments)
