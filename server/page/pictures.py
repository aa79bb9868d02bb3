"""Pictures of a search, as places on a canvas; the templates draw them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from pathlib import PurePosixPath
from typing import Literal

from server.dig_state import Candidate, DigState
from server.report import shown_ids
from server.shown import visible_line

Mark = Literal["hit", "cut", "anchor", "other"]

NAME_LENGTH = 30
TERM_LENGTH = 16
# The matrix: what stands left of and above the cells, and how large a cell is.
LEFT, TOP, COLUMN, ROW = 236, 104, 26, 21
# The scatter: a field for each pair of prescore and score, and room for the axes.
FIELD_WIDTH, FIELD_HEIGHT, AXIS_LEFT, AXIS_BELOW, DOT = 50, 54, 64, 50, 11


@dataclass(frozen=True, slots=True)
class Label:
    """A word on a canvas, and the whole of what it may have been cut from."""

    x: float
    y: float
    text: str
    whole: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A candidate, or a term found in it, on a canvas; `says` is what it means in words."""

    x: float
    y: float
    mark: Mark
    says: str


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A candidate: its name, what it is to the report, and the terms found in it."""

    y: float
    name: Label
    mark: Mark
    cells: tuple[Dot, ...]
    score: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """Terms by candidates; beside the terms a column for structure and one for the score."""

    width: int
    height: int
    terms: tuple[Label, ...]
    rows: tuple[MatrixRow, ...]
    terms_y: float
    structure_x: float
    score_x: float


@dataclass(frozen=True, slots=True)
class Scatter:
    """Prescore by score."""

    width: int
    height: int
    columns: tuple[Label, ...]
    rows: tuple[Label, ...]
    dots: tuple[Dot, ...]
    base: float
    middle: float


def searched(state: DigState) -> tuple[Candidate, ...]:
    """The candidates of this pass and those of the report, best first; none that a person added."""
    current = [id_ for batch in state.batches for id_ in batch]
    shown = shown_ids(state, state.report.anchors) if state.report else ()
    found = [state.candidates[id_] for id_ in dict.fromkeys((*current, *shown))]
    rows = [candidate for candidate in found if candidate.via in ("row", "body")]
    return tuple(sorted(rows, key=lambda c: (-embodied(state, c.id), -c.prescore, c.rank, c.id)))


def embodied(state: DigState, id_: str) -> int:
    """An agent's score of a candidate; -1 if it has none."""
    score = state.scores.get(id_)
    return -1 if score is None else score.embodies


def mark_of(state: DigState, id_: str) -> Mark:
    """What a candidate is to the report, the rarest first."""
    if id_ in state.connections:
        return "cut"
    if id_ in state.picks.direct_hits:
        return "hit"
    return "anchor" if state.report and id_ in state.report.anchors else "other"


def matrix(state: DigState, candidates: Sequence[Candidate]) -> Matrix:
    """Which term was found in which candidate."""
    columns = {term: LEFT + (at + 0.5) * COLUMN for at, term in enumerate(state.terms)}
    structure = LEFT + (len(columns) + 0.5) * COLUMN
    terms = tuple(
        Label(x, TOP - 8, shortened(term, TERM_LENGTH), visible_line(term))
        for term, x in columns.items()
    )
    rows: list[MatrixRow] = []
    for at, candidate in enumerate(candidates):
        y = TOP + (at + 0.5) * ROW
        mark, name = mark_of(state, candidate.id), _name(candidate)
        cells = [
            Dot(columns[term], y, mark, f"{name}: {visible_line(term)} in {', '.join(where)}")
            for term, where in candidate.hits
            if term in columns
        ]
        if candidate.structural:
            cells.append(Dot(structure, y, mark, f"{name}: archetype and stage fit"))
        label = Label(LEFT - 12, y, shortened(name, NAME_LENGTH), visible_line(candidate.row.path))
        score = embodied(state, candidate.id)
        rows.append(MatrixRow(y, label, mark, tuple(cells), "-" if score < 0 else str(score)))
    width = LEFT + (len(columns) + 2) * COLUMN + 40
    height = TOP + len(rows) * ROW + 8
    return Matrix(width, height, terms, tuple(rows), TOP - 8, structure, structure + 1.4 * COLUMN)


def scatter(state: DigState, candidates: Sequence[Candidate]) -> Scatter:
    """How the retrieval counted each candidate, against how it was scored."""
    scored = [candidate for candidate in candidates if candidate.id in state.scores]
    most = max((candidate.prescore for candidate in scored), default=0)
    fields: dict[tuple[int, int], list[Candidate]] = {}
    for candidate in scored:
        place = candidate.prescore, state.scores[candidate.id].embodies
        fields.setdefault(place, []).append(candidate)
    dots = [
        Dot(x, y, mark_of(state, candidate.id), _says(state, candidate))
        for (prescore, embodies), crowd in sorted(fields.items())
        for candidate, (x, y) in zip(
            crowd, _spread(_centre(prescore, embodies), len(crowd)), strict=True
        )
    ]
    base = 4 * FIELD_HEIGHT + 8.0
    columns = [Label(_centre(n, 0)[0], base + 18, str(n), f"prescore {n}") for n in range(most + 1)]
    rows = [Label(AXIS_LEFT - 12, _centre(0, n)[1], str(n), f"score {n}") for n in range(4)]
    width = AXIS_LEFT + (most + 1) * FIELD_WIDTH + 12
    return Scatter(
        width, int(base) + AXIS_BELOW, tuple(columns), tuple(rows), tuple(dots), base, width / 2
    )


def shortened(text: str, length: int) -> str:
    """A text on one line, cut with an ellipsis if it is longer."""
    line = visible_line(text)
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def _centre(prescore: int, embodies: int) -> tuple[float, float]:
    x = AXIS_LEFT + (prescore + 0.5) * FIELD_WIDTH
    return x, 8 + (3 - embodies + 0.5) * FIELD_HEIGHT


def _spread(centre: tuple[float, float], count: int) -> list[tuple[float, float]]:
    """Places for so many dots around the centre of a field, closer together the more they are."""
    across = max(1, min(count, ceil(sqrt(count * FIELD_WIDTH / FIELD_HEIGHT))))
    down = ceil(count / across)
    step = min(DOT, (FIELD_WIDTH - 6) / across, (FIELD_HEIGHT - 6) / down)
    x, y = centre
    return [
        (
            round(x + (n % across - (across - 1) / 2) * step, 2),
            round(y + (n // across - (down - 1) / 2) * step, 2),
        )
        for n in range(count)
    ]


def _name(candidate: Candidate) -> str:
    return visible_line(PurePosixPath(candidate.row.path).stem)


def _says(state: DigState, candidate: Candidate) -> str:
    score = state.scores[candidate.id].embodies
    return f"{_name(candidate)}: prescore {candidate.prescore}, scored {score}"
