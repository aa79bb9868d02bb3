"""An answer at the terminal: text or JSON on stdout, a refusal's text on stderr and exit code 1."""

import sys

from server.cli.output import emit, say
from server.flags import explain
from server.refusals import Refusal
from server.replies import Answer

_NOT_FOUND = ("UNKNOWN_DIG", "UNKNOWN_BASE")
_TROUBLE = (
    *("STORAGE_FULL", "BUSY", "INDEX_REBUILDING", "INDEX_BUILDING"),
    *("BASE_UNAVAILABLE", "JUDGE_UNREACHABLE"),
)


def conclude(answer: Answer, as_json: bool) -> None:
    """Print an answer; a refusal ends the command with its exit code."""
    if as_json:
        emit(answer)
    elif isinstance(answer, Refusal):
        say(answer.text)
    else:
        print("\n".join(answer.body()))
        for flag in answer.flags:
            if flag.startswith("INDEX_"):
                say(f"{flag} — {explain(flag).comes}")
    if isinstance(answer, Refusal):
        sys.exit(exit_code(answer))


def exit_code(refusal: Refusal) -> int:
    """3 for what is not there, 4 for trouble around the dig, 2 for usage, else 1."""
    if refusal.flag in _NOT_FOUND:
        return 3
    if refusal.flag in ("INVALID_ARGUMENT", "EXTRA_MISSING"):
        return 2
    return 4 if refusal.flag in _TROUBLE else 1
