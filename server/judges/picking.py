"""Deep cuts and direct hits of the top rows: what names the keyword, and what lies far from it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gates.picks import CONNECTION, DEEP_CUTS
from server.dig_state import Candidate
from server.judge import PickRequest
from server.judges.naming import Keyword
from server.judges.overlap import Overlap, Pattern
from server.judges.reading import Reader, Reading

DIRECT_HITS = 3
# Strong enough to be a find: a row that merely touches the pattern is none.
STRONG = 2
# A body that says the keyword more often, or in a larger share of its words, is about it, whatever
# its row says.
MENTIONS, MENTIONED = 2, 0.01
# Cosine distance: nearer rows tell what the direct hits tell.
FAR = 0.5
SHARED_WORDS, OWN_WORDS = 4, 3


@dataclass(frozen=True, slots=True)
class _Seen:
    """One of the top rows as the judge sees it.

    `named` is set if its row holds a word of the keyword, `obvious` if it holds all of them or the
    body is `about` them; `mentions` counts the keyword in the body.
    """

    candidate: Candidate
    embodies: int
    reading: Reading
    overlap: Overlap
    named: bool
    obvious: bool
    about: bool
    mentions: int


class _Picking:
    """One look at the top rows of a dig."""

    def __init__(self, reader: Reader, request: PickRequest) -> None:
        context = request.asked.context
        self.pattern = Pattern(context, request.terms, reader)
        self.keyword = Keyword(context.keyword_primary)
        self.seen = [
            self._see(candidate, score.embodies, reader.reading(candidate.row))
            for candidate, score in request.top
        ]

    def direct_hits(self) -> list[_Seen]:
        """The strongest rows that name the keyword, then those whose bodies are about it."""
        obvious = [one for one in self.seen if one.embodies and one.obvious]
        return sorted(obvious, key=lambda one: not one.named)[:DIRECT_HITS]

    def deep_cuts(self, direct: Sequence[_Seen]) -> list[_Seen]:
        """At most two rows that are no direct hits in other words, strong and far ones first."""
        hits = [self._bag(one.reading) for one in direct]
        found: list[tuple[tuple[int, bool, float, int], _Seen]] = []
        for place, one in enumerate(self.seen):
            if not _may_be_deep(one):
                continue
            bag = self._bag(one.reading)
            far = min((distance(bag, hit) for hit in hits), default=1.0)
            if far >= FAR:
                order = (-one.embodies, one.mentions > 0, -far * one.overlap.share, place)
                found.append((order, one))
        return [one for _, one in sorted(found, key=lambda entry: entry[0])][:DEEP_CUTS]

    def connection(self, one: _Seen) -> str:
        """What a row shares with the pattern, and what it speaks of instead; one line that fits."""
        named = (*one.overlap.in_row, *one.overlap.in_body)
        shared = self.keyword.without(named, one.reading.lang)[:SHARED_WORDS]
        own = self._own_words(one.reading)
        while len(said := _said(shared, own)) > CONNECTION:
            (own or shared).pop()
        return said

    def _see(self, candidate: Candidate, embodies: int, reading: Reading) -> _Seen:
        named = self.keyword.named(candidate, reading)
        mentions = self.keyword.mentions(reading)
        about = mentions > min(MENTIONS, MENTIONED * reading.body.total())
        return _Seen(
            candidate,
            embodies,
            reading,
            self.pattern.overlap(reading),
            named=named,
            obvious=about or (named and self.keyword.named_whole(reading)),
            about=about,
            mentions=mentions,
        )

    def _bag(self, reading: Reading) -> dict[str, float]:
        """A file as a bag of words: rare ones weigh more, repeated ones a little more."""
        return {key: weight * self.pattern.rarity(key) for key, weight in reading.weights.items()}

    def _own_words(self, reading: Reading) -> list[str]:
        """The most telling words of a file that are none of the pattern's."""
        bag, known = self._bag(reading), self.pattern.words(reading.lang)
        own = sorted((key for key in bag if key not in known), key=lambda key: (-bag[key], key))
        return [reading.usual(key) for key in own[:OWN_WORDS]]


def pick(reader: Reader, request: PickRequest) -> dict[str, object]:
    """The strongest rows that name the keyword, and those far from them that do not."""
    picking = _Picking(reader, request)
    direct = picking.direct_hits()
    cuts = picking.deep_cuts(direct)
    if not (direct or cuts):
        # Something embodies the pattern, however weakly: the best of it is shown as what it is.
        direct = [one for one in picking.seen if one.embodies][:1]
    return {
        "deep_cuts": [
            {"id": one.candidate.id, "connection": picking.connection(one)} for one in cuts
        ],
        "direct_hits": [one.candidate.id for one in direct],
        "pass4_empty": not cuts,
    }


def distance(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """Cosine distance of two bags of weighed words; 1 where they share none."""
    dot = sum(weight * b[key] for key, weight in a.items() if key in b)
    sizes = math.hypot(*a.values()) * math.hypot(*b.values())
    return 1 - dot / sizes if sizes else 1.0


def _may_be_deep(one: _Seen) -> bool:
    """Guidance tells what to look for and embodies nothing."""
    silent = not (one.named or one.about)
    return silent and one.embodies >= STRONG and one.candidate.row.role != "guidance"


def _said(shared: Sequence[str], own: Sequence[str]) -> str:
    parts = [f"shares {', '.join(shared)}"] if shared else []
    parts += [f"speaks of {', '.join(own)}"] if own else []
    return "; ".join(("without the keyword", *parts))
