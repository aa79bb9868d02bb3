"""The states of an exploration and which moves are legal in each: a table, asked questions."""

from typing import Literal, get_args

State = Literal["planning", "awaiting_review", "ready", "exploring", "ended", "closed"]
Tool = Literal[
    "open_exploration",
    "exploration_status",
    "list_bundles",
    "read_bundle",
    "read_dir",
    "read_file",
    "declare_requirement",
    "quick_validate",
    "commit_hypothesis",
    "submit_plan",
    "record_round",
    "close_exploration",
]
TOOLS: tuple[Tool, ...] = get_args(Tool)
# What navigator and hypothesiser use; each call of one is an entry of the trace.
TRACED: tuple[Tool, ...] = TOOLS[2:9]

# Besides these `exploration_status` is legal always, and `list_bundles` in all but the last.
LEGAL: dict[State, tuple[Tool, ...]] = {
    "planning": ("read_bundle", "submit_plan", "close_exploration"),
    "awaiting_review": (),
    "ready": ("read_bundle", "record_round", "close_exploration"),
    "exploring": (*TRACED[1:], "record_round", "close_exploration"),
    "ended": ("close_exploration",),
    "closed": ("close_exploration",),
}


def moves(state: State) -> tuple[Tool, ...]:
    """Every legal move, the one that leads on first."""
    listing: tuple[Tool, ...] = () if state == "closed" else ("list_bundles",)
    return (*LEGAL[state], *listing, "exploration_status")


def allows(state: State, tool: Tool) -> bool:
    """Whether a driver may make this move now."""
    return tool in moves(state)
