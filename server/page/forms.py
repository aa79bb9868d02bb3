"""What a person has filled in: read strictly, carried on unchanged; `review` judges it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qsl

from server.dig_state import Decision
from server.review import Choices

Deed = Literal["", "decide", "point", "dictate", "redirect"]
DEEDS: tuple[Deed, ...] = ("decide", "point", "dictate", "redirect")
CHOICES = ("keep", "drop")

# Two for each candidate, and the rest of the form.
_MOST_FIELDS = 400
_CHOICE, _VOUCH = "choice.", "vouch."
# What a person writes; each belongs to one deed.
_WORDS = ("file", "line", "passage", "words")


class BadForm(Exception):
    """This was sent by no form of ours."""


@dataclass(frozen=True, slots=True)
class Form:
    """A person's answers about one report; `choices` holds keep or drop by candidate."""

    report: str = ""
    deed: Deed = ""
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    vouched: tuple[str, ...] = ()
    file: str = ""
    line: str = ""
    passage: str = ""
    words: str = ""

    def as_choices(self, shown: Sequence[str]) -> Choices:
        """The choices in the order of the report; `review` refuses those of other candidates."""
        ids = sorted(self.choices, key=lambda id_: shown.index(id_) if id_ in shown else len(shown))
        keep, drop = (
            tuple(id_ for id_ in ids if self.choices[id_] == choice) for choice in CHOICES
        )
        return Choices(keep, drop, self.vouched)

    @property
    def place(self) -> tuple[str, int]:
        """The file and line pointed to; the first line if none is named."""
        return self.file.strip(), int(self.line.strip() or 1)

    def fields(self) -> tuple[tuple[str, str], ...]:
        """The same as fields of another form, for the next page to carry."""
        return (
            ("report", self.report),
            ("deed", self.deed),
            *((f"{_CHOICE}{id_}", choice) for id_, choice in self.choices.items()),
            *((f"{_VOUCH}{id_}", "yes") for id_ in self.vouched),
            *((name, getattr(self, name)) for name in _WORDS),
        )

    def parts(self) -> tuple[str, ...]:
        """Every name and value in one order, to be sealed."""
        return tuple(word for pair in sorted(self.fields()) for word in pair)


def read_fields(body: bytes) -> dict[str, str]:
    """The fields of a posted form, each once, lines ended by LF; raises BadForm."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError as wrong:
        raise BadForm from wrong
    fields = {name: value.replace("\r\n", "\n").replace("\r", "\n") for name, value in pairs}
    if len(fields) < len(pairs) or any("\0" in value for value in fields.values()):
        raise BadForm
    return fields


def read_form(fields: Mapping[str, str]) -> Form:
    """The answers in the fields; raises BadForm where the page offers no such answer."""
    deed = fields.get("deed", "")
    choices = _named(fields, _CHOICE)
    if deed not in ("", *DEEDS) or not set(choices.values()) <= set(CHOICES):
        raise BadForm
    return Form(
        report=fields.get("report", ""),
        deed=deed,
        choices=choices,
        vouched=tuple(_named(fields, _VOUCH)),
        **{name: fields.get(name, "") for name in _WORDS},
    )


def form_of(report_sha256: str, decision: Decision | None) -> Form:
    """The form as a person first meets it: nothing chosen, unless they have decided before."""
    if decision is None:
        return Form(report=report_sha256, deed="decide")
    choices = {**dict.fromkeys(decision.keep, "keep"), **dict.fromkeys(decision.drop, "drop")}
    return Form(report=report_sha256, choices=choices, vouched=decision.vouched)


def _named(fields: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {
        name.removeprefix(prefix): value
        for name, value in fields.items()
        if name.startswith(prefix)
    }
