"""Is an excerpt of quotable length, whole paragraphs, and byte for byte what the file says?"""

from collections.abc import Collection, Sequence

from gates.verdict import Verdict, passed, refused
from index.records import Block
from index.text import count_words, sentence_spans

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


def whole_paragraphs(blocks: Sequence[Block], start: int, end: int, most: int) -> Verdict:
    """The slice is a run of neighbouring blocks of prose and headings, none cut.

    A single paragraph of more than `most` words may be cut at the end of a sentence.
    """
    run = [block for block in blocks if start <= block.start and block.end <= end]
    exact = bool(run) and run[0].start == start and run[-1].end == end
    if exact and all(block.kind in WITHIN for block in run):
        return passed("whole_paragraphs", f"{len(run)} blocks")
    if any(_cut_at_sentence(block, start, end, most) for block in blocks):
        return passed("whole_paragraphs", "a long paragraph cut at a sentence end", "LONG_CUT")
    return refused(
        "whole_paragraphs",
        "SHORT_PASSAGE",
        "the slice does not begin and end with paragraphs, or runs over something else",
        "take whole paragraphs that follow each other",
    )


def prose_words(blocks: Sequence[Block], kinds: Collection[str] = PROSE) -> int:
    """How many words of prose these blocks have; headings, code and tables have none to quote."""
    return sum(count_words(block.prose) for block in blocks if block.kind in kinds)


def _cut_at_sentence(block: Block, start: int, end: int, most: int) -> bool:
    if block.start != start or not block.start < end < block.end or block.kind not in PROSE:
        return False
    if count_words(block.prose) <= most:
        return False
    kept = block.text.encode()[: end - start].decode("utf-8", "ignore")
    whole_letters = len(kept.encode()) == end - start
    return whole_letters and any(last == len(kept) for _, last in sentence_spans(block.text))
