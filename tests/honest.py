"""A program that judges honestly: prompt on its input, answer on its output; no import of ours.

python tests/honest.py [--final]
"""

import json
import re
import sys
from typing import Any

PROGRAM = __file__
TERMS = (
    *("tide", "dough", "graft", "ferry", "ember", "ice"),
    *("slow", "harbour", "root", "clay", "lantern", "orchard"),
)
_DATA = re.compile(r"^DATA (\w+) BEGIN\n(.*)\nDATA \1 END$", re.DOTALL | re.MULTILINE)


def data_of(prompt: str) -> dict[str, Any]:
    """What stands in the fence of a prompt."""
    found = _DATA.search(prompt)
    assert found, prompt
    data: dict[str, Any] = json.loads(found[2])
    return data


def step_of(prompt: str) -> str:
    """Which of the three questions it is."""
    schema = prompt.rpartition("Answer with one JSON object")[2]
    return next(step for step in ("terms", "scores", "deep_cuts") if f'"{step}"' in schema)


def honest(prompt: str) -> dict[str, Any]:
    """An answer that passes every gate of the small base."""
    data, step = data_of(prompt), step_of(prompt)
    if step == "terms":
        return {"terms": list(TERMS)}
    rows = data["rows"]
    if step == "scores":
        return {"scores": [_score(row) for row in rows]}
    keyword = data["keyword"].casefold()
    unnamed = [row["id"] for row in rows if keyword not in json.dumps(row).casefold()]
    cut = unnamed[0]
    hits = [row["id"] for row in rows if row["id"] != cut][:2]
    cuts = [{"id": cut, "connection": "It is left alone and becomes itself."}]
    return {"deep_cuts": cuts, "direct_hits": hits, "pass4_empty": False}


def _score(row: dict[str, Any]) -> dict[str, Any]:
    grade = 3 if row["summary"].startswith(("A ", "An ", "Out")) else 1
    return {"id": row["id"], "embodies": grade, "why": "it waits as the pattern does"}


if __name__ == "__main__":
    text = json.dumps(honest(sys.stdin.read()))
    if "--final" in sys.argv:
        text = f"Let me think about that.\n===FINAL===\n{text}\n===END===\nDone."
    print(text)
