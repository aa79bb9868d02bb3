"""The cells of one line of a table, and the file that a cell names."""

import re
from html import unescape
from typing import Literal
from urllib.parse import unquote

from index.walk import is_markdown

Form = Literal["text", "code", "link", "wikilink"]

BLANKS = " \t\v\f"

_PIPE = re.compile(r"(?<!\\)\|")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASIS = ("**", "__", "*", "_")


def split_cells(line: str) -> list[str]:
    """The cells of a line: an escaped pipe never ends one, a pipe in code does."""
    text = line.strip(BLANKS).removeprefix("|")
    cells = _PIPE.split(text)
    if len(cells) > 1 and not cells[-1]:
        cells.pop()
    return [cell.strip(BLANKS).replace("\\|", "|") for cell in cells]


def count_delimiters(line: str) -> int:
    """How many columns a delimiter row announces; 0 for a line that is none."""
    if line.strip("|-: \t"):
        return 0
    cells = split_cells(line)
    dashes = [cell.removeprefix(":").removesuffix(":") for cell in cells]
    return len(cells) if all(dash and not dash.strip("-") for dash in dashes) else 0


def named_file(cell: str) -> tuple[str, Form]:
    """The path that a cell names and how; percent escapes are decoded in link targets only."""
    inner = without_emphasis(cell)
    path, form = _wikilink(inner) or _link(inner) or _code(inner) or ("", "text")
    if form == "text":
        path = inner if is_markdown(inner) else cell
    return path.removeprefix("./"), form


def is_label(cell: str, path: str, form: Form, alone: bool) -> bool:
    """Whether a file cell only names the group of rows below; `alone`: its row holds no more."""
    if not any(map(str.isalnum, path)):
        return True
    if form != "text" or is_markdown(path):
        return False
    return without_emphasis(cell) != cell or (alone and "/" not in path)


def without_emphasis(text: str) -> str:
    """The text inside emphasis marks that enclose all of it."""
    for mark in _EMPHASIS:
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            text = text[len(mark) : -len(mark)]
    return text


def readings(path: str) -> tuple[str, ...]:
    """What a path written as text may mean, most literal first: markdown and HTML may escape it."""
    if "\\" not in path and "&" not in path:
        return (path,)
    plain = unescape_markdown(path)
    return tuple(dict.fromkeys((path, plain, _decode_entities(plain))))


def unescape_markdown(text: str) -> str:
    """The text without the backslashes that markdown takes for escapes."""
    return _ESCAPED.sub(r"\1", text)


def _wikilink(text: str) -> tuple[str, Form] | None:
    closed = text.find("]]")
    if not text.startswith("[[") or closed < 0:
        return None
    target = text[2:closed].partition("|")[0].partition("#")[0]
    return target.strip(BLANKS), "wikilink"


def _link(text: str) -> tuple[str, Form] | None:
    """The target of an inline link that begins or ends the cell."""
    middle = text.find("](")
    if middle < 0 or "[" not in text[:middle]:
        return None
    found = _destination(text, middle + 2)
    if found is None and text.startswith("[") and text.endswith(")"):
        # No link to CommonMark, for the blanks in its target; but plainly meant as one.
        found = text[middle + 2 : -1].strip(BLANKS), len(text)
    if found is None or not (text.startswith("[") or found[1] == len(text)):
        return None
    target = _decode_entities(unescape_markdown(found[0]))
    return _decode_percents(target.partition("#")[0]), "link"


def _destination(text: str, start: int) -> tuple[str, int] | None:
    """A link's destination as written and the place after its closing parenthesis."""
    while start < len(text) and text[start] in BLANKS:
        start += 1
    if text[start : start + 1] == "<":
        end = text.find(">", start)
        target, after = text[start + 1 : end], end + 1
    else:
        end = after = _bare_end(text, start)
        target = text[start:end]
    closed = text.find(")", after)
    if end < 0 or closed < 0:
        return None
    # What may stand between a destination and the parenthesis is a title.
    title = text[after:closed].strip(BLANKS)
    return (target, closed + 1) if not title or title[0] in "\"'(" else None


def _bare_end(text: str, start: int) -> int:
    """Where a destination without angle brackets ends: at a blank or an unmatched parenthesis."""
    depth = 0
    place = start
    while place < len(text):
        character = text[place]
        if character == "\\":
            place += 1
        elif character in BLANKS or (character == ")" and not depth):
            return place
        else:
            depth += (character == "(") - (character == ")")
        place += 1
    return -1


def _code(text: str) -> tuple[str, Form] | None:
    ticks = len(text) - len(text.lstrip("`"))
    closed = text.find("`" * ticks, ticks) if ticks else -1
    if closed < 0:
        return None
    inner = text[ticks:closed]
    if inner.startswith(" ") and inner.endswith(" ") and inner.strip(" "):
        inner = inner[1:-1]
    return inner, "code"


def _decode_percents(target: str) -> str:
    try:
        return unquote(target, errors="strict")
    except UnicodeDecodeError:
        return target


def _decode_entities(text: str) -> str:
    return _ENTITY.sub(lambda entity: unescape(entity[0]), text)
