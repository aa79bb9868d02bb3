"""What kind of base a folder is: one with a catalogue, an OKF bundle, or just a folder."""

from index.bundle import INDEX, declared_version, is_reserved
from index.faults import NotFound, PathRefused
from index.markdown import read_document
from index.paths import BaseFolder
from index.records import BaseKind, BaseSettings
from index.walk import Listed, Listing

# Enough to tell whether most files are typed, and quick for any base.
_SAMPLE = 2000
_HEAD = 64 * 1024


def detect_kind(folder: BaseFolder, settings: BaseSettings, listing: Listing) -> BaseKind:
    """The operator's word; else a catalogue; else a bundle; else a folder."""
    if settings.kind != "auto":
        return settings.kind
    if _exists(folder, settings.catalogue):
        return "catalogue"
    return "okf" if _is_bundle(folder, settings, listing) else "folder"


def _exists(folder: BaseFolder, path: str) -> bool:
    """Whether something has this name; that it cannot be read is no reason to forget it."""
    try:
        with folder.opened(path, 0):
            return True
    except NotFound:
        return False
    except PathRefused:
        return True


def _is_bundle(folder: BaseFolder, settings: BaseSettings, listing: Listing) -> bool:
    """A root index that declares a version, or a type in most concepts."""
    if bundle_version(folder, settings):
        return True
    concepts = [file for file in listing.files if not is_reserved(file.path)]
    step = max(1, len(concepts) // _SAMPLE)
    sample = concepts[::step]
    return 2 * sum(_is_typed(folder, file, settings) for file in sample) > len(sample)


def bundle_version(folder: BaseFolder, settings: BaseSettings) -> str:
    """The OKF version that the root index declares; empty if there is none."""
    try:
        read = folder.read(INDEX, settings.limits.file, settings.hard_links)
    except (NotFound, PathRefused):
        return ""
    return declared_version(read_document(INDEX, read.content, settings.limits).frontmatter.data)


def _is_typed(folder: BaseFolder, file: Listed, settings: BaseSettings) -> bool:
    """Whether a file's YAML block has a top-level `type`, by its lines: parsing comes later."""
    try:
        head = folder.read_head(file.path, _HEAD, settings.hard_links)
    except (NotFound, PathRefused):
        return False
    lines = head.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n").split(b"\n")
    if lines[0].rstrip() != b"---":
        return False
    for line in lines[1:]:
        if line.rstrip() == b"---":
            return False
        key, colon, value = line.partition(b":")
        if colon and key.strip(b"\"'").lower() == b"type" and value.strip():
            return True
    return False
