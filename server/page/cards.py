"""A candidate as a person sees it: the agent's words apart, then what the program found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from index.records import Document
from server import steps
from server.anchors import may_vouch
from server.dig_state import Candidate, DigState, Evidence, VoiceFinding
from server.flags import explain
from server.page.forms import Form
from server.page.marked import Place, in_its_place
from server.report import shown_ids
from server.shown import shown_summary, visible_line

# The file of a candidate, or why it cannot be shown.
Source = Callable[[str], Document | str]

_KINDS = {"pointed": "Pointed to by you", "dictated": "Dictated by you"}
_VOICES: Mapping[str, str] = {
    "passed": "First-person prose, in {n}.",
    "refused": "Not first-person prose: {reason}.",
    "undecidable": "The program cannot tell whose voice this is: {reason}.",
}
_VIA = {
    "row": "found by its row",
    "body": "found in its text only",
    "pointed": "you pointed to it",
    "dictated": "you dictated it",
}


@dataclass(frozen=True, slots=True)
class FlagNote:
    """A flag in plain words."""

    name: str
    comes: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Quote:
    """The words that would be quoted, in their place, and what is known of them."""

    lines: str
    words: int
    sha256: str
    place: Place
    alone: str
    voice: str
    spoken: int
    covered: int
    lang: str
    numbered: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A candidate of the report; `choice` is what the person has said so far, or nothing."""

    id: str
    path: str
    title: str
    kinds: tuple[str, ...]
    facts: tuple[str, ...]
    by: str
    connection: str
    score: int | None
    why: str
    hits: tuple[tuple[str, str], ...]
    summary: str
    summary_note: str
    quote: Quote | None
    rejected: str
    flags: tuple[FlagNote, ...]
    choice: str
    vouched: bool
    may_vouch: bool
    has_next: bool


def cards(state: DigState, form: Form, source: Source, lang: str) -> tuple[Card, ...]:
    """Every candidate of the report, in its order; `lang` is the base's language."""
    if state.report is None:
        return ()
    return tuple(
        card(state, id_, form, (source, lang)) for id_ in shown_ids(state, state.report.anchors)
    )


def card(state: DigState, id_: str, form: Form, reading: tuple[Source, str]) -> Card:
    """One candidate."""
    candidate, score = state.candidates[id_], state.scores.get(id_)
    row, evidence = candidate.row, state.evidence.get(id_)
    rejection = state.rejections.get(id_)
    summary, cut = shown_summary(row.summary)
    flags = evidence.flags if evidence else (rejection.flag,) if rejection else ()
    may_take_next = steps.permits(state.state, "another_passage") and candidate.via != "dictated"
    return Card(
        id=id_,
        path=row.path,
        title=visible_line(row.title),
        kinds=_kinds(state, candidate),
        facts=_facts(candidate),
        by=state.judged_by,
        connection=visible_line(state.connections.get(id_, "")),
        score=score.embodies if score else None,
        why=visible_line(score.why) if score else "",
        hits=tuple((visible_line(term), ", ".join(where)) for term, where in candidate.hits),
        summary=visible_line(summary),
        summary_note="cut at 1,200 characters" if cut else "",
        quote=quote(candidate, evidence, reading) if evidence else None,
        rejected=rejection.reason if rejection and not evidence else "",
        flags=notes(flags),
        choice=form.choices.get(id_, ""),
        vouched=id_ in form.vouched,
        may_vouch=may_vouch(state, id_),
        has_next=may_take_next and evidence is not None,
    )


def quote(candidate: Candidate, evidence: Evidence, reading: tuple[Source, str]) -> Quote:
    """An excerpt in its place; alone, and why, where the place cannot be shown."""
    source, base_lang = reading
    excerpt, row = evidence.excerpt, candidate.row
    dictated = candidate.via == "dictated"
    document, alone = None, ""
    if not dictated:
        found = source(excerpt.path)
        if isinstance(found, str):
            alone = found
        elif found.sha256 != excerpt.file_sha256:
            alone = "The file has changed since this was cut; these are the words as cut."
        else:
            document = found
    lang = row.lang or (base_lang if dictated else "")
    place = in_its_place(excerpt, document, row.digests, lang)
    return Quote(
        lines=f"{excerpt.first_line}-{excerpt.last_line}",
        words=excerpt.words,
        sha256=excerpt.sha256,
        place=place,
        alone=alone,
        voice=_voice(evidence.voice),
        spoken=place.count("voice"),
        covered=place.count("digest"),
        lang=lang,
        numbered=not dictated,
    )


def notes(flags: tuple[str, ...]) -> tuple[FlagNote, ...]:
    """What each flag says, when it comes and what to do next."""
    return tuple(map(_note, flags))


def _note(shown: str) -> FlagNote:
    try:
        flag = explain(shown)
    except KeyError:  # in a brief that somebody edited, a flag may be any word
        return FlagNote(shown, "not a flag of this program", "see docs/flags.md")
    return FlagNote(shown, flag.comes, flag.remedy)


def _kinds(state: DigState, candidate: Candidate) -> tuple[str, ...]:
    id_ = candidate.id
    known = (
        ("Deep cut", id_ in state.connections),
        ("Direct hit", id_ in state.picks.direct_hits),
        ("Voice anchor", state.report is not None and id_ in state.report.anchors),
        ("Kept before the redirect", id_ in state.kept),
        (_KINDS.get(candidate.via, ""), candidate.via in _KINDS),
    )
    return tuple(name for name, holds in known if holds)


def _facts(candidate: Candidate) -> tuple[str, ...]:
    role = visible_line(candidate.row.role)
    structure = "archetype and stage fit" if candidate.structural else ""
    found = "" if candidate.via in _KINDS else f"prescore {candidate.prescore}"
    facts = (f"role: {role}" if role else "no role stated", _VIA[candidate.via], found, structure)
    return tuple(fact for fact in facts if fact)


def _voice(found: VoiceFinding) -> str:
    count = f"{found.paragraphs} paragraph{'s' * (found.paragraphs != 1)}"
    return _VOICES[found.outcome].format(n=count, reason=visible_line(found.reason))
