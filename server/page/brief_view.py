"""A written brief as a page shows it: its passages, each beside what its file says now."""

from dataclasses import dataclass
from pathlib import Path

from server.brief import Brief, Source
from server.brief_file import read_text
from server.brief_text import read_brief
from server.config import Settings
from server.page.cards import FlagNote, notes
from server.page.marked import Line, marked_lines
from server.page.views import LEVELS, WAYS
from server.shown import visible_line
from server.verify import Checked, verify

STANDINGS = {
    "verbatim": "Verbatim",
    "moved": "Moved",
    "changed": "Changed",
    "gone": "Gone",
    "dictated": "Dictated",
}
RECORDS = {
    "as written": "The file is as it was written.",
    "edited": "The file was edited since it was written.",
    "unknown here": "The record here knows nothing of this file.",
}


@dataclass(frozen=True, slots=True)
class PassageView:
    """One passage of a brief and how it stands."""

    file: str
    role: str
    kind: str
    reason: str
    lines: str
    sha256: str
    text: tuple[Line, ...]
    checked: Checked
    standing: str


@dataclass(frozen=True, slots=True)
class BriefView:
    """A brief as written, and as it stands now."""

    path: str
    title: str
    facts: tuple[tuple[str, str], ...]
    banned: tuple[str, ...]
    flags: tuple[FlagNote, ...]
    record: str
    holds: bool
    passages: tuple[PassageView, ...]


def brief_view(path: Path, settings: Settings) -> BriefView:
    """Read a brief and verify it; raises what `verify` raises."""
    verification = verify(path, settings)
    brief = read_brief(read_text(path))
    pairs = zip(brief.sources, verification.passages, strict=True)
    return BriefView(
        path=str(path),
        title=visible_line(brief.title),
        facts=_facts(brief),
        banned=tuple(map(visible_line, brief.banned_phrases)),
        flags=notes(brief.flags),
        record=RECORDS[verification.record],
        holds=verification.holds and verification.record == "as written",
        passages=tuple(_passage(source, checked) for source, checked in pairs),
    )


def _passage(source: Source, checked: Checked) -> PassageView:
    from index.text import hidden

    marks = {"hidden": [(place, place + 1) for place in hidden(source.text)]}
    first, last = source.lines
    return PassageView(
        file=source.file,
        role=visible_line(source.role),
        kind=source.kind.replace("_", " "),
        reason=visible_line(source.reason),
        lines=f"{first}-{last}",
        sha256=source.sha256,
        text=tuple(marked_lines(source.text, first, marks)),
        checked=checked,
        standing=STANDINGS[checked.standing],
    )


def _facts(brief: Brief) -> tuple[tuple[str, str], ...]:
    decided, searched = brief.decided, brief.searched
    wide = f"{searched.summaries} summaries in {searched.batches} batches"
    found = (
        ("Voice anchor", brief.voice_anchor),
        ("Decided", f"{WAYS[decided.way]}, {LEVELS[decided.level]}"),
        ("Level", decided.level),
        ("At", decided.at),
        ("Report SHA-256", decided.report_sha256),
        ("Keyword", brief.keyword_primary),
        ("Voice", brief.voice),
        ("Searched", f"{', '.join(searched.terms)} · {wide}"),
    )
    return tuple((label, visible_line(value)) for label, value in found if value)
