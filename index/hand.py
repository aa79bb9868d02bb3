"""A helper process: `python -m index.hand MODULE DESCRIPTOR` does the work of that module.

It works for the process at the other end of the descriptor and ends with it.
"""

import gc
import importlib
import os
import sys
from contextlib import suppress
from multiprocessing.connection import Connection


def main(module: str, descriptor: int) -> None:
    """Let the module's `work` answer until the other end is closed."""
    os.umask(0o077)
    # what one batch leaves behind is not cyclic, and looking for cycles takes a tenth of the time
    gc.disable()
    # The other end may be gone; and what the disk refuses is met again by whoever does the work
    # alone then, and tells it.
    with Connection(descriptor) as line, suppress(EOFError, OSError):
        importlib.import_module(module).work(line)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
