"""What a base is before its files are read: its kind, its listing, what its catalogue lists."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from index.bundle import is_reserved
from index.catalogue import Catalogue, Entry
from index.catalogue_file import read_catalogue
from index.detection import detect_kind
from index.faults import NotFound, PathRefused
from index.paths import BaseFolder, escaped
from index.records import BaseKind, BaseSettings, Problem
from index.resolve import Resolver, unresolved
from index.rows import UNLISTED, Cells
from index.walk import Listed, Listing, walk


@dataclass(frozen=True, slots=True)
class Planned:
    """A row to come: a listed file, or a catalogue row whose file is not there."""

    path: str
    file: Listed | None
    cells: Cells = UNLISTED
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class Survey:
    """What is to be read, in the order of the rows, and everything that will not be."""

    kind: BaseKind
    listing: Listing
    planned: list[Planned] = field(default_factory=list[Planned])
    reserved: list[Listed] = field(default_factory=list[Listed])
    problems: list[Problem] = field(default_factory=list[Problem])
    counts: Counter[str] = field(default_factory=Counter[str])


# Left out on purpose: counted, but nothing a person need look at.
_INTENDED = ("dot-folder", "excluded")


def survey(folder: BaseFolder, settings: BaseSettings) -> Survey:
    """List the base, find out its kind and put catalogue rows and files together."""
    listing = walk(folder, settings.exclude, settings.hard_links)
    found = Survey(detect_kind(folder, settings, listing), listing)
    found.counts.update(problem.kind for problem in listing.skipped)
    found.problems += (item for item in listing.skipped if item.kind not in _INTENDED)
    files = {file.path: file for file in listing.files}
    if found.kind == "catalogue":
        files.pop(settings.catalogue, None)
        _plan_catalogue(folder, settings, files, found)
    elif found.kind == "okf":
        found.reserved = [files.pop(path) for path in list(files) if is_reserved(path)]
    _plan_files(settings, files, found)
    return found


def _plan_files(settings: BaseSettings, files: Mapping[str, Listed], found: Survey) -> None:
    """Files that no catalogue row claimed."""
    if found.kind == "catalogue":
        found.counts["unlisted"] += len(files)
        if settings.unlisted == "skip":
            return
    found.planned += (Planned(path, file) for path, file in files.items())


def _plan_catalogue(
    folder: BaseFolder, settings: BaseSettings, files: dict[str, Listed], found: Survey
) -> None:
    try:
        catalogue = read_catalogue(folder, settings.catalogue, settings.limits, settings.hard_links)
    except (PathRefused, NotFound) as refusal:
        _report(found, "no-catalogue", settings.catalogue, refusal.message)
        return
    found.problems += catalogue.problems
    found.counts.update(catalogue.counts)
    if not catalogue.tables:
        _report(found, "no-table", settings.catalogue, "no table has a column that names files")
    resolver = _resolver(catalogue, settings, files, found)
    merged: dict[str, Planned] = {}
    for entry in catalogue.entries:
        plan = _plan_entry(entry, catalogue, resolver, files)
        first = merged.get(plan.path)
        place = f"{settings.catalogue}:{entry.line}"
        if first is not None:
            _report(found, "duplicate", place, f"{escaped(plan.path)} is listed already")
            merged[plan.path] = _merge(first, plan)
            continue
        merged[plan.path] = plan
        for kind in plan.problems:
            _report(found, kind, place, f"no markdown file {escaped(plan.path)}")
    found.planned += merged.values()
    for path in merged:
        files.pop(path, None)


def _plan_entry(
    entry: Entry, catalogue: Catalogue, resolver: Resolver, files: Mapping[str, Listed]
) -> Planned:
    fields = entry.fields()
    cells = Cells(
        cell=fields.pop("file"),
        fields=fields,
        cut=frozenset(name for name, cell in fields.items() if catalogue.is_cut(name, cell)),
        facets=entry.facets(),
        listed=True,
    )
    path = resolver.find(entry.path)
    if path is not None:
        return Planned(path, files[path], cells)
    path = resolver.plain(entry.path)
    return Planned(path, None, cells, (unresolved(path),))


def _merge(first: Planned, second: Planned) -> Planned:
    """Two rows of one file are one: the second fills what the first left empty."""
    fields = dict(second.cells.fields)
    fields.update((name, cell) for name, cell in first.cells.fields.items() if cell)
    filled = {name for name, cell in first.cells.fields.items() if cell}
    cut = (first.cells.cut & filled) | (second.cells.cut - filled)
    facets = dict(second.cells.facets) | dict(first.cells.facets)
    cells = replace(first.cells, fields=fields, cut=cut, facets=tuple(facets.items()))
    problems = tuple(dict.fromkeys((*first.problems, "duplicate")))
    return replace(first, cells=cells, problems=problems)


def _resolver(
    catalogue: Catalogue, settings: BaseSettings, files: Mapping[str, Listed], found: Survey
) -> Resolver:
    """Rows of a catalogue made one folder further up lose that folder, whether or not it is set."""
    folder = settings.catalogue.rpartition("/")[0]
    prefix = settings.strip_prefix or _foreign_folder(catalogue, files)
    resolver = Resolver(files, prefix, folder)
    if settings.strip_prefix or not prefix:
        return resolver
    if not any(resolver.find(entry.path) for entry in catalogue.entries):
        return Resolver(files, "", folder)
    _report(found, "prefix-stripped", settings.catalogue, f"rows are read without {prefix}")
    return resolver


def _foreign_folder(catalogue: Catalogue, files: Mapping[str, Listed]) -> str:
    """The first folder of most rows, with its slash, if the base has no such folder."""
    firsts = Counter(
        entry.path.partition("/")[0] for entry in catalogue.entries if "/" in entry.path
    )
    name, count = next(iter(firsts.most_common(1)), ("", 0))
    if not name or 2 * count <= len(catalogue.entries):
        return ""
    prefix = f"{name}/"
    return "" if any(path.startswith(prefix) for path in files) else prefix


def _report(found: Survey, kind: str, place: str, detail: str) -> None:
    found.counts[kind] += 1
    found.problems.append(Problem(kind, place, detail))
