"""Phrases a draft may not borrow: those of the guidance in a brief that the corpus has not."""

from functools import cache

from gates.phrases import Frequencies, harvest
from server.dig_state import DigState
from server.library import Library


def banned_phrases(state: DigState, library: Library) -> tuple[str, ...]:
    """The distinctive phrases of the blaze and every kept guidance excerpt; empty without any."""
    texts = guidance_texts(state)
    if not texts:
        return ()
    base = library.settings.base(state.base, state.root)
    facts = library.facts(base)
    guidance = {row.path for row in facts.rows if row.role == "guidance"}

    @cache
    def frequency(word: str) -> int:
        return facts.documents_with(word)

    frequencies = Frequencies(
        documents=len(facts.rows),
        of=frequency,
        elsewhere=lambda words: bool(set(facts.files_with_phrase(words)) - guidance),
    )
    return harvest(texts, frequencies, base.lang)


def guidance_texts(state: DigState) -> tuple[str, ...]:
    """The guidance that a brief quotes: the blaze first, then what a person kept of that role."""
    blaze = [state.report.blaze.text] if state.report and state.report.blaze else []
    keep = state.decision.keep if state.decision else ()
    kept = [
        state.evidence[id_].excerpt.text
        for id_ in keep
        if id_ in state.evidence and state.candidates[id_].row.role == "guidance"
    ]
    return (*blaze, *kept)
