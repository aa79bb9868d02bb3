"""The model of the loop: any that speaks the OpenAI protocol, named among the judges."""

import os
from typing import TYPE_CHECKING, Any

from index.faults import BadSettings
from server.config import Settings

if TYPE_CHECKING:
    from agent_framework import BaseChatClient

OPENAI = "https://api.openai.com/v1"


def model_client(settings: Settings) -> "BaseChatClient[Any]":
    """A client of the configured model; its key comes from the environment only."""
    name = settings.explore.model
    entry = settings.judges.get(name)
    if entry is None or entry.kind != "model" or entry.provider not in ("", "openai"):
        raise BadSettings(
            f"explore.model {name!r} names no judge of kind model with a base_url or openai",
            "set explore.model to one, or rehearse: --rehearse FILE",
        )
    variable = entry.key_env or ("OPENAI_API_KEY" if entry.provider else "")
    if variable and not os.environ.get(variable):
        raise BadSettings(f"explore.model {name}: {variable} is not set", f"set {variable}")
    from agent_framework.openai import OpenAIChatCompletionClient

    return OpenAIChatCompletionClient(
        model=entry.model,
        base_url=entry.base_url or OPENAI,
        api_key=os.environ[variable] if variable else "none",
    )
