"""Cutting an excerpt: passages in the chooser's order, each through the gates, until one passes."""

import hashlib
from dataclasses import dataclass

from gates.bounds import verbatim, within_bounds
from gates.digest import body_not_digest, covered
from gates.hidden import nothing_hidden
from gates.narration import Narrator, not_narrated
from gates.verdict import Verdict, first_refusal
from gates.voice import first_person, hear
from index.passages import Bounds, Passage, passages
from index.records import Document, Excerpt, Row
from server.config import Settings
from server.dig_state import Evidence, Rejection, VoiceFinding

# A passage refused by a gate sends the chooser deeper; no file is searched without end.
DEPTH = 50
# A report looks for voices in up to forty files; a speaker is heard in a dozen passages.
VOICE_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for in a file; with `voice` the first passage in the first person is taken."""

    id: str
    row: Row
    terms: tuple[str, ...]
    pass_number: int
    after_line: int | None = None
    voice: bool = False


@dataclass(frozen=True, slots=True)
class Cutting:
    """An excerpt with every verdict on it."""

    evidence: Evidence
    verdicts: tuple[Verdict, ...]


def cut(document: Document, wanted: Wanted, settings: Settings) -> Cutting | Rejection:
    """The first passage that all gates let pass, or why there is none."""
    bounds = Bounds(settings.excerpt.min_words, settings.excerpt.max_words)
    digests = wanted.row.digests
    in_digest = [covered(block.prose, digests) for block in document.blocks]
    choices = passages(document, wanted.terms, bounds, in_digest, wanted.after_line)
    refusal: Verdict | None = None
    silent: Cutting | None = None
    for passage in choices[: VOICE_DEPTH if wanted.voice else DEPTH]:
        excerpt = _excerpt(document, passage, wanted)
        verdicts = _judge(document, excerpt, wanted, settings)
        if refused := first_refusal(verdicts):
            refusal = refusal or refused
            continue
        cutting = _cutting(document, excerpt, verdicts, wanted)
        if not wanted.voice or cutting.evidence.voice.outcome == "passed":
            return cutting
        silent = silent or cutting
    return silent or _rejection(document, wanted, refusal)


def voice_of(text: str, lang: str) -> VoiceFinding:
    """What the voice gate says of a text in a language; an empty one is found out."""
    voice = hear(text, lang)
    verdict = first_person(voice)
    return VoiceFinding(verdict.outcome, voice.paragraphs, verdict.reason)


def _excerpt(document: Document, passage: Passage, wanted: Wanted) -> Excerpt:
    piece = document.content[passage.start : passage.end]
    return Excerpt(
        row=wanted.id,
        path=document.path,
        start=passage.start,
        end=passage.end,
        first_line=passage.first_line,
        last_line=passage.last_line,
        text=piece.decode("utf-8"),
        words=passage.words,
        sha256=hashlib.sha256(piece).hexdigest(),
        file_sha256=document.sha256,
        blocks=passage.blocks,
        flags=passage.flags,
        pass_number=wanted.pass_number,
    )


def _judge(
    document: Document, excerpt: Excerpt, wanted: Wanted, settings: Settings
) -> tuple[Verdict, ...]:
    least, most = settings.excerpt.min_words, settings.excerpt.max_words
    # A whole note is judged by its own length: half of it must not be its digest.
    need = excerpt.words // 2 if excerpt.words < least else least
    narrator = Narrator(settings.narrator.names, settings.narrator.nouns)
    return (
        within_bounds(excerpt.words, least, most, excerpt.flags),
        verbatim(document.content, excerpt.start, excerpt.end, excerpt.text),
        body_not_digest(excerpt.text, wanted.row.digests, need),
        not_narrated(excerpt.text, narrator, wanted.row.lang),
        nothing_hidden(excerpt.text),
    )


def _cutting(
    document: Document, excerpt: Excerpt, verdicts: tuple[Verdict, ...], wanted: Wanted
) -> Cutting:
    flags = [*excerpt.flags, *(verdict.flag for verdict in verdicts if verdict.flag)]
    if document.sha256 != wanted.row.sha256:
        flags.append("SOURCE_CHANGED")
    voice = voice_of(excerpt.text, wanted.row.lang)
    if voice.outcome == "undecidable":
        flags.append("VOICE_UNDECIDABLE")
    return Cutting(Evidence(excerpt, voice, tuple(dict.fromkeys(flags))), verdicts)


def _rejection(document: Document, wanted: Wanted, refusal: Verdict | None) -> Rejection:
    if refusal is not None:
        return Rejection(wanted.id, refusal.flag, refusal.reason)
    if document.body_start is None:
        reason = "the body cannot be read: its frontmatter never ends, or it is not UTF-8"
    elif wanted.after_line is not None:
        reason = "there is no further passage in this file"
    else:
        reason = "the file holds no prose"
    return Rejection(wanted.id, "NO_PROSE", reason)
