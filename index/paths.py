"""The files of a base, opened below one descriptor: the checked path is the opened path."""

import errno
import os
import stat
import sys
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Self

from index.faults import BaseUnavailable, NotFound, PathRefused, Unreadable

# Linux's own bounds: longer ones could not be opened under their full name anyway.
LONGEST_NAME = 255
LONGEST_PATH = 4096

_SHOWN = 120
_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EILSEQ)
_CHUNK = 1024 * 1024
_ATTEMPTS = 3
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# O_NONBLOCK: opening a FIFO that replaced the file must not wait for a writer.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


@dataclass(frozen=True, slots=True)
class FileRead:
    """The bytes of one file, and which file it was."""

    path: str
    content: bytes
    size: int
    mtime_ns: int
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class FileOpened:
    """A regular file that passed every check; the descriptor closes with the block it came from."""

    descriptor: int
    path: str
    status: os.stat_result


class BaseFolder:
    """A base's folder, held open; nothing outside it can be reached, and no link is followed.

    The folder itself may be reached through a symbolic link: the operator named it.
    """

    def __init__(self, root: str, descriptor: int) -> None:
        self.root = root
        self.descriptor = descriptor

    @classmethod
    def open(cls, root: str) -> Self:
        """Hold the folder open until `close`, whatever happens to its name meanwhile."""
        try:
            return cls(root, os.open(root, _FOLDER))
        except (OSError, ValueError) as trouble:
            reason = getattr(trouble, "strerror", None) or "no folder can have that name"
            raise BaseUnavailable(
                f"the base's folder {shown(root)}: {reason}", "check the path and its permissions"
            ) from trouble

    def close(self) -> None:
        """Let go of the folder."""
        os.close(self.descriptor)

    def __enter__(self) -> Self:
        """Close when the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close, whatever happened."""
        self.close()

    def is_empty(self) -> bool:
        """Whether it holds nothing at all: what a disk leaves behind that was unmounted."""
        with os.scandir(self.descriptor) as entries:
            return next(entries, None) is None

    def read(self, path: str, limit: int, hard_links: bool = False) -> FileRead:
        """The whole file, if it is a regular one of at most `limit` bytes inside the base."""
        for _ in range(_ATTEMPTS):
            with self.opened(path, limit, hard_links) as file:
                content = _read_all(file, limit)
                before, after = file.status, os.fstat(file.descriptor)
            if _unchanged(before, after) and len(content) == before.st_size:
                return FileRead(
                    path,
                    content,
                    before.st_size,
                    before.st_mtime_ns,
                    before.st_dev,
                    before.st_ino,
                )
        raise PathRefused(f"{shown(path)} is being written", "try again when it is at rest")

    def read_head(self, path: str, length: int, hard_links: bool = False) -> bytes:
        """The first bytes of a file of any size."""
        with self.opened(path, sys.maxsize, hard_links) as file:
            return os.read(file.descriptor, length)

    @contextmanager
    def opened(self, path: str, limit: int, hard_links: bool = False) -> Generator[FileOpened]:
        """The file, open for reading, for as long as the block runs."""
        *folders, name = path_names(path)
        with ExitStack() as stack:
            folder = self.descriptor
            for inner in folders:
                folder = open_folder(folder, inner, path)
                stack.callback(os.close, folder)
            descriptor = _open_file(folder, name, path)
            stack.callback(os.close, descriptor)
            status = os.fstat(descriptor)
            if refusal := unfit(status, path, hard_links):
                raise PathRefused(f"{shown(path)} {refusal}", "name a document of the base")
            if status.st_size > limit:
                raise PathRefused(
                    f"{shown(path)} has {status.st_size} bytes, {limit} are allowed",
                    "raise the limit in the configuration if it must be read",
                )
            try:
                yield FileOpened(descriptor, path, status)
            except OSError as trouble:
                raise _trouble(path, trouble) from trouble


def path_names(path: str) -> list[str]:
    """The names of a path, or a refusal: nothing is trimmed, decoded, folded or expanded."""
    if refusal := _misnamed(path):
        raise PathRefused(
            f"{shown(path)} {refusal}", "give a path of the base as a listing shows it"
        )
    return path.split("/")


def is_path(path: str) -> bool:
    """Whether `read` would so much as look for this path."""
    return _misnamed(path) is None


def _misnamed(path: str) -> str | None:
    """Why a text is no path inside a base, whatever the base holds; None if it is one."""
    return ill_formed(path) or _misnamed_parts(path)


def ill_formed(path: str) -> str | None:
    """Why a text has not the form of a path inside any base, before its names are looked at."""
    if not path:
        return "names nothing"
    if "\0" in path:
        return "holds a NUL character"
    if "\\" in path:
        return "holds a backslash"
    if path.startswith("/"):
        return "is absolute"
    if path[1:2] == ":" and path[0].isascii() and path[0].isalpha():
        return "begins with a drive"
    return None


def _misnamed_parts(path: str) -> str | None:
    try:
        names = path.encode().split(b"/")
    except UnicodeEncodeError:
        return "is no Unicode text"
    if len(path) > LONGEST_PATH or sum(map(len, names)) + len(names) > LONGEST_PATH:
        return f"is longer than {LONGEST_PATH} bytes"
    if b".." in names:
        return "leads to a parent folder"
    if b"" in names or b"." in names:
        return "holds an empty name or a lone dot"
    if max(map(len, names)) > LONGEST_NAME:
        return f"holds a name longer than {LONGEST_NAME} bytes"
    return None


def unfit(status: os.stat_result, path: str, hard_links: bool) -> str | None:
    """Why something that exists is no document for us; None if it is a plain file of one name."""
    if stat.S_ISLNK(status.st_mode):
        return "is a symbolic link"
    if stat.S_ISDIR(status.st_mode):
        return "is a folder"
    if not stat.S_ISREG(status.st_mode):
        return "is no regular file"
    if status.st_nlink > 1 and not hard_links:
        return "has several names (hard links)"
    if not on_one_line(path):
        return "has control characters in its name"
    return None


def on_one_line(path: str) -> bool:
    """Whether a path holds no control character and no line or paragraph separator."""
    return path.isprintable() or not any(
        character < " " or "\x7f" <= character <= "\x9f" or character in "\u2028\u2029"
        for character in path
    )


def shown(path: str) -> str:
    """A path for a message: short, on one line, odd characters as escapes."""
    return escaped(path if len(path) <= _SHOWN else path[: _SHOWN - 1] + "…")


def escaped(path: str) -> str:
    """A path with every character that cannot be seen as its escape."""
    if path.isprintable():
        return path
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in path
    )


def nearest(path: str, names: Iterable[str], limit: int = 5) -> tuple[str, ...]:
    """The listed names most like a path that nobody listed, best first."""
    from rapidfuzz import fuzz, process

    found = process.extract(
        path[:LONGEST_PATH], sorted(names), scorer=fuzz.ratio, limit=limit, score_cutoff=40
    )
    return tuple(name for name, _, _ in found)


def open_folder(parent: int, name: str, path: str) -> int:
    """A folder inside an open one; `path` is only for the message of a refusal."""
    try:
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=parent)
    except OSError as trouble:
        raise _no_folder(parent, name, path) or _trouble(path, trouble) from trouble


def look(parent: int, name: str, path: str) -> os.stat_result:
    """What stands under a name of an open folder, links not followed; nothing is opened."""
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)
    except OSError as trouble:
        raise _trouble(path, trouble) from trouble


def _open_file(parent: int, name: str, path: str) -> int:
    """Look before opening: opening a device can already do something."""
    status = look(parent, name, path)
    if not stat.S_ISREG(status.st_mode):
        raise PathRefused(
            f"{shown(path)} {unfit(status, name, True)}", "name a document of the base"
        )
    try:
        return os.open(name, _FILE, dir_fd=parent)
    except OSError as trouble:
        raise _trouble(path, trouble) from trouble


def _no_folder(parent: int, name: str, path: str) -> PathRefused | NotFound | None:
    """What stands where a folder was expected; None if the attempt to open it says enough."""
    try:
        mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
    except OSError:
        return None
    if stat.S_ISLNK(mode):
        return PathRefused(f"{shown(path)} leads through a symbolic link", "name the file itself")
    return None if stat.S_ISDIR(mode) else _absent(path)


def _absent(path: str) -> NotFound:
    return NotFound(f"no file {shown(path)}", "give a path of the base as a listing shows it")


def _trouble(path: str, trouble: OSError) -> NotFound | Unreadable:
    if trouble.errno in _ABSENT:
        return _absent(path)
    return Unreadable(
        f"{shown(path)} cannot be read: {trouble.strerror}", "check the file's permissions"
    )


def _read_all(file: FileOpened, limit: int) -> bytes:
    """Everything up to one byte more than allowed, which shows that the file has grown."""
    chunks: list[bytes] = []
    left = min(limit, file.status.st_size) + 1
    while left > 0 and (chunk := os.read(file.descriptor, min(left, _CHUNK))):
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)


def _unchanged(before: os.stat_result, after: os.stat_result) -> bool:
    return (before.st_size, before.st_mtime_ns, before.st_ctime_ns) == (
        after.st_size,
        after.st_mtime_ns,
        after.st_ctime_ns,
    )
