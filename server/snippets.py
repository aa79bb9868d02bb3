"""The lines of a file that a query matches, in place of the whole file."""

from index.records import Document
from index.text import fold, words

MOST_LINES = 3
WIDTH = 200


def snippets_in(document: Document, query: str) -> list[tuple[int, str]]:
    """Up to three body lines (number from 1, text) that hold most words of the query, in order."""
    if document.body_start is None or document.body_line is None:
        return []
    wanted = {fold(word) for word in words(query)}
    body = document.content[document.body_start :].decode("utf-8").splitlines()
    found: list[tuple[int, int, str]] = []
    for number, line in enumerate(body, start=document.body_line):
        folded = fold(line)
        count = sum(word in folded for word in wanted)
        if count:
            found.append((-count, number, _around(line, folded, wanted)))
    return sorted((number, text) for _, number, text in sorted(found)[:MOST_LINES])


def _around(line: str, folded: str, wanted: set[str]) -> str:
    """The part of a long line where the first match is; folding may shift it a little."""
    first = min(at for word in wanted if (at := folded.find(word)) >= 0)
    start = max(0, first - WIDTH // 2)
    cut = line[start : start + WIDTH].strip()
    return ("…" if start else "") + cut + ("…" if start + WIDTH < len(line) else "")
