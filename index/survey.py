"""What a base is before its files are read: its kind, its listing, what its catalogue lists."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from index.bundle import is_reserved
from index.catalogue import Catalogue, Entry
from index.catalogue_file import read_catalogue
from index.detection import detect_kind
from index.faults import NotFound, PathRefused
from index.ledger import Ledger
from index.paths import BaseFolder, escaped
from index.records import BaseKind, BaseSettings
from index.resolve import Resolver, unresolved
from index.rows import UNLISTED, Cells
from index.walk import INTENDED, Listed, Listing, walk

_UNDATED = ("date", "1900-01-01")


@dataclass(frozen=True, slots=True)
class Planned:
    """A row to come: a listed file, or catalogue rows whose file is not there."""

    path: str
    file: Listed | None
    entries: tuple[Entry, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class Survey:
    """What is to be read, in the order of the rows, and everything that will not be."""

    kind: BaseKind
    listing: Listing
    ledger: Ledger
    planned: list[Planned] = field(default_factory=list[Planned])
    reserved: list[Listed] = field(default_factory=list[Listed])
    catalogue: Catalogue | None = None

    def cells(self, planned: Planned) -> Cells:
        """What the catalogue says of a file; of two rows the second fills what the first left."""
        if self.catalogue is None or not planned.entries:
            return UNLISTED
        fields: dict[str, str] = {}
        facets: list[tuple[str, str]] = []
        for entry in planned.entries:
            filled = (item for item in entry.fields().items() if item[1] and item != _UNDATED)
            fields = dict(filled) | fields
            known = {name for name, _ in facets}
            facets += (facet for facet in entry.facets() if facet[0] not in known)
        is_cut = self.catalogue.is_cut
        cut = frozenset(name for name, cell in fields.items() if is_cut(name, cell))
        return Cells(fields.pop("file"), fields, cut, tuple(facets), listed=True)


def survey(folder: BaseFolder, settings: BaseSettings) -> Survey:
    """List the base, find out its kind and put catalogue rows and files together."""
    listing = walk(folder, settings.exclude, settings.hard_links)
    found = Survey(detect_kind(folder, settings, listing), listing, Ledger())
    for skipped in listing.skipped:
        if skipped.kind in INTENDED:
            found.ledger.counts[skipped.kind] += 1
        else:
            found.ledger.note(skipped.kind, skipped.place, skipped.detail)
    files = {file.path: file for file in listing.files}
    if found.kind == "catalogue":
        files.pop(settings.catalogue, None)
        _plan_catalogue(folder, settings, files, found)
    elif found.kind == "okf":
        found.reserved = [files.pop(path) for path in list(files) if is_reserved(path)]
    found.planned += (Planned(path, file) for path, file in files.items())
    return found


def _plan_catalogue(
    folder: BaseFolder, settings: BaseSettings, files: dict[str, Listed], found: Survey
) -> None:
    """Plan the listed rows; of `files` those are left that become rows without being listed."""
    place, ledger = settings.catalogue, found.ledger
    try:
        catalogue = read_catalogue(folder, place, settings.limits, settings.hard_links)
    except (PathRefused, NotFound) as refusal:
        ledger.note("no-catalogue", place, refusal.message)
        return
    found.catalogue = catalogue
    ledger.add(catalogue.ledger)
    if not catalogue.tables:
        ledger.note("no-table", place, "no table has a column that names files")
    entries = _by_path(catalogue, _resolver(catalogue, settings, files, ledger))
    for path, same in entries.items():
        file = files.pop(path, None)
        problems: tuple[str, ...] = () if file else (unresolved(path),)
        if len(same) > 1:
            problems += ("duplicate",)
        found.planned.append(Planned(path, file, tuple(same), problems))
        _note(found.planned[-1], place, found)
        for entry in same:
            _note_cut(entry, catalogue, place, ledger)
    if files:
        ledger.counts["unlisted"] += len(files)
    if settings.unlisted == "skip":
        files.clear()


def _by_path(catalogue: Catalogue, resolver: Resolver) -> dict[str, list[Entry]]:
    """The entries of each file, or of each path that no file answers to, in catalogue order."""
    found: dict[str, list[Entry]] = {}
    for entry in catalogue.entries:
        path = resolver.find(entry.path) or resolver.plain(entry.path)
        found.setdefault(path, []).append(entry)
    return found


def _note(planned: Planned, place: str, found: Survey) -> None:
    """Report on rows whose file is not there, and on further rows of one file."""
    shown = escaped(planned.path)
    first, *others = planned.entries
    if planned.file is None:
        why = found.listing.why_not(planned.path) or "no markdown file has this path"
        found.ledger.note(planned.problems[0], f"{place}:{first.line}", f"{shown}: {why}")
    for other in others:
        detail = f"{shown} is listed already in line {first.line}"
        found.ledger.note("duplicate", f"{place}:{other.line}", detail)


def _note_cut(entry: Entry, catalogue: Catalogue, place: str, ledger: Ledger) -> None:
    """Report on cells that end too early; on summaries the rows tell, which know the files."""
    for name, cell in entry.fields().items():
        if name != "summary" and catalogue.is_cut(name, cell):
            ledger.note("cut-cell", f"{place}:{entry.line}", f"the {name} ends too early")


def _resolver(
    catalogue: Catalogue, settings: BaseSettings, files: Mapping[str, Listed], ledger: Ledger
) -> Resolver:
    """Rows of a catalogue made one folder further up lose that folder, whether or not it is set."""
    folder = settings.catalogue.rpartition("/")[0]
    prefix = settings.strip_prefix or _foreign_folder(catalogue, files)
    resolver = Resolver(files, prefix, folder)
    if settings.strip_prefix or not prefix:
        return resolver
    if not any(resolver.find(entry.path) for entry in catalogue.entries):
        return Resolver(files, "", folder)
    ledger.note("prefix-stripped", settings.catalogue, f"rows are read without {prefix}")
    return resolver


def _foreign_folder(catalogue: Catalogue, files: Mapping[str, Listed]) -> str:
    """The first folder of most rows, with its slash, if the base has no such folder."""
    if not files:
        return ""
    inner = (entry.path for entry in catalogue.entries if "/" in entry.path)
    firsts = Counter(path.partition("/")[0] for path in inner)
    name, count = next(iter(firsts.most_common(1)), ("", 0))
    prefix = f"{name}/"
    most = 2 * count > len(catalogue.entries)
    return prefix if most and not any(path.startswith(prefix) for path in files) else ""
