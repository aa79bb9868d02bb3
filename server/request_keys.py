"""The key that seals what travels through a client and comes back, kept over restarts."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from mcp.server.request_state import RequestStateSecurity

from index.faults import StorageTrouble
from server.folders import ANOTHER, make_private

# A person may take a day to answer a form.
TTL_SECONDS = 24 * 60 * 60
KEY_BYTES = 32


def request_state_security(state: Path) -> RequestStateSecurity:
    """The SDK's sealing with the key of this state directory, made on first use."""
    return RequestStateSecurity(keys=[secret_key(state)], ttl=TTL_SECONDS)


def secret_key(state: Path) -> bytes:
    """The stored key; a new one is published whole by a link, so that two starts agree on one."""
    path = make_private(state) / "request.key"
    try:
        if not path.exists():
            _publish(path)
        key = path.read_bytes()
    except OSError as trouble:
        raise StorageTrouble(f"the key {path}: {trouble.strerror}", ANOTHER) from trouble
    if len(key) != KEY_BYTES:
        raise StorageTrouble(f"{path} is damaged", "delete it; forms that wait are asked again")
    return key


def _publish(path: Path) -> None:
    draft = path.with_name(f".request-{secrets.token_hex(8)}.tmp")
    descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
