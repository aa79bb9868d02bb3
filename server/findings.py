"""What the doctor finds: one thing looked at, how it is, and what to do about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from index.faults import Fault

Outcome = Literal["ok", "note", "trouble"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at; `code` is what the command exits with if it is in trouble."""

    name: str
    outcome: Outcome
    detail: str
    remedy: str = ""
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    code: int = 0


def ok(name: str, detail: str, **facts: object) -> Check:
    """All is well here."""
    return Check(name, "ok", detail, facts=facts)


def note(name: str, detail: str, remedy: str = "", **facts: object) -> Check:
    """It works, but somebody should know."""
    return Check(name, "note", detail, remedy, facts)


def trouble(name: str, detail: str, remedy: str, code: int = 1) -> Check:
    """This has to be put right first."""
    return Check(name, "trouble", detail, remedy, code=code)


def failed(name: str, fault: Fault) -> Check:
    """A foreseen failure is a finding too."""
    return trouble(name, fault.message, fault.remedy, code=4 if fault.exit_code == 4 else 1)


def checked(name: str, look: Callable[[], Check]) -> Check:
    """What `look` finds, or how it failed."""
    try:
        return look()
    except Fault as fault:
        return failed(name, fault)
