"""Do the terms leave the keyword behind? Counted first, then held against the words to leave."""

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

from gates.forms import as_list, is_text, naming, shown
from gates.kinship import Anchors, Kinship
from gates.verdict import Verdict, passed, refused
from index.text import content_words, visible

FEWEST = 10
MOST = 12
DISTINCT = 6
LONGEST = 60


@dataclass(frozen=True, slots=True)
class WeakTerm:
    """A term that stays with keyword, title or named phrases, and how it is tied to them."""

    term: str
    tie: Kinship

    @property
    def shown(self) -> str:
        """The term and its tie, as a reason names them."""
        costume = f", {self.tie.costume}" if self.tie.costume else ""
        return f"{shown(self.term)} ({visible(self.tie.word)}{costume})"


@dataclass(frozen=True, slots=True)
class Terms:
    """A list of terms as read: the usable ones, and which of these are distinct and which weak.

    `sent` counts the entries; `unfit` says of entries that can be no term why.
    """

    sent: int
    usable: tuple[str, ...]
    unfit: tuple[str, ...]
    distinct: tuple[str, ...]
    weak: tuple[WeakTerm, ...]


def read_terms(sent: object, anchors: Sequence[str], lang: str = "") -> Terms:
    """What was sent as terms, held against keyword, title and named phrases."""
    entries = as_list(sent)
    if entries is None:
        return Terms(0, (), (f"the terms are {shown(sent)}, not a list",), (), ())
    usable: dict[str, str] = {}
    unfit: list[str] = []
    for entry in entries:
        if not isinstance(entry, str) or not is_text(entry):
            unfit.append(f"{shown(entry)} is no text")
        elif _too_long(entry):
            unfit.append(f"{shown(entry)} has more than {LONGEST} characters")
        elif words := content_words(entry, lang):
            usable.setdefault(" ".join(words), " ".join(entry.split()))
    kept = tuple(usable.values())
    known = Anchors.of(anchors, lang)
    ties = {term: known.kinship(term) for term in kept[:MOST]}
    return Terms(
        sent=len(entries),
        usable=kept,
        unfit=tuple(unfit),
        distinct=tuple(term for term, tie in ties.items() if tie is None),
        weak=tuple(WeakTerm(term, tie) for term, tie in ties.items() if tie),
    )


def _too_long(term: str) -> bool:
    """Longer than a term may be, a ligature counted by the letters it stands for."""
    return len(term) > LONGEST or len(normalize("NFKC", term)) > LONGEST


def enough_terms(terms: Terms) -> Verdict:
    """10 to 12 different terms of at most 60 characters, each with a word that carries matter."""
    count = len(terms.usable)
    if not terms.unfit and FEWEST <= count <= MOST:
        return passed("enough_terms", f"{count} terms")
    counted = f"{count} usable terms of {terms.sent} sent"
    return refused(
        "enough_terms",
        "TERM_COUNT",
        f"{counted}; {naming(terms.unfit)}" if terms.unfit else counted,
        f"send {FEWEST} to {MOST} different terms, each with a word that carries matter "
        f"and at most {LONGEST} characters; blanks and repeats do not count",
    )


def terms_distinct(terms: Terms) -> Verdict:
    """At least 6 terms share no word with keyword, title or named phrases, in no costume either."""
    if len(terms.distinct) >= DISTINCT:
        return passed("terms_distinct", f"{len(terms.distinct)} distinct terms")
    failing = ", ".join(weak.shown for weak in terms.weak[:MOST])
    return refused(
        "terms_distinct",
        "TERM_FANOUT",
        f"{len(terms.distinct)} terms of {len(terms.usable)} leave the words of keyword, title "
        f"and named phrases, {DISTINCT} must; these stay: {failing}",
        "replace them by synonyms, causes, effects, physical images or opposites in other words",
    )
