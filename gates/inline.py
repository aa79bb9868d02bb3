"""Inline marks of markdown blanked out of a paragraph, blank for letter, so that places stay."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from index.text import Span

_TICKS = re.compile("`+")
_MARKS = re.compile(
    r"\\[\\`*_<>\[\]~#&!]"
    r"|</?[A-Za-z][^<>]*+>|<[a-z]+:[^<>\s]*+>"  # tags and addresses
    r"|\]\([^()\n]*+\)|\]\[[^\[\]\n]*+\]"  # where links lead
    r"|\[\^[^\[\]\s]*+\]"  # footnote marks
    r"|https?://\S++"
    r"|[*~\[\]]|(?<!\w)_++|_++(?!\w)"
)
_INK = re.compile(r"[^\r\n]")


def prose_of(paragraph: str) -> str:
    """The paragraph with code, comments, tags, targets and emphasis marks as blanks."""
    for spans in (_code_spans, _comments, _marks):
        paragraph = blanked(paragraph, spans(paragraph))
    return paragraph


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


def _comments(text: str) -> Iterator[Span]:
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start + 4)) >= 0:
        yield start, end + 3
        start = text.find("<!--", end + 3)


def _marks(text: str) -> Iterator[Span]:
    return (match.span() for match in _MARKS.finditer(text))
