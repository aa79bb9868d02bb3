"""Where the lines of a file begin and end: only LF, CR LF and CR end a line, offsets are bytes."""

import re
from bisect import bisect_right
from dataclasses import dataclass

_ENDING = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one file, numbered from 1; `ends` leave out the line endings.

    A file that ends with a line ending has no further empty line; an empty file has no line.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self.starts)

    def start(self, number: int) -> int:
        """The byte where a line starts."""
        return self.starts[number - 1]

    def end(self, number: int) -> int:
        """The byte after a line's last, its ending left out."""
        return self.ends[number - 1]

    def number_at(self, offset: int) -> int:
        """The number of the line that holds a byte; the last line's for the end of the file."""
        return max(1, bisect_right(self.starts, offset))


def read_lines(content: bytes) -> Lines:
    """Find every line of a file in one pass."""
    starts = [0]
    ends: list[int] = []
    for ending in _ENDING.finditer(content):
        ends.append(ending.start())
        starts.append(ending.end())
    ends.append(len(content))
    if starts[-1] == len(content):
        starts.pop()
        ends.pop()
    return Lines(tuple(starts), tuple(ends))
