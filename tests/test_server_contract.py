"""What every tool tells an agent, held against a recorded copy: no change of it goes unseen."""

import json
from dataclasses import replace

import pytest
from mcp import Client

from server.app import build_app
from server.config_judges import JudgeChoice
from server.dig import Digs
from tests.goldens import assert_golden

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("mcp:contract")
async def test_names_texts_and_schemas_of_the_tools_are_as_they_were_agreed(digs: Digs) -> None:
    settings = replace(digs.settings, judge=JudgeChoice(), judge_named=True)
    async with Client(build_app(settings, "all")) as client:
        tools = (await client.list_tools()).tools
    told = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    assert len(told) > 20
    assert_golden("tools.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n")
