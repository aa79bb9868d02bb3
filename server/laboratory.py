"""The gates, each tried alone on one input as JSON, so that anybody may see what a gate says."""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar, cast

from gates.forms import is_text
from index.faults import BadSettings
from index.records import Block, Digest, Limits
from index.text import count_words

T = TypeVar("T")
# What a gate answers here: one word, or a mapping where the answer has parts.
Answer = str | dict[str, Any]
NAME = "input.md"


def judge(name: str, question: object) -> Answer:
    """What the gate of this name says of an input; a malformed input is a fault that says how."""
    if name not in GATES:
        from index.paths import nearest

        near = nearest(name, GATES, 1)
        ways = f"did you mean {near[0]}? " if near else ""
        raise BadSettings(f"no gate is called {name!r}", f"{ways}--list names them all")
    return GATES[name](question)


def frontmatter_split(question: object) -> Answer:
    """Where the metadata of a file ends; of an unclosed block the body is unknown."""
    from index.frontmatter import read_head
    from index.lines import read_lines

    text = _typed(question, str, "input")
    if not is_text(text):
        return {"has_frontmatter": False, "body": None, "error": "encoding"}
    content = text.encode()
    head = read_head(NAME, content, read_lines(content), Limits())
    if head.body_start is None:
        return {"has_frontmatter": False, "body": None, "error": head.frontmatter.error}
    body = content[head.body_start :].decode()
    return {"has_frontmatter": head.frontmatter.kind != "none", "body": body}


def digest_copy(question: object) -> Answer:
    """Whether an excerpt has enough words of its own beside a summary."""
    from gates.digest import body_not_digest

    asked = _Question(question)
    digests = [Digest(asked.text("summary", ""))]
    verdict = body_not_digest(asked.text("excerpt"), digests, asked.number("min_words"))
    return "accept" if verdict.passed else "reject"


def third_person_narration(question: object) -> Answer:
    """Whether an excerpt is told by somebody, and not of them."""
    from gates.narration import Narrator, not_narrated

    asked = _Question(question)
    narrator = Narrator(asked.texts("subject_names"))
    verdict = not_narrated(asked.text("excerpt"), narrator, asked.text("lang", ""))
    return "accept" if verdict.passed else "reject"


def first_person_voice(question: object) -> Answer:
    """Whether a text is first-person prose."""
    from gates.voice import PARAGRAPHS, first_person, hear

    asked = _Question(question)
    voice = hear(asked.text("text"), asked.text("lang", ""))
    verdict = first_person(voice, asked.number("min_paragraphs", PARAGRAPHS))
    return {"passed": "pass", "refused": "fail", "undecidable": "needs_human"}[verdict.outcome]


def term_fanout(question: object) -> Answer:
    """Whether one term leaves the words of the anchors."""
    from gates.terms import read_terms

    asked = _Question(question)
    anchor = asked.given("anchor")
    anchors = [anchor] if isinstance(anchor, str) else asked.texts("anchor")
    terms = read_terms([asked.given("term")], anchors, asked.text("lang", ""))
    return "counted" if terms.distinct else "not_counted"


def term_list(question: object) -> Answer:
    """Whether a list holds enough terms in form."""
    from gates.terms import enough_terms, read_terms

    verdict = enough_terms(read_terms(_Question(question).given("terms"), ()))
    return "accept" if verdict.passed else "reject"


def summary_scores(question: object) -> Answer:
    """Whether a batch is scored whole and in form."""
    from gates.scoring import scores_complete

    asked = _Question(question)
    verdict = scores_complete(asked.texts("ids"), asked.given("scores"))
    return "accept" if verdict.passed else "reject"


def excerpt_bounds(question: object) -> Answer:
    """Whether an excerpt is whole paragraphs of a body, byte for byte, and of quotable length."""
    from gates.bounds import whole_paragraphs, within_bounds

    asked = _Question(question)
    least, most = asked.number("min_words"), asked.number("max_words")
    body, excerpt = asked.text("body"), asked.text("excerpt").strip("\r\n")
    if not (is_text(body) and is_text(excerpt)):
        return "reject"
    content, piece = body.encode(), excerpt.encode()
    blocks = _blocks(content)
    for start in (block.start for block in blocks if content.startswith(piece, block.start)):
        end = start + len(piece)
        if whole_paragraphs(blocks, start, end, most).passed:
            run = [block for block in blocks if start <= block.start < end]
            words, flags = _quotable(blocks, run, piece, least)
            if within_bounds(words, least, most, flags).passed:
                return "accept"
    return "reject"


def must_have_looked(question: object) -> Answer:
    """Whether enough documents were opened, the declared one among them."""
    from gates import reading

    asked = _Question(question)
    opened = [_identity(path) for path in asked.texts("opened")]
    declared = _identity(asked.text("declare"))
    floor = asked.number("floor", reading.FLOOR)
    verdict = reading.must_have_looked(opened, declared, asked.number("docs_in_base"), floor)
    return "accept" if verdict.passed else "refuse"


def hidden_text(question: object) -> Answer:
    """Whether a text holds characters that do not show."""
    from gates.hidden import nothing_hidden

    return "flag" if nothing_hidden(_typed(question, str, "input")).flag else "clean"


GATES: Mapping[str, Callable[[object], Answer]] = {
    gate.__name__: gate
    for gate in (
        frontmatter_split,
        digest_copy,
        third_person_narration,
        first_person_voice,
        term_fanout,
        term_list,
        summary_scores,
        excerpt_bounds,
        must_have_looked,
        hidden_text,
    )
}


class _Question:
    """A mapping whose fields are read by name and kind; what no gate judges must be in form."""

    def __init__(self, question: object) -> None:
        self._fields = cast("Mapping[str, object]", _typed(question, dict, "input"))

    def given(self, name: str) -> object:
        """A field as it is, for the gate to judge."""
        if name not in self._fields:
            raise BadSettings(f"input.{name} is missing")
        return self._fields[name]

    def text(self, name: str, absent: str | None = None) -> str:
        """A text; `absent` stands for one that is missing or null."""
        if absent is not None and self._fields.get(name) is None:
            return absent
        return _typed(self.given(name), str, f"input.{name}")

    def number(self, name: str, absent: int | None = None) -> int:
        """A whole number; `absent` stands for a missing one."""
        if absent is not None and name not in self._fields:
            return absent
        value = self.given(name)
        if isinstance(value, bool):
            raise BadSettings(f"input.{name} is true or false, a whole number is asked")
        return _typed(value, int, f"input.{name}")

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        entries = cast("list[object]", _typed(self.given(name), list, f"input.{name}"))
        return [_typed(entry, str, f"input.{name}[{at}]") for at, entry in enumerate(entries)]


_KINDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}


def _typed(value: object, kind: type[T], place: str) -> T:
    if not isinstance(value, kind):
        raise BadSettings(f"{place} is of the wrong kind", f"{place} must be {_KINDS[kind]}")
    return value


def _blocks(content: bytes) -> tuple[Block, ...]:
    from index.blocks import read_blocks
    from index.lines import read_lines

    return read_blocks(NAME, content, read_lines(content), 1)[0] if content else ()


def _quotable(
    blocks: Sequence[Block], run: Sequence[Block], piece: bytes, least: int
) -> tuple[int, tuple[str, ...]]:
    """The words that count, and what excuses few; lists count where a body needs them."""
    from gates.bounds import PROSE, prose_words

    if len(run) == 1 and run[0].text.encode() != piece:
        return count_words(piece.decode()), ()
    if prose_words(blocks) < least:
        return prose_words(run), ("SHORT_NOTE",) if prose_words(run) == prose_words(blocks) else ()
    runs = groupby(blocks, key=lambda block: block.kind in ("paragraph", "heading"))
    plain = max((prose_words(list(group)) for quotable, group in runs if quotable), default=0)
    return prose_words(run, ["paragraph"] if plain >= least else PROSE), ()


def _identity(path: str) -> str:
    """Two spellings of one path are one document."""
    return posixpath.normpath(path)
