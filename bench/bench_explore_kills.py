"""Kill the orchestrated loop at random points, time and again, and count what is wrong after.

    python bench/bench_explore_kills.py [--kills 60] [--seed N]

Each run is parked, sent back, approved and killed before or after a random append, until it ends.
"""

import argparse
import logging
import random
import secrets
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.exploring import settings_at
from tests.exploring_killed import budgets, faults, go_on, is_over, killed_after, whole


def main() -> None:
    """One line of counts; what is wrong is told by run and kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    asked = parser.parse_args()
    logging.disable(logging.CRITICAL)
    chance, kills, number, lost = random.Random(asked.seed), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_at(Path(folder))
        wanted = whole(settings, "whole")
        while kills < asked.kills:
            run = f"killed-{number}"
            before = budgets(settings, run)
            kills += killed_after(chance.randrange(24), lambda run=run: go_on(settings, run))
            lost += any(
                one > other for one, other in zip(before, budgets(settings, run), strict=True)
            )
            number += is_over(settings, run)
        runs = [f"killed-{one}" for one in range(number + 1)]
        other = [run for run in runs if whole(settings, run) != wanted]
        wrong = {run: found for run in runs if (found := faults(settings, run))}
    print(f"seed {asked.seed}: {kills} kills in {len(runs)} runs")
    print(f"budgets that shrank: {lost}; other mandates: {other}; recorded twice or lost: {wrong}")
    sys.exit(1 if lost or other or wrong else 0)


if __name__ == "__main__":
    main()
