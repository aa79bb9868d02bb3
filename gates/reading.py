"""Was it read, and was enough read, before something is declared?"""

from collections.abc import Collection

from gates.verdict import Verdict, passed, refused
from index.text import unaccented

# Thirteen recorded declarations came after 1,1,1,1,1,1,1,2,5,5,6,13,13 reads: 3, 4 and 5 refuse the
# same eight, so 3 stands on no edge.
FLOOR = 3


def must_have_looked(
    opened: Collection[str], declared: str, in_base: int, floor: int = FLOOR
) -> Verdict:
    """The declared document was read, and so were enough others, as far as the base has them.

    `opened` names each document by what it is, so that two spellings of one count once.
    """
    read = len(set(opened))
    if declared not in opened:
        return refused(
            "must_have_looked",
            "REQUIREMENT_NOT_READ",
            f"this document is not among the {read} read",
            "read it first",
        )
    needed = min(floor, in_base)
    if read < needed:
        return refused(
            "must_have_looked",
            "NOT_LOOKED_ENOUGH",
            f"{read} of {in_base} documents read, {needed} at least",
            "read others, found by a word of the approach's own label",
        )
    return passed("must_have_looked", f"{read} documents read")


def still_as_read(read_sha256: str, sha256: str) -> Verdict:
    """The bytes that were read are the bytes that are there."""
    if read_sha256 == sha256:
        return passed("still_as_read")
    return refused(
        "still_as_read",
        "REQUIREMENT_NOT_READ",
        "the document was changed after it was read",
        "read it again",
    )


def ref_agrees(ref: str, number: str) -> Verdict:
    """The reference is the document's own number, or the part of it after its last blank (E52)."""
    if not number:
        return passed("ref_agrees", "the document has no number")
    one, other = (" ".join(unaccented(text).split()) for text in (ref, number))
    if one == other or _ends_with(one, other) or _ends_with(other, one):
        return passed("ref_agrees", number)
    return refused(
        "ref_agrees",
        "REQUIREMENT_REF_MISMATCH",
        f"the document calls itself {number}",
        "declare it under its own number",
    )


def _ends_with(whole: str, part: str) -> bool:
    return bool(part) and " " not in part and whole.rpartition(" ")[2] == part
