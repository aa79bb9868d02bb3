"""Where the loop's own checkpoints are kept: a private folder for every run, outside every base."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent_framework import FileCheckpointStorage

from index.faults import StorageTrouble
from server.config import Settings
from server.explore.artefacts import check_still_outside, kept
from server.explore.magentic.signals import CheckpointUnreadable


def storage_in(folder: Path, run: str, settings: Settings) -> FileCheckpointStorage:
    """The storage of a run, for writing and for resuming; "the latest" is never another run's.

    Raises StorageTrouble where it would lie in a base, or where a link leads.
    """
    own = folder / run
    check_still_outside(own, settings)
    try:
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as trouble:
        raise StorageTrouble(f"{own}: {trouble.strerror}", "name another with --park") from trouble
    if own.is_symlink():
        raise StorageTrouble(f"{own} is a symbolic link", "name another with --park")
    own.chmod(0o700)
    return FileCheckpointStorage(own)


async def pending(storage: FileCheckpointStorage, workflow: str, request: str) -> tuple[str, str]:
    """The checkpoint that can take an answer, by what can be read back, and its seal.

    A park writes several and only one lists the question; raises CheckpointUnreadable.
    """
    found = [
        one
        for one in await storage.list_checkpoints(workflow_name=workflow)
        if request in one.pending_request_info_events
    ]
    if not found:
        raise CheckpointUnreadable(f"no checkpoint lists the question {request} as pending")
    newest = max(found, key=lambda one: one.timestamp)
    return newest.checkpoint_id, seal_of(storage, newest.checkpoint_id)


def seal_of(storage: FileCheckpointStorage, checkpoint: str) -> str:
    """SHA-256 of a checkpoint's file; raises CheckpointUnreadable where there is none."""
    path = Path(storage.storage_path) / f"{checkpoint}.json"
    try:
        return hashlib.sha256(kept(path)).hexdigest()
    except OSError as trouble:
        raise CheckpointUnreadable(f"{path.name}: {trouble.strerror}") from trouble


def check_sealed(storage: FileCheckpointStorage | None, parked: Mapping[str, Any]) -> None:
    """The checkpoint of a parked state is there as it was; else raises CheckpointUnreadable."""
    checkpoint = parked["checkpoint_id"]
    if storage is None or not checkpoint or not parked["request_id"]:
        raise CheckpointUnreadable("the parked state names no checkpoint")
    if seal_of(storage, checkpoint) != parked["checkpoint_sha256"]:
        raise CheckpointUnreadable("the checkpoint is not the one that was parked")
