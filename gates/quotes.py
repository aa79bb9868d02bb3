"""Where somebody else speaks: quotation marks of every style, and dialogue dashes."""

import re
from collections.abc import Iterator, Sequence

from index.text import Span

# Each mark that may open speech, and those that may close it; languages mix them freely.
_CLOSERS = {
    '"': '"\u201d',
    "\u201c": '\u201d"',
    "\u201d": "\u201d",
    "\u201e": '\u201c\u201d\u201f"',
    "\u201f": "\u201d",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab\u00bb",
    "\u2039": "\u203a",
    "\u203a": "\u2039\u203a",
    "'": "'",
    "\u2018": "\u2019",
    "\u2019": "\u2019",
    "\u201a": "\u2018\u2019",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
}
_MARK = re.compile(f"[{''.join({*_CLOSERS, *''.join(_CLOSERS.values())})}]")
# These are apostrophes too, so they open speech only where one of them closes it.
_SINGLE = "'\u2018\u2019\u201a"
# French sets a blank inside its marks.
_GUILLEMETS = "\u00ab\u00bb\u2039\u203a"
_CORNERS = "\u300c\u300e"
_BEFORE_SPEECH = "([{\u2014\u2013-/:" + "".join(_CLOSERS)
_DASH = re.compile(r"(?:\A|(?<=[\r\n]))[ \t]*+(?:[\u2012-\u2015]|--)(?!-)")
_SPEECH_VERBS = (
    "said|says|asked|replied|answered|told|sa|sier|spurte|svarte|spør|sade|säger|frågade|svarade|"
    "sagde|siger|spurgte|svarede|sagte|sagt|fragte|antwortete|zei|zegt|vroeg|dit|demanda|répondit|"
    "dijo|dice|preguntó|respondió|disse|chiese|rispose|perguntou|respondeu"
)
_SPEECH_TAG = re.compile(rf"[,?!\u2026]\s+(?:\w+\s+)?(?:{_SPEECH_VERBS})\b", re.IGNORECASE)


def quoted(paragraph: str, listed: bool = False, following: str = "") -> list[Span]:
    """The stretches of a paragraph of prose that others speak, as character offsets.

    An opening mark that nothing closes holds to the end of the paragraph: so quotations run over
    several, each opened anew; an apostrophe opens one only if `following`, the next paragraph's
    first character, does so again. A line that opens with a dash is dialogue; a `listed` one, after
    a hyphen, only if somebody is said to speak.
    """
    if listed and _SPEECH_TAG.search(paragraph):
        return [(0, len(paragraph))]
    dash = _DASH.search(paragraph)
    end = dash.start() if dash else len(paragraph)
    spans = list(_marked(paragraph[:end], following))
    return [*spans, (end, len(paragraph))] if dash else spans


def _marked(text: str, following: str) -> Iterator[Span]:
    marks = list(_MARK.finditer(text))
    lead = len(text) - len(text.lstrip())
    continued = following if text.startswith(following, lead) else ""
    last_closers = _last_closers(text, marks, continued)
    possessives = _possessives(text, marks, lead)
    start, opener, depth = 0, "", 0
    for mark in (mark for mark in marks if mark.start() not in possessives):
        at, sign = mark.start(), mark[0]
        if not opener:
            if _opens(text, at, lead) and _will_close(sign, at, last_closers):
                start, opener, depth = at, sign, 1
        elif sign in _CLOSERS[opener] and _closes(text, at):
            depth -= 1
            if not depth:
                yield start, at + 1
                opener = ""
        elif sign == opener and _opens(text, at, lead):
            depth += sign != '"'
    if opener:
        yield start, len(text)


def _last_closers(text: str, marks: Sequence[re.Match[str]], continued: str) -> dict[str, int]:
    """Where each mark closes something last; beyond the end what the next paragraph continues."""
    found = {mark[0]: mark.start() for mark in marks if _closes(text, mark.start())}
    return found | dict.fromkeys(_CLOSERS.get(continued, ""), len(text))


def _possessives(text: str, marks: Sequence[re.Match[str]], lead: int) -> set[int]:
    """Apostrophes after a plural: `the boys' house`, where speech still closes further on."""
    found: set[int] = set()
    closes_later = False
    for mark in reversed(marks):
        at, sign = mark.start(), mark[0]
        if sign not in _SINGLE:
            continue
        if _opens(text, at, lead):
            closes_later = False
        elif _closes(text, at):
            plural = text[at - 1] in "sS" and text[at + 1 : at + 2].isspace()
            if plural and closes_later:
                found.add(at)
            closes_later = True
    return found


def _will_close(sign: str, at: int, last_closers: dict[str, int]) -> bool:
    return sign not in _SINGLE or any(last_closers.get(end, -1) > at for end in _CLOSERS[sign])


def _opens(text: str, at: int, lead: int) -> bool:
    sign, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if sign in _CORNERS:
        return True
    if sign not in _CLOSERS or not after:
        return False
    if sign in _GUILLEMETS and after.isspace():
        return sign == "\u00ab" or at == lead
    return not after.isspace() and (not before or before.isspace() or before in _BEFORE_SPEECH)


def _closes(text: str, at: int) -> bool:
    sign, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if sign in _GUILLEMETS or sign in "\u300d\u300f":
        return True
    return bool(before) and not before.isspace() and not after.isalnum()
