"""Which lines of a markdown file may belong to a table: CommonMark's block rules, line by line."""

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["blank", "text", "heading", "other"]

_ATX = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
_FENCE = re.compile(r"`{3,}+|~{3,}+")
_ITEM = re.compile(r"(?:[-+*]|([0-9]{1,9})[.)])(?=[ \t]|$)")
_QUOTE_MARKS = re.compile(r"^(?: {0,3}> ?)+")
_RULE_MARKS = "*-_"
_RAW = re.compile(r"<(script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_RAW_ENDS = ("</script>", "</pre>", "</style>", "</textarea>")
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd"
    r"|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]"
    r"|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup"
    r"|option|p|param|search|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track"
    r"|ul)(?=[ \t>]|/>|$)",
    re.IGNORECASE,
)
_LONE_TAG = re.compile(
    r"(?:<[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][\w.:-]*"
    r"(?:[ \t]*=[ \t]*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*[ \t]*/?>"
    r"|</[A-Za-z][A-Za-z0-9-]*[ \t]*>)$"
)
# A setext heading may have several lines; no honest one has more.
_LONGEST_PARAGRAPH = 50
# Lists go no deeper in earnest, and it bounds the work that one line can make.
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Line:
    """One line as a block parser sees it.

    `text` is what stands in it without indentation and list marks; `depth` counts the list items
    around it, `opens` says that one begins here. Only a line of kind `text` can be a table's.
    """

    kind: Kind
    text: str = ""
    depth: int = 0
    opens: bool = False


_BLANK = Line("blank")
_OTHER = Line("other")


@dataclass(slots=True)
class LineScanner:
    """Reads a file from its first line to its last and knows what each line is part of."""

    items: list[int] = field(default_factory=list[int])
    paragraph: list[str] = field(default_factory=list[str])
    lazy: bool = False
    fence: str = ""
    html: tuple[str, ...] = ()
    depth: int = 0

    def read(self, line: str) -> Line:
        """The next line of the file."""
        text = line.lstrip(" \t")
        if not text.strip():
            return self._blank()
        indent = _columns(line[: len(line) - len(text)])
        kept = sum(1 for offset in self.items if offset <= indent)
        if (self.fence or self.html) and kept >= self.depth:
            self._inside(text.rstrip(), indent - self._base(kept))
            return _OTHER
        self.fence, self.html = "", ()
        return self._open(text.rstrip(), indent, kept)

    def end_paragraph(self) -> None:
        """Tell the scanner that its last line was no paragraph but part of a table."""
        self.paragraph.clear()

    def _base(self, kept: int) -> int:
        return self.items[kept - 1] if kept else 0

    def _blank(self) -> Line:
        self.end_paragraph()
        self.lazy = False
        if self.html == ("",):
            self.html = ()
        return _OTHER if self.fence or self.html else _BLANK

    def _inside(self, text: str, indent: int) -> None:
        """A line of fenced code or of HTML; it may be the last."""
        if self.fence:
            mark = self.fence
            if indent < 4 and text.startswith(mark) and not text.strip(mark[0]):
                self.fence = ""
        elif self.html != ("",) and any(end in text.lower() for end in self.html):
            self.html = ()

    def _open(self, text: str, indent: int, kept: int) -> Line:
        """A line outside code and HTML: a block may begin here, in one or several list items."""
        before = kept
        while True:
            inner = indent - self._base(kept)
            continues = bool(self.paragraph) and kept == len(self.items)
            if inner >= 4:
                return self._indented(text, kept)
            if kept == len(self.items) and (heading := self._setext(text)):
                return heading
            item = None if _is_rule(text) else self._item(text, continues)
            if item is None:
                return self._leaf(text, kept, continues, kept > before)
            # A list item: what follows its mark is a line of its own.
            self._leave(kept)
            width = len(item)
            rest = text[width:].lstrip(" \t")
            gap = _columns(text[width : len(text) - len(rest)], indent + width)
            if not rest:
                self.items.append(indent + width + 1)
                return _OTHER
            self.items.append(indent + width + (gap if gap <= 4 else 1))
            kept += 1
            text, indent = rest, indent + width + gap

    def _indented(self, text: str, kept: int) -> Line:
        """Indented code, or a further line of a paragraph, which is never a table's."""
        if self.paragraph or self.lazy:
            self._note(text)
            return _OTHER
        self._leave(kept)
        return _OTHER

    def _setext(self, text: str) -> Line | None:
        if not self.paragraph or self.lazy or (text.strip("=") and text.strip("-")):
            return None
        heading = " ".join(self.paragraph)
        self.end_paragraph()
        return Line("heading", heading, len(self.items))

    def _item(self, text: str, continues: bool) -> str | None:
        """The mark of a list item, if this line starts one."""
        found = _ITEM.match(text)
        if found is None or len(self.items) >= _DEEPEST:
            return None
        interrupts = bool(self.paragraph) and continues
        if interrupts and (found[1] not in (None, "1") or found.end() == len(text)):
            return None
        return found[0]

    def _leaf(self, text: str, kept: int, continues: bool, opens: bool) -> Line:
        if heading := _ATX.match(text):
            self._leave(kept)
            title = _CLOSING_HASHES.sub("", text[heading.end() :]).strip()
            return Line("heading", title, kept)
        if text.startswith(">"):
            self._leave(kept)
            self.lazy = LineScanner().read(_quoted(text)).kind == "text"
            return _OTHER
        if _is_rule(text) or self._opens(text, continues):
            self._leave(kept)
            self.depth = kept
            return _OTHER
        return self._text(text, kept, opens)

    def _opens(self, text: str, continues: bool) -> bool:
        """Whether code or HTML begins here; it may end on the same line."""
        fence = _FENCE.match(text)
        # The info string of a backtick fence holds no backtick.
        if fence and (fence[0][0] == "~" or "`" not in text[fence.end() :]):
            self.fence = fence[0]
            return True
        if not text.startswith("<"):
            return False
        ends = _html_ends(text, continues)
        if ends is None:
            return False
        if ends == ("",) or not any(end in text.lower() for end in ends):
            self.html = ends
        return True

    def _text(self, text: str, kept: int, opens: bool) -> Line:
        if self.lazy or (self.paragraph and kept < len(self.items)):
            self._note(text)
            return _OTHER
        self._leave(kept, keep_paragraph=True)
        self._note(text)
        return Line("text", text, kept, opens)

    def _note(self, text: str) -> None:
        if len(self.paragraph) < _LONGEST_PARAGRAPH:
            self.paragraph.append(text)

    def _leave(self, kept: int, keep_paragraph: bool = False) -> None:
        """A block begins with `kept` list items around it: all else is closed."""
        if not keep_paragraph:
            self.end_paragraph()
        del self.items[kept:]
        self.lazy = False


def _columns(blanks: str, start: int = 0) -> int:
    """The width of leading white space, tabs going to the next multiple of four."""
    column = start
    for character in blanks:
        column += 4 - column % 4 if character == "\t" else 1
    return column - start


def _quoted(text: str) -> str:
    """What a line of a quotation says; a mark takes one blank with it, so that code stays code."""
    return _QUOTE_MARKS.sub("", text.expandtabs(4), count=1)


def _is_rule(text: str) -> bool:
    marks = text.replace(" ", "").replace("\t", "")
    return len(marks) >= 3 and marks[0] in _RULE_MARKS and not marks.strip(marks[0])


def _html_ends(text: str, continues: bool) -> tuple[str, ...] | None:
    """What ends the HTML block that begins here ("" is a blank line); None if none begins."""
    if _RAW.match(text):
        return _RAW_ENDS
    for start, end in (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")):
        if text.startswith(start):
            return (end,)
    if text.startswith("<!") and text[2:3].isalpha():
        return (">",)
    if _BLOCK_TAG.match(text) or (not continues and _LONE_TAG.match(text)):
        return ("",)
    return None
