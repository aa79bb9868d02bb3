"""What stands at a path of a base; the path is judged exactly as it was sent."""

import os
import re
import stat
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal

from index.faults import NotFound, PathRefused, Unreadable
from index.paths import BaseFolder, ill_formed, look, on_one_line, open_folder

LONGEST = 1024
Kind = Literal["outside", "hidden", "directory", "absent", "file", "other"]

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, slots=True)
class Standing:
    """What a path leads to; `path` is its plain form, `reason` says why it is no file.

    The reason goes on after the path, as in "is absolute". `outside`: it may not be looked for;
    `hidden`: a name on it begins with a dot, whatever is there; `other`: it exists and is neither a
    regular file nor a folder. Size is that of a file.
    """

    kind: Kind
    path: str
    reason: str = ""
    size: int = 0


def standing(folder: BaseFolder, path: str) -> Standing:
    """What is there. Only absence is told: what may not be looked at is Unreadable."""
    if reason := outside(path):
        return Standing("outside", "", reason)
    names = plain_names(path)
    plain = "/".join(names)
    try:
        status = _look_down(folder, names, plain)
    except Unreadable:
        if not hides(plain):
            raise
        status = None
    except PathRefused:
        return Standing("outside", "", "leads to or through a symbolic link")
    except NotFound:
        status = None
    if hides(plain):
        return Standing("hidden", plain, "holds a name that begins with a dot")
    if status is None:
        return Standing("absent", plain, "is not there")
    return _judged(status, plain, path)


def outside(path: str) -> str | None:
    """Why a text is no path inside a base, whatever the base holds; None if it is one."""
    if len(path) > LONGEST:
        return f"is longer than {LONGEST:,} characters"
    if not on_one_line(path):
        return "holds a control character"
    if _URL.match(path):
        return "is a URL"
    # `./C:x.md` has its drive only in the plain form, `/x.md` its slash only as it was sent
    for form in filter(None, (path, "/".join(plain_names(path)))):
        if reason := ill_formed(form):
            return reason
    if ".." in path.split("/"):
        return "leads to a parent folder"
    return None if _is_unicode(path) else "is no Unicode text"


def plain_names(path: str) -> list[str]:
    """The names of a path, without empty ones and lone dots."""
    return [name for name in path.split("/") if name not in ("", ".")]


def hides(path: str) -> bool:
    """Whether a name on the path begins with a dot."""
    return path.startswith(".") or "/." in path


def _is_unicode(path: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in path)


def _look_down(folder: BaseFolder, names: list[str], path: str) -> os.stat_result:
    """The state of what the names lead to; no link is followed, neither on the way nor there."""
    with ExitStack() as stack:
        descriptor = folder.descriptor
        for name in names[:-1]:
            descriptor = open_folder(descriptor, name, path)
            stack.callback(os.close, descriptor)
        status = look(descriptor, names[-1], path) if names else os.fstat(descriptor)
    if stat.S_ISLNK(status.st_mode):
        raise PathRefused("is a symbolic link", "name the file itself")
    return status


def _judged(status: os.stat_result, plain: str, path: str) -> Standing:
    if stat.S_ISDIR(status.st_mode):
        return Standing("directory", plain, "is a directory")
    if path.endswith(("/", "/.")):
        return Standing("absent", plain, "is no directory")
    if not stat.S_ISREG(status.st_mode):
        return Standing("other", plain, "is no regular file")
    return Standing("file", plain, size=status.st_size)
