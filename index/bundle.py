"""Open Knowledge Format bundles, v0.1 and v0.2: what a root declares and what does not conform."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from index.records import Document, Problem, Value

INDEX = "index.md"
LOG = "log.md"
RESERVED = (INDEX, LOG)
VERSIONS = ("0.1", "0.2")

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def is_reserved(path: str) -> bool:
    """Whether a bundle keeps this name, at any depth, for navigation or history."""
    return path.rpartition("/")[2] in RESERVED


def declared_version(data: Mapping[str, Value]) -> str:
    """The version that a root index declares, as written; empty if none."""
    value = data.get("okf_version")
    return value.strip() if isinstance(value, str) else ""


def concept_date(data: Mapping[str, Value]) -> str:
    """The day of a concept's last meaningful change: `generated.at`, in v0.1 `timestamp`."""
    generated = data.get("generated")
    at = generated.get("at") if isinstance(generated, dict) else None
    moment = at if at is not None else data.get("timestamp")
    found = _DATE.match(moment.strip()) if isinstance(moment, str) else None
    return found[0] if found else ""


def concept_problems(document: Document, today: date) -> Iterator[Problem]:
    """What keeps a concept from conforming, and whether it says of itself that it is stale."""
    path, head = document.path, document.frontmatter
    if head.kind == "none":
        yield Problem("okf-no-frontmatter", path, "a concept begins with a YAML block")
    elif head.kind == "toml":
        yield Problem("okf-no-frontmatter", path, "the block is TOML where YAML is required")
    elif head.kind == "yaml" and not _filled(head.data.get("type")):
        yield Problem("okf-no-type", path, "the required key `type` is missing or empty")
    until = head.data.get("stale_after")
    if isinstance(until, str) and _past(until, today):
        yield Problem("okf-stale", path, f"stale since {until.strip()[:10]}")


def reserved_problems(document: Document) -> Iterator[Problem]:
    """What keeps an `index.md` or a `log.md` from conforming."""
    path = document.path
    data = document.frontmatter.data
    if path == INDEX:
        version = declared_version(data)
        if version and version not in VERSIONS:
            yield Problem("okf-version", path, "declares a version this program does not know")
    allowed = {"okf_version"} if path == INDEX else set[str]()
    if set(data) - allowed or document.frontmatter.kind == "error":
        detail = "only a root index may have a key, `okf_version`"
        yield Problem("okf-reserved-frontmatter", path, detail)
    if path.rpartition("/")[2] == LOG:
        yield from _log_problems(document)


def _log_problems(document: Document) -> Iterator[Problem]:
    """A log's entries stand under headings that are ISO dates."""
    for block in document.blocks:
        level = len(block.text) - len(block.text.lstrip("#"))
        if block.kind == "heading" and level == 2 and not _is_date(block.prose.strip()):
            place = f"{document.path}:{block.first_line}"
            yield Problem("okf-log-heading", place, "the heading is no date YYYY-MM-DD")


def _filled(value: Value) -> bool:
    return bool(value.strip()) if isinstance(value, str) else bool(value)


def _past(text: str, today: date) -> bool:
    day = text.strip()[:10]
    return _is_date(day) and date.fromisoformat(day) <= today


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
