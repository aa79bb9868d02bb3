"""What a dig ends in, as a record: composed from its state alone, so it can be composed again.

brief = compose_brief(state, anchor, banned, guidance, flags)   # this file
text = render_brief(brief)                                      # server/brief_text.py
saved = save_brief(shelf, text, state.brief, announce)          # server/brief_file.py
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from index.faults import Fault
from index.records import Excerpt
from server.dig_state import Context, Decision, DigState, Level, Report, Voice, Way

Format = Literal["expedition-brief/1"]
FORMAT: Format = "expedition-brief/1"
# Eighty sources with reasons of this length stay below the cap on frontmatter.
REASON_SHOWN = 300

Kind = Literal["evidence", "voice_anchor", "guidance", "dictated"]


class BriefTrouble(Fault):
    """A brief that cannot be read, or one that could not be read back and so is not written."""

    exit_code = 1


def _parsed(value: object) -> object:
    return value.split("-", 1) if isinstance(value, str) else value


Span = Annotated[
    tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]],
    BeforeValidator(_parsed),
    PlainSerializer(lambda span: f"{span[0]}-{span[1]}"),
]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Part(BaseModel):
    """A part of a brief; the order of its fields is the order of its keys in the frontmatter."""

    model_config = ConfigDict(frozen=True)


class Decided(Part):
    """How a person opened the brief, and the report they decided on."""

    level: Level
    way: Way
    at: str
    report_sha256: Sha256


class Searched(Part):
    """How wide the dig looked: the terms of its last pass, and everything it scored."""

    terms: tuple[str, ...]
    summaries: int
    batches: int
    passes: int


class Source(Part):
    """One passage: where it was cut, and its words.

    `lines` count from 1, both included; `bytes` count from 0, the second excluded; the text is no
    part of the frontmatter.
    """

    base: str
    file: str
    role: str
    lines: Span
    bytes: Span
    words: int
    sha256: Sha256
    file_sha256: Sha256 | Literal[""]
    kind: Kind
    reason: str
    text: str = Field("", exclude=True)

    @property
    def bare_returns(self) -> bool:
        """Whether lines end at a lone CR somewhere: there `> ` stands behind no line end."""
        return "\r" in self.text.replace("\r\n", "")


class Brief(Part):
    """Verbatim evidence for one piece of writing."""

    format: Format
    dig: str
    title: str
    slug: str
    keyword_primary: str
    voice: Voice
    archetype_primary: str
    monomyth: str
    voice_anchor: str
    banned_phrases: tuple[str, ...]
    decided: Decided
    searched: Searched
    flags: tuple[str, ...]
    sources: tuple[Source, ...]


def compose_brief(
    state: DigState,
    anchor: str,
    banned: Sequence[str] = (),
    guidance: Sequence[Excerpt] = (),
    flags: Sequence[str] = (),
) -> Brief:
    """The brief of a decided dig.

    `anchor` is what its `voice_anchor` says, `banned` the harvested phrases, `guidance` what was
    cut from the blaze, `flags` what came up after the report.
    """
    decision, report = _decided(state)
    context = state.context
    sources = (
        *(_kept(state, id_) for id_ in decision.keep if id_ in state.evidence),
        *(_guidance(state.base, context, excerpt) for excerpt in guidance),
    )
    return Brief(
        format=FORMAT,
        dig=state.dig,
        title=context.title,
        slug=context.slug,
        keyword_primary=context.keyword_primary,
        voice=context.voice,
        archetype_primary=context.archetype_primary,
        monomyth=context.monomyth_hint,
        voice_anchor=anchor,
        banned_phrases=tuple(banned),
        decided=Decided(
            level=decision.level,
            way=decision.way,
            at=decision.at,
            report_sha256=decision.report_sha256,
        ),
        searched=_searched(state),
        flags=tuple(dict.fromkeys((*_still_true(report), *_bare_returns(sources), *flags))),
        sources=sources,
    )


def _decided(state: DigState) -> tuple[Decision, Report]:
    if state.decision is None or state.report is None:
        raise ValueError(f"{state.dig} has no recorded decision")
    return state.decision, state.report


def _still_true(report: Report) -> Iterator[str]:
    """The flags of the report; an anchor that it missed was found since, or vouched for."""
    return (flag for flag in report.flags if flag != "VOICE_ANCHOR_MISSING")


def _searched(state: DigState) -> Searched:
    return Searched(
        terms=state.terms,
        summaries=len(state.scores),
        batches=state.batches_ever,
        passes=state.pass_number,
    )


def _kept(state: DigState, id_: str) -> Source:
    candidate = state.candidates[id_]
    evidence = state.evidence[id_]
    role = candidate.row.role
    return _source(
        state.base, role, evidence.excerpt, (_kind(state, id_), _shortened(_reason(state, id_)))
    )


def _guidance(base: str, context: Context, excerpt: Excerpt) -> Source:
    reason = "the blaze" if excerpt.path == context.blaze_path else ""
    return _source(base, "guidance", excerpt, ("guidance", reason))


def _source(base: str, role: str, excerpt: Excerpt, why: tuple[Kind, str]) -> Source:
    kind, reason = why
    return Source(
        base=base,
        file=excerpt.path,
        role=role,
        lines=(excerpt.first_line, excerpt.last_line),
        bytes=(excerpt.start, excerpt.end),
        words=excerpt.words,
        sha256=excerpt.sha256,
        file_sha256=excerpt.file_sha256,
        kind=kind,
        reason=reason,
        text=excerpt.text,
    )


def _kind(state: DigState, id_: str) -> Kind:
    candidate = state.candidates[id_]
    if candidate.row.role == "guidance":
        return "guidance"
    if candidate.via == "dictated":
        return "dictated"
    decision, report = _decided(state)
    return "voice_anchor" if id_ in (*report.anchors, *decision.vouched) else "evidence"


def _reason(state: DigState, id_: str) -> str:
    """Why a passage is there: the agent's words for a pick, the voice for an anchor."""
    decision, report = _decided(state)
    if id_ in state.connections:
        return state.connections[id_]
    if id_ in decision.vouched:
        return "vouched by person"
    if id_ in report.anchors and id_ not in state.picks.direct_hits:
        return f"first-person paragraphs: {state.evidence[id_].voice.paragraphs}"
    if id_ in state.scores:
        return state.scores[id_].why
    via = {"pointed": "pointed to by a person", "dictated": "dictated by a person"}
    return via.get(state.candidates[id_].via, "")


def _bare_returns(sources: Sequence[Source]) -> tuple[str, ...]:
    return tuple(f"HIDDEN_TEXT:{source.file}" for source in sources if source.bare_returns)


def _shortened(reason: str) -> str:
    return reason if len(reason) <= REASON_SHOWN else reason[: REASON_SHOWN - 1] + "…"
