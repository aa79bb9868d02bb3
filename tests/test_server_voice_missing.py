"""No kept excerpt anchors the voice: nothing is saved, and each way out is a person's."""

from pathlib import Path

import pytest

from server.brief import Brief
from server.brief_text import read_brief
from server.dig import Digs
from server.refusals import Refusal
from server.replies import Answer, Briefed
from server.review import Choices, Review
from tests.digging import (
    DICTATED,
    Ground,
    briefs,
    decide,
    digs_of,
    hand_on,
    keep,
    shown,
)
from tests.voices_base import FILES, GUIDE, HEARD, LETTER, LUKE, UNHEARD, reported_on


@pytest.fixture
def digs(voices_ground: Ground, tmp_path: Path) -> Digs:
    return digs_of(voices_ground.at(tmp_path / "state"))


def passed(answer: Answer) -> Answer:
    assert not isinstance(answer, Refusal), answer.text
    return answer


def refused(answer: Answer, flag: str) -> Refusal:
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == flag, answer.text
    return answer


def missing(digs: Digs, dig: str) -> Briefed:
    answer = digs.assemble_brief(dig)
    assert isinstance(answer, Briefed), answer.text
    assert not answer.saved
    assert briefs(digs.settings) == []
    return answer


def saved(digs: Digs, dig: str) -> Brief:
    answer = digs.assemble_brief(dig)
    assert isinstance(answer, Briefed), answer.text
    return read_brief(Path(answer.path).read_text("utf-8"))


@pytest.mark.requirement("anchor:missing")
def test_without_an_anchor_nothing_is_saved_and_the_ways_out_are_named(digs: Digs) -> None:
    state = reported_on(digs, [UNHEARD, LETTER])
    assert state.report is not None
    assert "VOICE_ANCHOR_MISSING" in state.report.flags
    assert f"VOICE_UNDECIDABLE:{UNHEARD}" in state.report.flags
    assert "Voice anchors:none\n" in state.report.text
    passed(decide(digs, state.dig))
    before = digs.load(state.dig)
    answer = missing(digs, state.dig)
    assert answer.voice_anchor == "MISSING"
    assert answer.flags == ("VOICE_ANCHOR_MISSING",)
    assert [way.split()[0] for way in answer.ways] == ["Record", "Point", "Dictate", "Vouch"]
    assert f"expedition decide {state.dig}" in answer.text
    assert "saved: false" in answer.text
    assert digs.load(state.dig) == before
    assert missing(digs, state.dig) == answer


@pytest.mark.requirement("anchor:missing")
def test_first_person_prose_that_is_not_lived_anchors_nothing(digs: Digs) -> None:
    state = reported_on(digs, [LETTER])
    passed(decide(digs, state.dig))
    answer = missing(digs, state.dig)
    assert [way.split()[0] for way in answer.ways] == ["Record", "Point", "Dictate"]


@pytest.mark.requirement("anchor:missing")
@pytest.mark.parametrize("voice", ["Si-C", "Silicon"])
def test_another_voice_needs_no_anchor(voice: str, digs: Digs) -> None:
    state = reported_on(digs, [LETTER], voice=voice)
    assert state.report is not None
    assert "VOICE_ANCHOR_MISSING" not in state.report.flags
    assert f"Voice anchors:none (not required for {voice})" in state.report.text
    passed(decide(digs, state.dig))
    assert saved(digs, state.dig).voice_anchor == f"not required ({voice})"


@pytest.mark.requirement("anchor:vouched")
def test_a_person_may_vouch_where_the_language_is_unknown(digs: Digs) -> None:
    state = reported_on(digs, [UNHEARD])
    (id_,) = shown(state)
    choices = Choices((id_,), (), vouched=(id_,))
    passed(Review(digs).decide(state.dig, hand_on(state), choices))
    brief = saved(digs, state.dig)
    assert brief.voice_anchor == f"{UNHEARD} — vouched by person"
    assert "VOICE_ANCHOR_MISSING" not in brief.flags
    assert f"VOICE_UNDECIDABLE:{UNHEARD}" in brief.flags


@pytest.mark.requirement("anchor:vouched")
def test_nobody_vouches_against_the_gate_or_for_what_is_dropped(digs: Digs) -> None:
    state = reported_on(digs, [UNHEARD, LETTER])
    unheard, letter = shown(state)
    for choices in (
        Choices((unheard, letter), (), vouched=(letter,)),
        Choices((letter,), (unheard,), vouched=(unheard,)),
    ):
        refused(Review(digs).decide(state.dig, hand_on(state), choices), "INVALID_ARGUMENT")
    assert digs.load(state.dig) == state


@pytest.mark.requirement("anchor:pointed")
@pytest.mark.parametrize("decided", [False, True])
def test_pointing_to_a_file_adds_its_passage_and_decides_on_the_report_with_it(
    decided: bool, digs: Digs
) -> None:
    state = reported_on(digs, ["Essays/oven.md"])
    if decided:
        passed(decide(digs, state.dig))
        state = digs.load(state.dig)
        missing(digs, state.dig)
    passed(Review(digs).point(state.dig, hand_on(state), keep(state), (LETTER, 1)))
    after = digs.load(state.dig)
    assert after.report is not None
    assert after.decision is not None
    assert after.decision.report_sha256 == after.report.sha256
    assert "added_1" in after.decision.keep
    assert f"{LETTER} — 2 first-person paragraphs (added_1" in after.report.text
    brief = saved(digs, state.dig)
    assert brief.voice_anchor == f"{LETTER} — first-person body prose confirmed, 2 paragraphs"
    assert HEARD in [source.text for source in brief.sources]


@pytest.mark.requirement("anchor:pointed")
def test_pointing_to_a_voice_that_no_list_knows_vouches_for_it(digs: Digs) -> None:
    state = reported_on(digs, [UNHEARD])
    passed(decide(digs, state.dig))
    missing(digs, state.dig)
    decided = digs.load(state.dig)
    passed(Review(digs).point(state.dig, hand_on(decided), keep(decided), (UNHEARD, 1)))
    assert saved(digs, state.dig).voice_anchor == f"{UNHEARD} — vouched by person"


@pytest.mark.requirement("anchor:pointed")
@pytest.mark.parametrize(
    ("place", "flag", "reason"),
    [
        pytest.param((GUIDE, 1), "INVALID_ARGUMENT", "guidance is nobody's", id="guidance"),
        pytest.param(("Letters/plank.md", 1), "PATH_REFUSED", "no listed file", id="a slip"),
        pytest.param(("../kb/Letters/planks.md", 1), "PATH_REFUSED", "no listed", id="a way round"),
        pytest.param(("Essays/oven.md", 1), "VOICE_ANCHOR_MISSING", "first person", id="no voice"),
        pytest.param((LETTER, 99), "NO_PROSE", "no further passage", id="beyond its end"),
    ],
)
def test_pointing_elsewhere_is_refused_and_decides_nothing(
    place: tuple[str, int], flag: str, reason: str, digs: Digs
) -> None:
    state = reported_on(digs, ["Essays/oven.md"])
    answer = Review(digs).point(state.dig, hand_on(state), keep(state), place)
    assert reason in refused(answer, flag).reason
    assert digs.load(state.dig) == state


def test_a_slip_in_a_path_is_met_with_its_neighbours(digs: Digs) -> None:
    state = reported_on(digs, ["Essays/oven.md"])
    answer = Review(digs).point(state.dig, hand_on(state), keep(state), ("Letters/plank.md", 1))
    assert LETTER in refused(answer, "PATH_REFUSED").neighbours


@pytest.mark.requirement("anchor:dictated")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(DICTATED, "first-person body prose confirmed, 2 paragraphs", id="heard"),
        pytest.param(LUKE, "vouched by person", id="in a language that no list knows"),
    ],
)
def test_a_dictated_passage_is_lived_and_never_touches_the_corpus(
    text: str, line: str, digs: Digs
) -> None:
    state = reported_on(digs, ["Essays/oven.md"])
    passed(Review(digs).dictate(state.dig, hand_on(state), keep(state), text))
    brief = saved(digs, state.dig)
    assert brief.voice_anchor == f"dictated_1 — {line}"
    source = next(source for source in brief.sources if source.file == "dictated_1")
    assert (source.text, source.role, source.kind) == (text, "lived", "dictated")
    base = Path(digs.settings.bases[0].root)
    assert sorted(path.relative_to(base).as_posix() for path in base.rglob("*.md")) == sorted(FILES)


@pytest.mark.requirement("anchor:dictated")
@pytest.mark.parametrize(
    ("text", "flag"),
    [
        pytest.param("", "INVALID_ARGUMENT", id="nothing"),
        pytest.param(" \n ", "INVALID_ARGUMENT", id="blanks"),
        pytest.param("I " * 10_001, "INVALID_ARGUMENT", id="a book"),
        pytest.param("I wait \ud800", "INVALID_ARGUMENT", id="a lone surrogate"),
        pytest.param(
            "The oven was lit at dawn and it burned birch until the stone was warm.",
            "VOICE_ANCHOR_MISSING",
            id="nobody speaks",
        ),
    ],
)
def test_a_dictation_that_is_none_decides_nothing(text: str, flag: str, digs: Digs) -> None:
    state = reported_on(digs, ["Essays/oven.md"])
    refused(Review(digs).dictate(state.dig, hand_on(state), keep(state), text), flag)
    assert digs.load(state.dig) == state


def test_what_is_added_decides_on_all_the_rest_too(digs: Digs) -> None:
    state = reported_on(digs, ["Essays/oven.md"])
    half = Choices((), ())
    refused(Review(digs).dictate(state.dig, hand_on(state), half, DICTATED), "INVALID_ARGUMENT")
    passed(Review(digs).dictate(state.dig, hand_on(state), keep(state, shown(state)), DICTATED))
    assert [source.file for source in saved(digs, state.dig).sources] == ["dictated_1"]
