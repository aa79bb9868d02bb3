"""Which files of a base link to which: the graph of its notes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from index.records import Row
from index.resolve import Resolver
from index.text import fold


class Neighbours:
    """The links among the files of a base, each resolved as a catalogue's names are.

    Letter case is no hindrance, as in vaults, where only one file can be meant.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        paths = [row.path for row in rows if row.sha256 is not None]
        exact, loose = Resolver(paths), Resolver(map(fold, paths))
        counts = Counter(map(fold, paths))
        named = {fold(path): path for path in paths if counts[fold(path)] == 1}

        def find(link: str) -> str | None:
            return exact.find(link) or named.get(loose.find(fold(link)) or "")

        self._to = {row.path: _found(row, find) for row in rows if row.links}
        self._from = _turned(self._to)

    def links(self, path: str) -> tuple[str, ...]:
        """The files that this one links to, in its order."""
        return self._to.get(path, ())

    def backlinks(self, path: str) -> tuple[str, ...]:
        """The files that link to this one, by path."""
        return self._from.get(path, ())


def _found(row: Row, find: Callable[[str], str | None]) -> tuple[str, ...]:
    found = map(find, row.links)
    return tuple(dict.fromkeys(path for path in found if path and path != row.path))


def _turned(links: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    turned: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(links):
        for target in links[path]:
            turned[target].append(path)
    return {path: tuple(paths) for path, paths in turned.items()}
