"""The metadata block at the top of a file: where it ends, and what it says."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from index.lines import Lines
from index.records import Frontmatter, FrontmatterError, Limits, Problem, Value

BOM = b"\xef\xbb\xbf"
_FENCES = {b"---": "yaml", b"+++": "toml"}
_BLANKS = b" \t"


@dataclass(frozen=True, slots=True)
class Head:
    """What stands above the body; `body_line` is None where nothing says where the body starts."""

    frontmatter: Frontmatter
    body_start: int | None
    body_line: int | None
    problems: tuple[Problem, ...] = ()


class _Refused(Exception):
    """The block cannot be read; `line` counts from 1 within the block."""

    def __init__(self, code: FrontmatterError, detail: str, line: int = 1) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.line = line


def read_head(path: str, content: bytes, lines: Lines, limits: Limits) -> Head:
    """The frontmatter of a UTF-8 file and the place where its body starts."""
    mark = _fence(content, lines)
    if mark is None:
        return Head(Frontmatter("none", {}), 0, 1)
    closing = _closing(content, lines, mark)
    if closing is None:
        detail = "the opening fence never closes"
        problem = Problem("unterminated", f"{path}:1", detail)
        return Head(Frontmatter("error", {}, "unterminated", detail), None, None, (problem,))
    start = lines.start(2)
    block = content[start : max(start, lines.start(closing))]
    frontmatter, problems = _read_block(path, _FENCES[mark], block, limits)
    body_start = lines.start(closing + 1) if closing < len(lines) else len(content)
    return Head(frontmatter, body_start, closing + 1, problems)


def _fence(content: bytes, lines: Lines) -> bytes | None:
    """The fence on line 1, or None."""
    if not len(lines):
        return None
    first = content[: lines.end(1)].removeprefix(BOM).rstrip(_BLANKS)
    return first if first in _FENCES else None


def _closing(content: bytes, lines: Lines, mark: bytes) -> int | None:
    """The number of the line that closes the block."""
    for number in range(2, len(lines) + 1):
        start = lines.start(number)
        if content.startswith(mark, start):
            line = content[start : lines.end(number)]
            if line.rstrip(_BLANKS) == mark:
                return number
    return None


def _read_block(
    path: str, kind: str, block: bytes, limits: Limits
) -> tuple[Frontmatter, tuple[Problem, ...]]:
    try:
        if len(block) > limits.frontmatter:
            raise _Refused("too-large", f"{len(block)} bytes, {limits.frontmatter} allowed")
        text = block.decode()
        if kind == "toml":
            return Frontmatter("toml", _toml(text, limits)), ()
        return _yaml(path, text, limits)
    except _Refused as refused:
        place = f"{path}:{refused.line + 1}"
        frontmatter = Frontmatter("error", {}, refused.code, f"{refused.detail}, {place}")
        return frontmatter, (Problem(refused.code, place, refused.detail),)


def _yaml(path: str, text: str, limits: Limits) -> tuple[Frontmatter, tuple[Problem, ...]]:
    from index.yaml_values import YamlRefused, load_yaml

    try:
        value, remarks = load_yaml(text, limits)
    except YamlRefused as refused:
        raise _Refused(refused.code, refused.detail, refused.line) from refused
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise _Refused("not-a-mapping", "the block holds no keys")
    problems = tuple(
        Problem(remark.kind, f"{path}:{remark.line + 1}", remark.detail) for remark in remarks
    )
    return Frontmatter("yaml", value), problems


def _toml(text: str, limits: Limits) -> dict[str, Value]:
    try:
        table = tomllib.loads(text, parse_float=str)
    except ValueError as error:
        raise _Refused("toml", "the block is no TOML") from error
    except RecursionError as error:
        raise _Refused("too-deep", f"nested deeper than {limits.yaml_depth}") from error
    return {key: _plain(value, limits.yaml_depth - 1) for key, value in table.items()}


def _plain(value: object, depth: int) -> Value:
    """A TOML value with every scalar as text."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case datetime() | date() | time():
            return value.isoformat()
        case Mapping() | Sequence() if depth < 1:
            raise _Refused("too-deep", "nested deeper than allowed")
        case Mapping():
            return {str(key): _plain(item, depth - 1) for key, item in value.items()}
        case Sequence():
            return [_plain(item, depth - 1) for item in value]
        case _:
            return str(value)
