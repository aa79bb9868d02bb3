"""A catalogue base for step 2: few rows whose order is known, and more of one word than fit."""

from collections.abc import Sequence
from pathlib import Path

HEADER = ("file", "title", "summary", "keypoints", "tags", "category", "archetype", "monomyth")
# Each word of the order's terms stands only in the rows named here.
ORDER_TERMS = ("saffron", "cobalt", "ochre", *(f"pigment{letter}" for letter in "abcdefg"))
ORDER_ROWS: tuple[Sequence[str], ...] = (
    ("Dyes/three.md", "Three", "Saffron and cobalt.", "Ochre after rain", "", "", "", ""),
    ("Dyes/weaver.md", "Weaver", "Nothing to see.", "", "", "WEAVER", "", "01 - Ordinary World"),
    ("Dyes/both.md", "Both", "SAFFRON by the sack.", "", "", "", "Weaver ", "Ordinary World"),
    ("Dyes/stage.md", "Stage", "Nothing either.", "", "", "Weaver", "", "02 - Call"),
    ("Dyes/part.md", "Part", "Bisaffronised cloth.", "", "", "", "", ""),
    ("Dyes/tagged.md", "Tagged", "Quiet.", "", "cobalt; pale", "", "", ""),
    ("Dyes/titled.md", "Ochre in the title only", "Quiet too.", "", "", "", "", ""),
    ("Dyes/body.md", "Body", "Quiet as well.", "", "", "", "", ""),
    ("Dyes/guide.md", "Guide", "Saffron, cobalt, ochre.", "", "", "", "", ""),
    ("Dyes/gone.md", "Gone", "Saffron, cobalt, ochre.", "", "", "", "", ""),
)
# Dyes/body.md says it twice in few words; the title's BM25F comes from its row.
BODIES = {"Dyes/body.md": "An ochre wall, an ochre door."}
# The catalogue lists it; nobody has it.
GONE = "Dyes/gone.md"
GUIDE = "Dyes/guide.md"

MANY = 50
MANY_TERMS = ("ledger", *(f"parchment{letter}" for letter in "abcdefghi"))
LONG_SUMMARY = "Tallow. " * 200
TALLOW_TERMS = ("tallow", *(f"candle{letter}" for letter in "abcdefghi"))
TALLOW_ROWS: tuple[Sequence[str], ...] = (
    ("Wax/long.md", "Long", LONG_SUMMARY.strip(), "", "", "", "", ""),
    ("Wax/bare.md", "Bare", "", "tallow on the sill", "", "", "", ""),
)


def write_retrieval_base(folder: Path) -> Path:
    """The base, written below a folder that need not exist."""
    many = tuple(
        (f"Mass/{n:02}.md", f"Mass {n:02}", "A page of the ledger.", "", "", "", "", "")
        for n in range(1, MANY + 1)
    )
    rows = (*ORDER_ROWS, *TALLOW_ROWS, *many)
    for path, title, *_ in rows:
        if path == GONE:
            continue
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        role = "guidance" if path == GUIDE else "essay"
        text = BODIES.get(path, f"Somebody wrote this under the name of {title.split()[0]}.")
        place.write_text(f"---\nrole: {role}\n---\n\n{text}\n", encoding="utf-8")
    lines = [HEADER, ("---",) * len(HEADER), *rows]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    (folder / "corpus_index.md").write_text(f"# Index\n\n{table}", encoding="utf-8")
    return folder
