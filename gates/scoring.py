"""Are the scores of a batch whole and in form? They order the rows; they admit none."""

from collections import Counter
from collections.abc import Iterator, Sequence

from gates.forms import as_list, as_mapping, is_text, naming, shown
from gates.verdict import Verdict, passed, refused
from index.text import count_words

LOWEST = 0
HIGHEST = 3
WHY_WORDS = 12
WHY_CHARACTERS = 200


def scores_complete(ids: Sequence[str], sent: object) -> Verdict:
    """Each row of the batch is scored once: a whole number 0 to 3, and why in 1 to 12 words."""
    faults = list(_faults(ids, sent))
    if not faults:
        return passed("scores_complete", f"{len(ids)} scores")
    return refused(
        "scores_complete",
        "SCORES_INVALID",
        naming(faults),
        f"send for each of {', '.join(ids)} once {{id, embodies, why}}: embodies a whole number "
        f"{LOWEST} to {HIGHEST}, why in 1 to {WHY_WORDS} words",
    )


def scores_vary(values: Sequence[int]) -> Verdict:
    """The rows of a batch got different scores; where they did not, that is shown, not refused."""
    if len(values) > 1 and len(set(values)) == 1:
        return passed("scores_vary", f"all {len(values)} rows scored {values[0]}", "SCORES_FLAT")
    return passed("scores_vary")


def _faults(ids: Sequence[str], sent: object) -> Iterator[str]:
    entries = as_list(sent)
    if entries is None:
        yield f"the scores are {shown(sent)}, not a list"
        return
    scored: Counter[str] = Counter()
    for entry in entries:
        fields = as_mapping(entry)
        if fields is None:
            yield f"{shown(entry)} is no score"
            continue
        id_ = fields.get("id")
        if not isinstance(id_, str) or id_ not in ids:
            yield f"id {shown(id_)} is not in this batch"
            continue
        scored[id_] += 1
        yield from _entry_faults(id_, fields.get("embodies"), fields.get("why"))
    yield from (f"{id_} is scored {count} times" for id_, count in scored.items() if count > 1)
    yield from (f"{id_} is not scored" for id_ in ids if id_ not in scored)


def _entry_faults(id_: str, embodies: object, why: object) -> Iterator[str]:
    # a boolean is an int to isinstance
    if type(embodies) is not int or not LOWEST <= embodies <= HIGHEST:
        yield f"{id_}: embodies is not a whole number {LOWEST} to {HIGHEST}"
    if not isinstance(why, str) or not is_text(why):
        yield f"{id_}: why is no text"
    elif len(why) > WHY_CHARACTERS:
        yield f"{id_}: why has more than {WHY_CHARACTERS} characters"
    elif not 1 <= (words := count_words(why)) <= WHY_WORDS:
        yield f"{id_}: why has {words} words, 1 to {WHY_WORDS} are asked"
