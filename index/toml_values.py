"""TOML as plain values: every scalar is text."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import cast

from index.records import Limits, Value
from index.values import Unreadable

_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'")
# The standard library's time grows with the square of a dotted key's parts: 32,000 take 20 s.
_DOTS_IN_LINE = 250


def load_toml(text: str, limits: Limits) -> dict[str, Value]:
    """A TOML document as plain values; raises Unreadable."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _DOTS_IN_LINE and _QUOTED.sub("", line).count(".") > _DOTS_IN_LINE:
            raise Unreadable("too-deep", f"a key nested deeper than {limits.yaml_depth}", number)
    try:
        return _mapping(tomllib.loads(text, parse_float=str), limits.yaml_depth)
    except ValueError as error:
        raise Unreadable("toml", "the block is no TOML") from error
    except RecursionError as error:
        raise Unreadable("too-deep", f"nested deeper than {limits.yaml_depth}") from error


def _mapping(table: Mapping[str, object], depth: int) -> dict[str, Value]:
    return {key: _plain(item, depth - 1) for key, item in table.items()}


def _plain(value: object, depth: int) -> Value:
    """A value with every scalar as text; `depth` more collections may be nested."""
    if isinstance(value, Mapping | list) and depth < 1:
        raise Unreadable("too-deep", "nested deeper than allowed")
    if isinstance(value, Mapping):
        return _mapping(cast(Mapping[str, object], value), depth)
    if isinstance(value, list):
        return [_plain(item, depth - 1) for item in cast(Sequence[object], value)]
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, datetime | date | time) else str(value)
