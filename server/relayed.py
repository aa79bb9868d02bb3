"""A decision that came in a file: the weakest way, open only where the owner says so."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from index.records import Limits
from index.values import Unreadable
from index.yaml_values import load_yaml
from server import refusals
from server.brief_file import read_text
from server.config_values import Words
from server.foreseen import as_refusals
from server.refusals import Refusal
from server.replies import Answer
from server.report import shown_ids
from server.review import Choices, Hand, Review

ASKED = "decide --from-file"
MOST_BYTES = 256 * 1024


class Point(BaseModel):
    """A place in a file of the base."""

    model_config = ConfigDict(extra="forbid")

    file: str
    line: int = 1


class DecisionFile(BaseModel):
    """What the file may say; `all` stands for every candidate not named elsewhere."""

    model_config = ConfigDict(extra="forbid")

    dig: str
    report_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    keep: Words = ()
    drop: Words = ()
    vouch: Words = ()
    redirect: str = ""
    dictate: str = ""
    point: Point | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if sum(map(bool, (self.redirect, self.dictate, self.point))) > 1:
            raise ValueError("redirect, dictate and point exclude each other")
        return self


def decide_from_file(review: Review, dig: str, path: Path) -> Answer:
    """Record the decision in a YAML or JSON file, at level `relayed`."""
    if not review.digs.settings.decide.relayed:
        return Refusal(
            gate="relayed_allowed",
            flag="NOT_DECIDED",
            asked=ASKED,
            reason="the configuration does not allow relayed decisions",
            remedy=f"decide at a terminal: expedition decide {dig}",
        )
    found = _read(read_text(path, MOST_BYTES))
    if isinstance(found, Refusal):
        return found
    return as_refusals(ASKED, lambda: _recorded(review, dig, found))


def _read(text: str) -> DecisionFile | Refusal:
    try:
        values, remarks = load_yaml(text, Limits())
        for remark in remarks:
            if remark.kind == "duplicate-key":
                reason = f"line {remark.line}: {remark.detail} is said twice"
                return refusals.invalid_argument(ASKED, reason, "mend the file")
        return DecisionFile.model_validate(values)
    except Unreadable as wrong:
        return refusals.invalid_argument(ASKED, str(wrong), "mend the file")
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        return refusals.invalid_argument(ASKED, f"{place}: {first['msg']}", "mend the file")


def _recorded(review: Review, dig: str, found: DecisionFile) -> Answer:
    state = review.digs.load(dig)
    if found.dig != dig:
        # two digs may have found the same, and then their reports have one hash
        return refusals.invalid_argument(ASKED, "the file is about another dig", f"say dig: {dig}")
    shown = shown_ids(state, state.report.anchors) if state.report else ()
    choices = _choices(found, shown)
    hand = Hand("relayed", "file", found.report_sha256)
    if found.redirect:
        return review.redirect(dig, hand, choices, found.redirect)
    if found.point is not None:
        return review.point(dig, hand, choices, (found.point.file, found.point.line))
    if found.dictate:
        return review.dictate(dig, hand, choices, found.dictate)
    return review.decide(dig, hand, choices)


def _choices(found: DecisionFile, shown: tuple[str, ...]) -> Choices:
    def meant(named: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
        if named != ("all",):
            return named
        return tuple(id_ for id_ in shown if id_ not in others)

    return Choices(meant(found.keep, found.drop), meant(found.drop, found.keep), found.vouch)
