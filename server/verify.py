"""A brief checked again: every passage against its file as it is now, or against the dig."""

import hashlib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from index.faults import NotFound, PathRefused, Unreadable
from index.lines import read_lines
from index.paths import BaseFolder
from index.records import BaseSettings
from server.brief import Source
from server.brief_file import read_text
from server.brief_text import read_brief
from server.config import Settings
from server.dig_state import DigState
from server.nearest import nearest_text
from server.shelf import recorded_dig

Standing = Literal["verbatim", "moved", "changed", "gone", "dictated"]
Record = Literal["as written", "edited", "unknown here"]


@dataclass(frozen=True, slots=True)
class Checked:
    """How one passage of a brief stands now; `number` is that of its section."""

    number: int
    base: str
    file: str
    lines: str
    kind: str
    standing: Standing
    detail: str

    @property
    def holds(self) -> bool:
        """Whether the words are still where they are said to be from."""
        return self.standing not in ("changed", "gone")


@dataclass(frozen=True, slots=True)
class Verification:
    """A brief, whether its file is as the dig recorded it, and how each passage stands."""

    path: str
    dig: str
    record: Record
    passages: tuple[Checked, ...]

    @property
    def holds(self) -> bool:
        """Whether every passage does."""
        return all(passage.holds for passage in self.passages)


def verify(path: Path, settings: Settings) -> Verification:
    """Read every source of a brief again.

    Raises BriefTrouble when it is no brief, NotFound or BaseUnavailable when a base is not there.
    """
    text = read_text(path)
    brief = read_brief(text)
    dig = recorded_dig(settings.state, brief.dig)
    bases = {source.base: settings.base(source.base) for source in brief.sources if _filed(source)}
    passages: list[Checked] = []
    for number, source in enumerate(brief.sources, start=1):
        standing, detail = _standing(source, bases, dig)
        first, last = source.lines
        passages.append(
            Checked(
                number, source.base, source.file, f"{first}-{last}", source.kind, standing, detail
            )
        )
    return Verification(str(path), brief.dig, _record(text, dig), tuple(passages))


def _filed(source: Source) -> bool:
    return source.kind != "dictated"


def _record(text: str, dig: DigState | None) -> Record:
    if dig is None or dig.brief is None:
        return "unknown here"
    return "as written" if _sha256(text.encode()) == dig.brief.sha256 else "edited"


def _standing(
    source: Source, bases: Mapping[str, BaseSettings], dig: DigState | None
) -> tuple[Standing, str]:
    if _sha256(source.text.encode()) != source.sha256:
        return "changed", "the brief's own quotation is no longer what was cut"
    if not _filed(source):
        return _dictated(source, dig)
    base = bases[source.base]
    with BaseFolder.open(base.root) as folder:
        try:
            file = folder.read(source.file, base.limits.file, base.hard_links)
        except (NotFound, PathRefused, Unreadable) as fault:
            return "gone", fault.message
    return _in_file(file.content, source)


def _dictated(source: Source, dig: DigState | None) -> tuple[Standing, str]:
    """A dictated passage has no file; the dig keeps what was said."""
    if dig is None:
        return "dictated", "only the brief has it: its dig is unknown here"
    if source.sha256 in {evidence.excerpt.sha256 for evidence in dig.evidence.values()}:
        return "dictated", "as the dig has it"
    return "changed", "the dig has no such passage"


def _in_file(content: bytes, source: Source) -> tuple[Standing, str]:
    quotation = source.text.encode()
    start = source.bytes[0]
    if content[slice(*source.bytes)] != quotation:
        found = _occurrence(content, quotation, start)
        if found is None:
            return "changed", _now(content, source.text)
        start = found
    lines = _lines(content, start, start + len(quotation))
    if start != source.bytes[0] or lines != source.lines:
        return "moved", f"now at lines {lines[0]}-{lines[1]}"
    if source.file_sha256 and _sha256(content) != source.file_sha256:
        return "verbatim", "the file changed elsewhere"
    return "verbatim", ""


def _occurrence(content: bytes, quotation: bytes, near: int) -> int | None:
    """Where the bytes stand now: of several places, none overlapping, the one nearest to `near`."""
    places: list[int] = []
    at = content.find(quotation)
    while quotation and at >= 0:
        places.append(at)
        at = content.find(quotation, at + len(quotation))
    return min(places, key=lambda place: abs(place - near), default=None)


def _lines(content: bytes, start: int, end: int) -> tuple[int, int]:
    """The numbers of the lines that hold the first and the last byte of a slice."""
    starts = read_lines(content).starts
    return bisect_right(starts, start), bisect_right(starts, max(start, end - 1))


def _now(content: bytes, quotation: str) -> str:
    """Where the nearest text stands; what is no UTF-8 any more is read as well as it can be."""
    text = content.decode("utf-8", "replace")
    found = nearest_text(text, quotation)
    if found is None:
        return "nothing like it is in the file"
    start = len(text[: found.start].encode())
    first, last = _lines(text.encode(), start, start + len(text[found.start : found.end].encode()))
    return f"nearest text at lines {first}-{last}, similarity {found.similarity} %"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
