"""Where the lines of a file begin and end: only LF, CR LF and CR end a line, offsets are bytes."""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

_ENDING = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one file, numbered from 1; ends leave out the line endings.

    A file that ends with a line ending has no further empty line; an empty file has no line.
    """

    starts: Sequence[int]
    ends: Sequence[int]

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self.starts)

    def start(self, number: int) -> int:
        """The byte where a line starts."""
        return self.starts[number - 1]

    def end(self, number: int) -> int:
        """The byte after a line's last, its ending left out."""
        return self.ends[number - 1]


def read_lines(content: bytes) -> Lines:
    """Find every line of a file in one pass."""
    starts = array("q", [0])
    ends = array("q")
    for ending in _ENDING.finditer(content):
        ends.append(ending.start())
        starts.append(ending.end())
    ends.append(len(content))
    if starts[-1] == len(content):
        starts.pop()
        ends.pop()
    return Lines(starts, ends)
