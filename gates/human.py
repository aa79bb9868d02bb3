"""Has a person decided? Only a recorded decision on this very report opens the brief."""

from dataclasses import dataclass
from typing import Literal

from gates.verdict import Verdict, passed, refused

Level = Literal["person", "local", "client", "relayed"]
# Strongest first: a passphrase typed; a terminal or local page; the host's word; a file.
LEVELS: tuple[Level, ...] = ("person", "local", "client", "relayed")


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as recorded: how strong, on which report, how many candidates were kept."""

    level: Level
    report_sha256: str
    kept: int


def weakest_level(passphrase_set: bool, relayed_allowed: bool) -> Level:
    """The weakest level that counts: with a passphrase `person`, else the host's word and up."""
    if passphrase_set:
        return "person"
    return "relayed" if relayed_allowed else "client"


def strong_enough(level: Level, weakest: Level) -> Verdict:
    """A decision made in this way counts."""
    if LEVELS.index(level) <= LEVELS.index(weakest):
        return passed("decided_by_person", level)
    return _refused("NOT_DECIDED", f"the decision is {level}, {weakest} or stronger is asked")


def decided_by_person(decided: Decided | None, report_sha256: str, weakest: Level) -> Verdict:
    """A person has kept something of this report, in a way strong enough."""
    if decided is None:
        return _refused("NOT_DECIDED", "no decision is recorded")
    if decided.report_sha256 != report_sha256:
        return _refused("REPORT_VOID", "the decision is on an earlier report")
    strong = strong_enough(decided.level, weakest)
    if not strong.passed:
        return strong
    if decided.kept < 1:
        return refused(
            "decided_by_person", "NOTHING_KEPT", "every candidate was dropped", "open another dig"
        )
    return passed("decided_by_person", decided.level)


def _refused(flag: str, reason: str) -> Verdict:
    return refused("decided_by_person", flag, reason, "let a person run: expedition decide DIG")
