"""Is a direction whole, does it rest on what was declared, and where does it go (E66-E75)?"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gates.forms import as_list, as_mapping, is_text, naming, shown
from gates.verdict import Verdict, passed, refused
from index.text import unaccented

LABEL, RATIONALE = 200, 8000
OWN_PROPOSAL = "own-proposal"


@dataclass(frozen=True, slots=True)
class Direction:
    """A hypothesis as it was sent, in form; `base` is empty where none was named."""

    label: str
    rationale: str
    requirement: tuple[str, str] | None
    why_none: str
    base: str
    affected_codes: tuple[str, ...]
    claimed_saving: float | None


def read_direction(sent: Mapping[str, object]) -> Direction | Verdict:
    """A hypothesis whose every field is in form, its requirement named or its absence explained."""
    if faults := list(_faults(sent)):
        return refused(
            "arguments", "INVALID_ARGUMENT", naming(faults), "mend the fields that are named"
        )
    requirement, why = sent.get("requirement", ""), str(sent.get("why_none") or "")
    named = _reference(requirement)
    if named is None and requirement is not None:
        return _incomplete("requirement is neither {path, ref} nor null")
    if named is None and not why.strip():
        return _incomplete("there is no requirement, and why_none does not say why")
    if named is not None and why.strip():
        return _incomplete("a requirement and why_none exclude each other")
    codes, saving = _codes(sent), sent.get("claimed_saving")
    return Direction(
        label=str(sent["label"]),
        rationale=str(sent["rationale"]),
        requirement=named,
        why_none=why,
        base=str(sent.get("base") or ""),
        affected_codes=tuple(map(str, codes or ())),
        claimed_saving=float(saving) if isinstance(saving, int | float) else None,
    )


def requirement_declared(direction: Direction, declared: bool) -> Verdict:
    """What a hypothesis rests on was declared in this run for this base, file and reference."""
    if direction.requirement is None or declared:
        return passed("requirement_declared")
    return refused(
        "requirement_declared",
        "REQUIREMENT_NOT_DECLARED",
        "this requirement was not declared in this run",
        "declare_requirement with the same base, path and ref",
    )


def base_routable(named: str, bases: Sequence[str]) -> str | Verdict:
    """The base that a hypothesis goes to: the one named, or the only one; never guessed (E72)."""
    if named in bases:
        return named
    if not named and len(bases) <= 1:
        return bases[0] if bases else ""
    why = f"the run has no base {shown(named)}" if named else "no base is named"
    return refused(
        "base_routable",
        "UNROUTABLE_APPROACH",
        why,
        f"name one of: {', '.join(sorted(bases)) or 'none configured'}",
    )


def experts_routable(approaches: Sequence[tuple[str, str]], bases: Sequence[str]) -> Verdict:
    """Every expert's approach, as (id, base), has an id of its own and a base of the run (E73)."""
    ids = [id_ for id_, _ in approaches]
    for at, (id_, base) in enumerate(approaches):
        if id_ in ids[:at]:
            return _unroutable(f"the id {shown(id_)} is given twice", "give each an id of its own")
        if id_ == OWN_PROPOSAL:
            return _unroutable(f"the id {OWN_PROPOSAL} is reserved", "take another id")
        if base and base not in bases:
            known = ", ".join(sorted(bases)) or "none configured"
            return _unroutable(
                f"{shown(id_)} names the base {shown(base)}", f"name one of: {known}"
            )
        if not base and len(bases) > 1:
            known = ", ".join(sorted(bases))
            return _unroutable(f"{shown(id_)} names no base", f"name one of: {known}")
    return passed("experts_routable")


def sameness(direction: Direction, base: str) -> tuple[str, str, str, str]:
    """By what two hypotheses are one: the folded label, the base and the requirement (E71)."""
    path, ref = direction.requirement or ("", "")
    label, ref = (" ".join(unaccented(text).split()) for text in (direction.label, ref))
    return label, base, path, ref


def numbered(count: int, taken: Collection[str]) -> list[str]:
    """Ids for so many hypotheses; a number whose id is taken or reserved is skipped (E75)."""
    found: list[str] = []
    number = 0
    while len(found) < count:
        number += 1
        if (id_ := f"hypothesis-{number}") not in taken:
            found.append(id_)
    return found


def _faults(sent: Mapping[str, object]) -> Iterator[str]:
    for name, most in (("label", LABEL), ("rationale", RATIONALE)):
        text = sent.get(name)
        if not (isinstance(text, str) and is_text(text) and text.strip() and len(text) <= most):
            yield f"{name} is no text of 1-{most} characters"
    for name in ("why_none", "base"):
        if not (sent.get(name) is None or is_text(sent[name])):
            yield f"{name} is no text"
    codes = _codes(sent)
    if codes is None or not all(is_text(code) for code in codes):
        yield "affected_codes is no list of texts"
    saving = sent.get("claimed_saving")
    if saving is not None and not is_amount(saving):
        yield "claimed_saving is no number from 0 on"


def _codes(sent: Mapping[str, object]) -> list[object] | None:
    """The affected codes; none where none are sent, None where it is no list."""
    codes = sent.get("affected_codes")
    return [] if codes is None else as_list(codes)


def is_amount(value: object) -> bool:
    """Whether it is a finite amount of money that can be saved: 0 or more, and no boolean."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value <= 1e18  # type: ignore[operator]


def _reference(requirement: object) -> tuple[str, str] | None:
    fields = as_mapping(requirement)
    if fields is None or set(fields) != {"path", "ref"}:
        return None
    path, ref = fields["path"], fields["ref"]
    if not (isinstance(path, str) and isinstance(ref, str) and path.strip() and ref.strip()):
        return None
    return (path, ref) if is_text(path) and is_text(ref) else None


def _incomplete(reason: str) -> Verdict:
    return refused(
        "hypothesis_complete",
        "HYPOTHESIS_INCOMPLETE",
        reason,
        "send requirement {path, ref}; or null, and in why_none why none binds",
    )


def _unroutable(reason: str, remedy: str) -> Verdict:
    return refused("experts_routable", "UNROUTABLE_APPROACH", reason, remedy)
