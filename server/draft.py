"""A draft held against its brief: what it takes from guidance, and what it quotes from nowhere."""

import re
from collections.abc import Iterator, Sequence

from gates.phrases import uses
from gates.tokens import loose_words
from index.markdown import read_document
from index.text import shingles
from server.brief import Brief, Source
from server.quotations import quotations
from server.replies import Finding

_KINDS = {"phrase": "banned phrase", "passage": "words of guidance"}
_SHOWN = 240
_ELISION = re.compile(r"[\[(]?(?:\u2026|\.\.\.)[\])]?")
# What stands between two elisions must be more than scraps, or anything could be pieced together.
_SHORTEST_PIECE = 3


def check_draft(brief: Brief, text: str) -> tuple[Finding, ...]:
    """Banned phrases, long runs shared with guidance, quotations that the brief does not hold."""
    lines_end_alike = text.replace("\r\n", "\n").replace("\r", "\n")
    guidance = [source.text for source in brief.sources if source.kind == "guidance"]
    findings = [
        _finding(use.first_line, _KINDS[use.kind], use.words)
        for use in uses(lines_end_alike, brief.banned_phrases, guidance)
    ]
    findings += _unheard(lines_end_alike, brief.sources)
    return tuple(sorted(findings, key=lambda finding: (finding.line, finding.kind)))


def _unheard(draft: str, sources: Sequence[Source]) -> Iterator[Finding]:
    told = [loose_words(telling)[1] for source in sources for telling in _tellings(source)]
    runs = {run for words in told for run in shingles(words, _SHORTEST_PIECE)}
    passages = [_spaced(words) for words in told]
    known: dict[str, bool] = {}
    for quotation in quotations(draft):
        if quotation.text not in known:
            known[quotation.text] = _is_heard(quotation.text, passages, runs)
        if not known[quotation.text]:
            yield _finding(quotation.line, "quotation not in the brief", quotation.text)


def _tellings(source: Source) -> Iterator[str]:
    """A passage as it is written, and as it reads without markup."""
    yield source.text
    document = read_document(source.file, source.text.encode())
    yield "\n".join(block.prose for block in document.blocks)


def _is_heard(quotation: str, passages: Sequence[str], runs: set[tuple[str, ...]]) -> bool:
    """Whether one passage has the words in a row, or in order around marks of elision."""
    pieces = [words for piece in _ELISION.split(quotation) if (words := loose_words(piece)[1])]
    return any(
        all(_may_be_heard(part, runs) for part in parts)
        and any(_holds(passage, parts) for passage in passages)
        for parts in ([loose_words(quotation)[1]], pieces)
        if parts
    )


def _may_be_heard(part: Sequence[str], runs: set[tuple[str, ...]]) -> bool:
    """A quick look that spares most searches: no three words that stand nowhere in a row."""
    return len(part) >= _SHORTEST_PIECE and runs.issuperset(shingles(part, _SHORTEST_PIECE))


def _holds(passage: str, parts: Sequence[Sequence[str]]) -> bool:
    after = 0
    for part in map(_spaced, parts):
        at = passage.find(part, after)
        if at < 0:
            return False
        # the blank behind one part may be the blank before the next
        after = at + len(part) - 1
    return True


def _spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _finding(line: int, kind: str, text: str) -> Finding:
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "\u2026"
    return Finding(line=line, kind=kind, text=shown)
