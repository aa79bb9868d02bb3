"""Texts of nothing but paragraphs and headings, told apart without the parser, and read alike."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from index.records import BlockKind

# A line that begins with a letter goes on with a paragraph or begins one, whatever it holds; only
# another first character can make it a list, a quotation, code, a table, HTML, a rule, a definition
# or the underline of a heading. Between such lines there may be headings, and lines of blanks.
_LINE = r"[^\W\d_][^\n]*"
_HEADING = r"#{1,6} [^\W\d_][^\n#]*"
_PLAIN = re.compile(rf"(?:(?:{_LINE}|{_HEADING}|[ \t]*)\n)*+(?:{_LINE}|{_HEADING}|[ \t]*)")
# The parser's own limits are far beyond such a text.
_LONGEST = 200_000
# What the parser takes for white space at the ends.
_TRIMMED = "\t\n\x0b\x0c\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


@dataclass(frozen=True, slots=True)
class Part:
    """A heading or a paragraph: its lines, from 0, to the one after, and its inline text."""

    kind: BlockKind
    map: tuple[int, int]
    source: str


def plain_parts(text: str) -> list[Part] | None:
    """The parts of a text with LF as its only line ending; None if it may hold anything else."""
    if len(text) > _LONGEST or _PLAIN.fullmatch(text) is None:
        return None
    return list(_parts(text.split("\n")))


def _parts(lines: list[str]) -> Iterator[Part]:
    begun = 0
    for number, line in enumerate([*lines, ""]):
        if line and line[0] not in "# \t":
            continue
        if begun < number:
            yield Part("paragraph", (begun, number), "\n".join(lines[begun:number]).strip(_TRIMMED))
        begun = number + 1
        if line.startswith("#"):
            yield Part("heading", (number, number + 1), line.lstrip("#").strip(_TRIMMED))
