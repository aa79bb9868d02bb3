"""The refusals of an exploration: a closed list of kinds, and never a byte of what was refused."""

from collections.abc import Sequence
from typing import Literal

from gates.verdict import Verdict
from index.text import visible
from server.explore.state import RunState
from server.explore.states import Tool, moves
from server.refusals import Refusal

Kind = Literal[
    "UNKNOWN_RUN",
    "WRONG_MOMENT",
    "AWAITING_REVIEW",
    "INVALID_ARGUMENT",
    "UNKNOWN_BASE",
    "BUNDLE_ID_MISMATCH",
    "BASE_UNAVAILABLE",
    "PATH_OUTSIDE_BASE",
    "NOT_A_DOCUMENT",
    "NOT_UTF8_TEXT",
    "DIRECTORY_PATH_REFUSED",
    "DOCUMENT_PATH_REFUSED",
    "BUNDLE_PATH_NOT_FOUND",
    "VERDICT_LAYER_REFUSED",
    "DIMENSION_SCOPE_REFUSED",
    "REQUIREMENT_NOT_READ",
    "NOT_LOOKED_ENOUGH",
    "REQUIREMENT_REF_MISMATCH",
    "HYPOTHESIS_INCOMPLETE",
    "REQUIREMENT_NOT_DECLARED",
    "UNROUTABLE_APPROACH",
    "ROUND_OUT_OF_ORDER",
    "BUDGET_EXHAUSTED",
    # no kind of section 7: what every tool of this server says of a store that stays locked
    "BUSY",
    # nor is this: a folder of the program cannot be written
    "STORAGE_FULL",
]
LONGEST = 1200
LONGEST_ARGUMENT = 120
# a list of names in a remedy ends here, so that the reason is told whatever they are
LONGEST_REMEDY = 480
FREE: frozenset[str] = frozenset({"WRONG_MOMENT", "AWAITING_REVIEW", "BUDGET_EXHAUSTED"})

_GATES: dict[str, str] = {
    "UNKNOWN_RUN": "run_exists",
    "WRONG_MOMENT": "in_order",
    "AWAITING_REVIEW": "in_order",
    "INVALID_ARGUMENT": "arguments",
    "UNKNOWN_BASE": "base_exists",
    "BUNDLE_ID_MISMATCH": "base_identity",
    "BASE_UNAVAILABLE": "base_readable",
    "BUDGET_EXHAUSTED": "within_budget",
    "ROUND_OUT_OF_ORDER": "in_order",
    "BUSY": "store",
    "STORAGE_FULL": "storage",
}


def echoed(sent: object) -> str:
    """An argument as a refusal repeats it: short, on one line, hidden characters as escapes."""
    text = sent if isinstance(sent, str) else repr(sent)[: LONGEST_ARGUMENT * 2]
    cut = text if len(text) <= LONGEST_ARGUMENT else f"{text[: LONGEST_ARGUMENT - 1]}…"
    line = _plain(cut)
    return line if len(line) <= LONGEST_ARGUMENT else f"{line[: LONGEST_ARGUMENT - 1]}…"


def refuse(
    kind: Kind, asked: str, reason: str, remedy: str, neighbours: Sequence[str] = ()
) -> Refusal:
    """A refusal of this kind; names that would make it too long are left out from the end."""
    return _bounded(
        Refusal(
            gate=_GATES.get(kind, kind.lower()),
            flag=kind,
            asked=asked[:400],
            reason=_plain(reason),
            remedy=_cut(_plain(remedy)),
            neighbours=tuple(neighbours),
        )
    )


def of_verdict(verdict: Verdict, asked: str) -> Refusal:
    """A gate's refusal, as the answer to what was asked."""
    return _bounded(
        Refusal(
            gate=verdict.gate,
            flag=verdict.flag,
            asked=asked[:400],
            reason=_plain(verdict.reason),
            remedy=_cut(_plain(verdict.remedy)),
        )
    )


def unknown_run(asked: str) -> Refusal:
    """The same words for every id that is not a run of the caller's."""
    return refuse("UNKNOWN_RUN", asked, "no exploration of yours has this id", "open_exploration")


def busy(asked: str) -> Refusal:
    """The store stayed locked, or others won every race; nothing came of the call."""
    return refuse("BUSY", asked, "another process is writing to the store", "repeat the same call")


def wrong_moment(tool: Tool, state: RunState, complaint: str = "") -> Refusal:
    """The state does not allow this; the legal moves are named, and why an answer is none."""
    if state.question is not None:
        command = f"expedition explore review {state.run}"
        found = f"; what lies in the inbox is no answer: {complaint}" if complaint else ""
        return refuse(
            "AWAITING_REVIEW",
            tool,
            f"plan review #{state.question.index + 1} waits for a person; nothing said in a chat "
            f"is an answer{found}",
            f"end your turn; a person answers with: {command}; then exploration_status",
        )
    legal = " or ".join(moves(state.state))
    return refuse("WRONG_MOMENT", tool, f"the exploration is {state.state}", f"call {legal}")


def unknown_base(asked: str, known: Sequence[str]) -> Refusal:
    """No base of the run has this id."""
    ids = ", ".join(sorted(known)) or "none configured"
    return refuse(
        "UNKNOWN_BASE", asked, "the run has no base of this id", f"send base as one of: {ids}"
    )


def storage(asked: str, reason: str) -> Refusal:
    """A folder of the program cannot be written; what the ledger has of the call stands."""
    return refuse("STORAGE_FULL", asked, reason, "tell the operator; then exploration_status")


def exhausted(asked: str, kind: str, limit: int, spent: int) -> Refusal:
    """A budget is used up: nothing of what was asked for is told or kept."""
    return refuse(
        "BUDGET_EXHAUSTED",
        asked,
        f"{spent:,} of {limit:,} {kind} are spent, so the exploration has ended",
        "close_exploration",
    )


def _plain(text: str) -> str:
    """On one line, hidden characters as escapes: names and numbers are a base's own."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in visible(text)
    )


def _cut(remedy: str) -> str:
    if len(remedy) <= LONGEST_REMEDY:
        return remedy
    whole = remedy[:LONGEST_REMEDY].rpartition(", ")[0] or remedy[: LONGEST_REMEDY - 1]
    return f"{whole}, …"


def _bounded(refusal: Refusal) -> Refusal:
    while refusal.neighbours and _length(refusal) > LONGEST:
        refusal = refusal.model_copy(update={"neighbours": refusal.neighbours[:-1]})
    if (over := _length(refusal) - LONGEST) > 0:
        kept = max(0, len(refusal.reason) - over - 1)
        refusal = refusal.model_copy(update={"reason": f"{refusal.reason[:kept]}…"})
    return refusal


def _length(refusal: Refusal) -> int:
    return len(refusal.text)
