"""What an agent may send in a dig, good and bad: the arguments behind the words of the model."""

from collections.abc import Sequence
from typing import Any

from tests.dig_model import Model
from tests.digging import COSTUMES, NOTHING, TERMS, WHY
from tests.digging_base import ANCHORS, NAMES_KEYWORD

GOOD_SCORES = ("logs", "flat", "zero")
BAD_SCORES = ("one missing", "one twice", "a stranger", "true", "too high", "no reason", "no list")
GOOD_PICKS = ("honest", "empty")
BAD_PICKS = ("three cuts", "a stranger", "twice", "both", "not bool", "named", "no list")
CONNECTION = "It is left alone and becomes itself."


def terms(kind: str, turn: int) -> list[str]:
    """A list of terms; another turn of the same kind is another attempt."""
    lists = {"good": TERMS, "costumes": COSTUMES, "nothing": NOTHING, "count": TERMS[:9]}
    chosen = lists[kind]
    turn %= len(chosen)
    return [*chosen[turn:], *chosen[:turn]]


def embodied(model: Model, ids: Sequence[str], kind: str) -> dict[str, int]:
    """The scores of a good kind."""
    if kind == "logs":
        return {id_: 3 if model.path[id_] in ANCHORS else 1 for id_ in ids}
    return dict.fromkeys(ids, 1 if kind == "flat" else 0)


def scores(given: dict[str, int]) -> list[dict[str, Any]]:
    return [{"id": id_, "embodies": score, "why": WHY} for id_, score in given.items()]


def bad_scores(ids: Sequence[str], kind: str, turn: int) -> Any:
    """Scores with one fault; the reasons tell one turn from another."""
    whole: list[dict[str, Any]] = [
        {"id": id_, "embodies": 1, "why": f"{WHY} {turn}"} for id_ in ids
    ]
    first, *others = whole
    faulty: dict[str, Any] = {
        "one missing": others,
        "one twice": [*whole, first],
        "a stranger": [*others, {**first, "id": "row_999"}],
        "true": [*others, {**first, "embodies": True}],
        "too high": [*others, {**first, "embodies": 4}],
        "no reason": [*others, {**first, "why": " " * (turn + 1)}],
        "no list": {"scores": whole},
    }
    return faulty.get(kind, whole)


def picks(model: Model, top: Sequence[str], kind: str) -> dict[str, Any]:
    """Picks that must be allowed."""
    cuts = [id_ for id_ in top if model.embodies[id_] and model.path[id_] not in NAMES_KEYWORD]
    if kind == "empty" or not cuts:
        return _picked([], top[:1], True)
    return _picked(cuts[:1], [id_ for id_ in top if id_ != cuts[0]][:2], False)


def bad_picks(model: Model, top: Sequence[str], kind: str, turn: int) -> dict[str, Any]:
    """Picks with one fault; the last connection tells one turn from another."""
    best = picks(model, top, "honest")
    cuts, hits, empty = best["deep_cuts"], best["direct_hits"], best["pass4_empty"]
    named = [id_ for id_ in top if model.path[id_] in NAMES_KEYWORD] or ["row_999"]
    strangers = [f"row_{900 + turn}"] * turn
    faulty: dict[str, dict[str, Any]] = {
        # also where fewer than three rows are left
        "three cuts": _picked([*top, "row_998", "row_999"][:3], [], False, turn),
        "a stranger": _picked(["row_999"], hits, False, turn),
        "twice": _picked([], [top[0], top[0], *strangers], True),
        "both": _picked(top[:1], [], True, turn),
        "not bool": {**best, "pass4_empty": f"{empty}{turn}"},
        "named": _picked(named, [], False, turn),
        "no list": {"deep_cuts": {"0": cuts}, "direct_hits": hits, "pass4_empty": turn > 0},
    }
    return faulty[kind]


def _picked(
    cuts: Sequence[str], hits: Sequence[str], empty: bool, turn: int | None = None
) -> dict[str, Any]:
    line = CONNECTION if turn is None else f"{CONNECTION} {turn}"
    return {
        "deep_cuts": [{"id": id_, "connection": line} for id_ in cuts],
        "direct_hits": list(hits),
        "pass4_empty": empty,
    }


# One call of each tool, for a dig that does not exist.
ANYTHING: dict[str, Any] = {
    "retrieve_candidates": list(TERMS),
    "score_summaries": [1, []],
    "pick_scotoma": _picked([], [], True),
    "extract_excerpt": ["row_1", None],
    "dig_report": {},
    "assemble_brief": None,
}
