"""What a base holds, as an exploration sees it: its identity, its documents, its navigation."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from index.concepts import Concept, concept_of, text_of
from index.faults import BaseUnavailable, NotFound, PathRefused
from index.markdown import read_top
from index.navigation import Root, read_root
from index.paths import BaseFolder, FileRead, shown
from index.records import BaseKind, BaseSettings
from index.scope import is_brief, is_foreign
from index.standing import hides, outside
from index.survey import Survey, survey
from index.walk import INTENDED, Listed, Listing, walk

__all__ = [
    "Concept",
    "Held",
    "Holdings",
    "folder_name",
    "in_scope",
    "survey_holdings",
    "verdict_count",
]


@dataclass(frozen=True, slots=True)
class Held:
    """A file as it was found: the document that it is, if it is one, and whether it is sound."""

    file: Listed
    concept: Concept | None
    sound: bool = True


@dataclass(frozen=True, slots=True)
class Holdings:
    """One base at one moment; all of it follows from its files and the operator's settings.

    `id` is the name by which the base is called: the id that its files declare, if they agree, else
    the folder's name. `declared` has each declared id and the number of files declaring it.
    `concepts` are all documents by path, verdicts and foreign ones too; `reserved` are the paths
    of navigation. `root_index` is "" if there is none; `index_body` is the text below its
    frontmatter, of a catalogue only the beginning. `unreachable_links` counts the links of the root
    index, or rows of the catalogue, that lead to nothing here; `problems` the files that were
    skipped or are broken.
    """

    id: str
    folder: str
    kind: BaseKind
    root_index: str
    index_body: str
    declared: Mapping[str, int]
    concepts: tuple[Concept, ...]
    reserved: frozenset[str]
    unreachable_links: int
    problems: int
    settings: BaseSettings
    listing: Listing
    held: Mapping[str, Held] = field(repr=False)

    def concept(self, path: str) -> Concept | None:
        """The document of this very path."""
        found = self.held.get(path)
        return found.concept if found else None


def survey_holdings(
    folder: BaseFolder, settings: BaseSettings, known: Holdings | None = None
) -> Holdings:
    """Look at the base now; what `known` says of files that did not change is not read again.

    If no markdown file changed since, in size, time or identity, that costs a walk only. A folder
    that cannot be listed, or holds nothing any more, is BaseUnavailable and never an empty base.
    """
    listing = walk(folder, settings.exclude, settings.hard_links)
    _demand_files(folder, listing, known)
    if known is not None and known.settings != settings:
        known = None
    if known is not None and known.listing == listing:
        return known
    found = survey(folder, settings)
    held = dict(_held(folder, found, settings, known))
    root = read_root(folder, found, settings)
    declared = _declared(held.values(), root)
    name = folder_name(settings)
    concepts = (each.concept for each in held.values() if each.concept is not None)
    return Holdings(
        id=next(iter(declared)) if len(declared) == 1 else name,
        folder=name,
        kind=found.kind,
        root_index=root.path,
        index_body=root.body,
        declared=declared,
        concepts=tuple(sorted(concepts, key=lambda concept: concept.path)),
        reserved=_reserved(found, root),
        unreachable_links=root.unreachable,
        problems=_skipped(found.listing) + sum(not each.sound for each in held.values()),
        settings=settings,
        listing=found.listing,
        held=held,
    )


def in_scope(holdings: Holdings, dimension: str) -> tuple[Concept, ...]:
    """The documents that a run of this dimension ("" for none) may know of, by path."""
    return tuple(
        concept
        for concept in holdings.concepts
        if not concept.is_verdict and not is_foreign(concept.dimensions, dimension)
    )


def verdict_count(holdings: Holdings) -> int:
    """How many documents belong to the verdict layer, of whatever dimension."""
    return sum(concept.is_verdict for concept in holdings.concepts)


def folder_name(settings: BaseSettings) -> str:
    """The name by which a base is called that declares no id, or cannot be read."""
    return PurePath(settings.root).name or settings.id


def _demand_files(folder: BaseFolder, listing: Listing, known: Holdings | None) -> None:
    """Tell a base that is gone, unmounted or shut from one without documents."""
    if listing.files:
        return
    shut = any(problem.kind == "unreadable" for problem in listing.skipped)
    missed = known is not None and known.listing.files
    if shut or (missed and folder.is_empty()):
        raise BaseUnavailable(
            f"the base's folder {shown(folder.root)} cannot be listed or holds nothing any more",
            "see whether its disk is mounted and its permissions, then repeat the call",
        )


def _held(
    folder: BaseFolder, found: Survey, settings: BaseSettings, known: Holdings | None
) -> Iterator[tuple[str, Held]]:
    """Each file that could be a document, by path; what did not change is taken over."""
    before: Mapping[str, Held] = known.held if known is not None else {}
    for planned in found.planned:
        file = planned.file
        if file is None or hides(file.path):
            continue
        old = before.get(file.path)
        if old is not None and old.file == file:
            yield file.path, old
        else:
            yield file.path, _look_into(folder, file, settings)


def _look_into(folder: BaseFolder, file: Listed, settings: BaseSettings) -> Held:
    """A file as a document; briefs are none, and neither is what nobody could read."""
    if outside(file.path):
        return Held(file, None, sound=False)
    try:
        read = folder.read(file.path, settings.limits.file, settings.hard_links)
    except (NotFound, PathRefused):
        return Held(file, None, sound=False)
    document = read_top(file.path, read.content, settings.limits)
    if is_brief(document):
        return Held(file, None)
    if text_of(document) is None:
        return Held(file, None, sound=False)
    sound = document.frontmatter.error is None
    return Held(file, concept_of(document, _as_read(read), settings.limits), sound)


def _as_read(read: FileRead) -> Listed:
    """Which file it was that was read, should another have taken its name since it was listed."""
    return Listed(read.path, read.size, read.mtime_ns, read.device, read.inode)


def _declared(held: Iterable[Held], root: Root) -> Mapping[str, int]:
    ids = Counter(each.concept.declared_id for each in held if each.concept is not None)
    ids[root.declared] += 1
    return {name: count for name, count in sorted(ids.items()) if name}


def _reserved(found: Survey, root: Root) -> frozenset[str]:
    if found.kind == "okf":
        return frozenset(file.path for file in found.reserved if not hides(file.path))
    return frozenset({root.path} - {""})


def _skipped(listing: Listing) -> int:
    return sum(problem.kind not in INTENDED for problem in listing.skipped)
