"""An exploration for tests: two bases, a contract, and the moves of a scripted agent."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from server.config import Overrides, Settings, load_settings
from server.explore.answers import Answer, record_of
from server.explore.explorations import Explorations
from server.refusals import Refusal
from tests.explore_base import write_roads, write_small

CONTRACT: Mapping[str, object] = {
    "max_rounds": 3,
    "max_tokens": 10_000,
    "max_stall_count": 1,
    "max_reset_count": 2,
    "max_plan_revisions": 0,
    "enable_plan_review": False,
}
REVIEWED: Mapping[str, object] = {"max_plan_revisions": 1, "enable_plan_review": True}
ROUNDABOUT = "krav/N100/rundkjoring.md"
REQUIREMENT = {"path": ROUNDABOUT, "ref": "4.1.2-1"}
HYPOTHESIS: Mapping[str, object] = {
    "label": "Cheaper kerbs",
    "rationale": "Kerbs cost most.",
    "requirement": REQUIREMENT,
    "base": "roads",
}


def settings_at(folder: Path) -> Settings:
    """Both bases and a state directory of their own."""
    bases = (write_roads(folder), write_small(folder))
    return load_settings(Overrides(kb=bases, state=folder / "state"), {})


class Agent:
    """One run and its driver; each move goes to a process that knows nothing but the store."""

    def __init__(self, settings: Settings, **contract: object) -> None:
        self.settings = settings
        self.explorations = Explorations(settings)
        self.run = ""
        self.contract = {**CONTRACT, **contract}

    def open(self, **others: object) -> Answer:
        sent = {"objective": "Save on roads", "contract": self.contract, **others}
        answer = self.explorations.open_exploration(sent)
        self.run = getattr(answer, "run", "")
        return answer

    def plan(self, plan: str = "Look, then commit", tokens: int = 0, progress: str = "") -> Answer:
        sent = {"plan": plan, "current_progress": progress, "tokens": tokens}
        return self.explorations.submit_plan(self.run, sent)

    def round(self, index: int, **changes: object) -> Answer:
        row: dict[str, object] = {
            "round_index": index,
            "is_request_satisfied": False,
            "is_in_loop": False,
            "is_progress_being_made": True,
            "next_speaker": "navigator",
            "instruction_or_question": "Go on.",
            "tokens": 0,
        }
        return self.explorations.record_round(self.run, {**row, **changes})

    def begin(self, **others: object) -> "Agent":
        """Open, plan, and begin the first round."""
        for answer in (self.open(**others), self.plan(), self.round(1)):
            assert not isinstance(answer, Refusal), answer.text
        return self

    def read(self, path: str, base: str = "roads", **others: object) -> Answer:
        return self.explorations.read_file(self.run, {"base": base, "path": path, **others})

    def level(self, path: str, base: str = "roads", **others: object) -> Answer:
        return self.explorations.read_dir(self.run, {"base": base, "path": path, **others})

    def declare(self, path: str, ref: str, base: str = "roads") -> Answer:
        sent = {"base": base, "path": path, "ref": ref}
        return self.explorations.declare_requirement(self.run, sent)

    def commit(self, **changes: object) -> Answer:
        return self.explorations.commit_hypothesis(self.run, {**HYPOTHESIS, **changes})

    def close(self, tokens: int = 0) -> Answer:
        return self.explorations.close_exploration(self.run, tokens)

    def look_around(self) -> None:
        """Read three documents of roads."""
        for path in (ROUNDABOUT, "krav/N100/innledning.md", "guide/a.md"):
            assert flag_of(self.read(path)) == "ok"

    @property
    def outcomes(self) -> list[str]:
        return [call.outcome for call in self.explorations.load(self.run).calls]


def flag_of(answer: Answer) -> str:
    """The kind of a refusal, or ok."""
    return answer.flag if isinstance(answer, Refusal) else "ok"


def facts(answer: Answer) -> dict[str, Any]:
    """The record of an answer that was no refusal."""
    assert not isinstance(answer, Refusal), answer.text
    return record_of(answer)
