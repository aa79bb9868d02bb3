"""`kill -9` at 1,000 random moments of whole digs over one index: what was found afterwards.

    python bench/bench_kills.py [--kills 1000] [--seed N] [--smoke]

Exits 1 if anything was damaged, forgotten, half written, left over or not continued.
"""

import argparse
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.digging import make_ground
from tests.killing import TROUBLES, Counts, kill_many

# A store is checked from end to end, so it is not left to grow without end.
PER_STORE = 50


def main() -> None:
    """Print the sum of all rounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--smoke", action="store_true", help="ten kills, to see that it runs")
    asked = parser.parse_args()
    wanted = 10 if asked.smoke else asked.kills
    rounds: list[Counts] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ground = make_ground(folder)
        while (left := wanted - sum(counts.kills for counts in rounds)) > 0:
            number = len(rounds)
            state = folder / f"state-{number}"
            rounds.append(kill_many(ground, state, min(left, PER_STORE), asked.seed + number))
            print(f"{sum(counts.kills for counts in rounds)} kills", file=sys.stderr)
    sys.exit(report(asked.seed, rounds))


def report(seed: int, rounds: list[Counts]) -> int:
    """Print the counts; 1 if one of them is a trouble."""
    killed: Counter[str] = Counter()
    for counts in rounds:
        killed.update(counts.killed_while)
    print(f"seed {seed}")
    print(f"kills {sum(counts.kills for counts in rounds)}")
    print(f"after the end {sum(counts.came_too_late for counts in rounds)}")
    print("state found: " + ", ".join(f"{state} {n}" for state, n in sorted(killed.items())))
    troubles = 0
    for name in TROUBLES:
        found = [place for counts in rounds for place in getattr(counts, name)]
        troubles += len(found)
        print(f"{name.replace('_', ' ')} {len(found)}", *found[:5], sep="\n  ")
    return 1 if troubles else 0


if __name__ == "__main__":
    main()
