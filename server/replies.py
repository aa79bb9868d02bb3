"""What a tool answers when its gates let it pass: small models, each with a text that suffices."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from server.refusals import Refusal
from server.shown import quoted, visible_line


class Next(BaseModel):
    """The move to make now, and one sentence why."""

    tool: str
    why: str


class Reply(BaseModel):
    """An answer; `flags` name what people should know, `next` the legal move."""

    model_config = ConfigDict(frozen=True)

    flags: tuple[str, ...] = ()
    next: Next

    def body(self) -> list[str]:
        """The answer's own lines."""
        return []

    # A mapping is shown sorted: an answer that was stored comes back so, and reads as it did.

    @property
    def text(self) -> str:
        """The whole answer for a client that shows text only."""
        flags = [f"Flags: {', '.join(self.flags)}"] if self.flags else []
        return "\n".join([*self.body(), *flags, f"Next: {self.next.tool} — {self.next.why}"])


class Opened(Reply):
    """A dig and what it looks for."""

    dig_id: str
    base: str
    context: dict[str, str | tuple[str, ...]]
    guidance: str = ""

    def body(self) -> list[str]:
        """Id, base and the context, a line each."""
        facts = [f"{key}: {_plain(value)}" for key, value in sorted(self.context.items()) if value]
        opened = f"Opened {self.dig_id} on base {self.base}."
        return [opened, *facts, *_owners(self.guidance)]


class Summary(BaseModel):
    """One row of a batch, as an agent reads it."""

    id: str
    summary: str
    note: str = ""


class TopRow(BaseModel):
    """One of the best rows, with its score."""

    id: str
    title: str
    summary: str
    embodies: int
    why: str
    note: str = ""


class Batch(Reply):
    """Rows to score, at most ten; after the last batch the top rows instead, to pick from."""

    dig_id: str
    pattern: str
    batch: int = 0
    batches: int = 0
    rows: tuple[Summary, ...] = ()
    top: tuple[TopRow, ...] = ()
    counts: dict[str, int] = {}
    weak_terms: tuple[str, ...] = ()
    guidance: str = ""
    redirect: str = ""

    def body(self) -> list[str]:
        """Counts, the pattern, other people's words, then the rows."""
        lines: list[str] = []
        if self.counts:
            lines.append("Found: " + ", ".join(f"{k} {v}" for k, v in sorted(self.counts.items())))
        if self.weak_terms:
            weak = ", ".join(visible_line(term) for term in self.weak_terms)
            lines.append(f"Not counted as distinct: {weak}")
        lines.append(f"Pattern: {visible_line(self.pattern)}")
        lines += _owners(self.guidance) + _persons(self.redirect)
        if self.top:
            return [*lines, "Top rows:", *(line for row in self.top for line in _top_row(row))]
        lines.append(f"Batch {self.batch} of {self.batches} of {self.dig_id}:")
        return [*lines, *(_row(row.id, row.summary, row.note) for row in self.rows)]


class Picked(Reply):
    """What was accepted."""

    dig_id: str
    deep_cuts: tuple[str, ...]
    direct_hits: tuple[str, ...]
    pass4_empty: bool

    def body(self) -> list[str]:
        """The two lists of ids."""
        return [
            f"Deep cuts: {', '.join(self.deep_cuts) or 'none'}"
            + (" (pass 4 empty)" if self.pass4_empty else ""),
            f"Direct hits: {', '.join(self.direct_hits) or 'none'}",
        ]


class Cut(Reply):
    """One verbatim excerpt and where it stands."""

    dig_id: str
    id: str
    file: str
    lines: str
    words: int
    sha256: str
    excerpt: str
    verdicts: dict[str, str] = {}

    def body(self) -> list[str]:
        """Provenance, verdicts, then the words."""
        verdicts = ", ".join(f"{gate} {outcome}" for gate, outcome in sorted(self.verdicts.items()))
        return [
            f"{self.id}: {visible_line(self.file)}, lines {self.lines}, {self.words} words, "
            f"sha256 {self.sha256}",
            f"Gates: {verdicts}",
            "Excerpt (text of the file, data):",
            quoted(self.excerpt),
        ]


class Reported(Reply):
    """The report, its hash, and how a person decides."""

    dig_id: str
    report: str
    sha256: str
    ways: tuple[str, ...]

    def body(self) -> list[str]:
        """The report as it stands, then the ways."""
        return [self.report, f"SHA-256: {self.sha256}", *self.ways]


class Briefed(Reply):
    """The saved brief; or, not saved, the ways to a voice anchor."""

    dig_id: str
    saved: bool
    voice_anchor: str
    path: str = ""
    sha256: str = ""
    ways: tuple[str, ...] = ()

    def body(self) -> list[str]:
        """Where the brief is, or why it is not."""
        if self.saved:
            gone = "BRIEF_GONE" in self.flags
            return [
                f"Brief {'saved once, and gone from' if gone else 'saved:'} {self.path}",
                f"sha256 {self.sha256}",
                f"voice_anchor: {self.voice_anchor}",
            ]
        return ["saved: false", f"voice_anchor: {self.voice_anchor}", *self.ways]


class DigLine(BaseModel):
    """One dig in a list."""

    dig_id: str
    base: str
    title: str
    state: str
    opened_at: str


class Status(Reply):
    """Where a dig stands, or the digs that are open."""

    dig_id: str = ""
    state: str = ""
    waits_for: str = ""
    digs: tuple[DigLine, ...] = ()
    elsewhere: int = 0
    attempts: tuple[str, ...] = ()

    def body(self) -> list[str]:
        """One dig in two lines, or a line for each."""
        if self.dig_id:
            lines = [f"{self.dig_id} is {self.state}", *self.attempts]
            return [*lines, self.waits_for] if self.waits_for else lines
        listed = [f"{d.dig_id}  {d.state}  {d.base}  {visible_line(d.title)}" for d in self.digs]
        others = [f"{self.elsewhere} more on bases that are not served here."]
        return [*(listed or ["No open digs."]), *(others if self.elsewhere else [])]


class Snippet(BaseModel):
    """One line of a file that matched."""

    line: int
    text: str


class Hit(BaseModel):
    """One file that a search found."""

    file: str
    title: str
    score: float
    snippets: tuple[Snippet, ...] = ()
    links: tuple[str, ...] = ()
    backlinks: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Its lines that match, and its neighbours where they were asked for."""
        found = [f"    {s.line}: {visible_line(s.text)}" for s in self.snippets]
        for heading, paths in (("links to", self.links), ("linked from", self.backlinks)):
            if paths:
                found.append(f"    {heading}: {', '.join(map(visible_line, paths))}")
        return found


class Found(Reply):
    """Files for looking around; nothing of it enters a dig."""

    query: str
    base: str
    hits: tuple[Hit, ...]

    def body(self) -> list[str]:
        """Each file with its lines."""
        lines: list[str] = []
        for hit in self.hits:
            lines.append(f"{visible_line(hit.file)} — {visible_line(hit.title)}")
            lines += hit.lines()
        return lines or ["No file matches."]


class Finding(BaseModel):
    """Something in a draft, by line (from 1)."""

    line: int
    kind: str
    text: str


class Draft(Reply):
    """What a draft borrows that it should not, and quotes that the brief does not hold."""

    brief: str
    findings: tuple[Finding, ...]

    def body(self) -> list[str]:
        """A line for each finding."""
        return [f"line {f.line}: {f.kind}: {visible_line(f.text)}" for f in self.findings] or [
            "Nothing found: no banned phrase, every quotation is in the brief."
        ]


Answer = Reply | Refusal

REPLIES: dict[str, type[Reply]] = {
    form.__name__: form for form in (Opened, Batch, Picked, Cut, Reported, Briefed)
}


def store_answer(tool: str, attempt: str, answer: Answer) -> dict[str, Any]:
    """An answer as kept in an event, so that the same call gets it again."""
    data = answer.model_dump(mode="json")
    if isinstance(answer, Refusal):
        return {"tool": tool, "attempt": attempt, "refusal": data}
    return {"tool": tool, "attempt": attempt, "reply": type(answer).__name__, "data": data}


def stored_answer(kept: Mapping[str, Any]) -> Answer:
    """The answer that an event keeps."""
    if "refusal" in kept:
        return Refusal.model_validate(kept["refusal"])
    return REPLIES[kept["reply"]].model_validate(kept["data"])


def _row(id_: str, text: str, note: str) -> str:
    tail = f" [{visible_line(note)}]" if note else ""
    return f"  {id_}: {visible_line(text)}{tail}"


def _top_row(row: TopRow) -> list[str]:
    first = _row(row.id, row.title, f"embodies {row.embodies}: {row.why}")
    return [first, "  " + _row("summary", row.summary, row.note)]


def _owners(guidance: str) -> list[str]:
    return ["The owner's guidance for this step:", quoted(guidance)] if guidance else []


def _persons(words: str) -> list[str]:
    return ["The person redirected the dig (their words, data):", quoted(words)] if words else []


def _plain(value: str | Sequence[str]) -> str:
    return visible_line(value if isinstance(value, str) else "; ".join(value))
