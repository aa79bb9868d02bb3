"""Is a quotation the body's own, or the digest that somebody else wrote of it?

Covered are runs of at least 9 words whose 5-word shingles a digest holds: containment, not
resemblance, so that a longer digest or a lead-in hides nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gates.inline import unlinked
from gates.tokens import joined, loose_words
from gates.verdict import Verdict, passed, refused
from index.records import Digest
from index.text import Span, count_words, loose, shingles, words

SHINGLE = 5
RUN = 9
# The opening that the literal check compares, and from what likeness (of 100) on it is a copy.
OPENING = 200
LIKENESS = 80
_SHORTEST_OPENING = 60
_ALPHABETS = "\u0e00"
_MARKED = re.compile(b"\1+")


def body_not_digest(text: str, digests: Sequence[Digest], need: int) -> Verdict:
    """The excerpt has enough words of its own beside what it shares with a digest of the file."""
    own = uncovered_words(text, digests)
    if own >= need:
        return passed("body_not_digest", f"{own} words of its own")
    return refused(
        "body_not_digest",
        "EXCERPT_DIGEST_REJECTED",
        f"{own} words of its own beside the digest, {need} needed",
        "take a passage that the digest leaves out",
    )


def uncovered_words(text: str, digests: Sequence[Digest]) -> int:
    """How many words of a text no digest covers."""
    prose = unlinked(text)
    rest: list[str] = []
    done = 0
    for start, end in covered(text, digests):
        rest.append(prose[done:start])
        done = end
    return count_words("\n".join([*rest, prose[done:]]))


def covered(text: str, digests: Sequence[Digest]) -> list[Span]:
    """The stretches of a text that a digest covers, as character offsets, in order."""
    if not digests:
        return []
    prose = unlinked(text)
    places, tokens = loose_words(prose)
    marks = bytearray(len(tokens))
    for digest in digests:
        known = _known(digest)
        for first, last in _runs(tokens, known):
            marks[first:last] = b"\1" * (last - first)
        copied = _copied_opening(prose, known)
        # where the shingles see a copy they tell its words from those around it
        if 2 * sum(marks[:copied]) < copied:
            marks[:copied] = b"\1" * len(marks[:copied])
    return [(places[run.start()][0], places[run.end() - 1][1]) for run in _MARKED.finditer(marks)]


@dataclass(frozen=True, slots=True)
class _Known:
    """What a digest says, by shingles; of one cut in mid-word the last ends in a prefix."""

    shingles: frozenset[tuple[str, ...]]
    last: tuple[str, ...]
    run: float
    opening: str


@lru_cache(maxsize=256)
def _known(digest: Digest) -> _Known:
    opening = loose(digest.text)
    tokens = words(opening)
    last = tuple(tokens[-SHINGLE:]) if digest.cut and len(tokens) >= SHINGLE else ()
    whole = tokens[:-1] if last else tokens
    return _Known(
        shingles=frozenset(shingles(whole, SHINGLE)),
        last=last,
        run=min(RUN, sum(map(_weight, tokens))),
        opening=opening[:OPENING],
    )


def _runs(tokens: Sequence[str], known: _Known) -> Iterator[Span]:
    """Runs of words, by number, all in shingles of one digest and together long enough."""
    places = (
        at
        for at, shingle in enumerate(shingles(tokens, SHINGLE))
        if shingle in known.shingles or _ends_cut(shingle, known.last)
    )
    for first, last in joined(places, SHINGLE):
        if sum(map(_weight, tokens[first:last])) >= known.run:
            yield first, last


def _ends_cut(shingle: tuple[str, ...], last: tuple[str, ...]) -> bool:
    return bool(last) and shingle[:-1] == last[:-1] and shingle[-1].startswith(last[-1])


def _weight(word: str) -> float:
    # a letter of a script without blanks is half a word, as everywhere words are counted
    return 0.5 if len(word) == 1 and word > _ALPHABETS else 1


def _copied_opening(text: str, known: _Known) -> int:
    """How many first words are the digest's opening with a word changed here and there."""
    opening = loose(text[: 4 * OPENING])[: len(known.opening)]
    if min(len(opening), len(known.opening)) < _SHORTEST_OPENING:
        return 0
    from rapidfuzz import fuzz

    return len(words(opening)) if fuzz.ratio(opening, known.opening) > LIKENESS else 0
