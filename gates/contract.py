"""Is this a contract? Six bounds of an exploration, all stated, none with a default (E8-E12)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from gates.forms import as_mapping, naming, shown
from gates.verdict import Verdict, refused

GATE = "contract_in_bounds"


@dataclass(frozen=True, slots=True)
class Contract:
    """How far an exploration may go; it cannot change during a run."""

    max_rounds: int
    max_tokens: int
    max_stall_count: int
    max_reset_count: int
    max_plan_revisions: int
    enable_plan_review: bool


@dataclass(frozen=True, slots=True)
class Ceilings:
    """What an operator lets a contract ask for; one beyond is refused, never clamped."""

    max_rounds: int = 50
    max_tokens: int = 2_000_000
    max_stall_count: int = 10
    max_reset_count: int = 10
    max_plan_revisions: int = 10
    require_plan_review: bool = False


# The least that means anything: a loop of no round explores nothing, and a cap on resets of 0 ends
# a run that did nothing; no stall, or no revision, may well be what is wanted.
LEAST: Mapping[str, int] = {
    "max_rounds": 1,
    "max_tokens": 1,
    "max_stall_count": 0,
    "max_reset_count": 1,
    "max_plan_revisions": 0,
}
REVIEW = "enable_plan_review"
NAMES = tuple(field.name for field in fields(Contract))


def read_contract(sent: object, ceilings: Ceilings) -> Contract | Verdict:
    """The contract that was sent, or the refusal that names every field to mend."""
    given = as_mapping(sent)
    if given is None:
        return _refused("it is no object", f"send {', '.join(NAMES)}")
    if faults := [*_missing(given), *_unknown(given), *_ill_typed(given)]:
        return _refused(naming(faults), f"state each of {', '.join(NAMES)} by its type and bound")
    if faults := list(_beyond(given, ceilings)):
        return _refused(naming(faults), "ask for less; nothing is clamped")
    contract = Contract(**{name: given[name] for name in NAMES})  # type: ignore[arg-type]
    return _contradiction(contract, ceilings) or contract


def _missing(given: Mapping[str, object]) -> list[str]:
    return [f"{name} is missing" for name in NAMES if name not in given]


def _unknown(given: Mapping[str, object]) -> list[str]:
    return [f"{shown(name)} is no field" for name in given if name not in NAMES]


def _ill_typed(given: Mapping[str, object]) -> list[str]:
    """Types are strict: `true`, `3.0` and `"3"` are no integers, 1 is no boolean."""
    faults = [
        f"{name} is {shown(given[name])}, not a whole number from {least} on"
        for name, least in LEAST.items()
        if name in given and not _is_whole(given[name], least)
    ]
    if REVIEW in given and not isinstance(given[REVIEW], bool):
        faults.append(f"{REVIEW} is {shown(given[REVIEW])}, not true or false")
    return faults


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _beyond(given: Mapping[str, object], ceilings: Ceilings) -> list[str]:
    found: list[str] = []
    for name in LEAST:
        ceiling, value = getattr(ceilings, name), given[name]
        if isinstance(value, int) and value > ceiling:
            found.append(f"{name} is beyond the operator's ceiling of {ceiling}")
    return found


def _contradiction(contract: Contract, ceilings: Ceilings) -> Verdict | None:
    if contract.max_plan_revisions and not contract.enable_plan_review:
        return _refused(
            f"max_plan_revisions bounds what cannot happen while {REVIEW} is false",
            f"set max_plan_revisions to 0, or {REVIEW} to true",
        )
    if ceilings.require_plan_review and not contract.enable_plan_review:
        return _refused(f"the operator requires {REVIEW}", f"set {REVIEW} to true")
    return None


def _refused(reason: str, remedy: str) -> Verdict:
    return refused(GATE, "INVALID_ARGUMENT", f"the contract: {reason}", remedy)
