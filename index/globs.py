"""Globs over paths of a base: what the operator writes to exclude files or to give them a role."""

from fnmatch import fnmatchcase


def glob_matches(glob: str, path: str) -> bool:
    """Whether a glob names this path or a folder it lies in.

    `*`, `?` and `[…]` stay within one name, `**` stands for any number of folders, and a glob of
    one name is looked for at every depth. Letter case counts.
    """
    wanted = glob.strip("/").split("/")
    if len(wanted) == 1 and not glob.startswith("/"):
        wanted = ["**", *wanted]
    if wanted[-1] == "**":
        wanted[-1] = "*"
    return _reaches(wanted, path.split("/"))


def _reaches(wanted: list[str], names: list[str]) -> bool:
    """Whether the glob is used up at the end of one of the leading folders or of the whole path."""
    # One pass over the names; `places` are the parts of the glob that may come next.
    places = _with_skips({0}, wanted)
    for name in names:
        taken = {place for place in places if _takes(wanted[place], name)}
        places = _with_skips({place + (wanted[place] != "**") for place in taken}, wanted)
        if len(wanted) in places:
            return True
    return False


def _takes(part: str, name: str) -> bool:
    return part == "**" or fnmatchcase(name, part)


def _with_skips(places: set[int], wanted: list[str]) -> set[int]:
    """Also the places behind each `**`, which may stand for no folder at all."""
    reached = set(places)
    for place in range(len(wanted)):
        if place in reached and wanted[place] == "**":
            reached.add(place + 1)
    return reached
