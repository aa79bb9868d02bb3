"""Was enough read before something is declared?"""

from collections.abc import Collection

from gates.verdict import Verdict, passed, refused

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
