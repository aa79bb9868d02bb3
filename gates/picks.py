"""May these rows be picked? Deep cuts must embody the pattern without naming its keyword."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gates.forms import as_list, as_mapping, is_text, naming, shown
from gates.verdict import Verdict, passed, refused
from index.text import content_words, skeleton, words

DEEP_CUTS = 2
CONNECTION = 200
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


@dataclass(frozen=True, slots=True)
class PickFacts:
    """The top rows: for each id the texts that could name the keyword, and how it was scored."""

    top: Mapping[str, Sequence[str]]
    embodies: Mapping[str, int]
    keyword: str
    lang: str = ""


def picks_allowed(facts: PickFacts, sent: Mapping[str, object]) -> Verdict:
    """The picks are at most two true deep cuts and direct hits, of the top rows, none twice."""
    faults = list(_faults(facts, sent))
    if not faults:
        return passed("picks_allowed")
    return refused(
        "picks_allowed",
        "PICK_INVALID",
        naming(faults),
        f"pick among {', '.join(facts.top)}: at most {DEEP_CUTS} deep_cuts {{id, connection}} that "
        "do not name the keyword, direct_hits as ids, pass4_empty true only without deep cuts",
    )


def _faults(facts: PickFacts, sent: Mapping[str, object]) -> Iterator[str]:
    cuts, hits = as_list(sent.get("deep_cuts")), as_list(sent.get("direct_hits"))
    empty = sent.get("pass4_empty")
    if cuts is None or hits is None or type(empty) is not bool:
        yield "deep_cuts and direct_hits must be lists, pass4_empty true or false"
        return
    entries = [as_mapping(cut) or {} for cut in cuts]
    ids = [*(entry.get("id") for entry in entries), *hits]
    known = [id_ for id_ in ids if isinstance(id_, str) and id_ in facts.top]
    yield from (
        f"{shown(id_)} is none of the top rows"
        for id_ in ids
        if not isinstance(id_, str) or id_ not in facts.top
    )
    yield from (f"{id_} is picked {n} times" for id_, n in Counter(known).items() if n > 1)
    if len(cuts) > DEEP_CUTS:
        yield f"{len(cuts)} deep cuts, at most {DEEP_CUTS}"
    if empty is bool(cuts):
        yield f"pass4_empty is {str(empty).lower()} with {len(cuts)} deep cuts"
    if not ids and any(facts.embodies.values()):
        yield "nothing is picked, though some rows embody the pattern"
    for entry in entries[:DEEP_CUTS]:
        yield from _deep_cut_faults(facts, entry)


def _deep_cut_faults(facts: PickFacts, entry: Mapping[str, object]) -> Iterator[str]:
    id_, connection = entry.get("id"), entry.get("connection")
    if not isinstance(connection, str) or not is_text(connection) or not words(connection):
        yield f"the connection of {shown(id_)} is no text"
    elif len(connection) > CONNECTION or not _LINE_ENDS.isdisjoint(connection.strip()):
        yield f"the connection of {shown(id_)} is not one line of at most {CONNECTION} characters"
    if not isinstance(id_, str) or id_ not in facts.top:
        return
    if not facts.embodies.get(id_):
        yield f"{id_} was scored 0 and is no deep cut"
    if names_keyword(facts.keyword, facts.top[id_], facts.lang):
        yield f"{id_} names the keyword; as a direct hit it may stand"


def names_keyword(keyword: str, texts: Sequence[str], lang: str = "") -> bool:
    """Whether a text holds a content word of the keyword, as a whole word by `skeleton`."""
    wanted = set(content_words(keyword, lang))
    if wanted:
        return any(not wanted.isdisjoint(content_words(text, lang)) for text in texts)
    # a keyword of nothing but function words is looked for as it stands
    named = set(words(skeleton(keyword)))
    return any(named <= set(words(skeleton(text))) for text in texts) if named else False
