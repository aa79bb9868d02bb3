"""`expedition inspect`: what the program reads in one markdown file, with or without a base."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from index.faults import NotFound, PathRefused
from index.lines import read_lines
from index.markdown import read_document
from index.paths import BaseFolder, shown
from index.records import Block, Document, Limits, Problem, Value
from index.text import count_words, hidden, visible
from server.cli.options import json_option
from server.cli.output import emit

_OPENING = 60
_REMEDY = "name a markdown file"


@click.command("inspect")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def command(file: Path, as_json: bool) -> None:
    """What the program reads in FILE, which need not belong to a base.

    Example: expedition inspect ~/notes/today.md
    """
    document = _read(file)
    if as_json:
        emit(_as_record(document))
    else:
        click.echo("\n".join(_as_text(document)))


def _read(file: Path) -> Document:
    """The file, regular and not too large, or why it is not read."""
    place = _place(file)
    if place.is_dir():
        raise PathRefused(f"{shown(str(file))} is a folder", _REMEDY)
    if not place.parent.is_dir():
        raise NotFound(f"no folder {shown(str(file.parent))}", _REMEDY)
    limits = Limits()
    try:
        with BaseFolder.open(str(place.parent)) as folder:
            found = folder.read(place.name, limits.file, hard_links=True)
    except (NotFound, PathRefused) as fault:
        raise type(fault)(fault.message, _REMEDY) from fault
    return read_document(str(file), found.content, limits)


def _place(file: Path) -> Path:
    # The person named this very file: a link to it is followed, here and nowhere else.
    try:
        return file.resolve()
    except RuntimeError as loop:
        raise NotFound(f"{shown(str(file))} is a link that leads back to itself", _REMEDY) from loop


def _as_record(document: Document) -> dict[str, object]:
    frontmatter = document.frontmatter
    known = document.body_start is not None
    return {
        "file": document.path,
        "bytes": len(document.content),
        "sha256": document.sha256,
        "frontmatter": {
            "kind": frontmatter.kind,
            "data": None if frontmatter.error else frontmatter.data,
        },
        "error": frontmatter.error,
        "body_start_byte": document.body_start,
        "body_start_line": document.body_line,
        "blocks": Counter(block.kind for block in document.blocks) if known else None,
        "paragraphs": [_paragraph(block) for block in _paragraphs(document)] if known else None,
        "problems": _problems(document),
    }


def _paragraphs(document: Document) -> list[Block]:
    """The paragraphs that stand at the top level of the body."""
    return [block for block in document.blocks if block.kind == "paragraph"]


def _paragraph(block: Block) -> dict[str, object]:
    return {
        "first_line": block.first_line,
        "last_line": block.last_line,
        "start_byte": block.start,
        "end_byte": block.end,
        "words": count_words(block.prose),
        "text": block.text,
    }


def _problems(document: Document) -> list[Problem]:
    """What reading found, and characters that cannot be seen."""
    found = list(document.problems)
    for block in document.blocks:
        if places := hidden(block.text):
            above = block.text[: places[0]].encode()
            line = block.first_line + len(read_lines(above + b"x")) - 1
            count = f"{len(places)} characters that cannot be seen"
            found.append(Problem("hidden-text", f"{document.path}:{line}", count))
    return found


def _as_text(document: Document) -> Iterator[str]:
    yield f"{visible(document.path)}: {len(document.content):,} bytes, sha256 {document.sha256}"
    yield from _frontmatter(document)
    if document.body_start is None:
        yield "body: unknown"
    else:
        yield f"body: from byte {document.body_start}, line {document.body_line}"
        yield from _body(document)
    problems = _problems(document)
    yield f"problems: {len(problems) or 'none'}"
    yield from (
        f"  {visible(problem.place)}: {visible(problem.detail)} ({problem.kind})"
        for problem in problems
    )


def _frontmatter(document: Document) -> Iterator[str]:
    frontmatter = document.frontmatter
    broken = f" ({frontmatter.error}: {frontmatter.detail})" if frontmatter.error else ""
    yield f"frontmatter: {frontmatter.kind}{broken}"
    for key, value in frontmatter.data.items():
        yield f"  {_on_one_line(key)}: {_on_one_line(_spoken(value))}"


def _spoken(value: Value) -> str:
    """A value on one line, for a person."""
    if isinstance(value, list):
        return f"[{', '.join(map(_spoken, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_spoken(item)}' for key, item in value.items())}}}"
    return "(empty)" if value is None else value


def _body(document: Document) -> Iterator[str]:
    kinds = Counter(block.kind for block in document.blocks)
    yield f"blocks: {', '.join(f'{count} {kind}' for kind, count in kinds.items()) or 'none'}"
    paragraphs = _paragraphs(document)
    yield f"paragraphs: {len(paragraphs) or 'none'}"
    for block in paragraphs:
        words = count_words(block.prose)
        yield f"  {_lines(block)}, {words} words: {_on_one_line(block.text)}"


def _lines(block: Block) -> str:
    if block.first_line == block.last_line:
        return f"line {block.first_line}"
    return f"lines {block.first_line}-{block.last_line}"


def _on_one_line(text: str) -> str:
    """The opening of a text, what cannot be seen as escapes."""
    opening = " ".join(visible(text[:_OPENING]).split())
    return opening if len(text) <= _OPENING else f"{opening}…"
