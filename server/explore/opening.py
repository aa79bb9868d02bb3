"""What a run is opened with: all of it judged before anything is spent."""

import hashlib
import hmac
import re
import secrets
from base64 import b32encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from gates.contract import Ceilings, Contract, read_contract
from gates.forms import as_list, as_mapping, is_text
from gates.routing import experts_routable, is_amount
from gates.verdict import Verdict
from index.faults import BadSettings
from server.config import Settings
from server.explore.arguments import Wrong, text
from server.explore.artefacts import check_outside
from server.explore.bases import Bases, named
from server.explore.refusals import echoed, of_verdict, refuse, unknown_base
from server.explore.state import Approach, Driver, Material, Opening, Reference, RunBase
from server.refusals import Refusal
from server.request_keys import secret_key
from server.store import canonical

ASKED = "open_exploration"
OBJECTIVE, MATERIAL, WORDS = 20_000, 200_000, 8_000
_RUN = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_APPROACH = {
    *("id", "label", "description", "base", "requirement"),
    *("why_none", "affected_codes", "claimed_saving"),
}


@dataclass(frozen=True, slots=True)
class Texts:
    """The plain texts of a request."""

    objective: str
    success_criteria: str
    dimension: str
    request_key: str


@dataclass(frozen=True, slots=True)
class Caller:
    """Who opens a run, and by which loop it is driven."""

    principal: str
    driver: Driver


def read_opening(
    sent: Mapping[str, object], settings: Settings, bases: Bases, caller: Caller
) -> Opening | Refusal:
    """The opening that was asked for, or the first reason why it cannot be."""
    texts = _texts(sent)
    if isinstance(texts, Wrong):
        return _invalid(texts)
    contract = read_contract(sent.get("contract"), ceilings_of(settings))
    if isinstance(contract, Verdict):
        return of_verdict(contract, ASKED)
    refs = _bases(sent.get("bases"), bases)
    if isinstance(refs, Refusal):
        return refs
    dimension = _dimension(texts.dimension, refs, bases)
    approaches = _approaches(sent.get("expert_approaches"))
    material = _material(sent.get("starting_material"))
    for part in (dimension, approaches, material):
        if isinstance(part, Wrong):
            return _invalid(part)
    experts = cast("tuple[Approach, ...]", approaches)
    routed = experts_routable([(a.id, a.base) for a in experts], [ref.id for ref in refs])
    if not routed.passed:
        return of_verdict(routed, ASKED)
    folder = sent.get("checkpoints", "")
    parts = _Parts(texts, contract, refs, cast("str", dimension), experts, folder)
    return _opening(parts, cast("Material | None", material), settings, caller)


@dataclass(frozen=True, slots=True)
class _Parts:
    texts: Texts
    contract: Contract
    refs: tuple[RunBase, ...]
    dimension: str
    experts: tuple[Approach, ...]
    # no tool sends this: only the orchestrated loop, started by a person, parks in a folder
    checkpoints: object = ""


def _opening(
    parts: _Parts, material: Material | None, settings: Settings, caller: Caller
) -> Opening:
    key = parts.texts.request_key
    asked = [
        *(parts.texts.objective, parts.texts.success_criteria, parts.dimension),
        *(repr(parts.contract), repr(parts.refs), repr(parts.experts), repr(material)),
    ]
    seal = hashlib.sha256(canonical(asked).encode("ascii")).hexdigest()
    return Opening(
        principal=caller.principal,
        driver=caller.driver,
        objective=parts.texts.objective,
        success_criteria=parts.texts.success_criteria,
        contract=parts.contract,
        bases=parts.refs,
        dimension=parts.dimension,
        expert_approaches=parts.experts,
        starting_material=material,
        request=seal if key else "",
        artefacts=str(artefacts_folder(settings)),
        inbox=str(inbox_folder(settings)),
        checkpoints=str(parts.checkpoints),
    )


def run_id(sent: Mapping[str, object], settings: Settings, principal: str) -> str | Refusal:
    """The id of a new run: the one wanted, else one that nobody guesses, the same for one key."""
    wanted, key = sent.get("run"), sent.get("request_key")
    if wanted is not None:
        if isinstance(wanted, str) and _RUN.fullmatch(wanted):
            return wanted
        return _invalid(Wrong("run is no id", "send run as [a-z0-9][a-z0-9_-]{0,63}"))
    if key:
        words = canonical(["exploration", principal, key]).encode("ascii")
        return new_id(hmac.digest(secret_key(settings.state), words, "sha256")[:16])
    return new_id(secrets.token_bytes(16))


def new_id(mark: bytes) -> str:
    """An id with these 128 bits."""
    return f"exp_{b32encode(mark).decode('ascii').rstrip('=').lower()}"


def artefacts_folder(settings: Settings) -> Path:
    """Where the files of runs are written; never inside a base."""
    given = settings.explore.artefacts
    folder = Path(given) if given else settings.state / "explorations"
    return check_outside("the artefacts folder", folder, settings)


def inbox_folder(settings: Settings) -> Path:
    """Where answers may be laid; never inside a base."""
    given = settings.explore.inbox
    folder = Path(given) if given else settings.state / "review-inbox"
    return check_outside("the review inbox", folder, settings)


def ceilings_of(settings: Settings) -> Ceilings:
    """What the operator lets a contract ask for."""
    asked = settings.explore.ceilings
    return Ceilings(
        max_rounds=asked.rounds,
        max_tokens=asked.tokens,
        max_stall_count=asked.stall_count,
        max_reset_count=asked.reset_count,
        max_plan_revisions=asked.plan_revisions,
        require_plan_review=settings.explore.require_review,
    )


def _invalid(wrong: Wrong) -> Refusal:
    return refuse("INVALID_ARGUMENT", ASKED, wrong.reason, wrong.remedy)


def _texts(sent: Mapping[str, object]) -> Texts | Wrong:
    found = {
        "objective": text("objective", sent.get("objective"), OBJECTIVE, blank=False),
        "success_criteria": text("success_criteria", sent.get("success_criteria"), WORDS),
        "dimension": text("dimension", sent.get("dimension"), 200),
        "request_key": text("request_key", sent.get("request_key"), 200),
    }
    wrong = next((part for part in found.values() if isinstance(part, Wrong)), None)
    return wrong or Texts(**cast("dict[str, str]", found))


def _bases(sent: object, bases: Bases) -> tuple[RunBase, ...] | Refusal:
    try:
        refs = bases.unambiguous()
    except BadSettings as double:
        return refuse("INVALID_ARGUMENT", ASKED, double.message, double.remedy)
    if sent is None:
        return refs
    names = as_list(sent)
    if names is None or not all(isinstance(name, str) for name in names):
        return _invalid(Wrong("bases is no list of ids", "send bases as a list of ids"))
    found: list[RunBase] = []
    for name in cast("list[str]", names):
        ref = named(refs, name)
        if ref is None:
            return unknown_base(f"{ASKED} with {echoed(name)}", [known.id for known in refs])
        found += [ref] if ref not in found else []
    return tuple(found)


def _dimension(asked: str, refs: Sequence[RunBase], bases: Bases) -> str | Wrong:
    """The dimension of the run: the operator's, which no request may leave."""
    forced = sorted({bases.settings(ref).dimension for ref in refs} - {""})
    if len(forced) > 1:
        return Wrong("these bases are set to different dimensions", "open a run for each of them")
    if forced and asked.strip() and asked.strip().casefold() != forced[0].strip().casefold():
        return Wrong("the operator has set another dimension", "leave dimension out")
    return forced[0] if forced else asked.strip()


def _material(sent: object) -> Material | Wrong | None:
    if sent is None or sent == "":
        return None
    given = as_mapping(sent) or {"text": sent}
    name, words = given.get("name", ""), text("starting_material", given.get("text"), MATERIAL)
    if isinstance(words, Wrong) or not is_text(name) or set(given) - {"name", "text"}:
        return Wrong("starting_material is no text", "send a text, or {name, text}")
    seal = hashlib.sha256(words.encode("utf-8")).hexdigest()
    return Material(str(name), seal, len(words), words)


def _approaches(sent: object) -> tuple[Approach, ...] | Wrong:
    rows = as_list(sent if sent is not None else [])
    remedy = f"send each as an object with id and label, and of {', '.join(sorted(_APPROACH))}"
    if rows is None:
        return Wrong("expert_approaches is no list", remedy)
    found: list[Approach] = []
    for number, row in enumerate(rows, start=1):
        given = as_mapping(row)
        fault = "it is no object" if given is None else next(_faults(given), "")
        if fault or given is None:
            return Wrong(f"expert approach {number}: {fault}", remedy)
        found.append(_approach(given))
    return tuple(found)


def _faults(given: Mapping[str, object]) -> Iterator[str]:
    if unknown := sorted(set(given) - _APPROACH):
        yield f"{echoed(unknown[0])} is no field"
    for name in ("id", "label"):
        if isinstance(text(name, given.get(name), 200, blank=False), Wrong):
            yield f"{name} is no text of 1-200 characters"
    for name in ("description", "base", "why_none"):
        if isinstance(text(name, given.get(name), WORDS), Wrong):
            yield f"{name} is no text"
    requirement = as_mapping(given.get("requirement"))
    if given.get("requirement") is not None and not _is_reference(requirement):
        yield "requirement is neither {path, ref} nor null"
    yield from _faulty_numbers(given)


def _faulty_numbers(given: Mapping[str, object]) -> Iterator[str]:
    codes = as_list(given.get("affected_codes") or [])
    if codes is None or not all(is_text(code) for code in codes):
        yield "affected_codes is no list of texts"
    saving = given.get("claimed_saving")
    if saving is not None and not is_amount(saving):
        yield "claimed_saving is no number from 0 on"


def _is_reference(given: Mapping[str, object] | None) -> bool:
    return (
        given is not None
        and set(given) == {"path", "ref"}
        and all(is_text(value) for value in given.values())
    )


def _approach(given: Mapping[str, Any]) -> Approach:
    requirement = given.get("requirement")
    return Approach(
        id=given["id"],
        label=given["label"],
        description=given.get("description") or "",
        base=given.get("base") or "",
        requirement=Reference(requirement["path"], requirement["ref"]) if requirement else None,
        why_none=given.get("why_none") or "",
        affected_codes=tuple(given.get("affected_codes") or ()),
        claimed_saving=given.get("claimed_saving"),
    )
