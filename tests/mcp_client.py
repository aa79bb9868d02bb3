"""An MCP client in memory before the real server: what it lists, and what its tools answer."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal

from mcp import Client
from mcp.client.session import ElicitationFnT
from mcp.types import CallToolResult, TextContent

from server.app import build_app
from server.config import Settings

Mode = Literal["auto", "legacy"]
MODES: tuple[Mode, ...] = ("auto", "legacy")


@asynccontextmanager
async def client_of(
    settings: Settings, mode: Mode = "auto", answers: ElicitationFnT | None = None
) -> AsyncGenerator[Client]:
    """A client; it shows forms if it is given something that answers them."""
    async with Client(build_app(settings), mode=mode, elicitation_callback=answers) as client:
        yield client


def text_of(result: CallToolResult) -> str:
    """The one text of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def answered(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer; a refusal fails the test with its text."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    return dict(result.structured_content)


async def refused(client: Client, tool: str, arguments: Mapping[str, Any]) -> str:
    """The text of a refusal; a success fails the test."""
    result = await client.call_tool(tool, dict(arguments))
    assert result.is_error, text_of(result)
    return text_of(result)
