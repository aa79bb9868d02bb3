"""The lines of a file that a query matches, in place of the whole file."""

from index.records import Document
from index.text import skeleton, stems, word_spans, words

MOST_LINES = 3
WIDTH = 200


def snippets_in(document: Document, query: str) -> list[tuple[int, str]]:
    """Up to three body lines (number from 1, text) that hold most words of the query, in order."""
    if document.body_start is None or document.body_line is None:
        return []
    wanted = stems(query) or set(words(skeleton(query)))
    body = document.content[document.body_start :].decode("utf-8").splitlines()
    found: list[tuple[int, int, str]] = []
    for number, line in enumerate(body, start=document.body_line):
        if not (shared := wanted & (stems(line) | set(words(skeleton(line))))):
            continue
        first = next((s for s, e in word_spans(line) if wanted & stems(line[s:e])), 0)
        found.append((-len(shared), number, _around(line, first)))
    return sorted((number, text) for _, number, text in sorted(found)[:MOST_LINES])


def _around(line: str, first: int) -> str:
    """The part of a long line where the first match is."""
    start = max(0, first - WIDTH // 2)
    cut = line[start : start + WIDTH].strip()
    return ("…" if start else "") + cut + ("…" if start + WIDTH < len(line) else "")
