"""One at a time, among all processes and threads over a state directory."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from index.faults import StorageTrouble
from server.folders import ANOTHER, make_private


@contextmanager
def locked(state: Path, name: str) -> Generator[None]:
    """Hold the lock of that name while the block runs; it ends with the process, too.

    Raises StorageTrouble where the state directory cannot be written to.
    """
    path = make_private(state) / f"{name}.lock"
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as trouble:
        raise StorageTrouble(f"{path}: {trouble.strerror}", ANOTHER) from trouble
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
