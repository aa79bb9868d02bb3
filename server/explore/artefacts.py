"""The files of a run: written whole or not at all, and never inside a base."""

import errno
import glob
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from index.faults import BadSettings, StorageTrouble
from server.config import Settings
from server.folders import lies_inside

TRACE = "exploration"
QUESTION = "plan-review"
ANSWER = "plan-review-answer"
MANDATE = "mandate"


def file_name(run: str, what: str) -> str:
    """What a file of a run is called."""
    return f"{run}-{what}.json"


def rendered(content: Mapping[str, object]) -> bytes:
    """UTF-8 JSON with two spaces, its keys in the order of the record."""
    text = json.dumps(content, ensure_ascii=False, indent=2)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def check_outside(what: str, folder: Path, settings: Settings) -> Path:
    """The folder; refused if it lies inside a base."""
    for base in settings.bases:
        if lies_inside(folder, Path(base.root)):
            raise BadSettings(
                f"{what} {folder} lies inside the base {base.id}", "name a folder outside of it"
            )
    return folder


def check_still_outside(folder: Path, settings: Settings) -> None:
    """Raises StorageTrouble where a folder, or a base, was moved since the run was opened."""
    try:
        check_outside("the folder", folder, settings)
    except BadSettings as inside:
        raise StorageTrouble(inside.message, "move one of the two") from inside


def loads(content: bytes | str) -> object:
    """JSON in which no key stands twice, as two readers of it could differ; else ValueError."""
    try:
        return json.loads(content, object_pairs_hook=_once)
    except RecursionError as wrong:
        raise ValueError("nested too deeply") from wrong


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def write(folder: Path, run: str, what: str, content: Mapping[str, object]) -> Path:
    """Replace a file of a run by its new content; raises StorageTrouble."""
    path = folder / file_name(run, what)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(path)
        with beside.open("wb") as file:
            file.write(rendered(content))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as trouble:
        raise StorageTrouble(f"{path}: {trouble.strerror}", "free space, or name another") from (
            trouble
        )
    return path


def _sweep(path: Path) -> None:
    """Remove what processes left beside a file that were killed before it was whole."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.new"):
        process = left.name.split(".")[-2]
        if process.isdigit() and not Path("/proc", process).exists() and Path("/proc/1").exists():
            left.unlink(missing_ok=True)


def kept(path: Path, most: int = -1) -> bytes:
    """What a file of a run holds, at most so many bytes; raises OSError for whatever is no file."""
    # a pipe under this name would be waited for, and a device be read for ever
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return file.read(most)


def remove(folder: Path, run: str, what: str) -> None:
    """Take a file of a run away, if it is there."""
    (folder / file_name(run, what)).unlink(missing_ok=True)
