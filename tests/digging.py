"""Test support for digs: a shared index, a state directory of one's own, and honest moves."""

import os
import shutil
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from index.rebuild import rebuild
from server.config import Overrides, Settings, load_settings
from server.dig import Digs
from server.dig_state import DigState, Level, Way
from server.folders import make_private
from server.library import Library
from server.moves.asking import Choice, FormAnswer
from server.refusals import Refusal
from server.replies import Answer, Opened
from server.report import shown_ids
from server.review import Choices, Hand, Review
from server.steps import State
from tests.digging_base import BLAZE_PATH, KEYWORD, NAMES_KEYWORD, TITLE, write_base

# Each is a word of one summary or more; none is a word of keyword, title or blaze.
TERMS = (
    *("tide", "dough", "graft", "ferry", "ember", "ice"),
    *("slow", "harbour", "root", "clay", "lantern", "orchard"),
)
NOTHING = tuple(f"{stem}quux" for stem in "bcdfghjklm")
COSTUMES = ("patience", "kiln", "keeps", "patient", "kilns", "keep", "unopened", *TERMS[:3])
DICTATED = (
    "I waited on the stairs until my mother came home, and I did not put the lamp on.\n\n"
    "I had promised her that I would not, and I was proud of the dark that I had kept."
)
ASKED = {
    "keyword_primary": KEYWORD,
    "title": TITLE,
    "voice": "Carbon",
    "archetype_primary": "Keeper",
    "slug": None,
    "monomyth_hint": None,
    "blaze_path": BLAZE_PATH,
    "base": None,
}
WHY = "it waits as the pattern does"


@dataclass(frozen=True)
class Ground:
    """A base with its index, shared by tests; `at` gives each a state directory of its own."""

    base: Path
    index: Path

    def at(self, state: Path) -> Settings:
        """Settings over the base, with a copy of the index, briefs, and relayed decisions."""
        settings = settings_over(self.base, make_private(state))
        if not (state / "index").exists():
            shutil.copytree(self.index, state / "index")
        return settings


def settings_over(base: Path, state: Path) -> Settings:
    settings = load_settings(Overrides(kb=(base,), state=state), {})
    return replace(settings, decide=settings.decide.model_copy(update={"relayed": True}))


@contextmanager
def in_memory() -> Generator[Path]:
    """A folder whose writes cost no time: for proofs of order, not of durability."""
    memory = Path("/dev/shm")
    place = memory if memory.is_dir() and os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        yield Path(folder)


def make_ground(folder: Path) -> Ground:
    """Write the base and build its index once."""
    return ground_over(write_base(folder / "kb"))


def ground_over(base: Path) -> Ground:
    """Build the index of a base once, in a state directory beside it."""
    settings = settings_over(base, base.with_name("state"))
    rebuild(settings.bases[0], settings.index_home(settings.bases[0]))
    return Ground(base, settings.state / "index")


def digs_of(settings: Settings) -> Digs:
    """The digs as a new process sees them."""
    return Digs(Library(settings))


def open_dig(digs: Digs, **changes: object) -> str:
    answer = digs.open_dig({**ASKED, **changes})
    assert isinstance(answer, Opened), answer.text
    return answer.dig_id


def scores_of(state: DigState) -> list[dict[str, object]]:
    """Honest scores of the open batch: logs embody the pattern, others touch it."""
    batch = state.batches[state.batches_scored]
    return [{"id": id_, "embodies": 3 if _lived(state, id_) else 1, "why": WHY} for id_ in batch]


def picks_of(state: DigState) -> dict[str, object]:
    """Honest picks: the best row that does not name the keyword, then the best of the others."""
    cut = next(c.id for c in state.top if c.row.path not in NAMES_KEYWORD)
    hits = [c.id for c in state.top if c.id != cut][:2]
    cuts = [{"id": cut, "connection": "It is left alone and becomes itself."}]
    return {"deep_cuts": cuts, "direct_hits": hits, "pass4_empty": False}


def perform(digs: Digs, name: str, tool: str, arguments: Any) -> Answer:
    """One move of an agent by the name of its tool."""
    match tool:
        case "retrieve_candidates":
            return digs.retrieve_candidates(name, arguments)
        case "score_summaries":
            return digs.score_summaries(name, *arguments)
        case "pick_scotoma":
            return digs.pick_scotoma(name, arguments)
        case "extract_excerpt":
            return digs.extract_excerpt(name, *arguments)
        case "dig_report":
            return digs.dig_report(name)
        case _:
            return digs.assemble_brief(name, arguments)


def advance(digs: Digs, dig: str) -> Answer:
    """The next move that is an agent's, made honestly."""
    state = digs.load(dig)
    match state.state:
        case "opened":
            return digs.retrieve_candidates(dig, list(TERMS))
        case "scoring":
            return digs.score_summaries(dig, state.batches_scored + 1, scores_of(state))
        case "scored":
            return digs.pick_scotoma(dig, picks_of(state))
        case "picked":
            missing = [id_ for id_ in state.picks.ids if id_ not in state.evidence]
            if missing and missing[0] not in state.rejections:
                return digs.extract_excerpt(dig, missing[0], None)
            return digs.dig_report(dig)
        case _:
            return digs.assemble_brief(dig)


def drive(digs: Digs, dig: str, until: State = "reported") -> DigState:
    """Make honest moves until the dig is in a state; none of them is a person's."""
    while (state := digs.load(dig)).state != until:
        answer = advance(digs, dig)
        # A picked file may give no excerpt; that is recorded, and the report goes on without it.
        assert state.state == "picked" or not isinstance(answer, Refusal), answer.text
    return state


def reported(digs: Digs, **changes: object) -> DigState:
    return drive(digs, open_dig(digs, **changes))


def shown(state: DigState) -> tuple[str, ...]:
    """The candidates a person is asked about."""
    return shown_ids(state, state.report.anchors) if state.report else ()


def hand_on(state: DigState, level: Level = "local", way: Way = "terminal") -> Hand:
    """A person before this report."""
    return Hand(level, way, state.report.sha256 if state.report else "0" * 64)


def keep(state: DigState, dropped: Sequence[str] = ()) -> Choices:
    """All of the report but some."""
    kept = tuple(id_ for id_ in shown(state) if id_ not in dropped)
    return Choices(kept, tuple(dropped))


def decide(digs: Digs, dig: str, dropped: Sequence[str] = ()) -> Answer:
    state = digs.load(dig)
    return Review(digs).decide(dig, hand_on(state), keep(state, dropped))


def finish(digs: Digs, dig: str) -> DigState:
    """From wherever the dig stands to its brief, the person keeping all."""
    state = digs.load(dig)
    if state.state not in ("decided", "briefed"):
        drive(digs, dig)
        answer = decide(digs, dig)
        assert not isinstance(answer, Refusal), answer.text
    return drive(digs, dig, "briefed")


def form_answer(state: DigState, choice: Choice) -> FormAnswer:
    return FormAnswer(state.report.sha256 if state.report else "0" * 64, choice)


def briefs(settings: Settings) -> list[str]:
    """Every name on the shelf, strays included."""
    return (
        sorted(path.name for path in settings.briefs.iterdir()) if settings.briefs.exists() else []
    )


def _lived(state: DigState, id_: str) -> bool:
    return state.candidates[id_].row.role == "lived"
