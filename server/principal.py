"""On whose behalf a call comes: digs and explorations belong to whoever opened them."""

from collections.abc import Callable

# Everybody who needs no token: an agent over standard input, a client on this machine.
LOCAL = "local"

# Asked anew for every call; None is the person at this machine, to whom all is open.
Asker = Callable[[], str | None]


def owner_of_machine() -> None:
    """The person whose state directory it is."""


def local() -> str:
    """Whoever comes without a token."""
    return LOCAL


def may_see(asking: str | None, owner: str) -> bool:
    """Whether a run of `owner` exists for this principal; one of another is as unknown as none."""
    return asking is None or asking == owner
