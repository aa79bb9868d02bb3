"""Which documents nobody may see: the verdict layer, foreign dimensions, and our own briefs."""

from collections.abc import Iterator, Sequence
from typing import Literal

from index.records import Document, Value

BRIEFS = "Agent_Briefs"
OutOfScope = Literal["verdict", "foreign", "brief"]

_QUOTES = "\"' \t\r\n\v\f\u00a0"
_DIG_PREFIX = "dig_"
_HEAD = 64 * 1024


def out_of_scope(document: Document, dimension: str) -> OutOfScope | None:
    """Why a document is none of the base's rows; None if it may be one."""
    if is_verdict(document):
        return "verdict"
    if is_foreign(dimensions(document), dimension):
        return "foreign"
    if is_brief(document):
        return "brief"
    return None


def is_verdict(document: Document) -> bool:
    """Whether a document belongs to the verdict layer."""
    return _says(document, "type", "verdict")


def dimensions(document: Document) -> tuple[str, ...]:
    """The dimensions that a document declares, as they are compared; none if it declares none.

    A block that cannot be read is searched, as for a verdict: what is foreign stays so when broken.
    """
    declared: set[str] = set()
    if document.frontmatter.error is not None:
        declared |= _raw_words(document, "dimension") - {""}
    for name, value in document.frontmatter.data.items():
        if _bare(name) == "dimension":
            declared |= _words(value)
    return tuple(sorted(declared))


def is_foreign(declared: Sequence[str], dimension: str) -> bool:
    """Whether dimensions are declared and the one in force, if any, is not among them."""
    wanted = _bare(dimension)
    return bool(wanted and declared) and wanted not in declared


def _says(document: Document, key: str, word: str) -> bool:
    """Whether a key holds a word, alone or in a list; a block that cannot be read is searched."""
    values = document.frontmatter.data.items()
    if any(_bare(name) == key and word in _words(value) for name, value in values):
        return True
    doubtful = document.frontmatter.error is not None or any(
        problem.kind == "duplicate-key" for problem in document.problems
    )
    return doubtful and word in _raw_words(document, key)


def is_brief(document: Document) -> bool:
    """Whether a document is one of the briefs that this program writes."""
    if BRIEFS in document.path.split("/")[:-1]:
        return True
    data = document.frontmatter.data
    dig = data.get("dig")
    return "format" in data and isinstance(dig, str) and dig.startswith(_DIG_PREFIX)


def _words(value: Value) -> set[str]:
    """The words of a scalar or of a list, as they are compared."""
    if isinstance(value, list):
        return {word for item in value for word in _words(item)}
    bare = _bare(value) if isinstance(value, str) else ""
    return {bare} if bare else set()


def _raw_words(document: Document, key: str) -> set[str]:
    """The words that any line of the head gives a key, read without trust in its syntax."""
    end = document.body_start if document.body_start is not None else _HEAD
    text = document.content[:end].decode(errors="replace")
    return {word for value in _raw_values(text, key) for word in _loose_words(value)}


def _raw_values(text: str, key: str) -> Iterator[str]:
    under = False
    for line in text.replace("\r", "\n").split("\n"):
        if under and line.lstrip().startswith("- "):
            yield line.lstrip()[2:]
            continue
        name, mark, value = line.replace("=", ":", 1).partition(":")
        under = bool(mark) and _bare(name.lstrip("-{ ")) == key
        if under:
            yield value


def _loose_words(value: str) -> Iterator[str]:
    for part in value.partition(" #")[0].strip("[]{} \t").split(","):
        yield _bare(part.strip("[]{} \t"))


def _bare(text: str) -> str:
    return text.strip(_QUOTES).casefold()
