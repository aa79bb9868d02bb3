"""Can a claimed saving be carried by the cost lines it names, and how sure is it (E55-E65)?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from gates.carrying import TOLERANCE, GaveUp, carried
from gates.forms import naming
from gates.proposals import FORM, Baseline, Line, NotReadable, Proposal, read_proposal
from gates.sampling import percentiles

Decision = Literal["refused", "unparseable", "rejected", "validated"]
# An assumed line may differ from the baseline by rounding, and not by more.
_ASSUMED = 0.01
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Validation:
    """What the check says; money in whole units of the currency, at the base year's prices.

    `anchored` is whether the cost lines are those of the base; `carried_by` gives for each code the
    measure and the amount it carries.
    """

    decision: Decision
    reason: str
    check: str = ""
    anchored: bool = False
    p10: float | None = None
    p50: float | None = None
    p90: float | None = None
    carriable: float | None = None
    carried_by: Mapping[str, tuple[str, float]] | None = None


def validate_text(text: str, baseline: Baseline | None) -> Validation:
    """The check of a proposal as it was sent."""
    anchored = baseline is not None
    try:
        proposal = read_proposal(text)
    except NotReadable as wrong:
        reason = f"{wrong.reason}; a proposal is an object with {FORM}"
        return Validation("unparseable", reason, anchored=anchored)
    return validate_proposal(proposal, baseline)


def validate_proposal(proposal: Proposal, baseline: Baseline | None) -> Validation:
    """The check of a proposal against a base's cost lines, or its own where the base has none."""
    anchored = baseline is not None
    failed = next(_stage_0(proposal, baseline), None)
    if failed is not None:
        return Validation("rejected", failed[1], failed[0], anchored)
    lines = baseline.lines if baseline else proposal.assumed_lines
    try:
        found = carried(proposal.measures, lines)
    except GaveUp:
        return Validation("refused", "the solver gave up: send fewer measures or codes")
    claim, carriable = proposal.claimed_saving, found.total
    known = Validation("rejected", "", anchored=anchored, carriable=_cents(carriable))
    if claim > carriable + TOLERANCE:
        short = f"{_cents(carriable):,.2f} can be carried, {_cents(claim - carriable):,.2f} short"
        return replace(known, check="not_carried", reason=short)
    amounts = {
        code: measure.max_share * lines[code].amount * claim / carriable
        for code, measure in found.by.items()
        if measure.max_share * lines[code].amount > 0
    }
    p10, p50, p90 = percentiles(amounts, found.by, lines)
    known = replace(known, p10=_cents(p10), p50=_cents(p50), p90=_cents(p90))
    if claim > p90 + TOLERANCE:
        reason = f"nine in ten samples save less than {_cents(p90):,.2f}"
        return replace(known, check="above_p90", reason=reason)
    by = {code: (found.by[code].id, _cents(amounts[code])) for code in sorted(amounts)}
    reason = f"{_cents(carriable):,.2f} can be carried"
    return replace(known, decision="validated", reason=reason, carried_by=by)


def _stage_0(proposal: Proposal, baseline: Baseline | None) -> Iterator[tuple[str, str]]:
    """The checks before any solving, as name and reason, the first failure first."""
    if baseline is None and not proposal.assumed_lines:
        yield "no_lines", "there is neither a baseline nor assumed_lines"
    if baseline is not None:
        yield from _against(proposal, baseline)
    lines = baseline.lines if baseline else proposal.assumed_lines
    codes = {code for measure in proposal.measures for code in measure.codes}
    if unknown := sorted(codes - set(lines)):
        yield "unknown_code", f"no cost line has the code {', '.join(unknown[:_NAMED])}"
    yield from _assumed(proposal.assumed_lines, lines)
    total = sum(lines[code].amount for code in sorted(codes) if code in lines)
    if proposal.claimed_saving > total + TOLERANCE:
        yield "above_lines", f"the lines it touches sum to {_cents(total):,.2f}"


def _against(proposal: Proposal, baseline: Baseline) -> Iterator[tuple[str, str]]:
    if proposal.currency != baseline.currency:
        yield "currency", f"the baseline is in {baseline.currency}"
    if proposal.base_year != baseline.base_year:
        yield "base_year", f"the baseline is of {baseline.base_year}"


def _assumed(assumed: Mapping[str, Line], lines: Mapping[str, Line]) -> Iterator[tuple[str, str]]:
    if unknown := sorted(set(assumed) - set(lines)):
        yield "unknown_code", f"no cost line has the code {', '.join(unknown[:_NAMED])}"
    off = [
        code
        for code in sorted(set(assumed) & set(lines))
        if abs(assumed[code].amount - lines[code].amount) > _ASSUMED * lines[code].amount
    ]
    if off:
        yield "assumed_line", f"more than 1 % off the baseline: {naming(off)}"


def _cents(amount: float) -> float:
    # round() rounds half to even
    return round(amount, 2)
