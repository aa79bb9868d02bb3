"""Looking around in a base: ranked files, and their lines that match. Nothing enters a dig."""

from collections.abc import Mapping

from index.neighbours import Neighbours
from index.records import Document, Row
from server import refusals
from server.dig import Digs
from server.foreseen import as_refusals
from server.library import Unreadable
from server.moves import opening
from server.replies import Answer, Found, Hit, Next, Snippet
from server.snippets import snippets_in

DEFAULT_LIMIT = 10
MOST = 50
MAX_QUERY = 1000
MOST_NEIGHBOURS = 20


def search_base(
    digs: Digs, query: str, base: str | None, limit: int | None, neighbours: bool = False
) -> Answer:
    """The best files for a query, each with up to three lines, and its neighbours if asked for."""
    asked = "search_corpus"
    count = DEFAULT_LIMIT if limit is None else limit
    if not 1 <= count <= MOST:
        return refusals.invalid_argument(asked, "the limit is out of range", f"send 1 to {MOST}")
    if not query.strip() or len(query) > MAX_QUERY:
        return refusals.invalid_argument(
            asked, f"the query is empty or over {MAX_QUERY} characters", "send a few words"
        )
    found = opening.base_named(asked, base, digs.settings)
    if isinstance(found, refusals.Refusal):
        return found

    def search() -> Answer:
        facts = digs.library.facts(found, part=True)
        rows = facts.by_path
        hits = [hit for hit in facts.search(query, count) if hit.path in rows]
        now = {hit.path: digs.library.document(found, hit.path) for hit in hits}
        return Found(
            query=query,
            base=found.id,
            flags=(*facts.flags, *_stale(rows, now)),
            hits=tuple(
                Hit(
                    file=hit.path,
                    title=rows[hit.path].title,
                    score=round(hit.score, 2),
                    snippets=_snippets(now[hit.path], query),
                    **(_neighbours(facts.neighbours, hit.path) if neighbours else {}),
                )
                for hit in hits
            ),
            next=Next(tool="open_dig", why="a dig, not a search, leads to a brief"),
        )

    return as_refusals(asked, search)


def _stale(rows: Mapping[str, Row], now: Mapping[str, Document | Unreadable]) -> tuple[str, ...]:
    """Whether a file that was found is not any more what was found."""
    changed = sum(
        isinstance(document, Unreadable) or document.sha256 != rows[path].sha256
        for path, document in now.items()
    )
    return (f"INDEX_STALE:{changed} of these files changed or went",) if changed else ()


def _snippets(document: Document | Unreadable, query: str) -> tuple[Snippet, ...]:
    """The lines that match; none of a file that has gone since it was indexed."""
    if isinstance(document, Unreadable):
        return ()
    return tuple(Snippet(line=line, text=text) for line, text in snippets_in(document, query))


def _neighbours(graph: Neighbours, path: str) -> dict[str, tuple[str, ...]]:
    """The files that this one links to, and those that link to it; the first of many."""
    return {
        "links": graph.links(path)[:MOST_NEIGHBOURS],
        "backlinks": graph.backlinks(path)[:MOST_NEIGHBOURS],
    }
