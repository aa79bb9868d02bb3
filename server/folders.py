"""Which folders the program may keep its own files in."""

import os
import stat
from pathlib import Path

from index.faults import StorageTrouble

ANOTHER = "name another with --state or EXPEDITION_STATE"


def lies_inside(path: Path, folder: Path) -> bool:
    """Whether `path`, which need not exist, is `folder` or below it: by identity, not spelling."""
    resolved = path.resolve()
    return any(_same(place, folder) for place in (resolved, *resolved.parents))


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def make_private(path: Path) -> Path:
    """The state directory, made with mode 0700 if absent; refused if others could write to it."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.lstat()
    except OSError as trouble:
        reason = trouble.strerror or "no folder can be made there"
        raise StorageTrouble(f"the state directory {path}: {reason}", ANOTHER) from trouble
    if trust := _distrust(found):
        raise StorageTrouble(f"the state directory {path} {trust}", ANOTHER)
    return path


def _distrust(found: os.stat_result) -> str:
    """Why a folder is not to be trusted with what only its owner may change; empty if it is."""
    if stat.S_ISLNK(found.st_mode):
        return "is a symbolic link"
    if found.st_uid != os.geteuid():
        return "belongs to another user"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written by others; chmod go-w would cure it"
    return ""
