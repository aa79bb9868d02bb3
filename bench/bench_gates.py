"""How fast the gates read hostile text, and whether twice the text takes twice the time.

python -m bench.bench_gates [--smoke]: per function the slowest pieces, in ms for 128 KiB, and the
ratio to 64 KiB. A ratio well above 2 on an idle machine is a bug.
"""

import sys
import time
from collections.abc import Callable

from tests.hostile import PIECES
from tests.test_gates_linear import FUNCTIONS

SIZE = 65_536
SHOWN = 3


def measure(function: Callable[[str], object], text: str) -> float:
    """The processor time of one run, in seconds."""
    start = time.process_time()
    function(text)
    return time.process_time() - start


def main(size: int) -> None:
    """Print the slowest pieces of each function."""
    for name, function in FUNCTIONS.items():
        times: list[tuple[float, float, str]] = []
        for piece in PIECES:
            text = piece * (size // len(piece))
            once, twice = measure(function, text), measure(function, text + text)
            times.append((twice, twice / max(once, 1e-4), piece))
        for twice, ratio, piece in sorted(times, reverse=True)[:SHOWN]:
            print(f"{name:20} {twice * 1000:8.1f} ms  x{ratio:4.1f}  {piece!a}")


if __name__ == "__main__":
    main(SIZE // 16 if "--smoke" in sys.argv[1:] else SIZE)
