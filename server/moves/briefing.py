"""Step 6: the gates before the brief, then its file: announced, published, recorded."""

from collections.abc import Callable

from gates.human import Decided, decided_by_person, strong_enough
from server import refusals
from server.anchors import anchor_line, anchors_in, may_vouch
from server.banned import banned_phrases
from server.brief import compose_brief
from server.brief_file import brief_stem, save_brief
from server.brief_text import render_brief
from server.config import Settings
from server.dig_state import BriefFile, DigState
from server.library import Library, Unreadable
from server.moves.asking import Question, not_decided, question_about
from server.moves.outcome import Outcome
from server.passphrase import weakest_that_counts
from server.replies import Briefed, Next
from server.report import shown_ids
from server.shelf import shelf_of
from server.shown import visible_line
from server.status import page_of
from server.store import NewEvent

Announce = Callable[[DigState, int, BriefFile], None]


def question(state: DigState, settings: Settings) -> Question | None:
    """The form for the host, only where its word counts and all kept would make a brief."""
    asked = question_about(state)
    if asked is None or state.report is None:
        return None
    if not strong_enough("client", weakest_that_counts(settings)).passed:
        return None
    ids = shown_ids(state, state.report.anchors)
    if not any(id_ in state.evidence for id_ in ids):
        return None
    anchored = state.context.voice != "Carbon" or anchors_in(state, ids)
    return asked if anchored else None


def assemble(state: DigState, library: Library, announce: Announce) -> Outcome:
    """Write the brief of a decided dig, or say what is missing; nothing is saved then."""
    settings = library.settings
    if state.decision is None or state.report is None:
        return Outcome(not_decided(state, page_of(settings, state)))
    kept = sum(id_ in state.evidence for id_ in state.decision.keep)
    decided = Decided(state.decision.level, state.decision.report_sha256, kept)
    # A brief that was begun was opened then, and its file may be there: it is finished.
    weakest = weakest_that_counts(settings) if state.brief is None else state.decision.level
    verdict = decided_by_person(decided, state.report.sha256, weakest)
    if not verdict.passed:
        return Outcome(refusals.from_verdict(verdict, "assemble_brief", state.dig))
    line = anchor_line(state)
    if line == "MISSING":
        return Outcome(_missing(state))
    blaze = [state.report.blaze] if state.report.blaze else []
    changed = _changed(state, library)
    brief = compose_brief(state, line, banned_phrases(state, library), blaze, changed)
    seq = state.seq

    def started(brief: BriefFile) -> None:
        nonlocal seq
        announce(state, seq, brief)
        seq += 1

    stem = brief_stem(state.decision.at, state.context.slug)
    saved = save_brief(shelf_of(settings), stem, render_brief(brief), state.brief, started)
    written = NewEvent("brief_written", {"path": saved.path, "sha256": saved.sha256})
    return Outcome(_saved(state, saved, line, brief.flags), (written,), "briefed", seq=seq)


def _changed(state: DigState, library: Library) -> tuple[str, ...]:
    """A flag for each kept file that changed since it was cut; the brief quotes the cut."""
    base = library.settings.base(state.base, state.root)
    keep = state.decision.keep if state.decision else ()
    flags: list[str] = []
    for id_ in keep:
        evidence = state.evidence.get(id_)
        if evidence is None or state.candidates[id_].via == "dictated":
            continue
        document = library.document(base, evidence.excerpt.path)
        if isinstance(document, Unreadable) or document.sha256 != evidence.excerpt.file_sha256:
            flags.append(f"SOURCE_CHANGED:{visible_line(evidence.excerpt.path)}")
    return tuple(flags)


def _saved(state: DigState, brief: BriefFile, line: str, flags: tuple[str, ...]) -> Briefed:
    return Briefed(
        dig_id=state.dig,
        saved=True,
        voice_anchor=line,
        path=brief.path,
        sha256=brief.sha256,
        flags=flags,
        next=Next(tool="check_draft", why="after writing, check the draft against this brief"),
    )


def _missing(state: DigState) -> Briefed:
    """The three ways to a voice anchor, all of them a person's."""
    undecidable = [
        state.candidates[id_].row.path for id_ in state.evidence if may_vouch(state, id_)
    ]
    decide = f"expedition decide {state.dig}"
    ways = (
        "Record a note of lived experience into the knowledge base, then open a new dig.",
        f"Point to a file that holds one: {decide}",
        f"Dictate a passage now: {decide}",
        *(f"Vouch for {visible_line(path)} by pointing to it: {decide}" for path in undecidable),
    )
    return Briefed(
        dig_id=state.dig,
        saved=False,
        voice_anchor="MISSING",
        ways=ways,
        flags=("VOICE_ANCHOR_MISSING",),
        next=Next(tool="none", why="end your turn; a person takes one of these ways"),
    )
