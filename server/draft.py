"""A draft held against its brief: what it takes from guidance, and what it quotes from nowhere."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from index.markdown import read_document
from index.text import shingles, skeleton, words
from server.brief import Brief, Source
from server.quotations import numbered_lines, quotations
from server.replies import Finding

# As many words in a row are no accident.
RUN = 7
_SHOWN = 240
_ELISION = re.compile(r"[\[(]?(?:\u2026|\.\.\.)[\])]?")
_SHORTEST_PIECE = 3


@dataclass(frozen=True, slots=True)
class _Words:
    """The folded words of a text in order, each with its line, and as one string to search."""

    words: tuple[str, ...]
    lines: tuple[int, ...]
    starts: tuple[int, ...]
    joined: str

    def find(self, phrase: str, after: int = 0) -> int:
        """The index of the first word of the phrase from a word on; -1 if it is not there."""
        start = self.starts[after] - 1 if after < len(self.starts) else len(self.joined)
        at = self.joined.find(f" {phrase} ", start)
        return bisect_right(self.starts, at + 1) - 1 if at >= 0 else -1


def check_draft(brief: Brief, text: str) -> tuple[Finding, ...]:
    """Banned phrases, long runs shared with guidance, quotations that the brief does not hold."""
    draft = _read(text)
    findings = [
        *_banned(draft, brief.banned_phrases),
        *_borrowed(draft, brief.sources),
        *_unheard(text, brief.sources),
    ]
    return tuple(sorted(findings, key=lambda finding: (finding.line, finding.kind)))


def _read(text: str) -> _Words:
    found = [
        (word, number) for number, line in numbered_lines(text) for word in words(skeleton(line))
    ]
    starts: list[int] = []
    offset = 1
    for word, _ in found:
        starts.append(offset)
        offset += len(word) + 1
    folded = tuple(word for word, _ in found)
    lines = tuple(number for _, number in found)
    return _Words(folded, lines, tuple(starts), f" {' '.join(folded)} ")


def _banned(draft: _Words, phrases: Sequence[str]) -> Iterator[Finding]:
    for phrase in phrases:
        folded = _read(phrase).words
        at = draft.find(" ".join(folded)) if folded else -1
        while at >= 0:
            yield _finding(draft.lines[at], "banned phrase", phrase)
            at = draft.find(" ".join(folded), at + len(folded))


def _borrowed(draft: _Words, sources: Sequence[Source]) -> Iterator[Finding]:
    """Stretches of the draft made of runs that stand in an excerpt of guidance too."""
    guidance = (source for source in sources if source.kind == "guidance")
    theirs = {run for source in guidance for run in shingles(_read(source.text).words, RUN)}
    stretches: list[tuple[int, int]] = []
    for at, run in enumerate(shingles(draft.words, RUN)):
        if run in theirs:
            joins = stretches and at <= stretches[-1][1]
            start = stretches.pop()[0] if joins else at
            stretches.append((start, at + RUN))
    for start, end in stretches:
        shared = " ".join(draft.words[start:end])
        yield _finding(draft.lines[start], "words of guidance", shared)


def _unheard(text: str, sources: Sequence[Source]) -> Iterator[Finding]:
    heard = [_read(told) for source in sources for told in _tellings(source)]
    runs = {run for told in heard for run in shingles(told.words, _SHORTEST_PIECE)}
    known: dict[str, bool] = {}
    for quotation in quotations(text):
        if quotation.text not in known:
            known[quotation.text] = _is_heard(quotation.text, heard, runs)
        if not known[quotation.text]:
            yield _finding(quotation.line, "quotation not in the brief", quotation.text)


def _tellings(source: Source) -> Iterator[str]:
    """A passage as it is written, and as it reads without markup."""
    yield source.text
    document = read_document(source.file, source.text.encode())
    yield "\n".join(block.prose for block in document.blocks)


def _is_heard(quotation: str, heard: Sequence[_Words], runs: set[tuple[str, ...]]) -> bool:
    """Whether one passage has the words in a row, or in order around marks of elision."""
    pieces = [_read(piece).words for piece in _ELISION.split(quotation)]
    whole = _read(quotation).words
    return any(
        all(_may_be_heard(part, runs) for part in parts)
        and any(_holds(told, parts) for told in heard)
        for parts in ([whole], [piece for piece in pieces if piece] or [whole])
    )


def _may_be_heard(part: Sequence[str], runs: set[tuple[str, ...]]) -> bool:
    """A quick look that spares most searches: no words that stand nowhere side by side."""
    return len(part) >= _SHORTEST_PIECE and runs.issuperset(shingles(part, _SHORTEST_PIECE))


def _holds(told: _Words, parts: Sequence[Sequence[str]]) -> bool:
    after = 0
    for part in parts:
        at = told.find(" ".join(part), after)
        if at < 0:
            return False
        after = at + len(part)
    return True


def _finding(line: int, kind: str, text: str) -> Finding:
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "\u2026"
    return Finding(line=line, kind=kind, text=shown)
