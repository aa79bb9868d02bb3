"""Judging what an agent sent before anything is believed of it: any JSON value may come."""

from collections.abc import Mapping, Sequence
from typing import cast

from index.text import visible

# Faults named in one reason: enough to mend a call by, few enough to read.
NAMED = 6
_SHOWN = 60
_KINDS: Mapping[type, str] = {
    type(None): "nothing",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


def as_list(sent: object) -> list[object] | None:
    """What was sent, if it is a list."""
    return list(cast("Sequence[object]", sent)) if isinstance(sent, list | tuple) else None


def as_mapping(sent: object) -> Mapping[str, object] | None:
    """What was sent, if it is a mapping."""
    return cast("Mapping[str, object]", sent) if isinstance(sent, Mapping) else None


def is_text(sent: object) -> bool:
    """Whether it is text that can be written down: a lone surrogate cannot."""
    return isinstance(sent, str) and not any("\ud800" <= letter <= "\udfff" for letter in sent)


def shown(sent: object) -> str:
    """A value as a reason may quote it: short, on one line, and nothing hidden."""
    if not isinstance(sent, str):
        return _KINDS.get(type(sent), "something else")
    cut = sent if len(sent) <= _SHOWN else f"{sent[:_SHOWN]}…"
    return f"'{visible(' '.join(cut.split()))}'"


def naming(faults: Sequence[str]) -> str:
    """The first faults as one line, and how many more there are."""
    more = len(faults) - NAMED
    return "; ".join([*faults[:NAMED], *([f"and {more} more"] if more > 0 else [])])
