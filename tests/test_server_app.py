"""The MCP face: what it lists costs little, and what no gate could judge is refused in one form."""

import json
from collections.abc import Iterator
from typing import Any, cast

import jsonschema
import pytest
from mcp.types import Tool

from server.config import Settings
from server.dig import Digs
from tests.digging import ASKED, TERMS
from tests.mcp_client import MODES, Mode, client_of, refused

pytestmark = pytest.mark.anyio

TOOLS = (
    *("open_dig", "retrieve_candidates", "score_summaries", "pick_scotoma", "extract_excerpt"),
    *("dig_report", "assemble_brief", "dig_status", "search_corpus", "check_draft"),
)
LOOKING = ("dig_status", "search_corpus", "check_draft")
# A right value for each argument, whatever the tool.
RIGHT: dict[str, object] = {
    **{key: value for key, value in ASKED.items() if value is not None},
    "dig_id": "dig_aaaaaaaaaaaaaaaaaaaaaaaaaa",
    "terms": list(TERMS),
    "batch": 1,
    "scores": [],
    "deep_cuts": [],
    "direct_hits": [],
    "pass4_empty": True,
    "id": "row_1",
    "query": "tide",
    "brief": "a.md",
    "text": "A draft.",
}
# What is of the wrong kind for a text, and for a whole number.
NO_TEXT: tuple[object, ...] = (7, True, None, ["tide"], {"a": 1})
NO_WHOLE: tuple[object, ...] = ("1", 1.0, True, [1])
WRONG: dict[str, tuple[object, ...]] = {
    "string": NO_TEXT,
    "integer": NO_WHOLE,
    "boolean": ("perhaps", []),
}


@pytest.fixture
def settings(digs: Digs) -> Settings:
    return digs.settings


async def listed(settings: Settings, mode: Mode = "auto") -> dict[str, Tool]:
    async with client_of(settings, mode) as client:
        return {tool.name: tool for tool in (await client.list_tools()).tools}


def tokens(value: object) -> float:
    """About what a text of this JSON costs a model."""
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False)) / 4


def dumped(tool: Tool) -> dict[str, Any]:
    return tool.model_dump(mode="json", by_alias=True, exclude_none=True)


def keywords(schema: object) -> Iterator[str]:
    """The keywords of a schema and of all schemas in it; names of fields are none."""
    if isinstance(schema, list):
        for part in cast("list[object]", schema):
            yield from keywords(part)
    if isinstance(schema, dict):
        for key, value in cast("dict[str, Any]", schema).items():
            named = key in ("properties", "$defs")
            yield from () if named else (key,)
            yield from keywords(list(value.values()) if named else value)


@pytest.mark.requirement("mcp:cheap")
@pytest.mark.parametrize("mode", MODES)
async def test_all_tools_together_cost_a_model_little(mode: Mode, settings: Settings) -> None:
    tools = await listed(settings, mode)
    assert tuple(tools) == TOOLS
    assert sum(tokens(dumped(tool)) for tool in tools.values()) <= 3500
    assert sum(tokens([t.name, t.description, t.input_schema]) for t in tools.values()) <= 2000


@pytest.mark.requirement("mcp:described")
async def test_every_tool_says_what_it_is_and_what_it_does_to_the_world(
    settings: Settings,
) -> None:
    for name, tool in (await listed(settings)).items():
        assert tool.title, name
        assert tool.description, name
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (name in LOOKING)
        assert tool.annotations.destructive_hint is (name == "assemble_brief")
        assert tool.annotations.idempotent_hint is True
        assert tool.annotations.open_world_hint is False


@pytest.mark.requirement("mcp:cheap")
async def test_no_schema_holds_generated_titles_or_defaults(settings: Settings) -> None:
    for tool in (await listed(settings)).values():
        assert not {"title", "default"} & set(keywords(tool.input_schema))
        assert not {"title", "default"} & set(keywords(tool.output_schema))


@pytest.mark.requirement("mcp:refusals-fit")
@pytest.mark.parametrize("mode", MODES)
async def test_a_refusal_fits_the_published_schema_of_its_tool(
    mode: Mode, settings: Settings
) -> None:
    async with client_of(settings, mode) as client:
        for tool in (await client.list_tools()).tools:
            result = await client.call_tool(tool.name, {"confirmed": True})
            assert result.is_error
            assert set(result.structured_content or ()) >= {"gate", "flag", "reason", "remedy"}
            jsonschema.validate(result.structured_content, tool.output_schema or {})


@pytest.mark.requirement("mcp:no-consent")
async def test_no_argument_of_any_tool_could_decide(settings: Settings) -> None:
    tools = await listed(settings)
    assert list(tools["assemble_brief"].input_schema["properties"]) == ["dig_id"]
    known = {name for tool in tools.values() for name in tool.input_schema["properties"]}
    assert known == {*RIGHT, "slug", "monomyth_hint", "base", "after_line", "limit", "neighbours"}


@pytest.mark.requirement("mcp:arguments")
@pytest.mark.parametrize("name", TOOLS)
async def test_missing_unknown_and_wrong_arguments_are_refused_alike(
    name: str, settings: Settings
) -> None:
    async with client_of(settings) as client:
        schema = next(t for t in (await client.list_tools()).tools if t.name == name).input_schema
        right = {key: RIGHT[key] for key in schema.get("required", ())}
        start = f"[INVALID_ARGUMENT] {name} — "
        for missing in right:
            rest = {key: value for key, value in right.items() if key != missing}
            text = await refused(client, name, rest)
            assert text == f"{start}{missing} missing — send {missing}"
        for unknown in ("confirmed", "digid", "approved_by_user"):
            text = await refused(client, name, {**right, unknown: True})
            assert text.startswith(f"{start}an argument is unknown — ")
            assert text.endswith(f"it takes {', '.join(schema['properties'])}")
        for key, wrong, kind in wrong_kinds(schema):
            text = await refused(client, name, {**right, key: wrong})
            assert text == f"{start}{key} is of the wrong kind — send {key} as {kind}"


KINDS = {"string": "text", "integer": "a whole number", "boolean": "true or false"}


def wrong_kinds(schema: dict[str, Any]) -> Iterator[tuple[str, object, str]]:
    """Each argument that no gate judges, with values that are none of its kind."""
    for key, part in schema["properties"].items():
        optional = key not in schema.get("required", ())
        assert {"type", "anyOf", "$ref"} & part.keys()
        values = WRONG.get(part.get("type", ""), ())
        if key == "pass4_empty":  # its gate judges it
            continue
        for value in values:
            if not (optional and value is None):
                yield key, value, KINDS[part["type"]]
