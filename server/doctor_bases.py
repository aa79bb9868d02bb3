"""What each base holds, what is wrong with its files, and whether its index is of use."""

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from index.corpus import Progress, load
from index.faults import Fault
from index.records import BaseSettings
from index.status import Status, status
from server.config import NO_BASE, Settings
from server.findings import Check, checked, failed, note, ok, trouble

LISTING = "expedition index status"
REMEDIES = {
    "absent": "expedition index rebuild",
    "outdated": "expedition index rebuild",
    "stale": "expedition index update",
}


def bases(settings: Settings, progress: Progress | None = None) -> list[Check]:
    """A check of every base and of its index."""
    if not settings.bases:
        return [note("bases", "none is configured", NO_BASE)]
    return [
        check
        for base in settings.bases
        for check in _base_and_index(base, settings.index_home(base), progress)
    ]


def _base_and_index(base: BaseSettings, home: Path, progress: Progress | None) -> tuple[Check, ...]:
    try:
        found = status(base, home)
    except Fault as fault:
        return (failed(f"base {base.id}", fault),)
    return checked(f"base {base.id}", partial(_base, base, found, progress)), _index(found)


def _base(base: BaseSettings, found: Status, progress: Progress | None) -> Check:
    """A fresh index has just been compared with the files, so it speaks for them."""
    if found.state == "fresh":
        kinds = {problem.kind for problem in found.problems}
        return _held(base, found.kind, found.counts, kinds)
    corpus = load(base, progress=progress)
    return _held(base, corpus.kind, corpus.counts, {problem.kind for problem in corpus.problems})


def _held(
    base: BaseSettings, kind: str, counts: Mapping[str, int], problems: Collection[str]
) -> Check:
    name = f"base {base.id}"
    facts = {"kind": kind, "counts": dict(counts), "root": base.root}
    if not counts["rows"]:
        return note(name, f"no markdown in {base.root}", "is it the right folder?", **facts)
    detail = f"{kind}, {counts['rows']} rows"
    if not problems:
        return ok(name, detail, **facts)
    kinds = ", ".join(f"{counts[problem]} {problem}" for problem in sorted(problems))
    return note(name, f"{detail}; {kinds}", f"{LISTING} --base {base.id}", **facts)


def _index(found: Status) -> Check:
    name = f"index {found.base}"
    if found.state == "damaged":
        return trouble(name, found.trouble, "expedition index rebuild", code=4)
    if found.state == "fresh":
        return ok(name, f"fresh, {found.generation}, {found.documents} documents")
    return note(name, found.state, REMEDIES[found.state])
