"""The host's form: asked at most once for a report; only an explicit choice is a choice.

An accepted form proves that the host answered, not that a person did; so it counts as `client`.
"""

from dataclasses import dataclass
from typing import Any, Literal, cast

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult
from pydantic import BaseModel, Field

from server.moves.asking import FormAnswer, Question

# The first revision in which a tool call carries its question itself, without a back-channel.
ROUND_TRIPS = "2026-07-28"


class Consent(BaseModel):
    """The form: one required choice, no default, so that nothing can be agreed to by silence."""

    decision: Literal["keep all", "drop all", "decide elsewhere"] = Field(
        description="Your decision on the dig report"
    )


@dataclass(frozen=True, slots=True)
class Unasked:
    """No form was shown."""


def form(question: Question | None, ctx: Context[Any, Any]) -> Unasked | Elicit[Consent]:
    """The form for a question, where there is one and the client can show it."""
    if question is None or not _can_ask(ctx):
        return Unasked()
    return Elicit(question.text, Consent)


def heard(question: Question | None, answer: ElicitationResult[Consent]) -> FormAnswer | None:
    """What the client answered to which report; None if it was not asked."""
    if question is None:
        return None
    if not isinstance(answer, AcceptedElicitation):
        return FormAnswer(question.report_sha256, "no answer")
    consent = cast("Consent | Unasked", answer.data)  # what a resolver returns is not checked
    if not isinstance(consent, Consent):
        return None
    return FormAnswer(question.report_sha256, consent.decision)


def _can_ask(ctx: Context[Any, Any]) -> bool:
    capabilities = ctx.client_capabilities
    declared = capabilities.elicitation if capabilities else None
    # A bare `elicitation: {}` is the older way to say form.
    shows_forms = declared is not None and (declared.form is not None or declared.url is None)
    version = ctx.protocol_version or ""
    return shows_forms and (version >= ROUND_TRIPS or ctx.session.can_send_request)
