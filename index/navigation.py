"""The root index of a base: the file that leads to all others, and where it leads to nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from index.bundle import INDEX
from index.commonmark import outline
from index.concepts import body_of, declared_id
from index.faults import NotFound, PathRefused
from index.markdown import read_top
from index.paths import BaseFolder
from index.prose import ProseReader
from index.records import BaseSettings
from index.standing import standing
from index.survey import Survey

# A catalogue may be larger than memory should hold; its frontmatter may have half of this.
_HEAD = 128 * 1024


@dataclass(frozen=True, slots=True)
class Root:
    """A root index as read: "" for a path if there is none; of a catalogue the body is a part.

    `unreachable` counts its links, or the rows of the catalogue, whose file is not in the base.
    """

    path: str = ""
    body: str = ""
    declared: str = ""
    unreachable: int = 0


def read_root(folder: BaseFolder, found: Survey, settings: BaseSettings) -> Root:
    """The `index.md` of a bundle, the catalogue of a base that has one; a folder has none."""
    path = {"okf": INDEX, "catalogue": settings.catalogue}.get(found.kind, "")
    if not path:
        return Root()
    try:
        content = _content(folder, path, found, settings)
    except (NotFound, PathRefused):
        return Root()
    document = read_top(path, content, settings.limits)
    body = body_of(document)
    if found.kind == "okf":
        lost = sum(not _leads_somewhere(folder, target) for target in _targets(body))
    else:
        lost = sum(planned.file is None for planned in found.planned)
    return Root(path, body, declared_id(document), lost)


def _content(folder: BaseFolder, path: str, found: Survey, settings: BaseSettings) -> bytes:
    if found.kind == "okf":
        return folder.read(path, settings.limits.file, settings.hard_links).content
    head = folder.read_head(path, _HEAD, settings.hard_links)
    return head if len(head) < _HEAD else head[: head.rfind(b"\n") + 1]


def _targets(body: str) -> Iterator[str]:
    """Each place inside the base that a link of the body names, once."""
    found = outline(body.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd"))
    reader = ProseReader(found.references)
    hrefs = (
        href
        for draft in found.drafts
        for source in draft.sources
        for href in reader.targets(source)
    )
    for href in dict.fromkeys(hrefs):
        try:
            parts = urlsplit(href)
        except ValueError:
            yield href
            continue
        if not parts.scheme and not parts.netloc and parts.path:
            yield unquote(parts.path)


def _leads_somewhere(folder: BaseFolder, target: str) -> bool:
    """Whether a target, a leading slash meaning the base's root, is there and may be looked at."""
    try:
        return standing(folder, target.removeprefix("/")).kind in ("file", "directory")
    except PathRefused:
        return False
