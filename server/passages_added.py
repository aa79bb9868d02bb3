"""Passages that a person adds: a file of the base pointed to, or words dictated now."""

import hashlib

from gates.forms import is_text
from gates.hidden import nothing_hidden
from index.records import Excerpt, Row
from index.text import count_words
from server import refusals
from server.config import Settings
from server.dig_state import Candidate, DigState, Evidence, Rejection, Via
from server.evidence import Wanted, cut, voice_of
from server.library import Library, Unreadable
from server.refusals import Refusal

Added = tuple[Candidate, Evidence]

MOST_CHARACTERS = 20_000
_SAY = f"say something in plain text, of at most {MOST_CHARACTERS} characters"


def pointed(state: DigState, place: tuple[str, int], library: Library) -> Added | Refusal:
    """A passage of the file at (path, line), lived by the person's word.

    Where the dig's voice needs an anchor, it must be in the first person and no guidance.
    """
    path, line = place
    anchors = state.context.voice == "Carbon"
    base = library.settings.base(state.base, state.root)
    rows = library.facts(base).by_path
    if path not in rows:
        return refusals.not_listed("point to a file", path, rows)
    row = rows[path]
    if anchors and row.role == "guidance":
        return refusals.invalid_argument(
            "point to a file", "guidance is nobody's lived material", "point to another file"
        )
    id_ = _next_id(state, "added")
    document = library.document(base, path)
    if isinstance(document, Unreadable):
        return _refused("point to a file", document.flag, document.reason)
    wanted = Wanted(id_, row, state.terms, state.pass_number, max(0, line - 1), anchors)
    found = cut(document, wanted, library.settings)
    if isinstance(found, Rejection):
        return _refused("point to a file", found.flag, found.reason)
    if anchors and found.evidence.voice.outcome == "refused":
        return _refused("point to a file", "VOICE_ANCHOR_MISSING", found.evidence.voice.reason)
    return _candidate(id_, row, "pointed"), found.evidence


def dictated(state: DigState, text: str, settings: Settings) -> Added | Refusal:
    """The person's own words, kept with the dig.

    Where the dig's voice needs an anchor, the voice gate judges them like any others.
    """
    words = count_words(text)
    if not words or len(text) > MOST_CHARACTERS or not is_text(text):
        return refusals.invalid_argument("dictate", f"{words} words, {len(text)} characters", _SAY)
    base = settings.base(state.base, state.root)
    voice = voice_of(text, base.lang)
    if state.context.voice == "Carbon" and voice.outcome == "refused":
        return _refused("dictate", "VOICE_ANCHOR_MISSING", voice.reason)
    id_ = _next_id(state, "dictated")
    content = text.encode("utf-8")
    digest = hashlib.sha256(content).hexdigest()
    excerpt = Excerpt(
        row=id_,
        path=id_,
        start=0,
        end=len(content),
        first_line=1,
        last_line=text.count("\n") + 1,
        text=text,
        words=words,
        sha256=digest,
        file_sha256=digest,
        blocks=1,
        flags=(),
        pass_number=state.pass_number,
    )
    row = _dictated_row(state.base, id_, words, digest)
    found = (
        "VOICE_UNDECIDABLE" if voice.outcome == "undecidable" else "",
        nothing_hidden(text).flag,
    )
    flags = tuple(flag for flag in found if flag)
    return _candidate(id_, row, "dictated"), Evidence(excerpt, voice, flags)


def _dictated_row(base: str, id_: str, words: int, sha256: str) -> Row:
    return Row(
        base=base,
        position=0,
        path=id_,
        cell="",
        title="Dictated",
        summary="",
        summary_origin="none",
        digests=(),
        lead="",
        keypoints=(),
        tags=(),
        category="",
        archetype="",
        monomyth="",
        role="lived",
        date="",
        lang="",
        number="",
        facets=(),
        listed=False,
        problems=(),
        size=0,
        mtime_ns=0,
        words=words,
        sha256=sha256,
    )


def _next_id(state: DigState, stem: str) -> str:
    number = 1 + sum(id_.startswith(f"{stem}_") for id_ in state.candidates)
    return f"{stem}_{number}"


def _candidate(id_: str, row: Row, via: Via) -> Candidate:
    return Candidate(id_, row, prescore=0, structural=False, via=via, hits=(), score=0.0, rank=0)


def _refused(asked: str, flag: str, reason: str) -> Refusal:
    return Refusal(
        gate="voice_anchor",
        flag=flag,
        asked=asked,
        reason=reason or "the passage is not in the first person",
        remedy="point to another place, or dictate a passage in the first person",
    )
