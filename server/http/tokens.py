"""Bearer tokens: made here, shown once, and known afterwards by their hashes only."""

import hmac
import secrets
from collections.abc import Mapping
from hashlib import sha256

_PREFIX = "exp_"
_BYTES = 32


def new_token() -> str:
    """A token of 256 random bits; there is nothing to guess, so a plain hash of it is enough."""
    return _PREFIX + secrets.token_urlsafe(_BYTES)


def hash_of(token: str) -> str:
    """How expedition.yaml knows a token."""
    return "sha256:" + sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def owner_of(token: str, hashes: Mapping[str, str]) -> str | None:
    """Whose token it is; as long in coming for one that nobody has."""
    shown = hash_of(token)
    # every hash is compared, whichever it is
    found = [name for name, known in hashes.items() if hmac.compare_digest(shown, known)]
    return found[0] if found else None
