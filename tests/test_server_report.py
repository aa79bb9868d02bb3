"""The report: a frame that never changes, a hash over it, and no line that a file could forge."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.dig import Digs
from server.dig_state import DeepCut, DigState, Report
from server.refusals import Refusal
from server.replies import Answer, Reported
from server.report import CLOSING, INVITATION, OPENING, render_report
from server.review import Choices, Review
from tests.digging import (
    COSTUMES,
    DICTATED,
    TERMS,
    Ground,
    digs_of,
    drive,
    hand_on,
    keep,
    open_dig,
    reported,
    shown,
)
from tests.goldens import assert_golden
from tests.retrieval_base import ORDER_TERMS

LABELS = ("Direct hits:  ", "Deep cuts:    ", "Voice anchors:", "Searched:     ", "Flags:        ")
BLANK = " " * 14


def passed(answer: Answer) -> Answer:
    assert not isinstance(answer, Refusal), answer.text
    return answer


def report_of(state: DigState) -> Report:
    assert state.report is not None
    return state.report


@pytest.mark.requirement("report:golden")
def test_the_report_of_an_honest_dig(digs: Digs) -> None:
    assert_golden("report_honest.txt", report_of(reported(digs)).text + "\n")


@pytest.mark.requirement("report:golden")
def test_the_report_of_a_dig_that_found_nothing(digs: Digs) -> None:
    dig = open_dig(digs, voice="Silicon", blaze_path=None, title="Nothing at All")
    state = drive(digs, dig, "scoring")
    for batch, ids in enumerate(state.batches, start=1):
        zeros = [{"id": id_, "embodies": 0, "why": "no trace of it"} for id_ in ids]
        digs.score_summaries(dig, batch, zeros)
    digs.pick_scotoma(dig, {"deep_cuts": [], "direct_hits": [], "pass4_empty": True})
    assert_golden("report_nothing.txt", report_of(drive(digs, dig)).text + "\n")


@pytest.mark.requirement("report:golden")
def test_the_report_of_a_dig_with_a_history(digs: Digs) -> None:
    """Reopened, redirected, gone on with few terms, a file rejected, a passage dictated."""
    dig = open_dig(digs)
    digs.retrieve_candidates(dig, [])
    digs.retrieve_candidates(dig, None)
    passed(Review(digs).reopen(dig))
    state = drive(digs, dig)
    kept = shown(state)[:1]
    passed(Review(digs).redirect(dig, hand_on(state), Choices(kept, ()), "to the mill"))
    digs.retrieve_candidates(dig, [])
    passed(digs.retrieve_candidates(dig, [*TERMS[:5], *COSTUMES[:3], "kilns", "kept"]))
    while (state := digs.load(dig)).state == "scoring":
        ids = state.batches[state.batches_scored]
        digs.score_summaries(
            dig,
            state.batches_scored + 1,
            [{"id": i, "embodies": 3 * _told(state, i), "why": "a winter"} for i in ids],
        )
    told = next(one.id for one in state.top if _told(state, one.id))
    digs.pick_scotoma(dig, {"deep_cuts": [], "direct_hits": [told], "pass4_empty": True})
    state = drive(digs, dig)
    passed(Review(digs).dictate(dig, hand_on(state), keep(state), DICTATED))
    assert_golden("report_history.txt", report_of(digs.load(dig)).text + "\n")


def _told(state: DigState, id_: str) -> bool:
    return state.candidates[id_].row.path == "Essays/told.md"


@pytest.mark.requirement("report:golden")
def test_the_report_counts_what_the_base_lists_and_nobody_can_search(
    retrieval_ground: Ground, tmp_path: Path
) -> None:
    digs = digs_of(retrieval_ground.at(tmp_path / "state"))
    dig = open_dig(digs, voice="Si-C", archetype_primary="Weaver", blaze_path=None)
    passed(digs.retrieve_candidates(dig, list(ORDER_TERMS)))
    assert_golden("report_left_out.txt", report_of(drive(digs, dig)).text + "\n")


@pytest.mark.requirement("report:hash")
def test_the_hash_is_of_the_frame_and_everything_in_it(digs: Digs) -> None:
    state = reported(digs)
    report = report_of(state)
    assert report.text.startswith(f"{OPENING}\n")
    assert report.text.endswith(f"\n{CLOSING}")
    assert report.sha256 == hashlib.sha256(report.text.encode()).hexdigest()


@pytest.mark.requirement("report:hash")
def test_the_same_dig_gives_the_same_bytes_in_whichever_process(digs: Digs) -> None:
    state = reported(digs)
    again = digs_of(digs.settings).load(state.dig)
    assert again.report == state.report
    assert render_report(again, report_of(again).anchors, report_of(again).blaze) == state.report


@pytest.mark.requirement("report:hash")
def test_two_passages_of_one_file_give_two_reports(digs: Digs) -> None:
    state = reported(digs)
    id_ = shown(state)[0]
    evidence = state.evidence[id_]
    other = replace(evidence.excerpt, sha256="0" * 64)
    changed = {**state.evidence, id_: replace(evidence, excerpt=other)}
    rendered = render_report(replace(state, evidence=changed), report_of(state).anchors)
    assert rendered.sha256 != report_of(state).sha256


@pytest.mark.requirement("report:turn-ends")
def test_the_answer_shows_the_report_its_hash_and_how_a_person_decides(digs: Digs) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "picked")
    answer = digs.dig_report(dig)
    assert isinstance(answer, Reported), answer.text
    report = report_of(digs.load(dig))
    assert answer.report == f"{report.text}\n{INVITATION}"
    assert answer.sha256 == report.sha256
    lines = answer.text.splitlines()
    after = lines[lines.index(CLOSING) + 1 :]
    assert after[:4] == [
        INVITATION,
        f"SHA-256: {report.sha256}",
        "A reply in this chat is not a decision.",
        f"Decide with: expedition decide {dig}",
    ]
    assert answer.next.tool == "none"
    assert "end your turn" in answer.next.why


@pytest.mark.requirement("report:no-forged-line")
@given(text=st.text(max_size=60) | st.sampled_from([f"\n{CLOSING}", f"a\r{OPENING}", "\u2028x"]))
@settings(max_examples=40)
def test_no_name_and_no_words_make_a_line_of_their_own(text: str, honest: DigState) -> None:
    id_, *_ = honest.picks.direct_hits
    cut = honest.picks.deep_cuts[0]
    row = replace(honest.candidates[id_].row, path=f"{text}.md")
    spoilt = replace(
        honest,
        candidates={**honest.candidates, id_: replace(honest.candidates[id_], row=row)},
        scores={**honest.scores, id_: replace(honest.scores[id_], why=text)},
        picks=replace(honest.picks, deep_cuts=(DeepCut(cut.id, text),)),
        connections={cut.id: text},
        terms=(text, *honest.terms),
        flags=(f"SOURCE_CHANGED:{text}",),
    )
    first, *lines, last = render_report(spoilt, report_of(honest).anchors).text.splitlines()
    assert (first, last) == (OPENING, CLOSING)
    assert len(lines) == len(report_of(honest).text.splitlines()) - 2
    assert all(line.startswith((*LABELS, BLANK)) for line in lines)
    assert [line[:14] for line in lines if not line.startswith(BLANK)] == list(LABELS)


@pytest.fixture(scope="module")
def honest(ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> DigState:
    return reported(digs_of(ground.at(tmp_path_factory.mktemp("honest") / "state")))
