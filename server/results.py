"""Replies and refusals as MCP results, and the published schemas of tools made small."""

from collections.abc import Callable
from typing import Annotated, Any, cast

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Strict

from server.refusals import Refusal
from server.replies import Answer

Text = Annotated[str, Strict()]
Whole = Annotated[int, Strict()]
YesNo = Annotated[bool, Strict()]

READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
RECORDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
WRITES = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)


def make_tool(function: Callable[..., Any], title: str, annotations: ToolAnnotations) -> Tool:
    """A tool from a function, its docstring as description, its schemas small."""
    description = " ".join((function.__doc__ or "").split())
    return _published(
        Tool.from_function(function, title=title, description=description, annotations=annotations)
    )


def as_result(answer: Answer) -> CallToolResult:
    """Text that suffices, and the same facts as structured content; a refusal is an error."""
    return CallToolResult(
        content=[TextContent(type="text", text=answer.text)],
        structured_content=answer.model_dump(mode="json", exclude_defaults=True),
        is_error=isinstance(answer, Refusal),
    )


def _published(tool: Tool) -> Tool:
    """The tool with schemas as clients pay for them: nothing generated that says nothing."""
    tool.parameters = _small(tool.parameters, ("title", "default"))
    output = tool.fn_metadata.output_schema
    if output is not None:
        small = _small(output, ("title", "default", "description"))
        # Clients check refusals, too, against it; what a refusal holds is in no answer.
        small.pop("required", None)
        tool.fn_metadata.output_schema = small
    return tool


def _small(schema: dict[str, Any], left_out: tuple[str, ...]) -> dict[str, Any]:
    """A schema without these keywords; names of fields, such as title, are no keywords."""
    small: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            small[key] = {name: _small(part, left_out) for name, part in value.items()}
        elif key not in left_out:
            small[key] = _small_value(value, left_out)
    return _one_kind(small)


def _small_value(value: object, left_out: tuple[str, ...]) -> object:
    if isinstance(value, dict):
        return _small(cast("dict[str, Any]", value), left_out)
    if isinstance(value, list):
        return [_small_value(part, left_out) for part in cast("list[object]", value)]
    return value


def _one_kind(schema: dict[str, Any]) -> dict[str, Any]:
    """An optional field as its own kind: a field left out is null already."""
    kinds = schema.get("anyOf")
    if not isinstance(kinds, list):
        return schema
    real = [kind for kind in cast("list[object]", kinds) if kind != {"type": "null"}]
    if len(real) != 1 or not isinstance(real[0], dict):
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**cast("dict[str, Any]", real[0]), **rest}
