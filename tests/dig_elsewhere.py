"""The digs of a state directory as a process finds them that has never seen them.

python -m tests.dig_elsewhere STATE DIG...
"""

import sys
from pathlib import Path

from server.fold import dump, fold
from server.store import Store, canonical


def main(state: str, *names: str) -> None:
    """Print each dig, folded, on one line."""
    store = Store(Path(state))
    for name in names:
        print(canonical(dump(fold(*store.load(name)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
