"""What the index sees of one file: the row, the searched texts and their tokens, or why nothing."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from index.bundle import is_reserved
from index.engine import entry
from index.faults import NotFound, PathRefused
from index.generation import Generation
from index.markdown import read_document
from index.paths import BaseFolder, escaped
from index.records import BaseSettings, Document, Problem, Row
from index.scope import out_of_scope
from index.standing import standing
from index.tokens import counts
from index.walk import Listed, is_markdown, walk

Standing = Literal["as indexed", "changed since", "not indexed", "gone"]

_SCOPES = {
    "verdict": "it belongs to the verdict layer, which nobody may see",
    "foreign": "it belongs to another dimension than the base's",
    "brief": "it is a brief that this program wrote",
}


@dataclass(frozen=True, slots=True)
class Field:
    """A searched text of a file, as its tokens with how often each occurs, most frequent first."""

    name: str
    tokens: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Sight:
    """One file beside its index: `reason` says why it is not found as it is, "" if it is.

    `row` is the indexed one; `fields` are of the file as it is now, or empty if it has no text.
    """

    path: str
    standing: Standing
    reason: str = ""
    row: Row | None = None
    fields: tuple[Field, ...] = ()
    problems: tuple[Problem, ...] = ()


def see(settings: BaseSettings, generation: Generation, path: str) -> Sight:
    """The file of a path as the base names it; raises BaseUnavailable."""
    row = generation.by_path.get(path)
    place = escaped(path)
    problems = tuple(
        problem
        for problem in generation.sealed.problems()
        if problem.place == place or problem.place.startswith(f"{place}:")
    )
    with BaseFolder.open(settings.root) as folder:
        listing = walk(folder, settings.exclude, settings.hard_links)
        file = next((one for one in listing.files if one.path == path), None)
        if file is None:
            there = standing(folder, path)
            reason = listing.why_not(path) or _why_unlisted(path, there.kind, there.reason)
            return Sight(path, "gone" if row else "not indexed", reason, row, (), problems)
        document = _read(folder, settings, file)
    if isinstance(document, str):
        return Sight(path, _standing(row, file, ""), document, row, (), problems)
    if row is None:
        reason = _why_no_row(settings, generation, document)
        return Sight(path, "not indexed", reason, None, (), problems)
    fields = _fields(row, document)
    reason = ", ".join(row.problems) if row.sha256 is None else ""
    now = _standing(row, file, document.sha256)
    return Sight(path, now, reason, row, fields, problems)


def _standing(row: Row | None, file: Listed, sha256: str) -> Standing:
    """Whether the file is what was indexed: by its bytes, which an update may take for the same."""
    if row is None:
        return "not indexed"
    same = (row.size, row.mtime_ns) == (file.size, file.mtime_ns)
    if row.sha256 and sha256:
        same = row.sha256 == sha256
    return "as indexed" if same else "changed since"


def _read(folder: BaseFolder, settings: BaseSettings, file: Listed) -> Document | str:
    """The file as a document, or why it is not read."""
    limit = settings.limits.file
    if file.size > limit:
        return f"it has {file.size:,} bytes, {limit:,} are allowed"
    try:
        read = folder.read(file.path, limit, settings.hard_links)
    except (NotFound, PathRefused) as refusal:
        return refusal.message
    return read_document(file.path, read.content, settings.limits)


def _why_unlisted(path: str, kind: str, reason: str) -> str:
    """Why a path is no listed file although nothing was passed over there."""
    if kind == "directory":
        return "it is a folder"
    if kind == "file" and not is_markdown(path):
        return "its name does not end in .md or .markdown"
    return f"it {reason}" if reason else "there is no such file"


def _why_no_row(settings: BaseSettings, generation: Generation, document: Document) -> str:
    """Why a file that can be read is no row."""
    path, kind = document.path, generation.manifest.kind
    if scope := out_of_scope(document, settings.dimension):
        return _SCOPES[scope]
    if kind == "catalogue" and path == settings.catalogue:
        return "it is the catalogue itself"
    if kind == "okf" and is_reserved(path):
        return "it is navigation of the bundle"
    if path not in generation.sealed.files():
        return "it is newer than the index: expedition index update"
    if kind == "catalogue" and settings.unlisted == "skip":
        return "the catalogue does not list it, and the base says `unlisted: skip`"
    return "it changed since it was indexed: expedition index update"


def _fields(row: Row, document: Document) -> tuple[Field, ...]:
    searched = entry(row, document)
    texts = {
        "title": searched.title,
        "summary": "\n".join(searched.summaries),
        "keypoints": "\n".join(searched.keypoints),
        "tags": "\n".join(searched.tags),
        "body": searched.body,
    }
    return tuple(Field(name, _ranked(counts(text, row.speech))) for name, text in texts.items())


def _ranked(found: Counter[str]) -> Mapping[str, int]:
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
