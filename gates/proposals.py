"""A savings proposal and the cost lines it is checked against, read strictly (E57, E58)."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from gates.forms import is_text, naming, shown

MOST_BYTES = 64 * 1024
MOST_LINES = 5000
MOST_MEASURES, MOST_CODES = 20, 200
LONGEST_LABEL = 200
_LARGEST_CLAIM = 1e12
# So many lines of it still have a finite sum.
_LARGEST = 1e300
# What a proposal is made of, for a reason to list.
FORM = (
    "label 1-200 characters, currency three capitals, base_year 1900-2200, claimed_saving > 0 and "
    "<= 1e12, measures 1-20 of {id, label, codes 1-200, max_share > 0 and <= 1, optional excludes, "
    "optional realisation {low, mode, high} of 0-2}, optional assumed_lines"
)
_CURRENCY = re.compile(r"[A-Z]{3}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_PROPOSAL = ("label", "currency", "base_year", "claimed_saving", "measures", "assumed_lines")
_MEASURE = ("id", "label", "codes", "max_share", "excludes", "realisation")
_LINE = ("code", "label", "amount", "band")
_POINTS = ("low", "mode", "high")


class NotReadable(Exception):
    """The text is not what it should be; the reason names fields and bounds."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Triangle:
    """A triangular distribution by its least, likeliest and greatest value."""

    low: float
    mode: float
    high: float


@dataclass(frozen=True, slots=True)
class Line:
    """One cost line in whole units of its currency; `band` says how sure its amount is."""

    code: str
    amount: float
    band: Triangle | None = None


@dataclass(frozen=True, slots=True)
class Baseline:
    """The cost lines of a base; none contains another."""

    currency: str
    base_year: int
    lines: Mapping[str, Line]


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that can be carried out, and the largest part of each of its lines it can save."""

    id: str
    codes: tuple[str, ...]
    max_share: float
    excludes: frozenset[str] = frozenset()
    realisation: Triangle | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A claimed saving and the measures that are to carry it."""

    label: str
    currency: str
    base_year: int
    claimed_saving: float
    measures: tuple[Measure, ...]
    assumed_lines: Mapping[str, Line]


def read_proposal(text: str) -> Proposal:
    """The proposal in a JSON text; raises NotReadable."""
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as wrong:
        raise NotReadable("it cannot be written as UTF-8") from wrong
    if size > MOST_BYTES:
        raise NotReadable(f"it has {size} bytes, {MOST_BYTES} are allowed")
    fields = _object(_parsed(text), "the proposal", _PROPOSAL)
    measures = _list(fields.get("measures"), "measures", MOST_MEASURES)
    proposal = Proposal(
        label=_label(fields.get("label"), "label"),
        currency=_currency(fields.get("currency")),
        base_year=_year(fields.get("base_year")),
        claimed_saving=_number(fields.get("claimed_saving"), "claimed_saving", 0, _LARGEST_CLAIM),
        measures=tuple(_measure(one, f"measures[{at}]") for at, one in enumerate(measures)),
        assumed_lines=_assumed(fields.get("assumed_lines")),
    )
    if proposal.claimed_saving == 0:
        raise NotReadable("claimed_saving is more than 0")
    if faults := list(_unlinked(proposal.measures)):
        raise NotReadable(naming(faults))
    return proposal


def read_baseline(text: str) -> Baseline:
    """The cost lines in the JSON text of a base; other keys are ignored. Raises NotReadable."""
    fields = _object(_parsed(text), "the baseline", None)
    return Baseline(
        _currency(fields.get("currency")),
        _year(fields.get("base_year")),
        _lines(fields.get("lines"), "lines", None),
    )


def _parsed(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError) as wrong:
        said = wrong.reason if isinstance(wrong, _Twice) else "it is not JSON"
        raise NotReadable(said) from wrong


class _Twice(ValueError):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _no_constant(name: str) -> object:
    raise _Twice(f"{name} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Twice("an object has a key twice")
    return found


def _assumed(value: object) -> Mapping[str, Line]:
    return {} if value is None else _lines(value, "assumed_lines", _LINE)


def _lines(value: object, where: str, allowed: Sequence[str] | None) -> Mapping[str, Line]:
    found: dict[str, Line] = {}
    for at, one in enumerate(_list(value, where, MOST_LINES, least=0)):
        line = _line(one, f"{where}[{at}]", allowed)
        if line.code in found:
            raise NotReadable(f"{where}: the code {shown(line.code)} is there twice")
        found[line.code] = line
    return found


def _line(value: object, where: str, allowed: Sequence[str] | None) -> Line:
    fields = _object(value, where, allowed)
    code = fields.get("code")
    if not (isinstance(code, str) and is_text(code) and code.strip()):
        raise NotReadable(f"{where}.code is a text that is not blank")
    if "label" in fields and not is_text(fields["label"]):
        raise NotReadable(f"{where}.label is a text")
    amount = _number(fields.get("amount"), f"{where}.amount", 0, _LARGEST)
    band = _triangle(fields.get("band"), f"{where}.band", _LARGEST, allowed is not None)
    if band is not None and not band.low <= amount <= band.high:
        raise NotReadable(f"{where}: low <= amount <= high")
    return Line(code, amount, band)


def _measure(value: object, where: str) -> Measure:
    fields = _object(value, where, _MEASURE)
    id_ = fields.get("id")
    if not (isinstance(id_, str) and _ID.fullmatch(id_)):
        raise NotReadable(f"{where}.id is 1-40 of A-Z, a-z, 0-9, _ and -")
    _label(fields.get("label"), f"{where}.label")
    share = _number(fields.get("max_share"), f"{where}.max_share", 0, 1)
    if share == 0:
        raise NotReadable(f"{where}.max_share is more than 0 and at most 1")
    codes = _texts(fields.get("codes"), f"{where}.codes", 1)
    excludes = _texts(fields.get("excludes", []), f"{where}.excludes", 0)
    realisation = _triangle(fields.get("realisation"), f"{where}.realisation", 2, strict=True)
    return Measure(id_, codes, share, frozenset(excludes), realisation)


def _unlinked(measures: Sequence[Measure]) -> Iterator[str]:
    """What is wrong with the ids of measures and with those they exclude."""
    ids = [measure.id for measure in measures]
    for at, measure in enumerate(measures):
        if measure.id in ids[:at]:
            yield f"the measure {measure.id} is there twice"
        for other in sorted(measure.excludes):
            if other == measure.id or other not in ids:
                yield f"{measure.id} excludes {shown(other)}, which is no other measure"


def _object(value: object, where: str, allowed: Sequence[str] | None) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise NotReadable(f"{where} is an object")
    fields = cast("dict[str, Any]", value)
    if allowed is not None and (unknown := sorted(set(fields) - set(allowed))):
        raise NotReadable(f"{where} has no {shown(unknown[0])}; it takes {', '.join(allowed)}")
    return fields


def _list(value: object, where: str, most: int, least: int = 1) -> list[object]:
    if isinstance(value, list):
        found = cast("list[object]", value)
        if least <= len(found) <= most:
            return found
    raise NotReadable(f"{where} is a list of {least}-{most}")


def _texts(value: object, where: str, least: int) -> tuple[str, ...]:
    found = _list(value, where, MOST_CODES, least)
    texts = [one for one in found if isinstance(one, str) and is_text(one) and one.strip()]
    if len(texts) < len(found) or len(set(texts)) < len(texts):
        raise NotReadable(f"{where} is a list of different texts")
    return tuple(texts)


def _label(value: object, where: str) -> str:
    good = isinstance(value, str) and is_text(value) and value.strip()
    if not (isinstance(value, str) and good and len(value) <= LONGEST_LABEL):
        raise NotReadable(f"{where} is a text of 1-{LONGEST_LABEL} characters")
    return value


def _currency(value: object) -> str:
    if not (isinstance(value, str) and _CURRENCY.fullmatch(value)):
        raise NotReadable("currency is three capital letters")
    return value


def _year(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 1900 <= value <= 2200:
        return value
    raise NotReadable("base_year is a whole number of 1900-2200")


def _number(value: object, where: str, least: float, most: float) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return float(value)
    raise NotReadable(f"{where} is a number of {least:g}-{most:g}")


def _triangle(value: object, where: str, most: float, strict: bool) -> Triangle | None:
    if value is None:
        return None
    fields = _object(value, where, _POINTS if strict else None)
    low, mode, high = (_number(fields.get(p), f"{where}.{p}", 0, most) for p in _POINTS)
    if not low <= mode <= high or not math.isfinite(high):
        raise NotReadable(f"{where}: low <= mode <= high")
    return Triangle(low, mode, high)
