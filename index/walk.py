"""Every markdown file below a base's folder, in a stable order, and what was left out and why."""

import os
import stat
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from index.faults import NotFound, PathRefused
from index.globs import glob_matches
from index.paths import BaseFolder, escaped, is_path, open_folder, unfit
from index.records import Problem

SUFFIXES = (".md", ".markdown")
# Left out on purpose: nothing that a person need look at.
INTENDED = ("dot-folder", "excluded")
# Enough that trees of any depth are walked in linear time, and few among a thousand descriptors.
_KEPT_OPEN = 64


@dataclass(frozen=True, slots=True)
class Listed:
    """A file that can be read by its path; device and inode say which file it is."""

    path: str
    size: int
    mtime_ns: int
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Listing:
    """The markdown files of a base by path, and everything that was passed over."""

    files: tuple[Listed, ...]
    skipped: tuple[Problem, ...]

    def why_not(self, path: str) -> str:
        """Why a path that exists may be missing among the files; empty if nothing tells."""
        if not self.skipped:
            return ""
        reasons = {problem.place: problem.detail for problem in self.skipped}
        names = path.split("/")
        places = ("/".join(names[: at + 1]) for at in range(len(names)))
        return next((reasons[place] for place in places if place in reasons), "")


@dataclass(slots=True)
class _Trail:
    """The way to the folder being read; only the deepest folders on it are kept open."""

    base: int
    names: list[str] = field(default_factory=list[str])
    opened: deque[tuple[int, int]] = field(default_factory=deque[tuple[int, int]])

    def enter(self, names: list[str]) -> int:
        """The descriptor of the folder reached by these names; it is closed with the trail."""
        self.leave(_shared(self.names, names))
        depth, descriptor = self.opened[-1] if self.opened else (0, self.base)
        for name in names[depth:]:
            descriptor = open_folder(descriptor, name, "/".join(names))
            depth += 1
            self.names[depth - 1 :] = [name]
            self.opened.append((depth, descriptor))
            if len(self.opened) > _KEPT_OPEN:
                os.close(self.opened.popleft()[1])
        return descriptor

    def leave(self, depth: int = 0) -> None:
        """Go back to the first `depth` folders."""
        while self.opened and self.opened[-1][0] > depth:
            os.close(self.opened.pop()[1])
        del self.names[depth:]


@dataclass(slots=True)
class _Walk:
    """How far a walk has come: the folders still to visit, and what was found in the others."""

    exclude: Sequence[str]
    hard_links: bool
    pending: list[str]
    files: list[Listed] = field(default_factory=list[Listed])
    skipped: list[Problem] = field(default_factory=list[Problem])

    def skip(self, kind: str, path: str, detail: str) -> None:
        self.skipped.append(Problem(kind, escaped(path), detail))


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many names two paths begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def is_markdown(name: str) -> bool:
    """Whether a name ends as a markdown file's does, in any letter case."""
    return name.lower().endswith(SUFFIXES)


def walk(folder: BaseFolder, exclude: Sequence[str] = (), hard_links: bool = False) -> Listing:
    """List the base; a folder that cannot be read is reported like every other thing left out."""
    state = _Walk(exclude, hard_links, pending=[""])
    trail = _Trail(folder.descriptor)
    try:
        while state.pending:
            _visit(trail, state.pending.pop(), state)
    finally:
        trail.leave()
    return Listing(
        tuple(sorted(state.files, key=lambda file: file.path)),
        tuple(sorted(state.skipped, key=lambda problem: (problem.place, problem.kind))),
    )


def _visit(trail: _Trail, path: str, state: _Walk) -> None:
    try:
        descriptor = trail.enter(path.split("/") if path else [])
        entries = list(_entries(descriptor))
    except (OSError, PathRefused, NotFound) as trouble:
        reason = trouble.strerror if isinstance(trouble, OSError) else trouble.message
        state.skip("unreadable", path or ".", reason or "the folder cannot be read")
        return
    for name, is_folder, is_link in entries:
        place = f"{path}/{name}" if path else name
        if is_folder:
            _take_folder(place, name, state)
        elif is_link:
            state.skip("symlink", place, "symbolic links are never followed")
        elif is_markdown(name):
            _take_file(descriptor, place, name, state)


def _entries(descriptor: int) -> Iterator[tuple[str, bool, bool]]:
    with os.scandir(descriptor) as found:
        for entry in found:
            yield entry.name, entry.is_dir(follow_symlinks=False), entry.is_symlink()


def _take_folder(place: str, name: str, state: _Walk) -> None:
    if name.startswith("."):
        state.skip("dot-folder", place, "folders that begin with a dot are left out")
    elif _excluded(place, state):
        state.skip("excluded", place, "an exclude glob of the configuration")
    elif not is_path(place):
        state.skip("unusable-name", place, "the folder's name cannot stand in a path")
    else:
        state.pending.append(place)


def _take_file(parent: int, place: str, name: str, state: _Walk) -> None:
    if _excluded(place, state):
        state.skip("excluded", place, "an exclude glob of the configuration")
        return
    if not is_path(place):
        state.skip("unusable-name", place, "the file's name cannot stand in a path")
        return
    try:
        status = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except OSError as trouble:
        state.skip("unreadable", place, trouble.strerror or "the file cannot be read")
        return
    if reason := unfit(status, place, state.hard_links):
        state.skip(_kind(status), place, reason)
        return
    state.files.append(
        Listed(place, status.st_size, status.st_mtime_ns, status.st_dev, status.st_ino)
    )


def _excluded(place: str, state: _Walk) -> bool:
    return any(glob_matches(glob, place) for glob in state.exclude)


def _kind(status: os.stat_result) -> str:
    if not stat.S_ISREG(status.st_mode):
        return "not-a-file"
    return "hard-link" if status.st_nlink > 1 else "unusable-name"
