"""The files of a run: written whole or not at all, and never inside a base."""

import json
import os
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


def write(folder: Path, run: str, what: str, content: Mapping[str, object]) -> Path:
    """Replace a file of a run by its new content; raises StorageTrouble."""
    path = folder / file_name(run, what)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
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


def remove(folder: Path, run: str, what: str) -> None:
    """Take a file of a run away, if it is there."""
    (folder / file_name(run, what)).unlink(missing_ok=True)
