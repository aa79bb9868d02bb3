"""Hypotheses on marked lines of a turn; a marked line that is none is an error."""

import json
import re

from gates.forms import as_mapping
from gates.routing import base_routable, read_direction
from gates.verdict import Verdict
from server.explore.bases import Bases
from server.explore.committing import declaration_of, keep
from server.explore.reading import Done, Scope
from server.explore.state import RunState

MARK = "HYPOTHESIS:"
# Other line ends of Unicode are text.
_END = re.compile("\r\n|\n|\r")


class HypothesisParseError(Exception):
    """A marked line that is no hypothesis; nothing is repaired or skipped."""

    def __init__(self, line: str, reason: str) -> None:
        super().__init__(f"{reason}: {line}")
        self.line = line


def marked_lines(turn: str) -> list[str]:
    """The lines of a turn that begin with the marker, after blanks."""
    return [line for line in _END.split(turn) if line.lstrip(" \t").startswith(MARK)]


def commit_line(state: RunState, line: str, scope: Scope, bases: Bases) -> Done:
    """The hypothesis of a line kept, declared or not: a turn cannot be answered any more."""
    sent = _object(line)
    direction = read_direction(sent)
    if isinstance(direction, Verdict):
        raise HypothesisParseError(line, direction.reason)
    base = base_routable(direction.base, state.base_ids)
    if isinstance(base, Verdict):
        raise HypothesisParseError(line, f"{base.reason}; {base.remedy}")
    declared = declaration_of(state, direction, base, scope, bases)
    return keep(state, direction, base, declared, scope.next)


def _object(line: str) -> dict[str, object]:
    try:
        sent: object = json.loads(line.lstrip(" \t").removeprefix(MARK))
    except (ValueError, RecursionError) as wrong:
        raise HypothesisParseError(line, "no JSON") from wrong
    fields = as_mapping(sent)
    if fields is None:
        raise HypothesisParseError(line, "no JSON object")
    return dict(fields)
