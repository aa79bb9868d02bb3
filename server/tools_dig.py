"""The tools of a dig: each is one short function that calls one move."""

from typing import Annotated, Any

from anyio.to_thread import run_sync
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, Resolve
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field, WithJsonSchema

from server.card.face import PAGE, Card
from server.dig import Digs
from server.elicitation import Consent, Unasked, form, heard
from server.moves.asking import Question
from server.replies import Batch, Briefed, Cut, Opened, Picked, Reported
from server.results import RECORDS, WRITES, Text, Whole, as_result, make_tool


def _loose(schema: dict[str, Any]) -> Any:
    """An argument that a gate judges as it was sent; the schema tells a client what to send."""
    return WithJsonSchema(schema)


_STRING = {"type": "string"}
_ID_LIST = {"type": "array", "items": _STRING}
_SCORE = {
    "type": "object",
    "properties": {
        "id": _STRING,
        "embodies": {"type": "integer", "minimum": 0, "maximum": 3},
        "why": {"type": "string", "description": "1-12 words"},
    },
    "required": ["id", "embodies", "why"],
}
_CUT = {
    "type": "object",
    "properties": {"id": _STRING, "connection": {"type": "string", "description": "one line"}},
    "required": ["id", "connection"],
}

Terms = Annotated[Any, _loose({**_ID_LIST, "minItems": 10, "maxItems": 12})]
Scores = Annotated[Any, _loose({"type": "array", "items": _SCORE})]
DeepCuts = Annotated[Any, _loose({"type": "array", "items": _CUT, "maxItems": 2})]
DirectHits = Annotated[Any, _loose(_ID_LIST)]
Flag = Annotated[Any, _loose({"type": "boolean"})]


class DigTools:
    """The tools that judge what an agent sends; blocking work leaves the event loop."""

    def __init__(self, digs: Digs, card: Card) -> None:
        self.digs = digs
        self.card = card

    async def open_dig(  # noqa: PLR0913, PLR0917 - the context of a dig, by the contract's names
        self,
        keyword_primary: Annotated[Text, Field(description="what to dig for")],
        title: Annotated[Text, Field(description="of the piece to be written")],
        voice: Annotated[Text, Field(description="Carbon, Si-C or Silicon")],
        archetype_primary: Annotated[Text, Field(description="rows of it come first; may be ''")],
        slug: Annotated[Text | None, Field(description="names the brief's file")] = None,
        monomyth_hint: Annotated[Text | None, Field(description="stage of the monomyth")] = None,
        blaze_path: Annotated[Text | None, Field(description="guidance to start from")] = None,
        base: Annotated[Text | None, Field(description="if there are several")] = None,
    ) -> Annotated[CallToolResult, Opened]:
        """Open a dig: what to look for, and in which base. Returns dig_id and the pattern."""
        sent = {
            "keyword_primary": keyword_primary,
            "title": title,
            "voice": voice,
            "archetype_primary": archetype_primary,
            "slug": slug,
            "monomyth_hint": monomyth_hint,
            "blaze_path": blaze_path,
            "base": base,
        }
        return as_result(await run_sync(self.digs.open_dig, sent))

    async def retrieve_candidates(
        self, dig_id: Text, terms: Terms
    ) -> Annotated[CallToolResult, Batch]:
        """Search with 10-12 concept-adjacent terms for files that embody the pattern: synonyms,
        causes, effects, physical images, opposites; at least 6 must share no word with keyword or
        title. Returns the first batch of summaries to score."""
        return as_result(await run_sync(self.digs.retrieve_candidates, dig_id, terms))

    async def score_summaries(
        self, dig_id: Text, batch: Whole, scores: Scores
    ) -> Annotated[CallToolResult, Batch]:
        """Score the open batch: each id once, how strongly its summary embodies the pattern (0
        none, 1 touches, 2 strong, 3 exact) and why. Returns the next batch, or the top 8."""
        return as_result(await run_sync(self.digs.score_summaries, dig_id, batch, scores))

    async def pick_scotoma(
        self, dig_id: Text, deep_cuts: DeepCuts, direct_hits: DirectHits, pass4_empty: Flag
    ) -> Annotated[CallToolResult, Picked]:
        """Pick among the top 8: deep cuts, the 1-2 rows that embody the pattern without naming its
        keyword, each with the non-obvious connection; direct hits, the strongest obvious rows. If
        no deep cut qualifies send none and pass4_empty true."""
        sent = {"deep_cuts": deep_cuts, "direct_hits": direct_hits, "pass4_empty": pass4_empty}
        return as_result(await run_sync(self.digs.pick_scotoma, dig_id, sent))

    async def extract_excerpt(
        self,
        dig_id: Text,
        id: Text,  # noqa: A002 - the argument's name in the contract
        after_line: Whole | None = None,
    ) -> Annotated[CallToolResult, Cut]:
        """Cut a verbatim excerpt from a picked file; after_line asks for the next passage."""
        return as_result(await run_sync(self.digs.extract_excerpt, dig_id, id, after_line))

    async def dig_report(
        self, dig_id: Text, ctx: Context[Any, Any]
    ) -> Annotated[CallToolResult, Reported]:
        """Render the dig report. Show it to the person and end your turn: a person decides."""
        answer = await run_sync(self.digs.dig_report, dig_id)
        return await self.card.filled(answer, dig_id, ctx)


def brief_tool(digs: Digs) -> Tool:
    """The tool that writes the brief; whether a person decided is resolved, never an argument."""

    async def shown(dig_id: Text) -> Question | None:
        return await run_sync(digs.question, dig_id)

    async def ask(
        question: Annotated[Question | None, Resolve(shown)], ctx: Context
    ) -> Unasked | Elicit[Consent]:
        return form(question, ctx)

    async def assemble_brief(
        dig_id: Text,
        question: Annotated[Question | None, Resolve(shown)],
        consent: Annotated[ElicitationResult[Consent], Resolve(ask)],
    ) -> Annotated[CallToolResult, Briefed]:
        """Write the brief of kept excerpts. Refused until a person's decision is recorded."""
        return as_result(await run_sync(digs.assemble_brief, dig_id, heard(question, consent)))

    return make_tool(assemble_brief, "Assemble the brief", WRITES)


def dig_tools(digs: Digs, card: Card) -> list[Tool]:
    """The seven tools that move a dig, in their order."""
    tools = DigTools(digs, card)
    report = make_tool(tools.dig_report, "Render the dig report", RECORDS)
    report.meta = {"ui": {"resourceUri": PAGE}}
    return [
        make_tool(tools.open_dig, "Open a dig", RECORDS),
        make_tool(tools.retrieve_candidates, "Retrieve candidates", RECORDS),
        make_tool(tools.score_summaries, "Score summaries", RECORDS),
        make_tool(tools.pick_scotoma, "Pick deep cuts and direct hits", RECORDS),
        make_tool(tools.extract_excerpt, "Extract an excerpt", RECORDS),
        report,
        brief_tool(digs),
    ]
