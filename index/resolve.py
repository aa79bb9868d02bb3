"""Which file of a base a catalogue row means: never one that no listing showed."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from index.cells import readings
from index.paths import is_path
from index.walk import SUFFIXES, is_markdown

Key = Callable[[str], str]


class Resolver:
    """The paths of a base, looked up as a catalogue may write them."""

    def __init__(self, paths: Iterable[str], prefix: str = "", folder: str = "") -> None:
        self._paths = frozenset(paths)
        self._prefix = f"{prefix.rstrip('/')}/" if prefix else ""
        self._folder = folder
        self._composed = _unique(self._paths, _composed)
        self._stems = _unique(self._paths, _stem)

    def find(self, path: str) -> str | None:
        """The listed path that is meant; None if there is none or more than one could be."""
        if path in self._paths:
            return path
        spellings = list(self._spellings(path))
        exact = next((spelling for spelling in spellings if spelling in self._paths), None)
        if exact is not None:
            return exact
        # The same text in another normal form is the same name, if only one file bears it.
        forms = (self._composed.get(_composed(spelling)) for spelling in spellings)
        return next(filter(None, forms), None) or self._by_stem(path)

    def plain(self, path: str) -> str:
        """The path to show for a file that is not there: as written, without the prefix."""
        return path.removeprefix(self._prefix).removeprefix("./")

    def _spellings(self, path: str) -> Iterator[str]:
        for reading in readings(path):
            inside = self.plain(reading)
            yield inside
            if self._folder:
                yield f"{self._folder}/{inside}"
            if not is_markdown(inside):
                yield from (inside + suffix for suffix in SUFFIXES)

    def _by_stem(self, path: str) -> str | None:
        """A name without folder and suffix, as wikilinks have it."""
        return None if "/" in path or is_markdown(path) else self._stems.get(path)


def unresolved(path: str) -> str:
    """Why a path that no file answers to is wrong."""
    return "missing" if is_path(path.rstrip("/")) else "escape"


def _unique(paths: Iterable[str], key: Key) -> Mapping[str, str]:
    """The paths by a key that no other path shares."""
    found: dict[str, str] = {}
    for path in paths:
        name = key(path)
        found[name] = "" if name in found else path
    return {name: path for name, path in found.items() if path}


def _composed(path: str) -> str:
    return unicodedata.normalize("NFC", path)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]
