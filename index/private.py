"""Files that only we may write: checked before they are believed, complete before they are seen."""

import os
import secrets
import shutil
import stat
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from hashlib import sha256
from pathlib import Path

from index.faults import IndexTrouble, StorageTrouble

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1024 * 1024
_REBUILD = "rebuild the index"


def check_folder(folder: Path) -> None:
    """Believe only a real folder that is ours and closed to everybody else."""
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        raise IndexTrouble(f"{folder} is no folder, or a link to one", "remove it")
    if status.st_uid != os.geteuid():
        raise IndexTrouble(f"{folder} belongs to another user", "remove it")
    if status.st_mode & 0o077:
        raise IndexTrouble(f"{folder} is open to other users", _REBUILD)


def make_folder(folder: Path) -> None:
    """Make a private folder where there is none; one of ours is closed to others, no other used."""
    try:
        for place in (*reversed(folder.parents), folder):
            if not os.path.lexists(place):
                place.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(folder, _FOLDER)
    except OSError as trouble:
        raise StorageTrouble(
            f"{folder} cannot be used: {trouble.strerror}", "check the state directory"
        ) from trouble
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            raise StorageTrouble(f"{folder} belongs to another user", "name another with --state")
        os.fchmod(descriptor, 0o700)
    finally:
        os.close(descriptor)


@contextmanager
def opened(path: Path) -> Generator[int]:
    """A descriptor of a regular file that is ours, no link."""
    descriptor = os.open(path, _READ)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            raise IndexTrouble(f"{path} is no plain file of ours", _REBUILD)
        yield descriptor
    finally:
        os.close(descriptor)


def read(path: Path) -> bytes:
    """The whole of a file that is ours."""
    with opened(path) as descriptor:
        return b"".join(_chunks(descriptor))


def digest(path: Path) -> str:
    """The SHA-256 of a file that is ours."""
    hashed = sha256()
    with opened(path) as descriptor:
        for chunk in _chunks(descriptor):
            hashed.update(chunk)
    return hashed.hexdigest()


def write(path: Path, lines: Iterable[bytes]) -> None:
    """A new file, on the disk when this returns."""
    with os.fdopen(os.open(path, _NEW, 0o600), "wb") as file:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())


def replace(path: Path, content: bytes) -> None:
    """Put new content in the place of a file at once, and on the disk when this returns."""
    beside = _beside(path)
    try:
        write(beside, [content])
        if path.is_dir():
            remove(path)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    sync(path.parent)


def remove(path: Path) -> None:
    """Remove a file, or a folder with everything in it; a link only itself."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def create(path: Path, content: bytes) -> None:
    """A file that was not there, whole; one that somebody else made meanwhile stays."""
    beside = _beside(path)
    try:
        write(beside, [content])
        os.link(beside, path)
    except FileExistsError:
        return
    finally:
        beside.unlink(missing_ok=True)
    sync(path.parent)


def sync(path: Path) -> None:
    """Bring a file or the names in a folder to the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path) -> Generator[bool]:
    """Hold a lock that dies with its process; whether one had to wait for it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield _waited(descriptor, path)
    finally:
        os.close(descriptor)


def held(path: Path) -> bool:
    """Whether anybody holds that lock now."""
    try:
        descriptor = os.open(path, _READ)
    except FileNotFoundError:
        return False
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _waited(descriptor: int, path: Path) -> bool:
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        flock(descriptor, LOCK_EX)
        return True
    except OSError as trouble:
        raise StorageTrouble(
            f"{path} cannot be locked: {trouble.strerror}", "keep the state on a local disk"
        ) from trouble
    return False


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")


def _chunks(descriptor: int) -> Iterable[bytes]:
    while chunk := os.read(descriptor, _CHUNK):
        yield chunk
