"""The offline judge: word statistics in place of a model; no key, no network, no chance."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from index.records import BaseSettings, Document
from index.substring import Column
from server.judge import PickRequest, ScoresRequest, TermsRequest
from server.judges.overlap import Pattern
from server.judges.picking import pick
from server.judges.reading import Facts, Read, Reader
from server.judges.suggesting import suggest

if TYPE_CHECKING:
    from server.library import Library

FLAG = "JUDGE_OFFLINE"


class OfflineJudge:
    """Judges by the words that files share; it knows no opposites, no causes and no irony."""

    flags = (FLAG,)

    def __init__(
        self, open_facts: Callable[[], Facts], read: Read, columns: Sequence[Column]
    ) -> None:
        self._open_facts = open_facts
        self._read = read
        self._columns = columns
        self._latest: Reader | None = None

    def suggest_terms(self, request: TermsRequest) -> list[str]:
        """Words that stand out around the keyword's best hits; NoAnswer where too few do."""
        return suggest(self._reader(), request.asked)

    def score_batch(self, request: ScoresRequest) -> list[dict[str, Any]]:
        """Each row by its share of the pattern's words, and which these are."""
        reader = self._reader()
        pattern = Pattern(request.asked.context, request.terms, reader)
        overlaps = {one.id: pattern.overlap(reader.reading(one.row)) for one in request.rows}
        return [
            {"id": id_, "embodies": overlap.grade, "why": overlap.why}
            for id_, overlap in overlaps.items()
        ]

    def pick(self, request: PickRequest) -> Mapping[str, object]:
        """The rows that name the keyword, and those far from them that do not."""
        return pick(self._reader(), request)

    def _reader(self) -> Reader:
        """The base as it is now; what was read of the same generation is kept."""
        facts = self._open_facts()
        if self._latest is None or self._latest.facts.generation != facts.generation:
            self._latest = Reader(facts, self._read, self._columns)
        return self._latest


def open_judge(base: BaseSettings, library: "Library") -> OfflineJudge:
    """The offline judge for one base; its index is opened when the first question comes."""

    def read(path: str) -> Document | None:
        document = library.document(base, path)
        return document if isinstance(document, Document) else None

    return OfflineJudge(lambda: library.facts(base), read, library.settings.columns)
