"""Reading what a judge said: one JSON object of its step's schema, or the reason why it is none.

Nothing is repaired: a fence around the whole answer is taken off, and that is all.
"""

import json
import math
import re
from collections.abc import Sequence
from typing import Any, NoReturn, cast

from server.judge import Unreadable

_FENCED = re.compile(r"\A```[a-zA-Z0-9]*[ \t]*\r?\n(.*?)\r?\n?```\Z", re.DOTALL)
FINAL, END = "===FINAL===", "===END==="


def final_part(text: str) -> str:
    """What stands between the two marks, if they are there; the whole text if neither is."""
    lines = text.splitlines()
    marks = [number for number, line in enumerate(lines) if line.strip() in (FINAL, END)]
    if not marks:
        return text
    if [lines[number].strip() for number in marks] != [FINAL, END]:
        raise Unreadable(f"{FINAL} and {END} are not there exactly once and in this order")
    return "\n".join(lines[marks[0] + 1 : marks[1]])


def read_answer(text: str, keys: Sequence[str]) -> dict[str, Any]:
    """The object, which has exactly these keys; raises Unreadable, never quoting the answer."""
    plain = text.removeprefix("\ufeff").strip()
    if not plain:
        raise Unreadable("the answer is empty")
    if fenced := _FENCED.match(plain):
        plain = fenced[1]
    value = _loaded(plain)
    if not isinstance(value, dict):
        raise Unreadable("the answer is JSON, but no object")
    found = cast("dict[str, Any]", value)
    if set(found) != set(keys):
        raise Unreadable(f"the object does not have the keys {', '.join(keys)} and no others")
    return found


def _loaded(text: str) -> object:
    try:
        value = json.loads(
            text,
            object_pairs_hook=each_once,
            parse_constant=_no_number,
            parse_float=_finite,
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as wrong:
        place = f"line {wrong.lineno}, column {wrong.colno}"
        raise Unreadable(f"the answer is not JSON from {place} on") from None
    except UnicodeEncodeError:
        raise Unreadable("a text in the answer holds half a character") from None
    except RecursionError:
        raise Unreadable("the answer is nested too deep") from None
    except ValueError:
        raise Unreadable("a number in the answer is too long") from None
    return value


def each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON; raises Unreadable where a key is said twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable("a key is said twice in one object")
    return found


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise Unreadable("a number in the answer is not finite")
