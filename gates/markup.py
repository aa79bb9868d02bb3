"""Where the author's prose is in markdown: no code, quotes, tables, HTML, headings, definitions.

Block rules follow CommonMark line by line, near enough to judge by and linear in any text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from index.text import Span

_LINE_END = re.compile(r"\r\n|\r|\n")
_LIST = re.compile(r"[ \t]*+(?:(?:[-*+]|(\d{1,9})[.)])(?:[ \t]++|$))+")
_FENCE = re.compile(r"(`{3,}+)[^`]*$|(~{3,}+)")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_DEFINITION = re.compile(r"\[[^\[\]]{1,500}\]:")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")
_LONE_TAG = re.compile(r"</?[A-Za-z][^<>]*+>[ \t]*+$")
_DELIMITER_ROW = re.compile(r"[ \t|:-]+$")
_RAW = {"script": "</script>", "pre": "</pre>", "style": "</style>", "textarea": "</textarea>"}
_OPENERS = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">"))
_BLOCK_NAMES = """
address article aside base blockquote body caption center col colgroup dd details dialog dir div dl
dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html
iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section
summary table tbody td tfoot th thead title tr track ul
"""
_BLOCK_TAGS = frozenset(_BLOCK_NAMES.split())
_TAB = 4


@dataclass(slots=True)
class _Reader:
    """Goes through the lines once and collects the paragraphs; fields say what is still open."""

    paragraphs: list[Span] = field(default_factory=list[Span])
    open: Span | None = None
    fence: str = ""
    # what ends the block that is set apart: a text, or None for a blank line
    until: str | None = ""
    quoted: bool = False
    listed: bool = False

    def close(self) -> None:
        if self.open:
            self.paragraphs.append(self.open)
        self.open = None

    def read(self, start: int, line: str, following: str) -> None:
        if self.fence or self.until != "":
            self._inside(line)
        elif not line.strip():
            self.close()
            self.quoted = False
        elif content := self._content(line):
            self._block(start + len(line) - len(content), start + len(line), content, following)

    def _inside(self, line: str) -> None:
        if self.fence:
            closing = line.strip()
            if closing.startswith(self.fence) and not closing.strip(self.fence[0]):
                self.fence = ""
        elif self.until in line if self.until else not line.strip():
            self.until = ""

    def _content(self, line: str) -> str:
        """The line without indentation and list marks; empty if it is indented code."""
        content = line.lstrip()
        marks = _LIST.match(line)
        starts = self.open is None or self.listed or (marks and marks[1] in (None, "1"))
        if marks and starts and not _is_rule(content):
            self.close()
            self.listed, self.quoted = True, False
            return line[marks.end() :]
        indent = sum(_TAB if blank == "\t" else 1 for blank in line[: len(line) - len(content)])
        if self.open is None and not self.quoted:
            if indent == 0:
                self.listed = False
            elif indent >= _TAB and not self.listed:
                return ""
        return content

    def _block(self, start: int, end: int, content: str, following: str) -> None:
        if content.startswith(">"):
            self.close()
            self.quoted = bool(content.lstrip("> \t"))
        elif self.open and not content.strip().strip("=" if content[0] == "=" else "-"):
            self.open = None  # an underlined heading
        elif self._set_apart(content, following):
            self.close()
            self.quoted = False
        elif not self.quoted:
            self.open = (self.open[0] if self.open else start, end)

    def _set_apart(self, content: str, following: str) -> bool:
        if fence := _FENCE.match(content):
            self.fence = fence[1] or fence[2]
            return True
        if _HEADING.match(content) or _is_rule(content):
            return True
        if content[0] == "<":
            return self._html(content)
        table = "|" in content and _is_delimiter_row(following)
        definition = self.open is None and _DEFINITION.match(content)
        if table or (definition and content[1] == "^"):
            self.until = None
        return bool(table or definition)

    def _html(self, content: str) -> bool:
        for opener, closer in _OPENERS:
            if content.startswith(opener):
                self.until = "" if closer in content[len(opener) :] else closer
                return True
        tag = _TAG.match(content)
        name = tag[1].lower() if tag else ""
        if name in _RAW:
            self.until = "" if _RAW[name] in content else _RAW[name]
            return True
        if name in _BLOCK_TAGS or (self.open is None and _LONE_TAG.match(content)):
            self.until = None
            return True
        return False


def paragraphs(text: str) -> list[Span]:
    """The paragraphs and list items of prose, as character offsets, in order."""
    reader = _Reader()
    lines = list(_lines(text))
    for at, (start, line) in enumerate(lines):
        reader.read(start, line, lines[at + 1][1] if at + 1 < len(lines) else "")
    reader.close()
    return reader.paragraphs


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for end in _LINE_END.finditer(text):
        yield start, text[start : end.start()]
        start = end.end()
    yield start, text[start:]


def _is_rule(content: str) -> bool:
    marks = content.replace(" ", "").replace("\t", "")
    return len(marks) >= 3 and marks[0] in "-*_" and not marks.strip(marks[0])


def _is_delimiter_row(line: str) -> bool:
    return "|" in line and "-" in line and _DELIMITER_ROW.match(line) is not None
