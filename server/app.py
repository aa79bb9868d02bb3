"""The MCP server: its tools, resources and prompts over one set of digs."""

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from mcp.server.apps import client_supports_apps
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, InputRequiredResult
from pydantic import ValidationError

from server import refusals
from server.card.face import DECIDE, Card, hide_from_others
from server.config import Settings
from server.dig import Digs
from server.library import Library
from server.page_first import by_page
from server.principal import Asker, local
from server.prompts import Toolset, add_prompts, instructions
from server.request_keys import request_state_security, secret_key
from server.resources import add_resources
from server.results import as_result
from server.tools_dig import dig_tools
from server.tools_explore import explore_tools
from server.tools_judge import judge_tools
from server.tools_look import look_tools

NAME = "corpus-expedition"
MAX_ARGUMENTS = 512 * 1024
# What surrounds every call: the tool's name, all names, and what answers.
Around = Callable[
    [str, Collection[str], Callable[[], Awaitable[CallToolResult | InputRequiredResult]]],
    Awaitable[CallToolResult | InputRequiredResult],
]
# How the kinds of JSON schema are called in a refusal.
_KINDS = {"string": "text", "integer": "a whole number", "boolean": "true or false"}


class Expedition(MCPServer[None]):
    """An MCP server whose every refusal, of arguments too, reads `[FLAG] what — why — next`."""

    def __init__(self, digs: Digs, around: Around | None = None, **options: Any) -> None:
        super().__init__(NAME, **options)
        self.digs = digs
        self._around = around

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[None, Any] | None = None,
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; arguments that no gate could judge are refused here, for every tool."""
        known = {tool.name: tool.parameters for tool in self._tool_manager.list_tools()}
        if context is None or not client_supports_apps(context):
            known.pop(DECIDE, None)
        if self._around is None:
            return await self._judged(name, arguments, context, known)
        return await self._around(
            name, known, lambda: self._judged(name, arguments, context, known)
        )

    async def _judged(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[None, Any] | None,
        known: Mapping[str, Mapping[str, Any]],
    ) -> CallToolResult | InputRequiredResult:
        if name not in known:
            return as_result(
                refusals.invalid_argument(
                    "this tool", "there is no such tool", f"call one of: {', '.join(known)}"
                )
            )
        if complaint := _complaint(arguments, known[name]):
            return as_result(refusals.invalid_argument(name, *complaint))
        try:
            return await self._called(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                return as_result(refusals.not_answered(name, str(arguments.get("dig_id"))))
            return as_result(
                refusals.invalid_argument(name, *_wrong_kind(error.__cause__, known[name]))
            )

    async def _called(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None
    ) -> CallToolResult | InputRequiredResult:
        if name == "assemble_brief" and context is not None:
            # A resolver can ask with a form only, and would own the state of every retry.
            answer = await by_page(self.digs, str(arguments["dig_id"]), context)
            if answer is not None:
                return answer
        return await super().call_tool(name, arguments, context)


def build_app(
    settings: Settings,
    toolset: Toolset = "dig",
    asker: Asker = local,
    around: Around | None = None,
) -> Expedition:
    """The server for these settings; opens no index and reads no corpus yet."""
    library = Library(settings)
    digs = Digs(library, asker=asker)
    card = Card(digs, secret_key(settings.state))
    tools: list[Tool] = []
    if toolset != "explore":
        tools += [*dig_tools(digs, card), *look_tools(digs), *judge_tools(digs), card.tool()]
    if toolset != "dig":
        tools += explore_tools(settings, asker)
    app = Expedition(
        digs,
        around,
        title="Corpus Expedition",
        instructions=instructions(toolset),
        version=_version(),
        tools=tools,
        extensions=[card.extension()],
        middleware=[hide_from_others],
        request_state_security=request_state_security(settings.state),
        subscriptions=False,
        log_level="WARNING",
    )
    if toolset != "explore":
        add_resources(app, digs)
    add_prompts(app, toolset)
    return app


def _complaint(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[str, str] | None:
    """What is wrong with the arguments as a whole, and the remedy."""
    allowed = list(schema.get("properties", {}))
    if unknown := sorted(set(arguments) - set(allowed)):
        nearest = _nearest(unknown[0], allowed)
        count = f"{len(unknown)} arguments are" if len(unknown) > 1 else "an argument is"
        return f"{count} unknown", f"{nearest}; it takes {', '.join(allowed)}"
    if missing := [key for key in schema.get("required", ()) if key not in arguments]:
        return f"{', '.join(missing)} missing", f"send {', '.join(missing)}"
    try:
        sent = json.dumps(arguments, ensure_ascii=False).encode("utf-8")
    except (UnicodeEncodeError, ValueError, RecursionError):
        return "the arguments are no valid text", "send plain JSON in UTF-8"
    if len(sent) > MAX_ARGUMENTS:
        return f"the arguments exceed {MAX_ARGUMENTS} bytes", "send less"
    return None


def _wrong_kind(wrong: ValidationError, schema: Mapping[str, Any]) -> tuple[str, str]:
    """Which arguments are of the wrong kind, and how to send them."""
    names = sorted({str(part["loc"][0]) for part in wrong.errors(include_input=False)})
    ways = [f"{name} as {_KINDS[schema['properties'][name]['type']]}" for name in names]
    verb = "are" if len(names) > 1 else "is"
    return f"{', '.join(names)} {verb} of the wrong kind", f"send {', '.join(ways)}"


def _nearest(word: str, allowed: list[str]) -> str:
    from rapidfuzz.process import extractOne

    found = extractOne(word, allowed, score_cutoff=60)
    return f"did you mean {found[0]}" if found else "leave it out"


def _version() -> str:
    from importlib.metadata import version

    return version(NAME)
