"""A model that says what was written down before: for rehearsals, and it opens no connection."""

import json
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent_framework import (
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
    UsageDetails,
)
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from index.faults import BadSettings, NotFound, PathRefused
from server.brief_file import read_text
from server.explore.magentic.signals import ScriptExhausted

MOST_BYTES = 4 * 1024 * 1024


class ToolCall(BaseModel):
    """One call of a tool that the script makes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    arguments: dict[str, Any] = {}


class Reply(BaseModel):
    """One reply: text, or calls of tools, and the tokens it is said to have used."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: int | None = Field(default=None, ge=0)


class Script(BaseModel):
    """The replies of each role, in order; a bare text is a reply without usage."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    manager: tuple[Reply | str, ...] = ()
    navigator: tuple[Reply | str, ...] = ()
    hypothesiser: tuple[Reply | str, ...] = ()


def read_script(path: Path) -> Script:
    """The script in a JSON file; raises BadSettings with the place."""
    try:
        return Script.model_validate_json(read_text(path, MOST_BYTES))
    except (NotFound, PathRefused) as fault:
        raise BadSettings(fault.message, fault.remedy or "name a script that is there") from fault
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise BadSettings(f"{path}: {place}: {first['msg']}", "mend the script") from wrong


# A client without these layers would call no tool and pass no meter.
class ScriptedClient(FunctionInvocationLayer[Any], ChatMiddlewareLayer[Any], BaseChatClient[Any]):
    """Gives the replies of one role in turn."""

    def __init__(self, role: str, replies: Sequence[Reply | str], done: int = 0) -> None:
        super().__init__()
        self.role = role
        self.replies = [Reply(text=one) if isinstance(one, str) else one for one in replies]
        self.calls = done

    def _inner_get_response(
        self,
        *,
        messages: Sequence[Message],
        stream: bool,
        options: Mapping[str, Any],
        **kwargs: Any,
    ) -> Awaitable[ChatResponse[Any]] | ResponseStream[ChatResponseUpdate, ChatResponse[Any]]:
        return self._build_response_stream(self._streamed()) if stream else self._whole()

    async def _whole(self) -> ChatResponse[Any]:
        reply = self._next()
        usage = _usage(reply)
        message = Message(role="assistant", contents=self._contents(reply))
        return ChatResponse(messages=[message], usage_details=usage)

    async def _streamed(self) -> AsyncIterator[ChatResponseUpdate]:
        reply = self._next()
        contents = self._contents(reply)
        if usage := _usage(reply):
            contents.append(Content.from_usage(usage))
        yield ChatResponseUpdate(role="assistant", contents=contents)

    def _next(self) -> Reply:
        if self.calls >= len(self.replies):
            raise ScriptExhausted(f"the script has {len(self.replies)} replies of {self.role}")
        self.calls += 1
        return self.replies[self.calls - 1]

    def _contents(self, reply: Reply) -> list[Content]:
        calls = [
            Content.from_function_call(
                call_id=f"{self.role}-{self.calls}-{number}",
                name=call.name,
                arguments=json.dumps(call.arguments),
            )
            for number, call in enumerate(reply.tool_calls)
        ]
        return calls or [Content.from_text(reply.text)]


def _usage(reply: Reply) -> UsageDetails | None:
    return None if reply.usage is None else UsageDetails(total_token_count=reply.usage)
