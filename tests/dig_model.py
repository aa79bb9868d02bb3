"""The steps of a dig, told a second time and on purpose without the program's own tables.

A move is named by what is sent (`terms: good`), not by the arguments; what comes back is told as a
flag, empty for a success. What only the program can know is told to the model: ids, and what a
report shows.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tests.digging_base import ANCHORS, CANDIDATES, REJECTED

MOVES = {
    "opened": ("retrieve_candidates",),
    "scoring": ("score_summaries",),
    "scored": ("pick_scotoma",),
    "picked": ("extract_excerpt", "dig_report"),
    "reported": ("assemble_brief",),
    "decided": ("assemble_brief",),
}
DEEDS = {
    "reported": ("decide", "redirect", "another_passage", "add_passage"),
    "decided": ("redirect", "add_passage"),
    "failed": ("reopen",),
}
ENDED = ("briefed", "abandoned")
AFTER_REOPENING = {1: "opened", 2: "opened", 3: "scoring", 4: "scored"}
# The files that three of the terms reach, where only those three are distinct.
FEW_REACHED = frozenset({"Logs/tide.md", "Logs/dough.md", "Logs/graft.md"})
UNCOUNTED = ("WRONG_STEP", "INVALID_ARGUMENT", "NOT_DECIDED", "NOTHING_KEPT")


@dataclass
class Model:
    """One dig as it should be."""

    voice: str
    state: str = "opened"
    passes: int = 1
    refused: Counter[tuple[int, int]] = field(default_factory=Counter[tuple[int, int]])
    failed_at: int = 0
    reopened: int = 0
    path: dict[str, str] = field(default_factory=dict[str, str])
    batches: list[list[str]] = field(default_factory=list[list[str]])
    scored: int = 0
    embodies: dict[str, int] = field(default_factory=dict[str, int])
    picked: tuple[str, ...] = ()
    cut: set[str] = field(default_factory=set[str])
    rejected: set[str] = field(default_factory=set[str])
    kept: tuple[str, ...] = ()
    dropped: set[str] = field(default_factory=set[str])
    added: list[str] = field(default_factory=list[str])
    shown: tuple[str, ...] = ()
    silent: set[str] = field(default_factory=set[str])
    report_sha256: str = ""
    asked: bool = False
    decided: tuple[str, ...] | None = None
    answers: dict[tuple[str, str], tuple[str, str]] = field(
        default_factory=dict[tuple[str, str], tuple[str, str]]
    )

    def allows(self, tool: str) -> bool:
        return tool in MOVES.get(self.state, ())

    def permits(self, deed: str) -> bool:
        return deed in DEEDS.get(self.state, ()) or (deed == "abandon" and self.state not in ENDED)

    def reachable(self, few: bool = False) -> frozenset[str]:
        """The files that a search may still find."""
        taken = {self.path.get(id_, id_) for id_ in (*self.kept, *self.dropped)}
        return (FEW_REACHED if few else CANDIDATES) - taken

    def retrieve(self, kind: str) -> str:
        if kind == "count":
            return self._refuse(1, "TERM_COUNT")
        few = kind == "costumes"
        if few and not self.refused[1, 0]:
            return self._refuse(1, "TERM_FANOUT")
        if kind == "nothing" or not self.reachable(few):
            return self._refuse(2, "NO_CANDIDATES")
        self.state, self.scored = "scoring", 0
        return ""

    def found(self, batches: Sequence[Sequence[str]], path: dict[str, str]) -> None:
        """The ids that the program gave to what was found."""
        self.batches = [list(batch) for batch in batches]
        self.path |= path

    def score(self, batch: int, embodies: dict[str, int] | None) -> str:
        if batch != self.scored + 1:
            return "WRONG_STEP"
        if embodies is None:
            return self._refuse(3, "SCORES_INVALID", batch)
        self.embodies |= embodies
        self.scored = batch
        if batch == len(self.batches):
            self.state = "scored"
        return ""

    def pick(self, ids: Sequence[str] | None) -> str:
        if ids is None:
            return self._refuse(4, "PICK_INVALID")
        self.state, self.picked = "picked", tuple(ids)
        return ""

    def extract(self, id_: str, after_line: int | None) -> str:
        if id_ not in self.picked:
            return "INVALID_ARGUMENT"
        if after_line is not None:
            self.refused[5, 0] += 1
            return "NO_PROSE"
        return self._cut(id_)

    def report(self) -> str:
        for id_ in self.picked:
            if id_ not in self.cut | self.rejected:
                self._cut(id_)
        self.state = "reported"
        return ""

    def reported(self, shown: Sequence[str], silent: Collection[str], sha256: str) -> None:
        """What must be shown is shown; more only as a voice anchor. `silent` are no anchors."""
        must = {*self.kept, *self.picked, *self.added}
        assert must <= set(shown), (must, shown)
        more = [id_ for id_ in shown if id_ not in must]
        assert not more or self.voice == "Carbon"
        assert {self.path[id_] for id_ in more} <= ANCHORS
        self.cut |= set(more)
        self.shown, self.silent = tuple(shown), set(silent)
        self.report_sha256, self.asked = sha256, False

    def anchored(self, ids: Collection[str]) -> bool:
        """Whether one of these passages is lived and in the first person."""
        lived = {id_ for id_ in ids if self.path[id_] in ANCHORS or id_ in self.added}
        return bool((lived & self.cut) - self.silent)

    def form_is_due(self) -> bool:
        """Whether the host is asked: once for a report, and only if its yes opens the brief."""
        waits = self.state == "reported" and not self.asked
        worth_it = self.voice != "Carbon" or self.anchored(self.shown)
        return waits and worth_it and any(id_ in self.cut for id_ in self.shown)

    def assemble(self, choice: str = "") -> str:
        """`choice` is what the host's form came back with."""
        if choice and self.form_is_due():
            self.asked = True
            if choice == "keep all":
                self.state, self.decided = "decided", self.shown
            elif choice == "drop all":
                self.state, self.decided = "abandoned", ()
                return "NOTHING_KEPT"
        if self.state == "reported":
            return "NOT_DECIDED"
        if not self.allows("assemble_brief"):
            return "WRONG_STEP"
        assert self.decided is not None
        if self.voice != "Carbon" or self.anchored(self.decided):
            self.state = "briefed"
        return ""

    def decide(self, dropped: Collection[str]) -> str:
        kept = tuple(id_ for id_ in self.shown if id_ not in dropped)
        if kept and not self.cut & set(kept):
            return "INVALID_ARGUMENT"
        self.decided = kept
        self.dropped |= set(dropped)
        self.state = "decided" if kept else "abandoned"
        return ""

    def add(self, id_: str, path: str, dropped: Collection[str]) -> str:
        """A person's passage comes with a decision for the report that shows it."""
        kept = [one for one in self.shown if one not in dropped]
        self.path[id_] = path
        self.cut.add(id_)
        self.added.append(id_)
        self.dropped |= set(dropped)
        self.state, self.decided = "decided", (*kept, id_)
        return ""

    def redirect(self, keep: Sequence[str], drop: Sequence[str]) -> str:
        if self.passes > 5:
            return "INVALID_ARGUMENT"
        self.passes += 1
        self.state, self.kept, self.decided = "opened", tuple(keep), None
        self.dropped |= set(drop)
        self.added = [id_ for id_ in self.added if id_ not in self.dropped]
        self.batches, self.scored, self.picked, self.shown = [], 0, (), ()
        self.refused.clear()
        self.answers.clear()
        return ""

    def abandon(self) -> str:
        self.state = "abandoned"
        return ""

    def reopen(self) -> str:
        self.state = AFTER_REOPENING[self.failed_at]
        self.reopened += 1
        self.refused.clear()
        self.answers = {key: kept for key, kept in self.answers.items() if not kept[0]}
        return ""

    def _cut(self, id_: str) -> str:
        if flag := REJECTED.get(self.path[id_], ""):
            self.rejected.add(id_)
        else:
            self.cut.add(id_)
        return flag

    def _refuse(self, step: int, flag: str, batch: int = 0) -> str:
        """The second refusal of a step ends it."""
        self.refused[step, batch] += 1
        if self.refused[step, batch] < 2:
            return flag
        self.state, self.failed_at = "failed", step
        return f"STEP_{step} FAILED"
