"""The four rungs: which bases there are, the top of one, a level of one, a document of one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from index.faults import BaseUnavailable
from index.holdings import Holdings, in_scope, verdict_count
from index.ladder import (
    Level,
    NamesDocument,
    index_excerpt,
    list_level,
    nearest_level,
)
from index.reading import Reading, Unread, read_path, window
from index.standing import plain_names, standing
from server.explore.answers import (
    Answer,
    Bundle,
    Catalogue,
    Directory,
    Document,
    Listing,
    Missing,
    ReadText,
)
from server.explore.arguments import Asked
from server.explore.baselines import baseline_of
from server.explore.bases import Bases, Opened, named
from server.explore.refusals import Kind, echoed, refuse, unknown_base
from server.explore.state import RunBase
from server.refusals import Refusal

_PROBLEM = 120
# characters of a base in the catalogue, whatever its index holds
_ENTRY = 800


@dataclass(frozen=True, slots=True)
class Scope:
    """What a run may see, and which moves are legal after this one."""

    bases: Sequence[RunBase]
    dimension: str
    next: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """An answer, what the trace keeps of it, and what else it changes."""

    answer: Answer
    entry: Mapping[str, Any] = field(default_factory=dict[str, Any])
    effects: Mapping[str, Any] = field(default_factory=dict[str, Any])


def list_bundles(scope: Scope, bases: Bases) -> Catalogue:
    """A few lines for each base, whatever it holds."""
    return Catalogue(
        bases=tuple(
            _bundle(ref, bases, scope.dimension)
            for ref in sorted(scope.bases, key=lambda ref: ref.id)
        ),
        next=scope.next,
    )


def read_dir(asked: Asked, limit: int, scope: Scope, bases: Bases) -> Done:
    """One level of a base, filtered and windowed."""

    def look(base: Opened) -> Done:
        return Done(_listing(asked, limit, scope, base))

    return in_base(asked, scope, bases, look)


def read_file(asked: Asked, scope: Scope, bases: Bases) -> Done:
    """The text of one file; only a document read from its beginning counts as read."""

    def look(base: Opened) -> Done:
        found = read_path(base.folder, base.holdings, scope.dimension, asked.path)
        if isinstance(found, Unread):
            return Done(_obstructed(found, asked, scope, base))
        return _read(found, asked, scope, base)

    return in_base(asked, scope, bases, look)


def in_base(asked: Asked, scope: Scope, bases: Bases, look: Callable[[Opened], Done]) -> Done:
    """What a look into a base gives, once it is known, there, and has one id."""
    ref = named(scope.bases, asked.base)
    if ref is None:
        return Done(unknown_base(asked.words, [base.id for base in scope.bases]))
    try:
        with bases.opened(ref) as base:
            if refusal := _mismatch(asked, base.holdings):
                return Done(refusal)
            return look(base)
    except BaseUnavailable:
        return Done(
            refuse(
                "BASE_UNAVAILABLE",
                asked.words,
                "the folder of this base cannot be read now",
                "tell the operator, and go on with another base",
            )
        )


def file_key(found: Reading) -> str:
    """What a file is known by, whatever path led to it."""
    return f"{found.device}:{found.inode}" if found.inode else found.path


def _bundle(ref: RunBase, bases: Bases, dimension: str) -> Bundle | Missing:
    try:
        with bases.opened(ref) as base:
            holdings = base.holdings
            baseline = baseline_of(base)
    except BaseUnavailable:
        return Missing(id=ref.id)
    excerpt, truncated = index_excerpt(holdings.index_body)
    entry = Bundle(
        id=ref.id,
        kind=holdings.kind,
        index_excerpt=excerpt,
        index_truncated=truncated,
        documents=len(in_scope(holdings, dimension or holdings.settings.dimension)),
        verdict_count=verdict_count(holdings),
        cost_baseline=baseline.lines is not None,
        cost_baseline_problem=baseline.problem[:_PROBLEM],
        unreachable_links=holdings.unreachable_links,
        problems=holdings.problems,
    )
    return _within(entry)


def _within(entry: Bundle) -> Bundle:
    """The entry within its bound: signs that JSON spells out cost a shorter excerpt."""
    excerpt = entry.index_excerpt
    while excerpt and len(entry.model_dump_json()) > _ENTRY:
        excerpt = excerpt[: len(excerpt) * 3 // 4]
        entry = entry.model_copy(update={"index_excerpt": excerpt, "index_truncated": True})
    return entry


def _mismatch(asked: Asked, holdings: Holdings) -> Refusal | None:
    if len(holdings.declared) < 2:
        return None
    counts = (
        f"{echoed(name)} ({count} file{'s' if count > 1 else ''})"
        for name, count in list(holdings.declared.items())[:5]
    )
    return refuse(
        "BUNDLE_ID_MISMATCH",
        asked.words,
        f"the files of this base declare different ids: {', '.join(counts)}",
        "tell the operator, and go on with another base",
    )


def _listing(asked: Asked, limit: int, scope: Scope, base: Opened) -> Answer:
    concepts = in_scope(base.holdings, scope.dimension)
    there = standing(base.folder, asked.path) if asked.path not in ("", ".") else None
    if there is not None and there.kind == "outside":
        return _outside(asked, there.reason, base)
    level = list_level(concepts, asked.path, asked.filter, asked.offset, limit)
    plain = "/".join(plain_names(asked.path))
    if isinstance(level, NamesDocument) or plain in base.holdings.reserved:
        return refuse(
            "DOCUMENT_PATH_REFUSED",
            asked.words,
            "this is a document, not a directory",
            f"read_file({echoed(asked.base)}, {echoed(plain)})",
        )
    if not isinstance(level, Level):
        return _absent(asked, scope, base)
    return Listing(
        base=asked.base,
        path=level.path,
        directories=tuple(
            Directory(path=one.path, documents=one.documents) for one in level.directories
        ),
        documents=tuple(
            Document(
                name=one.name,
                type=one.type,
                title=one.title,
                title_truncated=one.title_truncated,
                number=one.number,
                chars=one.chars,
            )
            for one in level.documents
        ),
        total=level.total,
        offset=level.offset,
        limit=level.limit,
        filter=level.filter,
        total_matches=level.total_matches,
        matches_below=level.matches_below,
        next=scope.next,
    )


def _read(found: Reading, asked: Asked, scope: Scope, base: Opened) -> Done:
    piece = window(found.text, asked.offset)
    counts = found.is_document and piece.offset == 0
    answer = ReadText(
        base=asked.base,
        path=found.path,
        title=found.title,
        number=found.number,
        chars=found.chars,
        offset=piece.offset,
        text=piece.text,
        next_offset=piece.next_offset,
        next=scope.next,
    )
    entry = {
        "sha256": found.sha256,
        "chars": found.chars,
        "file": file_key(found) if counts else "",
    }
    return Done(answer, entry)


_PLAIN: Mapping[str, tuple[Kind, str]] = {
    "not_document": ("NOT_A_DOCUMENT", "it is no document of this base"),
    "verdict": ("VERDICT_LAYER_REFUSED", "it belongs to the verdict layer, which no run reads"),
    "not_text": ("NOT_UTF8_TEXT", "it is no UTF-8 text"),
}


def _obstructed(unread: Unread, asked: Asked, scope: Scope, base: Opened) -> Refusal:
    """Why a path gives no text, and the listing to go on with."""
    if unread.obstacle == "outside":
        return _outside(asked, unread.reason, base)
    if unread.obstacle == "directory":
        call = listing_of(asked.base, unread.path)
        return refuse("DIRECTORY_PATH_REFUSED", asked.words, "this is a directory", call)
    if unread.obstacle == "absent":
        return _absent(asked, scope, base)
    level = nearest_level(in_scope(base.holdings, scope.dimension), unread.path).level
    listing = listing_of(asked.base, level)
    if unread.obstacle == "foreign":
        reason = f"it is outside the run's dimension {echoed(scope.dimension)}"
        return refuse("DIMENSION_SCOPE_REFUSED", asked.words, reason, listing)
    kind, reason = _PLAIN[unread.obstacle]
    return refuse(kind, asked.words, reason, listing)


def _outside(asked: Asked, reason: str, base: Opened) -> Refusal:
    return refuse(
        "PATH_OUTSIDE_BASE",
        asked.words,
        f"the path {reason}",
        f"{listing_of(base.ref.id, '')}, then take names as they are listed",
    )


def _absent(asked: Asked, scope: Scope, base: Opened) -> Refusal:
    near = nearest_level(in_scope(base.holdings, scope.dimension), asked.path)
    return refuse(
        "BUNDLE_PATH_NOT_FOUND",
        asked.words,
        f"nothing here has this path; the nearest level is {echoed(near.level) or 'the top'}",
        listing_of(asked.base, near.level),
        (*near.directories, *near.documents),
    )


def listing_of(base: str, level: str) -> str:
    """The call that lists a level of a base."""
    if not level:
        return f"read_bundle({echoed(base)})"
    return f"read_dir({echoed(base)}, {echoed(level)})"
