"""Where the loop's own checkpoints are kept: a private folder for every run, outside every base."""

import hashlib
from pathlib import Path

from agent_framework import FileCheckpointStorage

from server.explore.magentic.signals import CheckpointUnreadable


def storage_in(folder: Path, run: str) -> FileCheckpointStorage:
    """The storage of a run, for writing and for resuming; "the latest" is never another run's."""
    own = folder / run
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
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
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as trouble:
        raise CheckpointUnreadable(f"{path.name}: {trouble.strerror}") from trouble
