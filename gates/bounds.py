"""Is an excerpt of quotable length, whole paragraphs, and byte for byte what the file says?"""

from collections.abc import Collection, Sequence
from typing import Literal

from gates.verdict import Verdict, passed, refused
from index.records import Block

Shortfall = Literal["SHORT_NOTE", "SHORT_PASSAGE"]
# What is quoted, and what a quotation may run over; anything else ends it.
PROSE = frozenset(["paragraph", "list_item", "block_quote"])
WITHIN = PROSE | {"heading"}
_ALLOWED_SHORT = ("SHORT_NOTE", "SHORT_PASSAGE")


def within_bounds(words: int, least: int, most: int, flags: Collection[str] = ()) -> Verdict:
    """The excerpt has a quotable number of words; fewer only if its file has no longer passage."""
    if words == 0:
        return refused("within_bounds", "NO_PROSE", "no prose at all", "take another file")
    if words > most:
        return refused(
            "within_bounds",
            "LONG_CUT",
            f"{words} words, at most {most}",
            "cut it at a sentence end",
        )
    short = next((flag for flag in _ALLOWED_SHORT if flag in flags), "")
    if words >= least or short:
        return passed("within_bounds", f"{words} words", short)
    return refused(
        "within_bounds", "SHORT_PASSAGE", f"{words} words, at least {least}", "take a longer run"
    )


def verbatim(content: bytes, start: int, end: int, text: str) -> Verdict:
    """The excerpt is a byte slice of the file as it is now."""
    if 0 <= start < end <= len(content) and content[start:end] == text.encode("utf-8", "replace"):
        return passed("verbatim")
    return refused(
        "verbatim",
        "SOURCE_CHANGED",
        "the file does not say this at this place",
        "cut the passage anew from the file",
    )


def whole_paragraphs(blocks: Sequence[Block], start: int, end: int) -> Verdict:
    """The slice is a run of neighbouring blocks of prose and headings, none cut."""
    run = [block for block in blocks if start <= block.start and block.end <= end]
    exact = bool(run) and run[0].start == start and run[-1].end == end
    if exact and all(block.kind in WITHIN for block in run):
        return passed("whole_paragraphs", f"{len(run)} blocks")
    return refused(
        "whole_paragraphs",
        "SHORT_PASSAGE",
        "the slice does not begin and end with paragraphs, or runs over something else",
        "take whole paragraphs that follow each other",
    )
