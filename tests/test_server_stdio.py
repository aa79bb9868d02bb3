"""Whole digs through a real client and the real server process, on bases of every kind."""

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

from server.brief_text import read_brief
from server.config import Overrides as Said
from server.config import Settings, load_settings
from server.verify import verify

pytestmark = pytest.mark.anyio

Mode = Literal["auto", "legacy"]
Call = Callable[..., Any]

ESSAYS = {
    "keyword_primary": "remote work",
    "title": "Nobody is in the room",
    "voice": "Carbon",
    "archetype_primary": "",
}
ESSAY_TERMS = [
    "asynchronous", "office", "meeting", "trust", "distributed", "chat", "commute", "timezone",
    "interruption", "written", "isolation", "hallway",
]  # fmt: skip
RETAIL = {
    "keyword_primary": "refund",
    "title": "What a customer is owed",
    "voice": "Si-C",
    "archetype_primary": "",
}
RETAIL_TERMS = [
    "order", "return", "revenue", "policy", "net", "customer", "sales", "metric", "payment",
    "discount", "margin", "currency",
]  # fmt: skip


class Dig:
    """An agent that scores by position and picks the first of the top rows."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of one tool; a refusal fails the test with its text."""
        result = await self.client.call_tool(tool, arguments)
        text = result.content[0].text  # type: ignore[union-attr]
        assert not result.is_error, text
        assert result.structured_content is not None
        answer: dict[str, Any] = result.structured_content
        return answer

    async def to_report(self, context: dict[str, str], terms: list[str]) -> dict[str, Any]:
        """From nothing to the report."""
        dig = (await self.call("open_dig", **context))["dig_id"]
        answer = await self.call("retrieve_candidates", dig_id=dig, terms=terms)
        while rows := answer.get("rows"):
            scores = [
                {"id": row["id"], "embodies": (len(rows) - at) % 4, "why": "by its place"}
                for at, row in enumerate(rows)
            ]
            answer = await self.call(
                "score_summaries", dig_id=dig, batch=answer["batch"], scores=scores
            )
        hits = [row["id"] for row in answer["top"][:3]]
        await self.call(
            "pick_scotoma", dig_id=dig, deep_cuts=[], direct_hits=hits, pass4_empty=True
        )
        return await self.call("dig_report", dig_id=dig)


async def whole_dig(
    base: Path, state: Path, mode: Mode, context: dict[str, str], terms: list[str]
) -> tuple[Path, dict[str, Any]]:
    """A dig over stdio whose host says keep all; the saved brief and its answer."""

    async def keep_all(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"decision": "keep all"})

    command = str(Path(sys.executable).with_name("expedition"))
    arguments = ["serve", "--kb", str(base), "--state", str(state)]
    server = StdioServerParameters(command=command, args=arguments)
    async with Client(server, mode=mode, elicitation_callback=keep_all) as client:
        report = await Dig(client).to_report(context, terms)
        answer = await Dig(client).call("assemble_brief", dig_id=report["dig_id"])
    return Path(answer["path"]), answer


def settings_over(base: Path, state: Path) -> Settings:
    return load_settings(Said(kb=(base,), state=state), {})


def assert_verbatim(brief: Path, base: Path) -> None:
    """Every excerpt is the byte slice of its source that the brief says it is."""
    for source in read_brief(brief.read_bytes().decode()).sources:
        content = (base / source.file).read_bytes()
        piece = content[source.bytes[0] : source.bytes[1]]
        assert piece.decode() == source.text
        assert hashlib.sha256(piece).hexdigest() == source.sha256
        assert hashlib.sha256(content).hexdigest() == source.file_sha256
        assert content[: source.bytes[0]].count(b"\n") + 1 == source.lines[0]


def change_one_byte(base: Path, brief: Path) -> str:
    """Alter one byte inside the first quotation's source; the file that was changed."""
    source = read_brief(brief.read_bytes().decode()).sources[0]
    content = bytearray((base / source.file).read_bytes())
    content[source.bytes[0] + 5] ^= 1
    (base / source.file).write_bytes(content)
    return source.file


@pytest.mark.requirement("dig:over-stdio")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_dig_over_the_codex_ends_in_a_brief(
    mode: Mode, codex: Path, fixtures: Path, tmp_path: Path
) -> None:
    asked = json.loads((fixtures / "codex.dig.json").read_text("utf-8"))
    names = ("keyword_primary", "title", "voice", "archetype_primary", "blaze_path")
    context = {name: asked[name] for name in names}
    brief, answer = await whole_dig(codex, tmp_path / "state", mode, context, asked["terms"])
    assert answer["voice_anchor"].endswith("paragraphs")
    assert_verbatim(brief, codex)
    read = read_brief(brief.read_bytes().decode())
    assert read.decided.level == "client"
    assert read.banned_phrases
    assert [source.kind for source in read.sources].count("guidance") >= 1


@pytest.mark.requirement("dig:over-stdio")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_dig_over_essays_without_catalogue_or_roles_finds_first_person_prose(
    mode: Mode, shared: Path, tmp_path: Path
) -> None:
    base = copied(shared / "corpora/essays-first-person/data", tmp_path / "essays")
    brief, answer = await whole_dig(base, tmp_path / "state", mode, ESSAYS, ESSAY_TERMS)
    assert "first-person body prose confirmed" in answer["voice_anchor"]
    assert any(flag.startswith("ROLE_UNSTATED") for flag in answer["flags"])
    assert_verbatim(brief, base)
    settings = settings_over(base, tmp_path / "state")
    assert {passage.standing for passage in verify(brief, settings).passages} == {"verbatim"}
    changed = change_one_byte(base, brief)
    found = verify(brief, settings).passages
    assert [passage.file for passage in found if passage.standing != "verbatim"] == [changed]


@pytest.mark.requirement("dig:over-stdio")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_dig_over_a_bundle_of_short_files_ends_in_a_brief(
    mode: Mode, shared: Path, tmp_path: Path
) -> None:
    base = copied(shared / "corpora/okf-reference/data/acme_retail", tmp_path / "acme_retail")
    brief, answer = await whole_dig(base, tmp_path / "state", mode, RETAIL, RETAIL_TERMS)
    assert answer["voice_anchor"] == "not required (Si-C)"
    assert any(flag.startswith("SHORT_NOTE:") for flag in answer["flags"])
    assert_verbatim(brief, base)


def copied(source: Path, target: Path) -> Path:
    """A base that a test may change."""
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        place = target / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.read_bytes())
    return target
