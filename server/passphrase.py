"""The passphrase that only the person knows: kept as a scrypt hash, and slow to guess.

Terminal, page and every process share one count of wrong tries. Who can write to the state
directory can remove it all; what that means is said in docs/confirmation.md.
"""

import json
import os
import time
import unicodedata
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import scrypt
from hmac import compare_digest
from math import ceil
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gates.human import Level, weakest_level
from index.faults import Fault, StorageTrouble
from server.config import Settings
from server.folders import ANOTHER
from server.locks import locked
from server.refusals import Refusal

NAME = "passphrase.json"
TRIES = "passphrase-tries.json"
SHORTEST = 8
LONGEST = 1024
_MOST_BYTES = 4096
_MOST_MEMORY = 1024**3
# After this many wrong tries each further one has to wait, twice as long as the one before.
FREE_TRIES = 3
LONGEST_WAIT = 3600.0

M = TypeVar("M", bound=BaseModel)


class Cost(BaseModel):
    """What one scrypt hash takes: 128 * n * r bytes of memory, n * r * p steps (RFC 7914).

    The default is the first of the OWASP Password Storage Cheat Sheet.
    """

    model_config = ConfigDict(frozen=True, strict=True)

    n: Annotated[int, Field(ge=2, le=2**20)] = 2**17
    r: Annotated[int, Field(ge=1, le=32)] = 8
    p: Annotated[int, Field(ge=1, le=16)] = 1

    @model_validator(mode="after")
    def _can_be_paid(self) -> "Cost":
        if self.n & (self.n - 1) or 128 * self.n * self.r > _MOST_MEMORY:
            raise ValueError("n is no power of two, or the table is too large")
        return self


class _Kept(BaseModel):
    """What the file holds; nothing of it is the passphrase."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    cost: Cost
    salt: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Tries(BaseModel):
    """Wrong tries since the last right one, and when the last began, in seconds of Unix time."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    wrong: Annotated[int, Field(ge=0)] = 0
    at: Annotated[float, Field(allow_inf_nan=False)] = 0.0


@dataclass(frozen=True, slots=True)
class Proof:
    """Somebody has just typed the passphrase that is kept as this hash."""

    hash: str


class Superseded(Fault):
    """The passphrase is not the one any more that was set when its replacement was asked for."""

    exit_code = 1


def is_set(state: Path) -> bool:
    """Whether there is a passphrase; a file that cannot be read counts as one."""
    return os.path.lexists(state / NAME)


def demand_whole(state: Path) -> None:
    """Raise StorageTrouble where what is set cannot be read as a hash."""
    _read(state / NAME, _Kept)


def weakest_that_counts(settings: Settings) -> Level:
    """The weakest level of a decision that opens a brief now: with a passphrase only `person`."""
    return weakest_level(is_set(settings.state), settings.decide.relayed)


def set_passphrase(
    state: Path, typed: str, cost: Cost | None = None, proof: Proof | None = None
) -> None:
    """Keep the hash of a passphrase, in place of the one that was proven, if one is set.

    Raises Superseded where another is set by now, and StorageTrouble.
    """
    cost, salt = cost or Cost(), os.urandom(16)
    kept = _Kept(cost=cost, salt=salt.hex(), hash=_hash(typed, salt, cost).hex())
    with _trying(state) as tries:
        _demand(state, proof)
        _replace(state / NAME, kept)
        _replace(tries, _Tries())


def clear_passphrase(state: Path, proof: Proof | None) -> None:
    """Forget the passphrase that was proven; raises Superseded where another is set by now."""
    with _trying(state) as tries:
        _demand(state, proof)
        for path in (state / NAME, tries):
            path.unlink(missing_ok=True)
        _sync(state)


def verify(state: Path, typed: str, asked: str) -> Proof | Refusal:
    """Proof where this is the passphrase; a refusal in the same words wherever it is not.

    A try counts as wrong before it is looked at, so that one cut short was one too. Raises
    StorageTrouble where the files cannot be read or written.
    """
    with _trying(state) as path:
        kept = _read(state / NAME, _Kept)
        if kept is None:
            return _refused(asked, "no passphrase is set", "set one: expedition passphrase set")
        tries, now = _read(path, _Tries) or _Tries(), time.time()
        if wait := _wait(tries, now):
            _replace(path, tries.model_copy(update={"at": min(tries.at, now)}))
            return _refused(asked, "too many wrong tries", f"wait {ceil(wait)} seconds, then again")
        _replace(path, _Tries(wrong=tries.wrong + 1, at=now))
        found = _hash(typed, bytes.fromhex(kept.salt), kept.cost)
        if not compare_digest(found, bytes.fromhex(kept.hash)):
            return _refused(asked, "that is not the passphrase", "type it again")
        _replace(path, _Tries())
        return Proof(kept.hash)


def _demand(state: Path, proof: Proof | None) -> None:
    kept = _read(state / NAME, _Kept)
    if (kept.hash if kept else None) != (proof.hash if proof else None):
        raise Superseded(
            "the passphrase was set, changed or cleared meanwhile", "begin again, if you mean it"
        )


def _wait(tries: _Tries, now: float) -> float:
    """How many seconds the next try has to wait; a clock that was put back opens nothing."""
    late = tries.wrong - FREE_TRIES
    if late < 0:
        return 0.0
    pause = min(2.0 ** min(late, 20), LONGEST_WAIT)
    return max(0.0, pause - max(0.0, now - tries.at))


def _hash(typed: str, salt: bytes, cost: Cost) -> bytes:
    # room for the blocks beside the big table; OpenSSL refuses a bound that is met exactly
    room = 128 * cost.r * (cost.n + cost.p + 2) + 1024 * 1024
    # a terminal and a browser may compose letters otherwise
    secret = unicodedata.normalize("NFC", typed).encode("utf-8", "surrogateescape")
    return scrypt(secret, salt=salt, n=cost.n, r=cost.r, p=cost.p, maxmem=room, dklen=32)


@contextmanager
def _trying(state: Path) -> Generator[Path]:
    """The file of the tries, for one process and thread at a time."""
    with locked(state, "passphrase"):
        yield state / TRIES


def _read(path: Path, model: type[M]) -> M | None:
    """What a file holds; None where there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            return model.model_validate_json(file.read(_MOST_BYTES))
    except FileNotFoundError:
        return None
    except OSError as trouble:
        raise StorageTrouble(f"{path}: {trouble.strerror}", ANOTHER) from trouble
    except ValidationError as wrong:
        raise StorageTrouble(
            f"{path} is damaged", "delete it, then: expedition passphrase set"
        ) from wrong


def _replace(path: Path, content: BaseModel) -> None:
    """The new content under the old name, or, whatever happens, the old content."""
    beside = path.with_suffix(".new")
    try:
        with suppress(FileNotFoundError):
            beside.unlink()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(beside, flags, 0o600), "wb") as file:
            file.write(_json(content))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        _sync(path.parent)
    except OSError as trouble:
        raise StorageTrouble(f"{path}: {trouble.strerror}", ANOTHER) from trouble


def _json(content: BaseModel) -> bytes:
    fields: dict[str, Any] = content.model_dump(mode="json")
    return json.dumps(fields, sort_keys=True).encode("ascii")


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refused(asked: str, reason: str, remedy: str) -> Refusal:
    return Refusal(
        gate="passphrase_typed", flag="NOT_DECIDED", asked=asked, reason=reason, remedy=remedy
    )
