"""The demo: a whole dig over our own fixtures, by an MCP client against the real server process."""

import json
import shutil
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from index.faults import BadSettings, Fault, NotFound, StorageTrouble
from server.clients import program
from server.config import CONFIG_NAME, Overrides, Settings, load_settings
from server.dig_state import DigState
from server.folders import make_private
from server.judge import Asked, ScoresRequest
from server.judges.offline import OfflineJudge

if TYPE_CHECKING:
    from mcp import Client

CHECKOUT = Path(__file__).resolve().parent.parent
FIXTURES = CHECKOUT / "kb_fixtures"
FOLDER = CHECKOUT / ".demo"
SCRIPT = "codex.dig.json"
# What a demo leaves behind, and what the next one therefore removes.
MADE = ("state", "Agent_Briefs", "decision.yaml", CONFIG_NAME)
DECISION = "decision.yaml"
# Rows that the script says nothing of are scored by word statistics, and never as exact.
UNNAMED_AT_MOST = 1
PATIENCE_SECONDS = 120.0

Tell = Callable[[str], None]


class DemoStopped(Fault):
    """A call was refused that the script expects to pass."""

    exit_code: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the demo plays: its settings, and the judgements that were written down for it."""

    folder: Path
    settings: Settings
    script: Mapping[str, Any]

    @property
    def config(self) -> Path:
        """The configuration that the server reads."""
        return self.folder / CONFIG_NAME

    def grade(self, path: str, counted: int) -> int:
        """How strongly a file embodies the pattern: as written down, else as counted."""
        if path == self.script["deep_cut"]["file"] or path in self.script["direct_hits"]:
            return 3
        further = [cut["file"] for cut in self.script["further_deep_cuts"]]
        return 2 if path in further else min(counted, UNNAMED_AT_MOST)


def prepare(place: Path | None = None) -> Stage:
    """A fresh folder with a configuration over the fixtures; of the corpus nothing is copied."""
    if not (FIXTURES / SCRIPT).is_file():
        raise NotFound(
            "the demo needs kb_fixtures/, which only a checkout of the repository has",
            "clone the repository, then: make demo",
        )
    folder = place or FOLDER
    if folder.is_symlink():
        raise BadSettings(f"{folder} is a link", "remove it")
    script = json.loads((FIXTURES / SCRIPT).read_text(encoding="utf-8"))
    config = folder / CONFIG_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in MADE:
            _remove(folder / name)
        config.write_text(_config(script), encoding="utf-8")
    except OSError as trouble:
        raise StorageTrouble(f"{folder} cannot be written: {trouble.strerror}") from trouble
    settings = load_settings(Overrides(config=config), {})
    make_private(settings.state)
    return Stage(folder, settings, script)


def decision_file(stage: Stage, dig: str, report_sha256: str, decision: str) -> Path:
    """A decision on the whole report, as a script would hand it in."""
    path = stage.folder / DECISION
    said = f"dig: {dig}\nreport_sha256: {report_sha256}\n{decision}: [all]\n"
    path.write_text(said, encoding="utf-8")
    return path


async def dig(
    stage: Stage, judge: OfflineJudge, load: Callable[[str], DigState], tell: Tell
) -> str:
    """Steps 1 to 5 over MCP, and a first, refused try at step 6; the id of the dig.

    `load` gives the dig as stored: the script knows files, the tools speak of ids.
    """
    script = stage.script
    async with _server(stage) as client:
        opened = await _call(client, "open_dig", **_opening(script))
        name: str = opened["dig_id"]
        tell(f"open_dig: {name}\n  {opened['context']['pattern']}")
        answer = await _call(client, "retrieve_candidates", dig_id=name, terms=script["terms"])
        tell(f"retrieve_candidates: {', '.join(script['terms'])}\n  {_told_of_candidates(answer)}")
        while (state := load(name)).state == "scoring":
            batch, scores = state.batches_scored + 1, _scores(stage, judge, state)
            await _call(client, "score_summaries", dig_id=name, batch=batch, scores=scores)
            tell(f"score_summaries: batch {batch} of {len(state.batches)}, {_told_of(scores)}")
        picks = _picks(stage, state)
        picked = await _call(client, "pick_scotoma", dig_id=name, **picks)
        tell(f"pick_scotoma: {script['deep_cut']['connection']}")
        cut = await _call(client, "extract_excerpt", dig_id=name, id=picked["deep_cuts"][0])
        tell(f"extract_excerpt: {cut['file']}, lines {cut['lines']}, {cut['words']} words")
        report = await _call(client, "dig_report", dig_id=name)
        tell(f"dig_report:\n\n{report['report']}\nSHA-256: {report['sha256']}\n")
        refusal = await _refused(client, "assemble_brief", dig_id=name)
        tell(f"assemble_brief, before a person has decided:\n  {refusal}")
    return name


async def assemble(stage: Stage, name: str) -> Mapping[str, Any]:
    """Step 6 over MCP, by another server process: the brief of a dig that a person decided on."""
    async with _server(stage) as client:
        return await _call(client, "assemble_brief", dig_id=name)


def _config(script: Mapping[str, Any]) -> str:
    base = {
        "path": str(FIXTURES / script["base"]),
        "strip_prefix": script["strip_prefix"],
    }
    return (
        "# Written by `expedition demo`, which writes it anew each time. JSON is YAML, too.\n"
        f"bases: {json.dumps({script['base']: base}, ensure_ascii=False)}\n"
        f"narrator: {json.dumps(script['narrator'], ensure_ascii=False)}\n"
        "state: state\n"
        "decide: {relayed: true}\n"
    )


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@asynccontextmanager
async def _server(stage: Stage) -> AsyncGenerator["Client"]:
    """A client of a server process of its own, as a host would start it."""
    from mcp import Client, StdioServerParameters

    serve = ["serve", "--config", str(stage.config)]
    started = StdioServerParameters(command=program(), args=serve)
    async with Client(started, read_timeout_seconds=PATIENCE_SECONDS) as client:
        yield client


async def _call(client: "Client", tool: str, **arguments: object) -> Mapping[str, Any]:
    result = await client.call_tool(tool, arguments)
    if result.is_error or result.structured_content is None:
        raise DemoStopped(_text(result.content), "say so to those who wrote the demo")
    answer: Mapping[str, Any] = result.structured_content
    return answer


async def _refused(client: "Client", tool: str, **arguments: object) -> str:
    """The text of a refusal that has to come."""
    result = await client.call_tool(tool, arguments)
    if not result.is_error:
        raise DemoStopped(f"{tool} passed before anybody decided", "do not use this version")
    return _text(result.content)


def _text(content: list[Any]) -> str:
    return "\n".join(part.text for part in content if part.type == "text")


def _opening(script: Mapping[str, Any]) -> dict[str, object]:
    keys = ("keyword_primary", "title", "slug", "voice", "archetype_primary", "monomyth_hint")
    return {key: script[key] for key in (*keys, "blaze_path")}


def _scores(stage: Stage, judge: OfflineJudge, state: DigState) -> list[dict[str, Any]]:
    """The open batch, scored as written down; the reasons are counted words."""
    batch = state.batches_scored
    rows = state.shown(batch + 1)
    paths = {row.id: row.row.path for row in rows}
    asked = Asked(state.context)
    counted = judge.score_batch(ScoresRequest(asked, state.terms, batch + 1, rows))
    return [
        {**score, "embodies": stage.grade(paths[score["id"]], score["embodies"])}
        for score in counted
    ]


def _picks(stage: Stage, state: DigState) -> dict[str, object]:
    """The deep cut and the direct hits that were written down, as ids."""
    ids = {candidate.row.path: candidate.id for candidate in state.top}
    cut = stage.script["deep_cut"]
    hits = [ids[path] for path in stage.script["direct_hits"] if path in ids]
    cuts = [{"id": ids[cut["file"]], "connection": cut["connection"]}]
    return {"deep_cuts": cuts, "direct_hits": hits, "pass4_empty": False}


def _told_of(scores: Sequence[Mapping[str, Any]]) -> str:
    graded = Counter(score["embodies"] for score in scores)
    return ", ".join(f"{graded[grade]} scored {grade}" for grade in sorted(graded, reverse=True))


def _told_of_candidates(answer: Mapping[str, Any]) -> str:
    counts = ", ".join(f"{count} {why}" for why, count in answer["counts"].items() if count)
    weak = ", ".join(answer.get("weak_terms", ()))
    return counts + (f"; not counted as distinct: {weak}" if weak else "")
