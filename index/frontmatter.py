"""The metadata block at the top of a file: where it ends, and what it says."""

from dataclasses import dataclass
from typing import Literal

from index.lines import Lines
from index.records import Frontmatter, Limits, Problem
from index.values import Remark, Unreadable

BOM = b"\xef\xbb\xbf"
_BLANKS = b" \t"
_FENCES: dict[bytes, Literal["yaml", "toml"]] = {b"---": "yaml", b"+++": "toml"}


@dataclass(frozen=True, slots=True)
class Head:
    """What stands above the body; `body_line` is None where nothing says where the body starts."""

    frontmatter: Frontmatter
    body_start: int | None
    body_line: int | None
    problems: tuple[Problem, ...] = ()


def read_head(path: str, content: bytes, lines: Lines, limits: Limits) -> Head:
    """The frontmatter of a UTF-8 file and the place where its body starts."""
    fence = _line(content, lines, 1).removeprefix(BOM).rstrip(_BLANKS) if len(lines) else b""
    kind = _FENCES.get(fence)
    if kind is None:
        return Head(Frontmatter("none", {}), 0, 1)
    closing = _closing(content, lines, fence)
    if closing is None:
        detail = "the opening fence never closes"
        problem = Problem("unterminated", f"{path}:1", detail)
        return Head(Frontmatter("error", {}, "unterminated", detail), None, None, (problem,))
    block = content[lines.start(2) : lines.start(closing)]
    frontmatter, problems = _read_block(path, kind, block, limits)
    body_start = lines.start(closing + 1) if closing < len(lines) else len(content)
    return Head(frontmatter, body_start, closing + 1, problems)


def _line(content: bytes, lines: Lines, number: int) -> bytes:
    return content[lines.start(number) : lines.end(number)]


def _closing(content: bytes, lines: Lines, fence: bytes) -> int | None:
    """The number of the line that closes the block, or None."""
    for number in range(2, len(lines) + 1):
        # looking at three bytes first spares a copy of every line
        opens = content.startswith(fence, lines.start(number))
        if opens and _line(content, lines, number).rstrip(_BLANKS) == fence:
            return number
    return None


def _read_block(
    path: str, kind: Literal["yaml", "toml"], block: bytes, limits: Limits
) -> tuple[Frontmatter, tuple[Problem, ...]]:
    """What a closed block says; a broken one has no keys."""
    try:
        frontmatter, remarks = _values(kind, block, limits)
    except Unreadable as reason:
        frontmatter = Frontmatter("error", {}, reason.code, reason.detail)
        remarks = (Remark(reason.code, reason.line, reason.detail),)
    # the block starts on line 2 of the file
    problems = (Problem(note.kind, f"{path}:{note.line + 1}", note.detail) for note in remarks)
    return frontmatter, tuple(problems)


def _values(
    kind: Literal["yaml", "toml"], block: bytes, limits: Limits
) -> tuple[Frontmatter, tuple[Remark, ...]]:
    if len(block) > limits.frontmatter:
        detail = f"{len(block):,} bytes of frontmatter, {limits.frontmatter:,} allowed"
        raise Unreadable("too-large", detail)
    text = block.decode().replace("\r\n", "\n").replace("\r", "\n")
    if kind == "toml":
        from index.toml_values import load_toml

        return Frontmatter("toml", load_toml(text, limits)), ()
    from index.yaml_values import load_yaml

    value, remarks = load_yaml(text, limits)
    if value is not None and not isinstance(value, dict):
        raise Unreadable("not-a-mapping", "the block is no mapping of keys to values")
    return Frontmatter("yaml", value or {}), remarks
