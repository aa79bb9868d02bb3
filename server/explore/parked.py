"""The question to a person together with the whole suspended run, as a file; read strictly."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from server.explore.artefacts import QUESTION, file_name, kept, loads
from server.explore.state import RunState
from server.fold import dump

KEYS: Mapping[str, type | tuple[type, ...]] = {
    "run": str,
    "driver": str,
    "objective": str,
    "success_criteria": str,
    "starting_material": (dict, type(None)),
    "dimension": str,
    "expert_approaches": list,
    "contract": dict,
    "bases": list,
    "index": int,
    "plan": str,
    "current_progress": str,
    "is_stalled": bool,
    "request_id": (str, type(None)),
    "checkpoint_id": (str, type(None)),
    "checkpoint_sha256": (str, type(None)),
    "rounds": list,
    "rounds_lost": int,
    "plan_reviews": list,
    "hypotheses": list,
    "reads": list,
    "requirements": list,
    "quick_validations": list,
    "tokens": dict,
    "stall_count": int,
    "resets": int,
    "revisions_applied": int,
}


class ParkedStateError(Exception):
    """The parked state cannot be believed; `field` is what is wrong with it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


def question_of(state: RunState) -> dict[str, Any]:
    """The question and the run as it is parked."""
    question, opening = state.question, state.opening
    assert question is not None  # what being parked means
    reads = [call for base in state.base_ids for call in state.reads(base).values()]
    return {
        "run": state.run,
        "driver": opening.driver,
        "objective": opening.objective,
        "success_criteria": opening.success_criteria,
        "starting_material": dump(opening.starting_material),
        "dimension": opening.dimension,
        "expert_approaches": dump(opening.expert_approaches),
        "contract": dump(opening.contract),
        "bases": [base.id for base in opening.bases],
        "index": question.index,
        "plan": question.plan.plan,
        "current_progress": question.plan.current_progress,
        "is_stalled": question.plan.is_stalled,
        "request_id": question.request_id,
        "checkpoint_id": question.checkpoint_id,
        "checkpoint_sha256": question.checkpoint_sha256,
        "rounds": [dump(row) for row in state.rows],
        "rounds_lost": state.rounds_lost,
        "plan_reviews": [dump(review) for review in state.reviews],
        "hypotheses": [dump(one) for one in state.hypotheses],
        "reads": [
            {"base": one.base, "path": one.path, "sha256": one.sha256, "file": one.file}
            for one in reads
        ],
        "requirements": [dump(one) for one in state.declarations],
        "quick_validations": [dump(one) for one in state.validations],
        "tokens": {"delivered": state.delivered, "reported": state.reported},
        "stall_count": state.stall_count,
        "resets": state.resets,
        "revisions_applied": state.revisions_applied,
    }


def read_parked(folder: Path, state: RunState) -> dict[str, Any]:
    """The parked state of a run; raises ParkedStateError for whatever is not as it was written."""
    path = folder / file_name(state.run, QUESTION)
    question = state.question or state.answered
    if question is None:
        raise ParkedStateError("index", "no plan review of this run was ever open")
    try:
        content = kept(path)
    except OSError as trouble:
        raise ParkedStateError(path.name, trouble.strerror or "cannot be read") from trouble
    parked = _object(content)
    for key, kind in KEYS.items():
        if key not in parked:
            raise ParkedStateError(key, "is missing")
        if not isinstance(parked[key], kind) or (kind is int and isinstance(parked[key], bool)):
            raise ParkedStateError(key, "is of the wrong type")
    if unknown := sorted(set(parked) - set(KEYS)):
        raise ParkedStateError(unknown[0], "is no field of a parked state")
    if hashlib.sha256(content).hexdigest() != question.sha256:
        raise ParkedStateError("sha256", "is not the one that the ledger keeps")
    return parked


def _object(content: bytes) -> dict[str, Any]:
    try:
        parked = loads(content)
    except ValueError as wrong:
        raise ParkedStateError("file", "is no JSON") from wrong
    if not isinstance(parked, dict):
        raise ParkedStateError("file", "is no JSON object")
    return cast("dict[str, Any]", parked)
