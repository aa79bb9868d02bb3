"""A free-form run beside a dig on the same question: what it quoted, and which files it found."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gates.tokens import loose_words
from index.faults import BadSettings
from index.markdown import read_document
from index.records import Document, Row
from server.brief_file import read_text
from server.dig_state import DigState
from server.judge import Unreadable as Unclear
from server.judges.answers import each_once
from server.library import Library, Unreadable

MOST_BYTES = 4 * 1024 * 1024
MOST = 10_000

Kind = Literal["verbatim", "reworded marks", "digest", "invented"]
KINDS: tuple[Kind, ...] = ("verbatim", "reworded marks", "digest", "invented")


class FreeQuotation(BaseModel):
    """Words that a free run gave as a file's."""

    model_config = ConfigDict(extra="forbid", strict=True)

    file: str
    text: Annotated[str, Field(min_length=1)]


class FreeRun(BaseModel):
    """What was recorded of a free run: the files it named, and what it quoted."""

    model_config = ConfigDict(extra="forbid", strict=True)

    files: Annotated[list[str], Field(max_length=MOST)] = []
    quotations: Annotated[list[FreeQuotation], Field(max_length=MOST)] = []


class Judged(BaseModel):
    """A quotation and where its words come from."""

    file: str
    kind: Kind
    text: str


class Comparison(BaseModel):
    """How many quotations of the free run are of which kind, and the files one side found.

    `verbatim` stands letter by letter in the file, `reworded marks` has its words in other case,
    marks or breaks; `digest` has the words of the file's summary alone; `invented` has neither.
    """

    dig_id: str
    counts: dict[Kind, int]
    quotations: tuple[Judged, ...]
    only_free: tuple[str, ...]
    only_dig: tuple[str, ...]
    both: tuple[str, ...]


def read_free_run(path: Path) -> FreeRun:
    """The run in a JSON file; raises NotFound, PathRefused or BadSettings with the place in it."""
    form = 'it reads {"files": [...], "quotations": [{"file": ..., "text": ...}]}'
    try:
        said = json.loads(read_text(path, MOST_BYTES), object_pairs_hook=each_once)
        return FreeRun.model_validate(said)
    except Unclear as twice:
        raise BadSettings(f"{path}: {twice}", form) from twice
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise BadSettings(f"{path}: {place}: {first['msg']}", form) from wrong
    except (ValueError, RecursionError) as wrong:
        raise BadSettings(f"{path} is no JSON", form) from wrong


def compare(free: FreeRun, state: DigState, library: Library) -> Comparison:
    """The free run beside the dig as it stands; its quotations are looked up in the dig's base."""
    base = library.settings.base(state.base, state.root)
    rows = library.facts(base).by_path
    sources: dict[str, _Source] = {}
    judged: list[Judged] = []
    for one in free.quotations:
        if one.file not in sources:
            found = library.document(base, one.file) if one.file in rows else None
            document = None if isinstance(found, Unreadable) else found
            sources[one.file] = _source(document, rows.get(one.file))
        judged.append(Judged(file=one.file, kind=_kind(one.text, sources[one.file]), text=one.text))
    named = {*free.files, *sources}
    dug = {evidence.excerpt.path for evidence in state.evidence.values()}
    return Comparison(
        dig_id=state.dig,
        counts={kind: sum(one.kind == kind for one in judged) for kind in KINDS},
        quotations=tuple(judged),
        only_free=tuple(sorted(named - dug)),
        only_dig=tuple(sorted(dug - named)),
        both=tuple(sorted(named & dug)),
    )


@dataclass(frozen=True, slots=True)
class _Source:
    """What a file says, split into words once: `said` and `digests` as `_row_of` writes them."""

    body: str = ""
    said: str = ""
    digests: tuple[str, ...] = ()


def _source(document: Document | None, row: Row | None) -> _Source:
    digests = tuple(_row_of(digest.text) for digest in row.digests) if row is not None else ()
    if document is None or document.body_start is None:
        return _Source(digests=digests)
    return _Source(
        body=document.content[document.body_start :].decode("utf-8"),
        said=_row_of("\n".join(block.prose for block in document.blocks)),
        digests=digests,
    )


def _kind(text: str, source: _Source) -> Kind:
    if text in source.body:
        return "verbatim"
    words = _row_of(text)
    if source.said and (_holds(source.said, words) or _holds(source.said, _unmarked(text))):
        return "reworded marks"
    if any(_holds(digest, words) for digest in source.digests):
        return "digest"
    return "invented"


def _unmarked(text: str) -> str:
    """The words of a quotation whose marks are read as markdown."""
    document = read_document("quotation.md", text.encode("utf-8", "replace"))
    return _row_of("\n".join(block.prose for block in document.blocks))


def _row_of(text: str) -> str:
    """The words of a text with a blank on both sides of each; a lone blank if it has none."""
    return f" {' '.join(loose_words(text)[1])} "


def _holds(text: str, words: str) -> bool:
    """Whether the words stand in a row in the text."""
    return bool(words.strip()) and words in text
