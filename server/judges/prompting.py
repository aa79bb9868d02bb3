"""The prompt of each step: a file of this program, with the dig's words in a fence of data."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Any

from server.dig_state import Candidate
from server.judge import Asked, PickRequest, Request, ScoresRequest, TermsRequest
from server.moves.scores import shown
from server.shown import visible_line

STEPS: Mapping[type[Request], tuple[str, int]] = {
    TermsRequest: ("terms", 1),
    ScoresRequest: ("scores", 3),
    PickRequest: ("pick", 4),
}
_FOLDER = Path(__file__).with_name("prompts")


def prompt_for(request: Request) -> str:
    """What a judge is asked; text of the corpus stands in the fence only, and cannot close it."""
    name, _ = STEPS[type(request)]
    data = json.dumps(_data(request), ensure_ascii=False, indent=1)
    guidance = request.asked.guidance
    return Template((_FOLDER / f"{name}.md").read_text("utf-8")).substitute(
        guidance=f"The owner of the notes adds:\n{guidance}\n" if guidance else "",
        # Text that holds the hash of a text which holds it cannot be written.
        mark=sha256(data.encode("utf-8")).hexdigest()[:24],
        data=data,
    )


def _data(request: Request) -> dict[str, Any]:
    data = _context(request.asked)
    if isinstance(request, ScoresRequest):
        data["rows"] = [_row(candidate) for candidate in request.rows]
    if isinstance(request, PickRequest):
        data["rows"] = [
            {
                "title": visible_line(candidate.row.title),
                **_row(candidate),
                "embodies": score.embodies,
                "why": visible_line(score.why),
            }
            for candidate, score in request.top
        ]
    if request.asked.complaint:
        data["refused"] = visible_line(request.asked.complaint)
    return data


def _context(asked: Asked) -> dict[str, Any]:
    """What the dig looks for; what is empty is left out."""
    context = asked.context
    facts: dict[str, Any] = {
        "pattern": visible_line(context.pattern),
        "keyword": visible_line(context.keyword_primary),
        "title": visible_line(context.title),
        "claims": [visible_line(claim) for claim in context.blaze_claims],
        "open_questions": [visible_line(one) for one in context.blaze_open_questions],
        "redirect": visible_line(asked.redirect),
    }
    return {key: value for key, value in facts.items() if value}


def _row(candidate: Candidate) -> dict[str, str]:
    text, note = shown(candidate)
    row = {"id": candidate.id, "summary": visible_line(text)}
    return {**row, "note": note} if note else row
