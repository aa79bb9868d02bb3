"""Refusals are answers: what was asked, why not, what next; never a byte of what was refused."""

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict

from gates.verdict import Verdict
from index.paths import nearest, shown

NEIGHBOURS = 3


class Refusal(BaseModel):
    """One refused call, as structured content; `text` is what a model reads."""

    model_config = ConfigDict(frozen=True)

    gate: str
    flag: str
    asked: str
    reason: str
    remedy: str
    neighbours: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """`[FLAG] what — why — next move`."""
        # Names of files are the corpus's: none may start a line, or hide a character.
        names = ", ".join(map(shown, self.neighbours))
        near = f" (near: {names})" if names else ""
        return f"[{self.flag}] {self.asked} — {self.reason} — {self.remedy}{near}"


def from_verdict(verdict: Verdict, asked: str, dig: str = "DIG") -> Refusal:
    """A gate's refusal, as the answer to what was asked; gates say DIG and know no dig's id."""
    return Refusal(
        gate=verdict.gate,
        flag=verdict.flag,
        asked=asked,
        reason=verdict.reason,
        remedy=verdict.remedy.replace("expedition decide DIG", f"expedition decide {dig}"),
    )


def unknown_dig(asked: str) -> Refusal:
    """The same words for every id that is not a dig, whoever asks."""
    return Refusal(
        gate="dig_exists",
        flag="UNKNOWN_DIG",
        asked=asked,
        reason="no dig has this id",
        remedy="dig_status lists the open digs, as does: expedition digs",
    )


def unknown_base(asked: str, reason: str, known: Sequence[str], remedy: str = "") -> Refusal:
    """No base of that name, or several and none named."""
    return Refusal(
        gate="base_exists",
        flag="UNKNOWN_BASE",
        asked=asked,
        reason=reason,
        remedy=remedy or f"send base as one of: {', '.join(known)}",
    )


def not_listed(asked: str, path: str, listed: Iterable[str]) -> Refusal:
    """No listed file has this path; the listed ones most like it are named."""
    return Refusal(
        gate="path_allowed",
        flag="PATH_REFUSED",
        asked=asked,
        reason="no listed file of this base has that path",
        remedy="name a file as the base lists it",
        neighbours=nearest(path, listed, NEIGHBOURS),
    )


_OVER = {
    "failed": "stop here; a person may reopen it: expedition dig --resume {dig}",
    "briefed": "nothing is left to do: its brief is saved",
    "abandoned": "open a new dig",
}


def wrong_step(asked: str, state: str, legal: Sequence[str], dig: str) -> Refusal:
    """The state does not allow this call; the legal moves are named, or why there is none."""
    return Refusal(
        gate="in_order",
        flag="WRONG_STEP",
        asked=asked,
        reason=f"the dig is {state}",
        remedy=f"call {' or '.join(legal)}" if legal else _OVER[state].format(dig=dig),
    )


def invalid_argument(asked: str, reason: str, remedy: str) -> Refusal:
    """An argument no gate could judge."""
    return Refusal(
        gate="arguments", flag="INVALID_ARGUMENT", asked=asked, reason=reason, remedy=remedy
    )


def report_void(asked: str, dig: str) -> Refusal:
    """The decision is for a report that is not the report any more."""
    return Refusal(
        gate="report_current",
        flag="REPORT_VOID",
        asked=asked,
        reason="the report has changed since, so this decision counts for nothing",
        remedy=f"look at the report as it is now: expedition decide {dig}",
    )


def not_answered(asked: str, dig: str) -> Refusal:
    """The host's form, which is shown for a known dig only, came back without a choice."""
    return Refusal(
        gate="decided_by_person",
        flag="NOT_DECIDED",
        asked=asked,
        reason="the form came back without a choice",
        remedy=f"end your turn; a person decides with: expedition decide {dig}",
    )


def busy(asked: str) -> Refusal:
    """Another process holds the store or won the race twice."""
    return Refusal(
        gate="store",
        flag="BUSY",
        asked=asked,
        reason="another process is writing to this dig",
        remedy="repeat the same call",
    )


def driven(asked: str, dig: str) -> Refusal:
    """The judge is at this very dig for somebody who asked before."""
    return Refusal(
        gate="one_driver",
        flag="BUSY",
        asked=asked,
        reason="the judge is at this dig already",
        remedy=f"wait for it: dig_status with {dig}",
    )


def too_many(asked: str, seconds: int) -> Refusal:
    """The principal has no allowance left, or too many calls at once."""
    return Refusal(
        gate="allowance",
        flag="BUSY",
        asked=asked,
        reason="you call faster than you may",
        remedy=f"repeat the same call in {seconds} s",
    )


def step_failed(step: int, reason: str, asked: str, dig: str) -> Refusal:
    """The step had its attempts; only a person reopens it."""
    return Refusal(
        gate="attempts_left",
        flag=f"STEP_{step} FAILED — {reason}",
        asked=asked,
        reason="this step had its two attempts",
        remedy=f"stop here; a person may reopen it: expedition dig --resume {dig}",
    )


def unreadable(asked: str, flag: str, reason: str) -> Refusal:
    """A judge's answer that is no JSON of its schema."""
    return Refusal(
        gate="answer_readable",
        flag=flag,
        asked=asked,
        reason=reason,
        remedy="answer with one JSON object of the schema and nothing else",
    )


def unreachable(asked: str, reason: str, remedy: str, dig: str) -> Refusal:
    """The judge could not be asked; the dig stays where it is."""
    return Refusal(
        gate="judge_reached",
        flag="JUDGE_UNREACHABLE",
        asked=asked,
        reason=reason,
        remedy=f"{remedy}, then: expedition dig --resume {dig}",
    )
