"""Publishing a brief: whole or not at all, under a free name, once however often it is tried."""

import errno
import fcntl
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from index.faults import NotFound, PathRefused, StorageTrouble
from server.brief import BriefTrouble
from server.dig_state import BriefFile
from server.folders import lies_inside

# A dozen passages of 500 words and a blaze; a whole note may be as long as a file may be.
LARGEST = 64 * 1024 * 1024
MOST_OF_A_NAME = 9999

_STEM = re.compile(r"\d{4}-\d{2}-\d{2}-[a-z0-9-]{1,80}")
_STRAY = re.compile(r"\.brief-[0-9a-f]{16}\.tmp")
_ANOTHER = "set another folder for briefs in expedition.yaml, or mend this one; then repeat"
_REASONS = {
    errno.ELOOP: "it is a symbolic link",
    errno.ENOTDIR: "it is no folder, or a symbolic link to one",
    errno.ENOENT: "the folder it should be in is missing",
    errno.EPERM: "its file system makes no hard links, which keep a brief from overwriting a file",
}
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder that briefs go to, and the bases it must lie outside of."""

    folder: Path
    bases: tuple[Path, ...] = ()


def save_brief(
    shelf: Shelf,
    stem: str,
    text: str,
    before: BriefFile | None,
    announce: Callable[[BriefFile], None],
) -> BriefFile:
    """Put the text on the shelf as `stem`.md, or with the next free number; durable on return.

    `announce` records path and hash before that path is written; `before` is what an attempt that
    did not end recorded, and its file is adopted if it is there. Raises StorageTrouble, and
    whatever `announce` raises.
    """
    if before is not None and _adopted(Path(before.path), before.sha256):
        with suppress(StorageTrouble):  # the brief is there, whatever else is not
            sweep(shelf)
        return before
    content = text.encode("utf-8")
    sha256 = hashlib.sha256(content).hexdigest()
    with _opened(shelf) as folder:
        _sweep(folder)
        for path in _paths(shelf.folder, stem, before):
            brief = BriefFile(str(path), sha256)
            if brief != before:
                if _taken(folder, path.name):
                    continue
                announce(brief)
            if _published(folder, path.name, content):
                return brief
            # Another process of this dig may have been faster, by a rendering of its own.
            for there in filter(None, (brief, before)):
                if there.path == str(path) and _adopted(path, there.sha256):
                    return there
    raise StorageTrouble(f"no name is left for {stem} in {shelf.folder}", _ANOTHER)


def brief_stem(decided_at: str, slug: str) -> str:
    """The name of a brief without its ending: the UTC day of the decision and the slug."""
    return f"{decided_at[:10]}-{slug}"


def sweep(shelf: Shelf) -> int:
    """Remove what killed writers left behind; how many files that were."""
    if not shelf.folder.is_dir():
        return 0
    with _opened(shelf) as folder:
        return _sweep(folder)


def read_text(path: Path, limit: int = LARGEST) -> str:
    """What a brief or a draft says, its line ends untouched."""
    try:
        descriptor = os.open(path, _READ & ~os.O_NOFOLLOW)
    except (OSError, ValueError) as trouble:
        reason = getattr(trouble, "strerror", None) or "no file can have that name"
        raise NotFound(f"{path}: {reason}", "name a file that can be read") from trouble
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise PathRefused(f"{path} is no regular file", "name another")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(limit + 1)
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise PathRefused(f"{path} is longer than {limit} bytes", "name another, or send a part")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise BriefTrouble(f"{path} is no UTF-8 text", "save it as UTF-8") from wrong


def _paths(folder: Path, stem: str, before: BriefFile | None) -> Iterator[Path]:
    """The names to try in turn; first the one that was announced, if it belongs here."""
    if not _STEM.fullmatch(stem):
        raise StorageTrouble(f"a brief cannot be called {stem!r}", "restore the state directory")
    if before is not None and Path(before.path).parent == folder:
        yield Path(before.path)
    yield folder / f"{stem}.md"
    for number in range(2, MOST_OF_A_NAME + 1):
        yield folder / f"{stem}-{number}.md"


@contextmanager
def _opened(shelf: Shelf) -> Generator[int]:
    """The descriptor of the shelf's folder, made if absent, its place checked."""
    if any(lies_inside(shelf.folder, base) for base in shelf.bases):
        raise StorageTrouble(f"the folder {shelf.folder} lies inside a base", _ANOTHER)
    with _foreseen(shelf.folder):
        _make(shelf.folder)
        descriptor = os.open(shelf.folder, _FOLDER)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


@contextmanager
def _foreseen(folder: Path) -> Generator[None]:
    """What the operating system refuses, as a StorageTrouble that names the folder."""
    try:
        yield
    except OSError as trouble:
        reason = _REASONS.get(trouble.errno or 0, trouble.strerror)
        raise StorageTrouble(f"the folder for briefs {folder}: {reason}", _ANOTHER) from trouble


def _make(folder: Path) -> None:
    with suppress(FileExistsError):
        folder.mkdir(mode=0o755)
        _sync_folder(folder.parent)


def _taken(folder: int, name: str) -> bool:
    """Whether anything has this name, a dangling link too."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _published(folder: int, name: str, content: bytes) -> bool:
    """Give the name to a durable file of this content; False if somebody has it."""
    with _temporary(folder) as (descriptor, temporary):
        with os.fdopen(descriptor, "wb", closefd=False) as file:
            file.write(content)
        os.fsync(descriptor)
        try:
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            return False
        os.fsync(folder)
        return True


@contextmanager
def _temporary(folder: int) -> Generator[tuple[int, str]]:
    """A new file, locked for as long as its writer lives, gone when the block ends."""
    descriptor, name = _locked(folder)
    try:
        yield descriptor, name
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        os.close(descriptor)


def _locked(folder: int) -> tuple[int, str]:
    while True:
        name = f".brief-{secrets.token_hex(8)}.tmp"
        descriptor = os.open(name, _NEW, 0o644, dir_fd=folder)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor, name
        # Swept between its creation and its lock, as if its writer had died.
        os.close(descriptor)


def _sweep(folder: int) -> int:
    """Remove temporary files that nobody holds; a lock ends with its process, an age does not."""
    swept = 0
    for name in filter(_STRAY.fullmatch, os.listdir(folder)):
        # What cannot be removed is in nobody's way.
        with suppress(OSError):
            descriptor = os.open(name, _READ, dir_fd=folder)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(name, dir_fd=folder)
                swept += 1
            finally:
                os.close(descriptor)
    return swept


def _adopted(path: Path, sha256: str) -> bool:
    """Whether the path holds these bytes already; if so they are durable from now on."""
    try:
        descriptor = os.open(path, _READ)
    except OSError:
        return False
    try:
        with _foreseen(path.parent):
            if _sha256_of(descriptor) != sha256:
                return False
            os.fsync(descriptor)
            _sync_folder(path.parent)
    finally:
        os.close(descriptor)
    return True


def _sha256_of(descriptor: int) -> str:
    """The hash of an open file; empty if it is none."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return ""
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
