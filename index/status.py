"""How the index of a base stands: what is in force, what was wrong, what changed since."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from index import private
from index.faults import IndexTrouble, OtherEngine
from index.generation import LOCK, Sealed, read_pointer, unsealed
from index.paths import BaseFolder
from index.progress import Progress, read_progress
from index.records import BaseSettings, Problem
from index.request import fingerprint
from index.walk import walk

State = Literal["absent", "damaged", "outdated", "stale", "fresh"]


@dataclass(frozen=True, slots=True)
class Changes:
    """How many files of a base are new, changed or gone since it was indexed."""

    new: int = 0
    changed: int = 0
    removed: int = 0

    @property
    def any(self) -> bool:
        """Whether an update would find anything to do."""
        return bool(self.new or self.changed or self.removed)

    def __str__(self) -> str:
        """The counts that are not zero."""
        counts = {"new": self.new, "changed": self.changed, "removed": self.removed}
        return ", ".join(f"{count} {how}" for how, count in counts.items() if count)


@dataclass(frozen=True, slots=True)
class Status:
    """What a person should know of an index; `trouble` says why one that is there is of no use.

    `state`: absent, damaged, outdated (built under other settings), stale (files changed) or fresh.
    """

    base: str
    state: State
    generation: str = ""
    built_at: str = ""
    kind: str = ""
    rows: int = 0
    documents: int = 0
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    problems: tuple[Problem, ...] = ()
    changes: Changes = Changes()
    disk_bytes: int = 0
    building: Progress | None = None
    trouble: str = ""


def status(settings: BaseSettings, home: Path) -> Status:
    """Look at an index and list its base; no file of either is opened for its meaning."""
    building = (read_progress(home) or Progress("waiting")) if private.held(home / LOCK) else None
    try:
        pointer = read_pointer(home)
        sealed = unsealed(home, pointer, settings) if pointer else None
    except OtherEngine as trouble:
        return Status(settings.id, "outdated", building=building, trouble=trouble.message)
    except IndexTrouble as trouble:
        return Status(settings.id, "damaged", building=building, trouble=trouble.message)
    if sealed is None:
        return Status(settings.id, "absent", building=building)
    return _told(settings, sealed, building)


def changes(settings: BaseSettings, files: Mapping[str, tuple[int, int]]) -> Changes:
    """What a walk finds otherwise than it was indexed, by size and time; no file is opened."""
    with BaseFolder.open(settings.root) as folder:
        listing = walk(folder, settings.exclude, settings.hard_links)
    now = {file.path: (file.size, file.mtime_ns) for file in listing.files}
    return Changes(
        new=len(now.keys() - files.keys()),
        changed=sum(now[path] != files[path] for path in now.keys() & files.keys()),
        removed=len(files.keys() - now.keys()),
    )


def _told(settings: BaseSettings, sealed: Sealed, building: Progress | None) -> Status:
    manifest = sealed.manifest
    found = changes(settings, sealed.files())
    outdated = manifest.settings != fingerprint(settings)
    return Status(
        base=settings.id,
        state="outdated" if outdated else "stale" if found.any else "fresh",
        generation=sealed.pointer.name,
        built_at=manifest.built_at,
        kind=manifest.kind,
        rows=manifest.rows,
        documents=manifest.documents,
        counts=manifest.counts,
        problems=sealed.problems(),
        changes=found,
        disk_bytes=sealed.bytes(),
        building=building,
    )
