"""The labelled set: patterns with graded summaries, read from a folder of markdown."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from index.cells import split_cells
from index.faults import BadSettings, NotFound
from index.markdown import read_document
from server.dig_state import Context

FOLDER = Path(__file__).resolve().parent.parent.parent / "kb_fixtures" / "judging"
_HEADER = ["grade", "cut", "title", "summary"]
_CUT = "cut"
# A title names a file.
LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True)
class Graded:
    """One summary, the grade that was agreed on, and whether it is the pattern's deep cut."""

    path: str
    title: str
    summary: str
    grade: int
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Labelled:
    """One pattern, terms that would find it, and its summaries in an order that tells nothing."""

    name: str
    context: Context
    terms: tuple[str, ...]
    rows: tuple[Graded, ...]

    @property
    def deep_cut(self) -> str:
        """The path of the right deep cut."""
        return next(row.path for row in self.rows if row.is_cut)


def read_labelled(folder: Path) -> tuple[Labelled, ...]:
    """Every pattern of the set, by name; raises NotFound or BadSettings with the place."""
    found = (path for path in folder.glob("*.md") if path.stem != "README")
    files = sorted(path for path in found if path.is_file())
    if not files:
        raise NotFound(f"{folder} holds no labelled set", "name its folder with --set PATH")
    return tuple(_pattern(path) for path in files)


def _pattern(path: Path) -> Labelled:
    document = read_document(path.name, path.read_bytes())
    data = document.frontmatter.data
    words = {key: data.get(key) for key in ("keyword", "title", "archetype", "claim")}
    terms = data.get("terms")
    if not all(isinstance(word, str) for word in words.values()) or not isinstance(terms, list):
        raise BadSettings(f"{path}: keyword, title, archetype, claim and terms are needed")
    keyword, title, archetype, claim = map(str, words.values())
    rows = tuple(_row(path, line) for line in _lines(document.content.decode("utf-8")))
    if len({row.path for row in rows}) < len(rows):
        raise BadSettings(f"{path}: two rows have one title")
    if sum(row.is_cut for row in rows) != 1:
        raise BadSettings(f"{path}: exactly one row is marked `{_CUT}`")
    context = Context(
        keyword_primary=keyword,
        title=title,
        slug=path.stem,
        voice="Si-C",
        archetype_primary=archetype,
        blaze_claims=(claim,),
        pattern=f'{archetype}: {keyword}, as in "{title}" — {claim}',
    )
    # the order of the file is that of the grades
    shuffled = sorted(rows, key=lambda row: hashlib.sha256(row.path.encode()).digest())
    return Labelled(path.stem, context, tuple(map(str, terms)), tuple(shuffled))


def _lines(text: str) -> list[str]:
    """The rows of the one table, without its header."""
    table = [line for line in text.splitlines() if line.startswith("|")]
    if not table or [cell.strip() for cell in split_cells(table[0])] != _HEADER:
        raise BadSettings(f"the table has the columns {', '.join(_HEADER)}")
    return table[2:]


def _row(path: Path, line: str) -> Graded:
    cells = [cell.strip() for cell in split_cells(line)]
    if len(cells) != len(_HEADER):
        raise BadSettings(f"{path}: {line[:60]}: {len(cells)} cells, {len(_HEADER)} are needed")
    grade, cut, title, summary = cells
    if not 0 < len(title) <= LONGEST_TITLE:
        raise BadSettings(f"{path}: {line[:60]}: a title has 1 to {LONGEST_TITLE} characters")
    if grade not in ("0", "1", "2", "3") or cut not in ("", _CUT):
        raise BadSettings(f"{path}: {line[:60]}: a grade of 0 to 3, and `{_CUT}` or nothing")
    name = "".join(letter if letter.isalnum() else "-" for letter in title.lower())
    return Graded(f"{path.stem}/{name}.md", title, summary, int(grade), cut == _CUT)
