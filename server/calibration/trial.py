"""A judge on trial: the questions of a dig, the same gates, its answers beside the labels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from gates.picks import PickFacts, picks_allowed
from gates.scoring import scores_complete
from index.records import Row
from server.calibration.agreement import weighted_kappa
from server.calibration.labelled import Labelled
from server.dig_state import Candidate, Score
from server.judge import (
    Asked,
    Judge,
    Metered,
    NoAnswer,
    PickRequest,
    Request,
    ScoresRequest,
    Unreadable,
)
from server.moves.picks import naming_texts

BATCH = 10
TOP = 8
TRIES = 2
WHY = "as it was graded"

Watch = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Result:
    """What a judge did on one pattern; grades are those of the rows that it scored, in one order.

    `again` are its grades for the first batch when it was asked once more.
    """

    name: str
    given: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    first: tuple[int, ...] = ()
    again: tuple[int, ...] = ()
    hit: bool = False
    refused: int = 0
    failed: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """A judge's figures over the whole set; None where it answered nothing to measure."""

    judge: str
    patterns: tuple[Result, ...]

    def figures(self) -> dict[str, Any]:
        """Agreement, deep-cut hits, refusals, consistency and tokens, as plain values."""
        given = [grade for one in self.patterns for grade in one.given]
        agreed = [grade for one in self.patterns for grade in one.agreed]
        pairs = [pair for one in self.patterns for pair in zip(one.first, one.again, strict=False)]
        same = sum(first == again for first, again in pairs)
        return {
            "judge": self.judge,
            "patterns": len(self.patterns),
            "scored": len(given),
            "kappa": round(weighted_kappa(given, agreed), 3) if given else None,
            "deep_cut_hits": sum(one.hit for one in self.patterns),
            "refused": sum(one.refused for one in self.patterns),
            "failed": sum(one.failed for one in self.patterns),
            "consistency": round(same / len(pairs), 3) if pairs else None,
            "tokens": sum(one.tokens for one in self.patterns),
        }


def try_judge(
    judge: Judge, name: str, labelled: Sequence[Labelled], rows: Mapping[str, Row], watch: Watch
) -> Report:
    """Ask a judge about every pattern; `rows` are its rows as an index holds them, by path."""
    results: list[Result] = []
    for number, pattern in enumerate(labelled):
        watch(number, len(labelled))
        results.append(_Trial(judge, pattern, rows).run())
    watch(len(labelled), len(labelled))
    return Report(name, tuple(results))


@dataclass(slots=True)
class _Trial:
    """One pattern before one judge."""

    judge: Judge
    pattern: Labelled
    rows: Mapping[str, Row]
    refused: int = 0
    failed: int = 0
    tokens: int = 0
    grades: dict[str, int] = field(default_factory=dict[str, int])

    def run(self) -> Result:
        """All batches, the first one once more, and the pick among the best rows."""
        candidates = [self._candidate(at, one.path) for at, one in enumerate(self.pattern.rows)]
        batches = [candidates[at : at + BATCH] for at in range(0, len(candidates), BATCH)]
        answers = [self._scored(number, rows) for number, rows in enumerate(batches, start=1)]
        again = self._scored(1, batches[0])
        agreed = {f"row_{at + 1}": one.grade for at, one in enumerate(self.pattern.rows)}
        given = {id_: grade for answer in answers for id_, grade in answer.items()}
        both = [id_ for id_ in answers[0] if id_ in again]
        return Result(
            name=self.pattern.name,
            given=tuple(given.values()),
            agreed=tuple(agreed[id_] for id_ in given),
            first=tuple(answers[0][id_] for id_ in both),
            again=tuple(again[id_] for id_ in both),
            hit=self._picked(candidates),
            refused=self.refused,
            failed=self.failed,
            tokens=self.tokens,
        )

    def _candidate(self, at: int, path: str) -> Candidate:
        return Candidate(f"row_{at + 1}", self.rows[path], 0, False, "row", (), 0.0, at + 1)

    def _scored(self, number: int, rows: Sequence[Candidate]) -> dict[str, int]:
        """The grades of one batch; none where the judge failed."""
        ids = [row.id for row in rows]
        request = ScoresRequest(self._asked(), self.pattern.terms, number, tuple(rows))

        def ask(complaint: str) -> tuple[object, str]:
            asked = replace(request, asked=self._asked(complaint))
            sent = self.judge.score_batch(asked)
            return sent, scores_complete(ids, sent).reason_if_refused

        sent = self._answered(request, ask)
        entries = cast("list[dict[str, Any]]", sent or [])
        return {entry["id"]: entry["embodies"] for entry in entries}

    def _picked(self, candidates: Sequence[Candidate]) -> bool:
        """Whether the right deep cut is among the judge's, given the eight best rows as graded."""
        grades = {one.path: one.grade for one in self.pattern.rows}
        best = sorted(candidates, key=lambda one: -grades[one.row.path])[:TOP]
        top = tuple((one, Score(one.id, grades[one.row.path], WHY)) for one in best)
        request = PickRequest(self._asked(), self.pattern.terms, top)
        facts = PickFacts(
            top={one.id: naming_texts(one.row) for one in best},
            embodies={one.id: score.embodies for one, score in top},
            keyword=self.pattern.context.keyword_primary,
        )

        def ask(complaint: str) -> tuple[object, str]:
            sent = self.judge.pick(replace(request, asked=self._asked(complaint)))
            return sent, picks_allowed(facts, sent).reason_if_refused

        sent = cast("dict[str, Any]", self._answered(request, ask) or {"deep_cuts": ()})
        right = next(one.id for one in candidates if one.row.path == self.pattern.deep_cut)
        return right in [cut["id"] for cut in sent["deep_cuts"]]

    def _answered(
        self, request: Request, ask: Callable[[str], tuple[object, str]]
    ) -> object | None:
        """The first answer that the gate lets pass, of two at most, as in a dig."""
        complaint = ""
        for _ in range(TRIES):
            sent: object | None = None
            try:
                sent, complaint = ask(complaint)
            except NoAnswer:
                break
            except Unreadable as wrong:
                complaint = wrong.reason
            self._meter(request)
            if not complaint:
                return sent
            self.refused += 1
        self.failed += 1
        return None

    def _asked(self, complaint: str = "") -> Asked:
        return Asked(self.pattern.context, complaint=complaint)

    def _meter(self, request: Request) -> None:
        if isinstance(self.judge, Metered):
            for spent in self.judge.spent_on(request):
                self.tokens += spent.input_tokens + spent.output_tokens
