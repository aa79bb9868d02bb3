"""`expedition` as it runs on a later day: the clock of this process is put forward, nothing else.

python tests/later.py SECONDS ARGUMENT...
"""

import sys
from datetime import UTC, datetime, timedelta, tzinfo


def put_forward(seconds: float) -> None:
    """Let everything that asks the store's clock hear a later time."""
    from server import store

    class Later(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Later":
            later = datetime.now(tz or UTC) + timedelta(seconds=seconds)
            return cls.fromtimestamp(later.timestamp(), tz)

    setattr(store, "datetime", Later)  # noqa: B010 - a name that the module only imports


if __name__ == "__main__":
    from server.cli import main

    put_forward(float(sys.argv.pop(1)))
    main()
