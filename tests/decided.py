"""A dig that a person has decided on, made for tests of what follows."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from index.records import Excerpt, Row
from server.config import Settings
from server.dig_state import (
    Candidate,
    Context,
    Decision,
    DeepCut,
    DigState,
    Evidence,
    Level,
    Picks,
    Report,
    Score,
    Via,
    Voice,
    VoiceFinding,
    Way,
)
from server.fold import dump
from server.store import NewEvent, Run, Store

ANCHOR = "VoiceLogs/a.md — first-person body prose confirmed, 2 paragraphs"
AT = "2026-11-30T22:10:57.000Z"


@dataclass(frozen=True)
class Passage:
    """One kept passage: its words, and what the dig knows of where they come from."""

    text: str
    path: str = "VoiceLogs/a.md"
    role: str = "lived"
    via: Via = "row"
    start: int = 0
    first_line: int = 1
    file: bytes = b""
    why: str = "the same silence"
    connection: str = ""


@dataclass(frozen=True)
class Made:
    """What else a test may want to say of the dig."""

    title: str = "The long winter"
    slug: str = "the-long-winter"
    keyword: str = "winter"
    archetype: str = "The Hermit"
    voice: Voice = "Carbon"
    blaze: str = ""
    flags: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    vouched: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()
    dropped: tuple[str, ...] = field(default=())
    level: Level = "local"
    way: Way = "terminal"


def sha256(content: bytes | str) -> str:
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()


def excerpt_of(passage: Passage, id_: str = "blaze") -> Excerpt:
    size = len(passage.text.encode())
    return Excerpt(
        row=id_,
        path=passage.path,
        start=passage.start,
        end=passage.start + size,
        first_line=passage.first_line,
        last_line=passage.first_line + passage.text.count("\n"),
        text=passage.text,
        words=len(passage.text.split()),
        sha256=sha256(passage.text),
        file_sha256=sha256(passage.file or passage.text),
        blocks=1,
        flags=(),
        pass_number=1,
    )


def row_of(passage: Passage) -> Row:
    return Row(
        base="codex",
        position=1,
        path=passage.path,
        cell=passage.path,
        title="A title",
        summary="A summary",
        summary_origin="catalogue",
        digests=(),
        lead="",
        keypoints=(),
        tags=(),
        category="",
        archetype="",
        monomyth="",
        role=passage.role,
        date="",
        lang="en",
        number="",
        facets=(),
        listed=True,
        problems=(),
        size=1,
        mtime_ns=1,
        words=1,
        sha256=None,
    )


def decided_dig(passages: Sequence[Passage], made: Made = Made()) -> DigState:
    ids = [f"row_{number}" for number in range(1, len(passages) + 1)]
    known = dict(zip(ids, passages, strict=True))
    connections = {id_: p.connection for id_, p in known.items() if p.connection}
    return DigState(
        dig="dig_" + "a" * 26,
        base="codex",
        context=Context(
            keyword_primary=made.keyword,
            title=made.title,
            slug=made.slug,
            voice=made.voice,
            archetype_primary=made.archetype,
            monomyth_hint="Ordeal",
            blaze_path=made.blaze,
        ),
        state="decided",
        seq=12,
        head="",
        opened_at="2026-11-29T10:00:00.000Z",
        terms=("frost", "hunger"),
        candidates={
            id_: Candidate(id_, row_of(p), 1, False, p.via, (), 1.0, rank)
            for rank, (id_, p) in enumerate(known.items(), start=1)
        },
        batches_ever=1,
        scores={id_: Score(id_, 2, p.why) for id_, p in known.items() if p.via == "row"},
        picks=Picks(tuple(DeepCut(*pair) for pair in connections.items()), made.direct),
        connections=connections,
        evidence={
            id_: Evidence(excerpt_of(p, id_), VoiceFinding("passed", 2)) for id_, p in known.items()
        },
        report=Report("=== DIG REPORT ===", "b" * 64, made.anchors, made.flags),
        decision=Decision(
            level=made.level,
            way=made.way,
            report_sha256="b" * 64,
            keep=tuple(id_ for id_ in ids if id_ not in made.dropped),
            drop=made.dropped,
            vouched=made.vouched,
            at=AT,
        ),
    )


def record(settings: Settings, dig: DigState, brief: Path | None = None, kind: str = "dig") -> None:
    """Put the dig into the store as it would stand there, with its brief if that is written."""
    assert dig.decision is not None
    assert dig.report is not None
    events = [NewEvent("opened", {"context": dump(dig.context), "flags": []})]
    for id_, evidence in dig.evidence.items():
        cut = {"evidence": dump(evidence), "candidate": dump(dig.candidates[id_])}
        events.append(NewEvent("excerpt_cut", cut))
    events += [
        NewEvent("reported", {"report": dump(dig.report)}),
        NewEvent("decided", {"decision": dump(dig.decision)}, "person"),
    ]
    if brief is not None:
        written = {"path": str(brief), "sha256": sha256(brief.read_bytes())}
        events.append(NewEvent("brief_written", written))
    settings.state.mkdir(exist_ok=True)
    state = "decided" if brief is None else "briefed"
    run = Run(dig.dig, kind, dig.base, dig.context.title, state, 0, "", "")
    Store(settings.state).create(run, events)
