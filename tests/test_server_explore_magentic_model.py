"""The orchestrated loop with a model behind the OpenAI protocol, at a stand-in of this machine."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from index.faults import BadSettings
from server.config import Overrides, Settings, load_settings
from server.explore.endings import ending_of
from server.explore.explorations import Explorations
from server.explore.magentic.models import model_client
from server.explore.magentic.run import Loop, clients_of
from server.explore.magentic.scripted import Reply
from tests.explore_base import write_roads, write_small
from tests.exploring import CONTRACT
from tests.exploring_killed import mandate
from tests.orchestrated import FINAL, PLAN, Rehearsal, assessed, calls, said
from tests.standin import Handler, StandIn, completion, stand_in
from tests.test_server_explore_magentic import DECLARE, IDEA, READS

ROLES: dict[str, tuple[Reply, ...]] = {
    "manager": (
        *PLAN,
        assessed(),
        assessed("hypothesiser"),
        assessed("hypothesiser", satisfied=True),
        FINAL,
    ),
    "navigator": (READS, said("Read.")),
    "hypothesiser": (DECLARE, calls(("commit_hypothesis", IDEA)), said("Committed.")),
}
PROMPTS = 110


class LoopHandler(Handler):
    """Plays the three roles, known by the tools that each is offered."""

    left: dict[str, list[Reply]]

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        tools = {tool["function"]["name"] for tool in sent.get("tools", [])}
        role = "manager"
        if tools:
            role = "hypothesiser" if "commit_hypothesis" in tools else "navigator"
        self.standin.prompts.append(role)
        self.standin.keys.append(self.headers["Authorization"])
        self.reply(json.dumps(spoken(self.left[role].pop(0))).encode())


def spoken(reply: Reply) -> dict[str, Any]:
    """A scripted reply as the protocol has it."""
    answer = completion(reply.text or None)
    message = answer["choices"][0]["message"]
    if reply.tool_calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for number, call in enumerate(reply.tool_calls)
        ]
    return answer


@contextmanager
def endpoint(**roles: tuple[Reply, ...]) -> Generator[StandIn]:
    left = {role: list(replies) for role, replies in roles.items()}
    with stand_in(type("Playing", (LoopHandler,), {"left": left})) as standin:
        yield standin


def settings_for(folder: Path, url: str, **entry: str) -> Settings:
    """Both bases, and a judge of kind model that the loop is to use."""
    bases = (write_roads(folder), write_small(folder))
    config = folder / "expedition.json"
    judge = {"kind": "model", "model": "stand-in", "base_url": url, **entry}
    content = {"judges": {"here": judge}, "explore": {"model": "here"}}
    config.write_text(json.dumps(content), encoding="utf-8")
    return load_settings(Overrides(config=config, kb=bases, state=folder / "state"), {})


@pytest.mark.requirement("explore:E119")
@pytest.mark.requirement("explore:E122")
def test_a_model_behind_the_protocol_drives_the_loop_to_the_rehearsed_mandate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOP_KEY", "secret")
    with endpoint(**ROLES) as standin:
        settings = settings_for(tmp_path, standin.url, key_env="LOOP_KEY")
        sent = {"objective": "Save on roads", "contract": CONTRACT, "run": "model"}
        state = Loop(settings, clients_of(settings, None)).start(sent)
    assert ending_of(state).name == "concluded"
    assert [call.outcome for call in state.calls] == ["ok"] * 5
    assert (state.reported, state.delivered) == (PROMPTS * len(standin.prompts), 0)
    events = Explorations(settings).ledger.store.load("model")[1]
    charged = [event.payload["role"] for event in events if event.kind == "charged"]
    assert charged == standin.prompts
    assert set(standin.keys) == {"Bearer secret"}
    rehearsed = Rehearsal(settings, None, **ROLES)
    rehearsed.start("rehearsed")
    assert mandate(settings, "model") == mandate(settings, "rehearsed")


@pytest.mark.requirement("explore:E82")
def test_what_a_provider_counts_ends_the_run_at_the_cap(tmp_path: Path) -> None:
    with endpoint(**ROLES) as standin:
        settings = settings_for(tmp_path, standin.url)
        contract = {**CONTRACT, "max_tokens": PROMPTS * 3}
        sent = {"objective": "Save on roads", "contract": contract, "run": "short"}
        state = Loop(settings, clients_of(settings, None)).start(sent)
    assert state.exhausted is not None
    assert (state.exhausted.spent, len(standin.prompts)) == (PROMPTS * 4, 4)


@pytest.mark.requirement("explore:E119")
@pytest.mark.parametrize(
    ("entry", "named", "words"),
    [
        ({"key_env": "NO_SUCH_KEY"}, "here", "NO_SUCH_KEY is not set"),
        ({}, "elsewhere", "names no judge"),
    ],
)
def test_a_model_that_cannot_be_asked_is_told_before_a_run_is_opened(
    entry: dict[str, str], named: str, words: str, tmp_path: Path
) -> None:
    settings = settings_for(tmp_path, "http://127.0.0.1:9/v1", **entry)
    changed = settings.explore.model_copy(update={"model": named})
    with pytest.raises(BadSettings, match=words):
        model_client(replace(settings, explore=changed))
    assert Explorations(settings).ledger.runs() == []
