"""Why a search found what it found: what each word was read as, and what it brought each file."""

from collections.abc import Mapping, Sequence
from itertools import islice

from pydantic import BaseModel

from index.tokens import asked_by_word
from index.weights import MOST_ASKED, parsed
from server.dig import Digs
from server.foreseen import as_refusals
from server.library import Facts
from server.looking import search_base
from server.refusals import Refusal
from server.replies import Answer, Found
from server.shown import visible_line

# Sums of floats differ by less.
_NOTHING = 1e-9


class Word(BaseModel):
    """A word of the query, the tokens it is looked up by, and how many files hold one."""

    word: str
    tokens: tuple[str, ...]
    files: int


class Explained(Found):
    """A search with its reasons: `parts` has for each file what each word brought it."""

    words: tuple[Word, ...]
    phrases: tuple[str, ...]
    parts: Mapping[str, Mapping[str, float]]

    def body(self) -> list[str]:
        """The words, then each file with its parts and its lines."""
        noun = "word" if len(self.words) == 1 else "words"
        lines = [f"{len(self.words)} {noun} asked for:" if self.words else "No word to ask for."]
        lines += [
            f"    {visible_line(w.word)}: as {visible_line(', '.join(w.tokens))}, "
            f"in {w.files or 'no'} {'file' if w.files == 1 else 'files'}"
            for w in self.words
        ]
        lines += [f"    every file holds the words: {visible_line(p)}" for p in self.phrases]
        for hit in self.hits:
            lines.append(f"{hit.score:.2f}  {visible_line(hit.file)} — {visible_line(hit.title)}")
            parts = self.parts[hit.file]
            lines.append("    " + ", ".join(f"{visible_line(w)} {s:.2f}" for w, s in parts.items()))
            lines += hit.lines()
        return lines if self.hits else [*lines, "No file matches."]


def explain_search(
    digs: Digs, query: str, base: str | None, limit: int, neighbours: bool = False
) -> Answer:
    """A search with its reasons; a file's score is the sum of its parts."""
    found = search_base(digs, query, base, limit, neighbours)
    if isinstance(found, Refusal):
        return found
    assert isinstance(found, Found)  # what a search answers

    def explained() -> Answer:
        facts = digs.library.facts(digs.settings.base(found.base))
        text, phrases = parsed(query)
        asked = dict(islice(asked_by_word(text, facts.index.languages).items(), MOST_ASKED))
        brought = _brought(facts, list(asked))
        words = (
            Word(word=word, tokens=tuple(tokens), files=len(brought[word]))
            for word, tokens in asked.items()
        )
        parts = {
            hit.file: {
                word: round(scores[hit.file], 2)
                for word, scores in brought.items()
                if hit.file in scores
            }
            for hit in found.hits
        }
        return Explained(**dict(found), words=tuple(words), phrases=tuple(phrases), parts=parts)

    return as_refusals("search", explained)


def _brought(facts: Facts, words: Sequence[str]) -> dict[str, Mapping[str, float]]:
    """What each word brings each file beyond the words before it, which may share its tokens."""
    found: dict[str, Mapping[str, float]] = {}
    before: Mapping[str, float] = {}
    for count, word in enumerate(words, start=1):
        now = facts.scores(words[:count])
        gained = {path: score - before.get(path, 0.0) for path, score in now.items()}
        found[word] = {path: gain for path, gain in gained.items() if gain > _NOTHING}
        before = now
    return found
