"""Declaring the one requirement that binds a direction: read, unchanged, and not alone."""

from dataclasses import replace

from gates.reading import FLOOR, must_have_looked, ref_agrees, still_as_read
from gates.verdict import Verdict, first_refusal
from index.holdings import in_scope
from index.reading import Reading, read_path
from server.explore.answers import Declared
from server.explore.arguments import Asked
from server.explore.bases import Bases, Opened
from server.explore.reading import Done, Scope, file_key, in_base, listing_of
from server.explore.refusals import echoed, of_verdict
from server.explore.state import Declaration, RunState
from server.fold import dump
from server.refusals import Refusal


def declare(state: RunState, asked: Asked, ref: str, scope: Scope, bases: Bases) -> Done:
    """The declaration, made once; what was not read in this run, or changed since, is none."""

    def look(base: Opened) -> Done:
        found = read_path(base.folder, base.holdings, scope.dimension, asked.path)
        reads = state.reads(asked.base)
        in_base_now = len(in_scope(base.holdings, scope.dimension))
        key = file_key(found) if isinstance(found, Reading) and found.is_document else ""
        looked = must_have_looked(list(reads), key, in_base_now)
        unread = key not in reads or not isinstance(found, Reading)
        if unread or not isinstance(found, Reading):
            return Done(_refused(looked, asked, len(reads)))
        fresh = still_as_read(reads[key].sha256, found.sha256)
        if not fresh.passed or not looked.passed:
            verdict = first_refusal([fresh, looked])
            assert verdict is not None  # one of the two has not passed
            return Done(_refused(verdict, asked, len(reads), in_base_now))
        agrees = ref_agrees(ref, found.number)
        if not agrees.passed:
            return Done(_refused(agrees, asked, len(reads)))
        made = Declaration(
            asked.base,
            key,
            found.path,
            ref,
            True if found.number else None,
            found.title,
            found.number,
        )
        return _done(state, made, scope)

    return in_base(asked, scope, bases, look)


def declared_before(state: RunState, base: str, file: str, ref: str) -> Declaration | None:
    """The declaration of the same base, file and reference."""
    return next(
        (one for one in state.declarations if (one.base, one.file, one.ref) == (base, file, ref)),
        None,
    )


def _done(state: RunState, made: Declaration, scope: Scope) -> Done:
    before = declared_before(state, made.base, made.file, made.ref)
    shown = before or made
    answer = Declared(
        declared=True,
        base=shown.base,
        path=shown.path,
        ref=shown.ref,
        ref_matches=shown.ref_matches,
        title=shown.title,
        number=shown.number,
        binds=f"The proposal rests on {shown.ref}. A declared requirement that does not concern "
        "the measure is worth nothing.",
        next=scope.next,
    )
    return Done(answer, effects={} if before else {"declaration": dump(made)})


def _refused(verdict: Verdict, asked: Asked, read: int, in_base_now: int = 0) -> Refusal:
    """The verdict with the call that leads past it."""
    place = f"{echoed(asked.base)}, {echoed(asked.path)}"
    remedy = verdict.remedy
    if verdict.flag == "REQUIREMENT_NOT_READ":
        remedy = f"read_file({place}) from its beginning, then declare it"
    elif verdict.flag == "NOT_LOOKED_ENOUGH":
        more = min(FLOOR, in_base_now) - read
        level = asked.path.rpartition("/")[0]
        listing = listing_of(asked.base, level).rstrip(")")
        call = listing if level else f"read_dir({echoed(asked.base)}, ."
        remedy = f"{call}, filter=a word of your label), then read_file {more} more of its names"
    elif verdict.flag == "REQUIREMENT_REF_MISMATCH":
        remedy = "declare it under the number that the document has"
    return of_verdict(replace(verdict, remedy=remedy), asked.words)
