"""How much a word counts, whichever engine counts it, and what a query asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from index.engine import Entry
from index.tokens import counts_and_words, words

# What one occurrence counts, against one in the body; the title's is Cranfield's best of 1 to 3.
TITLE, DIGEST = 3, 2
# BM25F: how soon repetition counts no more, and how much the length of a text does; the best on
# Cranfield and NPL together (nDCG@10 .384 and .440, where Whoosh's ranking has .361 and .435).
SATURATION, LENGTH = 1.5, 0.6
# A pasted page is no query; its first words say enough.
MOST_ASKED = 64

_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A document as numbers: weights by token, the tokens in all, and the words for phrases."""

    row: Mapping[str, int]
    row_length: int
    body: Mapping[str, int]
    body_length: int
    texts: Sequence[Sequence[str]]


def weighed(entry: Entry) -> Weighed:
    """What is counted of a file; each text is taken apart once."""
    digests = (*entry.summaries, *entry.keypoints, *entry.tags)
    row: dict[str, int] = {}
    length = 0
    texts: list[Sequence[str]] = []
    for text, weight in ((entry.title, TITLE), *((digest, DIGEST) for digest in digests)):
        found, written = counts_and_words(text, entry.lang)
        texts.append(written)
        for token, times in found.items():
            row[token] = row.get(token, 0) + weight * times
            length += times
    body, written = counts_and_words(entry.body, entry.lang)
    return Weighed(row, length, body, body.total(), (*texts, written))


def parsed(query: str) -> tuple[str, list[str]]:
    """A query without its quotes, and the phrases that stood in them; a lone quote opens none."""
    parts = query.translate(_QUOTES).split('"')
    closed = len(parts) if len(parts) % 2 else len(parts) - 1
    return " ".join(parts), [phrase for phrase in parts[1:closed:2] if words(phrase)]
