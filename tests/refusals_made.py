"""Real calls, each refused: for every flag that a refusal can carry, and for every way to it."""

import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import anyio
from mcp.types import ElicitResult

from index.generation import LOCK
from index.private import locked
from index.publish import prepare
from index.tantivy_writer import library
from server.config import Settings
from server.dig import Digs
from server.dig_state import DigState
from server.folders import make_private
from server.foreseen import as_refusals
from server.library import Library
from server.moves.asking import Choice
from server.refusals import Refusal
from server.relayed import decide_from_file
from server.replies import Answer
from server.review import Choices, Review
from server.steps import State
from tests.digging import (
    TERMS,
    decide,
    digs_of,
    drive,
    finish,
    form_answer,
    ground_over,
    hand_on,
    keep,
    open_dig,
    settings_over,
)
from tests.mcp_client import client_of
from tests.voices_base import UNHEARD, reported_on

NONE = Choices((), ())
WORDS: dict[str, object] = {
    "keyword_primary": "patience",
    "title": "What the Kiln Keeps",
    "voice": "Carbon",
    "archetype_primary": "Keeper",
}


@dataclass
class Stage:
    """Where the calls are made: two bases, and a counter that keeps one dig from another."""

    digs: Digs
    voices: Digs
    folder: Path
    count: int = 0

    def dig(self, until: State = "opened") -> str:
        self.count += 1
        dig = open_dig(self.digs, title=f"What the Kiln Keeps {self.count}")
        if until != "opened":
            drive(self.digs, dig, until)
        return dig

    def briefed(self) -> str:
        return finish(self.digs, self.dig()).dig

    def reported(self) -> DigState:
        return self.digs.load(self.dig("reported"))

    @property
    def review(self) -> Review:
        return Review(self.digs)

    def copy(self, name: str) -> Settings:
        """Settings over a copy of the base, with an index."""
        base = Path(shutil.copytree(self.digs.settings.bases[0].root, self.folder / name / "kb"))
        return ground_over(base).at(self.folder / name / "state")


Case = Callable[[Stage], Answer]


def scores(stage: Stage, *wrong: dict[str, object]) -> Answer:
    dig = stage.dig("scoring")
    honest = [{"id": id_, "embodies": 1, "why": "so"} for id_ in stage.digs.load(dig).batches[0]]
    return stage.digs.score_summaries(dig, 1, [*honest[: len(honest) - len(wrong)], *wrong])


def picks(stage: Stage, **changes: object) -> Answer:
    nothing: dict[str, object] = {"deep_cuts": [], "direct_hits": [], "pass4_empty": True}
    sent = {**nothing, **changes}
    return stage.digs.pick_scotoma(stage.dig("scored"), sent)


def twice(stage: Stage, until: State, *calls: Callable[[str], Answer]) -> Answer:
    dig = stage.dig(until)
    for call in calls[:-1]:
        call(dig)
    return calls[-1](dig)


def excerpt(stage: Stage, path: str) -> Answer:
    dig = stage.dig("scoring")
    state = stage.digs.load(dig)
    for batch, ids in enumerate(state.batches, start=1):
        rows = [(id_, state.candidates[id_].row.path) for id_ in ids]
        scores = [{"id": id_, "embodies": int(one == path), "why": "so"} for id_, one in rows]
        stage.digs.score_summaries(dig, batch, scores)
    hit = stage.digs.load(dig).top[0].id
    stage.digs.pick_scotoma(dig, {"deep_cuts": [], "direct_hits": [hit], "pass4_empty": True})
    return stage.digs.extract_excerpt(dig, hit, None)


def gone(stage: Stage, link: bool) -> Answer:
    """A picked file that is not there any more, or has become a link."""
    digs = digs_of(stage.copy(f"gone-{link}"))
    dig = open_dig(digs)
    state = drive(digs, dig, "picked")
    row = state.candidates[state.picks.ids[0]].row
    file = Path(digs.settings.bases[0].root) / row.path
    file.unlink()
    if link:
        file.symlink_to("elsewhere.md")
    return digs.extract_excerpt(dig, state.picks.ids[0], None)


def form(stage: Stage, choice: Choice) -> Answer:
    state = stage.reported()
    return stage.digs.assemble_brief(state.dig, form_answer(state, choice))


def building(stage: Stage, damaged: bool) -> Answer:
    """A call while an index is built that another process keeps waiting."""
    settings = stage.copy(f"building-{damaged}")
    home = settings.index_home(settings.bases[0])
    if damaged:
        next(home.glob("gen-*/rows.jsonl")).write_text("")
    else:
        shutil.rmtree(home)
        prepare(home)
    digs = Digs(Library(settings, wait=0.1))
    dig = open_dig(digs, voice="Silicon", blaze_path=None)
    with locked(home / LOCK):
        answer = digs.retrieve_candidates(dig, list(TERMS))
    while isinstance(digs.retrieve_candidates(dig, list(TERMS)), Refusal):
        continue  # whoever starts a build sees it end
    return answer


def base_gone(stage: Stage) -> Answer:
    settings = stage.copy("base-gone")
    digs = digs_of(settings)
    dig = open_dig(digs)
    shutil.rmtree(settings.bases[0].root)
    return digs_of(settings).retrieve_candidates(dig, list(TERMS))


def busy(stage: Stage) -> Answer:
    dig = stage.dig()
    with closing(sqlite3.connect(stage.digs.store.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        return stage.digs.retrieve_candidates(dig, list(TERMS))


def damaged_store(stage: Stage) -> Answer:
    state = make_private(stage.folder / "damaged")
    (state / "expedition.sqlite3").write_bytes(b"no database at all, but long enough" * 40)
    return digs_of(settings_over(Path(stage.digs.settings.bases[0].root), state)).dig_status(None)


def two_bases(stage: Stage) -> Answer:
    first, second = stage.digs.settings.bases[0], stage.voices.settings.bases[0]
    settings = replace(stage.digs.settings, bases=(first, replace(second, id="voices")))
    return digs_of(settings).open_dig({**WORDS, "base": None})


def relayed(stage: Stage, text: str, allowed: bool = True) -> Answer:
    state = stage.reported()
    switch = stage.digs.settings.decide.model_copy(update={"relayed": allowed})
    review = Review(digs_of(replace(stage.digs.settings, decide=switch)))
    file = stage.folder / "decision.yaml"
    file.write_text(text, encoding="utf-8")
    return decide_from_file(review, state.dig, file)


def weak(stage: Stage) -> Answer:
    """A decision from a file, in a configuration that allows none any more."""
    state = stage.reported()
    stage.review.decide(state.dig, hand_on(state, "relayed", "file"), keep(state))
    switch = stage.digs.settings.decide.model_copy(update={"relayed": False})
    return digs_of(replace(stage.digs.settings, decide=switch)).assemble_brief(state.dig)


def redirected_often(stage: Stage) -> Answer:
    state = stage.reported()
    for _ in range(5):
        stage.review.redirect(state.dig, hand_on(stage.digs.load(state.dig)), NONE, "the sea")
        drive(stage.digs, state.dig)
    last = stage.digs.load(state.dig)
    return stage.review.redirect(state.dig, hand_on(last), NONE, "the sea")


def decided_twice(stage: Stage) -> Answer:
    state = stage.reported()
    decide(stage.digs, state.dig)
    return decide(stage.digs, state.dig)


def deed(stage: Stage, deed: Callable[[Review, DigState], Answer]) -> Answer:
    return deed(stage.review, stage.reported())


def point(stage: Stage, path: str, line: int = 1) -> Answer:
    state = reported_on(stage.voices, [UNHEARD], title=f"Quiet {stage.count}")
    place = (path, line)
    return Review(stage.voices).point(state.dig, hand_on(state), keep(state), place)


def sent(stage: Stage, tool: str, host: str = "", **arguments: object) -> Answer:
    """What a client gets for these arguments; its host answers every form with one word."""

    async def fill(context: object, params: object) -> ElicitResult:
        return ElicitResult(action="accept", content={"decision": host})

    async def call() -> Answer:
        async with client_of(stage.digs.settings, "auto", fill) as client:
            result = await client.call_tool(tool, arguments)
        return Refusal.model_validate(result.structured_content)

    return anyio.run(call)


def engine_missing() -> Refusal:
    """What is said where the engine of the configuration is an extra that is not there."""
    with patch.dict(sys.modules, {"tantivy": None}):
        found = as_refusals("search_corpus", library)
    assert isinstance(found, Refusal)
    return found
