"""A decision from a file: the weakest way, refused unless the owner opened it."""

from dataclasses import replace
from pathlib import Path

import pytest

from index.faults import NotFound
from server.dig import Digs
from server.dig_state import DigState
from server.refusals import Refusal
from server.relayed import decide_from_file
from server.replies import Answer
from server.review import Review
from tests.digging import DICTATED, digs_of, drive, open_dig, reported, shown


def refused(answer: Answer, flag: str) -> Refusal:
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == flag, answer.text
    return answer


def decided(digs: Digs, state: DigState, text: str, tmp_path: Path) -> Answer:
    """The answer to a file that says this of the report."""
    file = tmp_path / "decision.yaml"
    sha = state.report.sha256 if state.report else "0" * 64
    file.write_text(f"dig: {state.dig}\nreport_sha256: {sha}\n{text}\n", encoding="utf-8")
    return decide_from_file(Review(digs), state.dig, file)


@pytest.mark.requirement("review:relayed")
def test_a_decision_from_a_file_is_refused_unless_configured(digs: Digs, tmp_path: Path) -> None:
    state = reported(digs)
    closed = digs.settings.decide.model_copy(update={"relayed": False})
    strict = digs_of(replace(digs.settings, decide=closed))
    refusal = refused(decided(strict, state, "keep: all", tmp_path), "NOT_DECIDED")
    assert f"expedition decide {state.dig}" in refusal.remedy
    assert digs.load(state.dig) == state


@pytest.mark.requirement("review:relayed")
@pytest.mark.parametrize("spelled", ["keep: all", "keep: [all]", '"keep": ["all"]'])
def test_all_keeps_whatever_the_report_shows_and_the_level_is_relayed(
    spelled: str, digs: Digs, tmp_path: Path
) -> None:
    state = reported(digs)
    answer = decided(digs, state, spelled, tmp_path)
    assert not isinstance(answer, Refusal), answer.text
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert decision.keep == shown(state)
    assert (decision.level, decision.way) == ("relayed", "file")


def test_all_is_the_rest_where_the_others_are_named(digs: Digs, tmp_path: Path) -> None:
    state = reported(digs)
    first, *rest = shown(state)
    answer = decided(digs, state, f"keep: all\ndrop: {first}", tmp_path)
    assert not isinstance(answer, Refusal), answer.text
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert (decision.keep, decision.drop) == (tuple(rest), (first,))


def test_dropping_all_abandons(digs: Digs, tmp_path: Path) -> None:
    state = reported(digs)
    assert not isinstance(decided(digs, state, "drop: all", tmp_path), Refusal)
    assert digs.load(state.dig).state == "abandoned"


@pytest.mark.parametrize(
    ("text", "state_after", "added"),
    [
        pytest.param("redirect: to the sea", "opened", "", id="redirect"),
        pytest.param("keep: all\npoint: {file: Logs/kiln.md}", "decided", "added_1", id="point"),
        pytest.param(
            "keep: all\npoint: {file: Logs/kiln.md, line: 7}", "decided", "added_1", id="line"
        ),
        pytest.param(
            "keep: all\ndictate: |\n  " + DICTATED.replace("\n\n", "\n\n  "),
            "decided",
            "dictated_1",
            id="dictate",
        ),
    ],
)
def test_a_file_may_redirect_point_or_dictate(
    text: str, state_after: str, added: str, digs: Digs, tmp_path: Path
) -> None:
    state = reported(digs)
    answer = decided(digs, state, text, tmp_path)
    assert not isinstance(answer, Refusal), answer.text
    after = digs.load(state.dig)
    assert after.state == state_after
    assert (added in after.evidence) is bool(added)


@pytest.mark.requirement("review:relayed")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("kept: all", "kept: ", id="unknown key"),
        pytest.param("keep: {row_1: yes}", "keep", id="a mapping"),
        pytest.param("redirect: a\ndictate: b", "exclude each other", id="two ways"),
        pytest.param("point: {line: 3}", "point.file", id="no file to point to"),
        pytest.param("point: {file: a.md, line: x}", "point.line", id="no line"),
        pytest.param("keep: [", "", id="broken YAML"),
        pytest.param("keep: row_1\ndrop: all\nkeep: all", "keep is said twice", id="a key twice"),
        pytest.param("keep: row_1", "each once", id="not all of it"),
        pytest.param("", "each once", id="nothing said"),
    ],
)
def test_a_file_out_of_form_decides_nothing(
    text: str, reason: str, digs: Digs, tmp_path: Path
) -> None:
    state = reported(digs)
    refusal = refused(decided(digs, state, text, tmp_path), "INVALID_ARGUMENT")
    assert reason in refusal.reason
    assert digs.load(state.dig) == state


def test_a_file_for_another_report_is_void(digs: Digs, tmp_path: Path) -> None:
    state = reported(digs)
    other = replace(state, report=replace(state.report, sha256="0" * 64) if state.report else None)
    refused(decided(digs, other, "keep: all", tmp_path), "REPORT_VOID")
    (tmp_path / "bare.yaml").write_text(f"dig: {state.dig}\nkeep: all\n", encoding="utf-8")
    answer = decide_from_file(Review(digs), state.dig, tmp_path / "bare.yaml")
    assert "report_sha256" in refused(answer, "INVALID_ARGUMENT").reason


@pytest.mark.requirement("decide:from-file")
def test_a_file_about_another_dig_with_the_same_evidence_decides_nothing(
    digs: Digs, tmp_path: Path
) -> None:
    state, twin = reported(digs), reported(digs, title="Another title")
    file = tmp_path / "decision.yaml"
    sha = state.report.sha256 if state.report else ""
    file.write_text(f"dig: {twin.dig}\nreport_sha256: {sha}\nkeep: all\n", encoding="utf-8")
    answer = decide_from_file(Review(digs), state.dig, file)
    assert state.dig in refused(answer, "INVALID_ARGUMENT").remedy
    assert digs.load(state.dig) == state


def test_there_must_be_a_file_a_dig_and_a_report(digs: Digs, tmp_path: Path) -> None:
    dig = open_dig(digs)
    picked = drive(digs, dig, "picked")
    with pytest.raises(NotFound):
        decide_from_file(Review(digs), dig, tmp_path / "nowhere.yaml")
    refused(decided(digs, picked, "keep: all", tmp_path), "WRONG_STEP")
    nobody = replace(picked, dig="dig_nobody")
    refused(decided(digs, nobody, "keep: all", tmp_path), "UNKNOWN_DIG")
