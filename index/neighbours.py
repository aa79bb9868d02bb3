"""Which files of a base link to which: the graph of its notes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from index.records import Row
from index.resolve import Resolver


class Neighbours:
    """The links among the files of a base, each resolved as a catalogue's names are."""

    def __init__(self, rows: Sequence[Row]) -> None:
        resolver = Resolver(row.path for row in rows if row.sha256 is not None)
        self._to = {row.path: _found(row, resolver) for row in rows if row.links}
        self._from = _turned(self._to)

    def links(self, path: str) -> tuple[str, ...]:
        """The files that this one links to, in its order."""
        return self._to.get(path, ())

    def backlinks(self, path: str) -> tuple[str, ...]:
        """The files that link to this one, by path."""
        return self._from.get(path, ())


def _found(row: Row, resolver: Resolver) -> tuple[str, ...]:
    found = (resolver.find(link) for link in row.links)
    return tuple(dict.fromkeys(path for path in found if path and path != row.path))


def _turned(links: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    turned: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(links):
        for target in links[path]:
            turned[target].append(path)
    return {path: tuple(paths) for path, paths in turned.items()}
