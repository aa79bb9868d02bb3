"""Inline marks of markdown blanked out of a paragraph, blank for letter, so that places stay."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from index.text import Span

_TICKS = re.compile("`+")
_TARGETS = re.compile(
    r"</?[A-Za-z][^<>]*+>|<[a-z]+:[^<>\s]*+>"  # tags and addresses
    r"|\]\([^()\n]*+\)|\]\[[^\[\]\n]*+\]"  # where links lead
    r"|\[\^[^\[\]\s]*+\]"  # footnote marks
    r"|https?://\S++"
    r"|&(?:[A-Za-z]{2,10}|#\d{1,7});"
)
_EMPHASIS = re.compile(r"\\[\\`*_<>\[\]~#&!]|[*~\[\]]|(?<!\w)_++|_++(?!\w)")
# Comments of HTML and of Obsidian; what `q` encloses is a quotation.
_ENCLOSED = (("<!--", "-->"), ("%%", "%%"), ("<q>", "</q>"))
_INK = re.compile(r"[^\r\n]")


def prose_of(paragraph: str) -> str:
    """The paragraph with code, comments, tags, targets and emphasis marks as blanks."""
    paragraph = unlinked(blanked(paragraph, _code_spans(paragraph)))
    return blanked(paragraph, (match.span() for match in _EMPHASIS.finditer(paragraph)))


def unlinked(text: str) -> str:
    """The text with comments, tags, targets and footnote marks as blanks; what is read stays."""
    for opener, closer in _ENCLOSED:
        text = blanked(text, _enclosed(text, opener, closer))
    return blanked(text, (match.span() for match in _TARGETS.finditer(text)))


def blanked(text: str, spans: Iterable[Span]) -> str:
    """The text with these spans, in order and apart from each other, turned into blanks."""
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        pieces += (text[done:start], _INK.sub(" ", text[start:end]))
        done = end
    return "".join([*pieces, text[done:]])


def _code_spans(text: str) -> Iterator[Span]:
    """Runs of backticks and the next run of the same length, as CommonMark pairs them."""
    runs = [match.span() for match in _TICKS.finditer(text)]
    later: dict[int, list[Span]] = defaultdict(list)
    for run in reversed(runs):
        later[run[1] - run[0]].append(run)
    done = 0
    for start, end in runs:
        same = later[end - start]
        same.pop()
        if start >= done and same:
            done = same[-1][1]
            yield start, done


def _enclosed(text: str, opener: str, closer: str) -> Iterator[Span]:
    start = text.find(opener)
    while start >= 0 and (end := text.find(closer, start + len(opener))) >= 0:
        yield start, end + len(closer)
        start = text.find(opener, end + len(closer))
