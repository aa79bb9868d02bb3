"""The fields of a row, the names people give them, and their values out of a file's frontmatter."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from index.records import Value

# Of several names for one field the first in the listed order wins.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "file": ("file", "path", "filepath", "filename", "note", "document", "page"),
    "title": ("title",),
    "summary": ("summary", "description", "abstract", "excerpt", "gist"),
    "keypoints": ("keypoints", "takeaways", "highlights"),
    "tags": ("tags", "keywords", "topics"),
    "aliases": ("aliases", "alias"),
    "date": ("date", "contentdate", "created"),
    "category": ("category", "type", "section", "source"),
    "archetype": ("archetype",),
    "monomyth": ("monomyth", "monomythstage", "stage"),
    "role": ("role",),
    "summary_origin": ("summaryorigin",),
}

# As much as a frontmatter block may have: only aliases could make it more.
_MOST_TEXT = 64 * 1024
_IGNORED = str.maketrans("", "", " \t_-*")
_LANGUAGE = ("lang", "language")
# The document's own number, in the order in which the keys are believed.
_OWN_NUMBER = ("requirementnumber", "reqnumber", "ref", "number")
_NUMBER = (*_OWN_NUMBER, "identifier", "id")


@lru_cache(maxsize=1024)
def plain_name(name: str) -> str:
    """A header or key as names are compared: case, blanks, `_`, `-` and bold do not count."""
    return name.casefold().translate(_IGNORED)


def columns(header: Sequence[str]) -> dict[str, int]:
    """Which column holds which field; columns that hold none are left to be facets."""
    names = [plain_name(name) for name in header]
    found: dict[str, int] = {}
    for name, synonyms in SYNONYMS.items():
        column = next((names.index(synonym) for synonym in synonyms if synonym in names), None)
        if column is not None:
            found[name] = column
    return found


class OwnFields:
    """What a file's frontmatter says, looked up under the names that columns may have."""

    def __init__(self, data: Mapping[str, Value]) -> None:
        self._data = data
        self._values: dict[str, Value] = {}
        for key, value in data.items():
            self._values.setdefault(plain_name(key), value)

    def text(self, field: str) -> str:
        """A field as one line of text."""
        return self._first(SYNONYMS[field])

    def items(self, field: str) -> tuple[str, ...]:
        """A field as a list, whether it was written as one or as text."""
        for name in SYNONYMS[field] if self._values else ():
            value = self._values.get(name)
            items = _texts(value) if isinstance(value, list) else split_items(field, as_text(value))
            if items:
                return items
        return ()

    def words(self, key: str) -> tuple[str, ...]:
        """The texts that any key holds, one or a list; its name is compared as headers are."""
        value = self._values.get(plain_name(key))
        return _texts(value if isinstance(value, list) else [value])

    @property
    def language(self) -> str:
        """The language the file says it is in."""
        return self._first(_LANGUAGE).lower()

    @property
    def number(self) -> str:
        """The reference number the file gives itself."""
        return self._first(_NUMBER).strip("\"'")

    @property
    def requirement_number(self) -> str:
        """The number under one of the keys that only a reference number has."""
        return self._first(_OWN_NUMBER).strip("\"' ")

    def facets(self) -> tuple[tuple[str, str], ...]:
        """Everything else that is text or a list of texts."""
        known = {name for names in SYNONYMS.values() for name in names}
        known.update(_LANGUAGE, _NUMBER)
        others = {name: v for name, v in self._data.items() if plain_name(name) not in known}
        left = _MOST_TEXT
        facets: list[tuple[str, str]] = []
        for name, value in others.items():
            text = as_text(value)
            left -= len(text)
            if text and left >= 0:
                facets.append((name, text))
        return tuple(facets)

    def _first(self, names: Sequence[str]) -> str:
        if not self._values:
            return ""
        texts = (as_text(self._values.get(name)) for name in names)
        return next(filter(None, texts), "")


def as_text(value: Value) -> str:
    """A scalar, or a list of scalars, on one line; a mapping is no text."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, list):
        return ", ".join(_texts(value))
    return ""


def _texts(values: Sequence[Value]) -> tuple[str, ...]:
    """The texts in a list, as many as an honest one holds."""
    left = _MOST_TEXT
    texts: list[str] = []
    for text in map(as_text, values):
        left -= len(text)
        if left < 0:
            break
        if text:
            texts.append(text)
    return tuple(texts)


def split_items(field: str, text: str) -> tuple[str, ...]:
    """The tags of a cell, or its key points."""
    if field == "tags":
        if text.startswith("#") and "," not in text:
            text = text.replace(" #", ",")
        return _parts(text.replace(";", ","), ",", "#")
    return _parts(text.replace("<br/>", "<br>").replace("<br />", "<br>").replace("<br>", ";"), ";")


def _parts(text: str, separator: str, mark: str = "") -> tuple[str, ...]:
    parts = (part.strip().lstrip(mark) if mark else part.strip() for part in text.split(separator))
    return tuple(filter(None, parts))
