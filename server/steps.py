"""The states of a dig and which moves may follow which: tables, and questions asked of them."""

from typing import Literal

State = Literal[
    "opened",
    "scoring",
    "scored",
    "picked",
    "reported",
    "decided",
    "briefed",
    "failed",
    "abandoned",
]
Tool = Literal[
    "retrieve_candidates",
    "score_summaries",
    "pick_scotoma",
    "extract_excerpt",
    "dig_report",
    "assemble_brief",
]
Deed = Literal["decide", "redirect", "another_passage", "add_passage", "abandon", "reopen"]

# What an agent may call in each state, besides `dig_status`.
TOOLS: dict[State, tuple[Tool, ...]] = {
    "opened": ("retrieve_candidates",),
    "scoring": ("score_summaries",),
    "scored": ("pick_scotoma",),
    "picked": ("extract_excerpt", "dig_report"),
    "reported": ("assemble_brief",),
    "decided": ("assemble_brief",),
    "briefed": (),
    "failed": (),
    "abandoned": (),
}

# What only a person may do. A passage added after the decision (the way out of a missing voice
# anchor) carries a decision of its own, for the report as it then reads.
DEEDS: dict[State, tuple[Deed, ...]] = {
    "opened": ("abandon",),
    "scoring": ("abandon",),
    "scored": ("abandon",),
    "picked": ("abandon",),
    "reported": ("decide", "redirect", "another_passage", "add_passage", "abandon"),
    "decided": ("redirect", "add_passage", "abandon"),
    "briefed": (),
    "failed": ("reopen", "abandon"),
    "abandoned": (),
}

# Steps as people count them: 1 terms, 2 candidates, 3 scores, 4 picks, 5 report, 6 brief.
STEP: dict[Tool, int] = {
    "retrieve_candidates": 1,
    "score_summaries": 3,
    "pick_scotoma": 4,
    "extract_excerpt": 5,
    "dig_report": 5,
    "assemble_brief": 6,
}

# The state that lets a failed step be tried again.
BEFORE_STEP: dict[int, State] = {1: "opened", 2: "opened", 3: "scoring", 4: "scored"}

MAX_REDIRECTS = 5
ATTEMPTS_BEFORE_FAILURE = 2


def allows(state: State, tool: Tool) -> bool:
    """Whether an agent may call `tool` now."""
    return tool in TOOLS[state]


def permits(state: State, deed: Deed) -> bool:
    """Whether a person may do `deed` now."""
    return deed in DEEDS[state]


def fails(refusals_before: int) -> bool:
    """Whether one more counted refusal ends the step."""
    return refusals_before + 1 >= ATTEMPTS_BEFORE_FAILURE
