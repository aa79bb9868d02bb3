"""What each base holds, what is wrong with its files, and whether its index is of use."""

import shlex
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import cast

from index.corpus import Progress, load
from index.engine import TANTIVY
from index.faults import Fault
from index.records import BaseSettings
from index.status import Status, status
from server.config import NO_BASE, Settings
from server.findings import Check, checked, failed, note, ok, trouble

# From so many files on Whoosh takes a tenth of a second and more for any of twelve common words,
# tantivy less than a tenth of that: docs/retrieval.md has the figures.
LARGE = 30_000
Rows = Mapping[str, int]
_MENDS = {"absent": "rebuild", "outdated": "rebuild", "stale": "update"}


def bases(settings: Settings, progress: Progress | None = None) -> list[Check]:
    """A check of every base and of its index."""
    if not settings.bases:
        return [note("bases", "none is configured", NO_BASE)]
    return [
        check
        for base in settings.bases
        for check in _base_and_index(
            base, settings.index_home(base), _about(base, settings), progress
        )
    ]


def _about(base: BaseSettings, settings: Settings) -> str:
    """How a command is told of this base: by its id where a configuration has it."""
    if settings.source is None:
        return f" --kb {shlex.quote(base.root)}"
    return f" --base {base.id}" if len(settings.bases) > 1 else ""


def _base_and_index(
    base: BaseSettings, home: Path, about: str, progress: Progress | None
) -> tuple[Check, ...]:
    try:
        found = status(base, home)
    except Fault as fault:
        return (failed(f"base {base.id}", fault),)
    whole = checked(f"base {base.id}", partial(_base, base, found, about, progress))
    return whole, _index(found, about), *_engine(base, cast(Rows, whole.facts.get("counts", {})))


def _base(base: BaseSettings, found: Status, about: str, progress: Progress | None) -> Check:
    """A fresh index has just been compared with the files, so it speaks for them."""
    if found.state == "fresh":
        kinds = {problem.kind for problem in found.problems}
        return _held(base, about, (found.kind, found.counts), kinds)
    corpus = load(base, progress=progress)
    kinds = {problem.kind for problem in corpus.problems}
    return _held(base, about, (corpus.kind, corpus.counts), kinds)


def _held(
    base: BaseSettings, about: str, held: tuple[str, Mapping[str, int]], problems: Collection[str]
) -> Check:
    name, (kind, counts) = f"base {base.id}", held
    facts = {"kind": kind, "counts": dict(counts), "root": base.root}
    if not counts["rows"]:
        return note(name, f"no markdown in {base.root}", "is it the right folder?", **facts)
    detail = f"{kind}, {counts['rows']} rows"
    if not problems:
        return ok(name, detail, **facts)
    kinds = ", ".join(f"{counts[problem]} {problem}" for problem in sorted(problems))
    return note(name, f"{detail}; {kinds}", f"expedition index status{about}", **facts)


def _engine(base: BaseSettings, counts: Rows) -> tuple[Check, ...]:
    """A large base is better served by the engine for large ones."""
    rows = counts.get("rows", 0)
    if base.engine == "tantivy" or rows < LARGE:
        return ()
    install = f'{TANTIVY}, then say "engine: tantivy" in expedition.yaml'
    return (note(f"engine {base.id}", f"{rows} rows are many for {base.engine}", install),)


def _index(found: Status, about: str) -> Check:
    name = f"index {found.base}"
    if found.state == "damaged":
        return trouble(name, found.trouble, f"expedition index rebuild{about}", code=4)
    if found.state == "fresh":
        return ok(name, f"fresh, {found.generation}, {found.documents} documents")
    return note(name, found.state, f"expedition index {_MENDS[found.state]}{about}")
