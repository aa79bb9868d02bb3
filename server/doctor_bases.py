"""What each base holds, what is wrong with its files, and whether its index is of use."""

from functools import partial

from index.corpus import Progress, load
from index.records import BaseSettings
from server.config import NO_BASE, Settings
from server.findings import Check, checked, note, ok

LISTING = "expedition index status"


def bases(settings: Settings, progress: Progress | None = None) -> list[Check]:
    """A check of every base and of its index."""
    if not settings.bases:
        return [note("bases", "none is configured", NO_BASE)]
    return [checked(f"base {base.id}", partial(_base, base, progress)) for base in settings.bases]


def _base(base: BaseSettings, progress: Progress | None) -> Check:
    name = f"base {base.id}"
    corpus = load(base, progress=progress)
    facts = {"kind": corpus.kind, "counts": dict(corpus.counts), "root": base.root}
    if not corpus.rows:
        return note(name, f"no markdown in {base.root}", "is it the right folder?", **facts)
    problems = sorted({problem.kind for problem in corpus.problems})
    detail = f"{corpus.kind}, {len(corpus.rows)} rows"
    if not problems:
        return ok(name, detail, **facts)
    kinds = ", ".join(f"{corpus.counts[kind]} {kind}" for kind in problems)
    return note(name, f"{detail}; {kinds}", f"{LISTING} --base {base.id}", **facts)
