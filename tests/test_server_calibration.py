"""How good a judge is: the labelled set, the trial, and the figures that come of it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click.testing
import pytest

from gates.picks import PickFacts, picks_allowed
from index.faults import BadSettings, NotFound
from index.records import BaseSettings
from server.calibration.agreement import weighted_kappa
from server.calibration.bench import check_judge
from server.calibration.labelled import FOLDER, Labelled, read_labelled
from server.calibration.trial import Report
from server.config import Settings
from server.judge import Judge, NoAnswer, PickRequest, ScoresRequest, TermsRequest, Unreadable
from tests.digging import Ground

Command = Callable[..., click.testing.Result]
LABELLED = read_labelled(FOLDER)


class Opened:
    """A module that opens one judge."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def open_judge(self, base: BaseSettings, library: Any) -> Judge:
        return self.judge


class Reader:
    """A judge that knows the labels; `spoil` is how it goes wrong."""

    flags = ()

    def __init__(self, labelled: tuple[Labelled, ...] = LABELLED) -> None:
        self.grades = {row.path: row.grade for one in labelled for row in one.rows}
        self.cuts = {one.deep_cut for one in labelled}
        self.asked: list[str] = []

    def suggest_terms(self, request: TermsRequest) -> object:
        raise NoAnswer("the set has its own terms")

    def score_batch(self, request: ScoresRequest) -> object:
        self.asked.append(request.asked.complaint)
        return [
            {"id": row.id, "embodies": self.grade(row.row.path), "why": "so it is written"}
            for row in request.rows
        ]

    def grade(self, path: str) -> int:
        return self.grades[path]

    def pick(self, request: PickRequest) -> Mapping[str, object]:
        cuts = [one.id for one, _ in request.top if one.row.path in self.cuts]
        return {
            "deep_cuts": [{"id": id_, "connection": "as it was labelled"} for id_ in cuts],
            "direct_hits": [one.id for one, _ in request.top if one.id not in cuts][:1],
            "pass4_empty": not cuts,
        }


class Contrary(Reader):
    """Grades the other way round, and picks nothing."""

    def grade(self, path: str) -> int:
        return 3 - self.grades[path]

    def pick(self, request: PickRequest) -> Mapping[str, object]:
        hits = [one.id for one, _ in request.top][:1]
        return {"deep_cuts": [], "direct_hits": hits, "pass4_empty": True}


class Learning(Reader):
    """Leaves an id out until it is told."""

    def score_batch(self, request: ScoresRequest) -> object:
        answer: Any = super().score_batch(request)
        return answer if request.asked.complaint else answer[1:]


class Silent(Reader):
    """Answers nothing that can be read, and no pick at all."""

    def score_batch(self, request: ScoresRequest) -> object:
        raise Unreadable("it is not JSON")

    def pick(self, request: PickRequest) -> Mapping[str, object]:
        raise NoAnswer("it cannot tell")


def report(judge: Judge, settings: Settings) -> Report:
    return check_judge(Opened(judge), "a judge", settings, FOLDER, lambda done, total: None)


@pytest.fixture(scope="module")
def settings(ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return ground.at(tmp_path_factory.mktemp("calibration") / "state")


@pytest.mark.requirement("judge:labelled-set")
def test_the_set_has_twelve_patterns_of_twenty_with_every_grade_and_a_cut_that_may_be_picked() -> (
    None
):
    assert len(LABELLED) >= 12
    for pattern in LABELLED:
        assert len(pattern.rows) == 20
        assert len({row.path for row in pattern.rows}) == 20
        assert {row.grade for row in pattern.rows} == {0, 1, 2, 3}
        assert 10 <= len(pattern.terms) <= 12
        cut = next(row for row in pattern.rows if row.is_cut)
        keyword = pattern.context.keyword_primary
        facts = PickFacts({"row_1": (cut.title, cut.summary)}, {"row_1": cut.grade}, keyword)
        connection = {"id": "row_1", "connection": "it embodies it"}
        sent = {"deep_cuts": [connection], "direct_hits": [], "pass4_empty": False}
        assert picks_allowed(facts, sent).passed, pattern.name
        decoys = [row for row in pattern.rows if row.grade == 0]
        assert sum(keyword in f"{row.title} {row.summary}".lower() for row in decoys) >= 2


@pytest.mark.requirement("judge:labelled-set")
def test_the_order_of_the_rows_does_not_tell_their_grades() -> None:
    for pattern in LABELLED:
        grades = [row.grade for row in pattern.rows]
        assert grades != sorted(grades)
        assert grades != sorted(grades, reverse=True)


@pytest.mark.requirement("judge:agreement")
@pytest.mark.parametrize(
    ("ours", "theirs", "kappa"),
    [
        pytest.param([0, 1, 2, 3], [0, 1, 2, 3], 1.0, id="the same"),
        pytest.param([3, 2, 1, 0], [0, 1, 2, 3], -1.0, id="the other way round"),
        pytest.param([1, 1, 1, 1], [0, 1, 2, 3], 0.0, id="always one"),
        pytest.param([2, 2], [2, 2], 1.0, id="nothing to tell apart"),
        # seen: 1/9 in four; by chance: (18 + 18 + 18 + 10) / 9 in sixteen
        pytest.param([0, 0, 3, 2], [0, 0, 3, 3], 1 - (1 / 36) / (64 / 9 / 16), id="by hand"),
    ],
)
def test_agreement_is_cohens_kappa_with_quadratic_weights(
    ours: list[int], theirs: list[int], kappa: float
) -> None:
    assert weighted_kappa(ours, theirs) == pytest.approx(kappa)


@pytest.mark.requirement("judge:agreement")
@pytest.mark.parametrize(
    ("judge", "wanted"),
    [
        pytest.param(Reader(), {"kappa": 1.0, "deep_cut_hits": 12, "refused": 0}, id="agrees"),
        pytest.param(Contrary(), {"deep_cut_hits": 0, "consistency": 1.0}, id="contrary"),
        pytest.param(Learning(), {"kappa": 1.0, "refused": 36, "failed": 0}, id="told once"),
        pytest.param(
            Silent(),
            {"kappa": None, "scored": 0, "failed": 48, "refused": 72, "consistency": None},
            id="silent",
        ),
    ],
)
def test_a_trial_counts_what_a_judge_does(
    judge: Judge, wanted: dict[str, Any], settings: Settings
) -> None:
    figures = report(judge, settings).figures()
    assert {key: figures[key] for key in wanted} == wanted
    assert figures["patterns"] == 12


HEAD = "---\nkeyword: k\ntitle: t\narchetype: a\nclaim: c\nterms: [x]\n---\n"
TABLE = "| grade | cut | title | summary |\n| --- | --- | --- | --- |\n"


@pytest.mark.requirement("judge:check-troubles")
@pytest.mark.parametrize(
    ("rows", "trouble"),
    [
        ("| 3 | cut |", "2 cells, 4 are needed"),
        ("| 3 | cut | One | s |\n| 1 |  | one | s |", "two rows have one title"),
        (f"| 3 | cut | {'x' * 400} | s |", "a title has 1 to 80 characters"),
        ("| 3 | cut |  | s |", "a title has 1 to 80 characters"),
    ],
)
def test_a_set_out_of_form_is_said_to_be_so(tmp_path: Path, rows: str, trouble: str) -> None:
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "one.md").write_text(f"{HEAD}{TABLE}{rows}\n")
    with pytest.raises(BadSettings, match=trouble):
        read_labelled(tmp_path)


@pytest.mark.requirement("judge:check-troubles")
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("[/no/such/program]", 4, "its program cannot be started"),
        ("['false']", 4, "the program ended with exit code 1"),
        ("[echo, nothing]", 1, ""),
    ],
)
def test_a_judge_that_says_nothing_is_no_success(
    expedition: Command, tmp_path: Path, command: str, code: int, said: str
) -> None:
    (tmp_path / "one.md").write_text(f"{HEAD}{TABLE}| 3 | cut | One | s |\n")
    config = tmp_path / "expedition.yaml"
    config.write_text(f"judges: {{mine: {{kind: command, command: {command}, tries: 1}}}}\n")
    words = ("--judge", "mine", "--set", tmp_path, "--config", config)
    result = expedition("judge", "check", *words, "--state", tmp_path / "state")
    assert result.exit_code == code, result.output
    assert said in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.requirement("judge:agreement")
def test_the_offline_judge_is_tried_at_the_terminal(expedition: Command, tmp_path: Path) -> None:
    answer = expedition("judge", "check", "--judge", "offline", "--json", "--state", tmp_path / "s")
    assert answer.exit_code == 0, answer.stderr
    figures = json.loads(answer.stdout)
    assert figures["scored"] == 240
    assert figures["refused"] == figures["failed"] == figures["tokens"] == 0
    assert figures["consistency"] == 1.0
    assert len(figures["by_pattern"]) == 12
    again = expedition("judge", "check", "--judge", "offline", "--json", "--state", tmp_path / "s")
    assert again.stdout == answer.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\nkeyword: a\n---\n", "are needed"),
        ("---\nkeyword: a\ntitle: b\narchetype: c\nclaim: d\nterms: [e]\n---\n| x |\n", "columns"),
    ],
)
def test_a_set_out_of_form_is_said_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "one.md").write_text(text, encoding="utf-8")
    with pytest.raises(BadSettings, match=said):
        read_labelled(tmp_path)
    with pytest.raises(NotFound):
        read_labelled(tmp_path / "nowhere")
