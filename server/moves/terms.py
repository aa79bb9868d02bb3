"""Steps 1 and 2: the terms judged, then the candidates that they reach, frozen."""

from collections.abc import Mapping
from dataclasses import replace

from gates.terms import Terms, enough_terms, read_terms, terms_distinct
from server import refusals, steps
from server.candidates import Query, gather
from server.config import Settings
from server.decoys import Hidden, hide, unmatched
from server.dig_state import DigState
from server.fold import dump
from server.library import Facts, Library
from server.moves.outcome import Outcome, counted_refusal
from server.moves.scores import batch_reply
from server.refusals import Refusal
from server.store import NewEvent

TERMS, CANDIDATES = 1, 2
ASKED = "retrieve_candidates"


def retrieve(state: DigState, sent: object, library: Library) -> Outcome:
    """Accept the terms and answer with the first batch, or refuse what is wrong with them.

    The count is judged first. Too few distinct terms are refused once; the second time the dig goes
    on with the distinct ones, flagged, unless there is none.
    """
    context = state.context
    base = library.settings.base(state.base, state.root)
    anchors = (context.keyword_primary, context.title, *context.named_phrases)
    terms = read_terms(sent, anchors, base.lang)
    flags: tuple[str, ...] = ()
    searched = terms.usable
    if not (count := enough_terms(terms)).passed:
        return counted_refusal(state, refusals.from_verdict(count, ASKED), TERMS)
    if not (distinct := terms_distinct(terms)).passed:
        again = steps.fails(state.refusals_of(TERMS))
        if not (again and terms.distinct):
            return counted_refusal(state, refusals.from_verdict(distinct, ASKED), TERMS)
        flags, searched = ("TERM_FANOUT_WEAK",), terms.distinct
    facts = library.facts(base)
    taken = {context.blaze_path, *_paths(state, (*state.kept, *state.dropped))}
    number = _next_number(state)
    query = Query(context, searched, frozenset(taken), library.settings.retrieval)
    retrieval = gather(facts, query, number)
    if not retrieval.candidates:
        return counted_refusal(state, _nothing(facts), CANDIDATES)
    each = library.settings.judge.decoys
    others = unmatched(facts, context, searched, frozenset(taken)) if each else []
    hidden = hide(retrieval, others, state.dig, each, number)
    found = (facts, searched, flags, retrieval.counts)
    return _frozen(state, terms, hidden, found, library.settings)


def _frozen(
    state: DigState,
    terms: Terms,
    hidden: Hidden,
    found: tuple[Facts, tuple[str, ...], tuple[str, ...], Mapping[str, int]],
    settings: Settings,
) -> Outcome:
    facts, searched, flags, counts = found
    flags = (*flags, *facts.flags)
    weak = tuple(weak.term for weak in terms.weak)
    event = NewEvent(
        "retrieved",
        {
            "terms": list(searched),
            "weak_terms": list(weak),
            "candidates": dump(hidden.candidates),
            "batches": [list(batch) for batch in hidden.batches],
            "counts": dict(counts),
            "generation": facts.generation,
            "left_out": dict(facts.left_out),
            "flags": list(flags),
            **({"decoys": dump(hidden.decoys)} if hidden.decoys else {}),
        },
    )
    after = replace(
        state,
        candidates={**state.candidates, **{one.id: one for one in hidden.candidates}},
        decoys={**state.decoys, **{one.id: one for one in hidden.decoys}},
        batches=hidden.batches,
    )
    answer = batch_reply(after, 1, flags, settings).model_copy(
        update={
            "counts": dict(counts),
            "weak_terms": weak,
            "redirect": state.redirects[-1] if state.redirects else "",
        }
    )
    return Outcome(answer, (event,), "scoring")


def _next_number(state: DigState) -> int:
    """Where the numbering of rows goes on."""
    ids = [id_ for id_ in (*state.candidates, *state.decoys) if id_.startswith("row_")]
    return max((int(id_.removeprefix("row_")) for id_ in ids), default=0) + 1


def _paths(state: DigState, ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(state.candidates[id_].row.path for id_ in ids)


def _nothing(facts: Facts) -> Refusal:
    return Refusal(
        gate="candidates_found",
        flag="NO_CANDIDATES",
        asked=ASKED,
        reason=f"none of {len(facts.rows)} rows and no body holds one of the terms",
        remedy="send other terms: plainer words, physical images, words of this corpus",
    )
