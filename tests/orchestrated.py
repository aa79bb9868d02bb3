"""Rehearsals for tests: scripts of the three roles, and a loop that they drive."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from server.config import Settings
from server.explore.endings import Final, ending_of
from server.explore.explorations import Explorations
from server.explore.magentic.leg import Reviewer
from server.explore.magentic.run import Loop
from server.explore.magentic.scripted import Reply, ScriptedClient, ToolCall
from server.explore.state import RunState
from tests.exploring import CONTRACT

PLAN = (Reply(text="Facts.", usage=10), Reply(text="Look, then commit.", usage=10))
FINAL = Reply(text="Done: maximum reset count reached.", usage=10)
ROUNDABOUT = "krav/N100/rundkjoring.md"


def assessed(
    speaker: str = "navigator", satisfied: object = False, progress: object = True, usage: int = 10
) -> Reply:
    """A row of the progress ledger as a manager writes it."""
    answers = {
        "is_request_satisfied": satisfied,
        "is_in_loop": False,
        "is_progress_being_made": progress,
        "next_speaker": speaker,
        "instruction_or_question": "Go on.",
    }
    text = json.dumps({name: {"reason": "so", "answer": it} for name, it in answers.items()})
    return Reply(text=text, usage=usage)


def calls(*made: tuple[str, Mapping[str, Any]], usage: int = 10) -> Reply:
    """A reply that calls tools."""
    return Reply(
        tool_calls=tuple(ToolCall(name=name, arguments=dict(args)) for name, args in made),
        usage=usage,
    )


def said(text: str, usage: int = 10) -> Reply:
    """A reply of words."""
    return Reply(text=text, usage=usage)


class Watched(ScriptedClient):
    """A scripted client that keeps what it was asked and told."""

    def __init__(self, role: str, replies: Sequence[Reply]) -> None:
        super().__init__(role, replies)
        self.asked: list[str] = []
        self.told = ""

    def _inner_get_response(
        self, *, messages: Any, stream: bool, options: Any, **kwargs: Any
    ) -> Any:
        self.asked.append("\n".join(message.text for message in messages))
        self.told = str(options.get("instructions", ""))
        return super()._inner_get_response(
            messages=messages, stream=stream, options=options, **kwargs
        )


class Rehearsal:
    """A loop whose models are scripts; the clients are kept so that their calls can be counted."""

    def __init__(
        self, settings: Settings, reviewer: Reviewer | None = None, **roles: Sequence[Reply]
    ) -> None:
        self.settings = settings
        self.clients = {
            role: Watched(role, roles.get(role, ()))
            for role in ("manager", "navigator", "hypothesiser")
        }
        self.loop = Loop(settings, self.clients.__getitem__, reviewer)

    def start(
        self, run: str = "r1", contract: Mapping[str, object] = {}, **sent: object
    ) -> RunState:
        opening = {"objective": "Save on roads", "contract": {**CONTRACT, **contract}, "run": run}
        return self.loop.start({**opening, **sent})

    @property
    def asked(self) -> int:
        """How many model calls were made."""
        return sum(len(client.asked) for client in self.clients.values())


def state_of(settings: Settings, run: str = "r1") -> RunState:
    return Explorations(settings).load(run)


def ended(state: RunState) -> Final:
    return ending_of(state)
