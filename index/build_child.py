"""The process that builds an index: `python -m index.build_child REQUEST ANSWER_FD`.

It has no stdin, what it prints goes to stderr, and one JSON line to ANSWER_FD is its answer.
"""

import gc
import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict

from index.building import build
from index.faults import Fault, StorageTrouble
from index.progress import ProgressFile
from index.request import Outcome, Request

INTERRUPTED = 130


def main(request: str, answer_to: int) -> int:
    """Build as requested, answer, and return the exit code."""
    os.umask(0o077)
    # rows by the thousand are no cycles, and looking for some takes a tenth of the time
    gc.disable()
    try:
        outcome = asdict(_built(Request.from_json(request)))
    except Fault as fault:
        _answer(answer_to, fault=type(fault).__name__, message=fault.message, remedy=fault.remedy)
        return fault.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    _answer(answer_to, outcome=outcome)
    return 0


def _built(request: Request) -> Outcome:
    progress = ProgressFile(request.home)
    try:
        return build(request, progress.tell)
    except OSError as trouble:
        raise StorageTrouble(
            f"{trouble.filename or request.home}: {trouble.strerror or trouble}",
            "see that the state directory has room and is ours to write",
        ) from trouble
    finally:
        with suppress(OSError):
            progress.end()


def _answer(answer_to: int, **record: object) -> None:
    # Nobody listens any more if the parent is gone; the index is built all the same.
    with suppress(BrokenPipeError):
        os.write(answer_to, json.dumps(record).encode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
