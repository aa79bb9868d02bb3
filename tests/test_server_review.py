"""A person's decision: whole, on the report they saw, recorded once; and what it opens."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from index.faults import NotFound
from server import brief_file
from server.brief import Brief
from server.brief_text import read_brief
from server.dig import Digs
from server.dig_state import DigState, Level, Way
from server.library import Library
from server.passphrase import Cost, set_passphrase
from server.refusals import Refusal
from server.replies import Answer, Briefed, Reported
from server.review import Choices, Review
from server.shelf import find_brief
from server.showing import as_text
from server.verify import verify
from tests.digging import (
    DICTATED,
    briefs,
    decide,
    digs_of,
    drive,
    finish,
    hand_on,
    keep,
    open_dig,
    reported,
    shown,
)

# Words of the first paragraphs of Logs/long.md, so that it has another passage after the best.
EARLY = (
    *("jars", "sister", "boat", "shelf", "house", "cold"),
    *("lantern", "winter", "father", "bricks", "cones", "counted"),
)


def early(digs: Digs) -> DigState:
    """A report on a dig for these words."""
    dig = open_dig(digs)
    passed(digs.retrieve_candidates(dig, list(EARLY)))
    drive(digs, dig, "picked")
    passed(digs.dig_report(dig))
    return digs.load(dig)


def refused(answer: Answer, flag: str) -> Refusal:
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == flag, answer.text
    return answer


def passed(answer: Answer) -> Answer:
    assert not isinstance(answer, Refusal), answer.text
    return answer


def saved(digs: Digs, dig: str) -> Brief:
    """The brief of a decided dig, read back."""
    answer = digs.assemble_brief(dig)
    assert isinstance(answer, Briefed), answer.text
    assert answer.saved, answer.text
    return read_brief((digs.settings.briefs / answer.path).read_text("utf-8"))


@pytest.mark.requirement("brief:repeats-the-decision")
@pytest.mark.parametrize(
    ("level", "way"),
    [
        ("local", "terminal"),
        ("person", "terminal"),
        ("local", "page"),
        ("person", "page"),
        ("client", "elicitation"),
        ("client", "app"),
        ("relayed", "file"),
    ],
)
def test_the_store_and_the_brief_say_alike_how_it_was_decided(
    level: Level, way: Way, digs: Digs
) -> None:
    state = reported(digs)
    passed(Review(digs).decide(state.dig, hand_on(state, level, way), keep(state)))
    (event,) = [one for one in digs.store.load(state.dig)[1] if one.kind == "decided"]
    kept = event.payload["decision"]
    assert isinstance(kept, dict)
    assert state.report is not None
    assert (kept["level"], kept["way"]) == (level, way)
    assert kept["report_sha256"] == state.report.sha256
    assert event.actor == ("client" if level == "client" else "person")
    assert saved(digs, state.dig).decided.model_dump() == {
        "level": level,
        "way": way,
        "at": event.at,
        "report_sha256": state.report.sha256,
    }


def guarded(digs: Digs) -> None:
    """Somebody sets a passphrase."""
    set_passphrase(digs.settings.state, "three grey herons", Cost(n=16, r=1, p=1))


@pytest.mark.requirement("status:decide-anew")
def test_a_decision_that_does_not_count_any_more_is_to_be_made_anew(digs: Digs) -> None:
    dig = reported(digs).dig
    passed(decide(digs, dig))
    assert "The brief can be written" in digs.dig_status(dig).text
    guarded(digs)
    text = digs.dig_status(dig).text
    why = "A person decides anew, for the decision does not count any more"
    assert f"{why}: expedition decide {dig}." in text
    assert "Next: none" in text
    state, history = digs.load(dig), digs.store.load(dig)[1]
    assert "decides anew" in as_text(state, history, counts=digs.counts(state))
    answer = refused(digs.assemble_brief(dig), "NOT_DECIDED")
    assert answer.remedy == f"let a person run: expedition decide {dig}"
    assert briefs(digs.settings) == []
    passed(Review(digs).decide(dig, hand_on(state, "person"), keep(state)))
    assert saved(digs, dig).decided.level == "person"


@pytest.mark.requirement("brief:begun-is-finished")
@pytest.mark.parametrize("published", [False, True], ids=["before its file", "after its file"])
def test_a_brief_begun_before_a_passphrase_was_set_is_finished(
    digs: Digs, monkeypatch: pytest.MonkeyPatch, published: bool
) -> None:
    dig = reported(digs).dig
    passed(decide(digs, dig))
    publish: Any = getattr(brief_file, "_published")  # noqa: B009

    def killed(*file: object) -> None:
        if published:
            publish(*file)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(brief_file, "_published", killed)
        with pytest.raises(KeyboardInterrupt):
            digs.assemble_brief(dig)
    assert len(briefs(digs.settings)) == published
    guarded(digs)
    assert saved(digs, dig).decided.level == "local"
    assert len(briefs(digs.settings)) == 1


@pytest.mark.requirement("brief:gone")
def test_a_brief_that_was_moved_is_said_to_be_gone(digs: Digs) -> None:
    dig = finish(digs, reported(digs).dig).dig
    assert "BRIEF_GONE" not in digs.assemble_brief(dig).text
    (name,) = briefs(digs.settings)
    (digs.settings.briefs / name).unlink()
    answer = digs.assemble_brief(dig)
    assert isinstance(answer, Briefed)
    assert answer.flags == ("BRIEF_GONE",)
    assert "Brief saved:" not in answer.text
    with pytest.raises(NotFound, match="not where it was written"):
        find_brief(digs.settings, dig)


@pytest.mark.requirement("brief:gone")
def test_a_brief_is_found_where_its_folder_was_moved_to(digs: Digs, tmp_path: Path) -> None:
    dig = finish(digs, reported(digs).dig).dig
    (name,) = briefs(digs.settings)
    shelf = tmp_path / "moved"
    shutil.move(digs.settings.briefs, shelf)
    later = Digs(Library(replace(digs.settings, briefs=shelf)))
    answer = later.assemble_brief(dig)
    assert isinstance(answer, Briefed)
    assert (answer.path, answer.flags) == (str(shelf / name), ())
    assert verify(find_brief(later.settings, dig), later.settings).record == "as written"
    # another file of the name is not it
    (shelf / name).write_text("something else")
    assert "BRIEF_GONE" in later.assemble_brief(dig).text


@pytest.mark.requirement("review:whole")
def test_keeping_and_dropping_each_candidate_is_a_decision(digs: Digs) -> None:
    state = reported(digs)
    dropped = shown(state)[1:]
    passed(decide(digs, state.dig, dropped))
    after = digs.load(state.dig)
    assert after.state == "decided"
    assert after.decision is not None
    assert after.decision.keep == shown(state)[:1]
    assert after.decision.drop == dropped
    assert (after.decision.level, after.decision.way) == ("local", "terminal")
    assert after.decision.at.endswith("Z")
    assert digs.store.load(state.dig)[1][-1].actor == "person"
    brief = saved(digs, state.dig)
    kept = [
        source.file for source in brief.sources if source.lines[0] and source.kind != "guidance"
    ]
    assert kept == [state.candidates[shown(state)[0]].row.path]
    assert (brief.decided.level, brief.decided.way) == ("local", "terminal")


@pytest.mark.requirement("review:whole")
def test_a_candidate_left_out_named_twice_or_made_up_decides_nothing(digs: Digs) -> None:
    state = reported(digs)
    ids = shown(state)
    review, hand = Review(digs), hand_on(state)
    for choices in (
        Choices(ids[1:], ()),
        Choices((), ()),
        Choices(ids, ids[:1]),
        Choices((*ids, ids[0]), ()),
        Choices((*ids, "row_99"), ()),
        Choices(ids[1:], ("row_99",)),
    ):
        refusal = refused(review.decide(state.dig, hand, choices), "INVALID_ARGUMENT")
        assert refusal.remedy == f"decide on {', '.join(ids)}"
    assert digs.load(state.dig) == state


@pytest.mark.requirement("review:drop-all")
def test_dropping_everything_abandons_the_dig(digs: Digs) -> None:
    state = reported(digs)
    passed(decide(digs, state.dig, shown(state)))
    after = digs.load(state.dig)
    assert after.state == "abandoned"
    assert after.decision is not None
    assert after.decision.drop == shown(state)
    refused(digs.assemble_brief(state.dig), "WRONG_STEP")
    assert briefs(digs.settings) == []


@pytest.mark.requirement("review:once")
def test_a_decision_is_recorded_once(digs: Digs) -> None:
    state = reported(digs)
    passed(decide(digs, state.dig))
    again = Review(digs_of(digs.settings)).decide(
        state.dig, hand_on(state), keep(state, shown(state)[:1])
    )
    refused(again, "WRONG_STEP")
    decided = digs.load(state.dig).decision
    assert decided is not None
    assert decided.drop == ()
    kinds = [event.kind for event in digs.store.load(state.dig)[1]]
    assert kinds.count("decided") == 1


@pytest.mark.requirement("review:only-on-a-report")
def test_before_the_report_and_after_the_brief_there_is_nothing_to_decide(digs: Digs) -> None:
    dig = open_dig(digs)
    drive(digs, dig, "picked")
    choices = Choices((), ())
    review, hand = Review(digs), hand_on(digs.load(dig))
    for answer in (
        review.decide(dig, hand, choices),
        review.redirect(dig, hand, choices, "the sea"),
        review.dictate(dig, hand, choices, DICTATED),
        review.another_passage(dig, hand, "row_1"),
    ):
        refused(answer, "WRONG_STEP")
    state = finish(digs, dig)
    refused(review.redirect(dig, hand_on(state), choices, "the sea"), "WRONG_STEP")
    refused(review.abandon(dig, "too late"), "WRONG_STEP")


@pytest.mark.requirement("review:bound-to-report")
def test_a_decision_on_an_earlier_report_is_void(digs: Digs) -> None:
    state = early(digs)
    before = hand_on(state)
    other = replace(before, report_sha256="0" * 64)
    refused(Review(digs).decide(state.dig, other, keep(state)), "REPORT_VOID")
    passed(Review(digs).another_passage(state.dig, before, _long(state)))
    refusal = refused(Review(digs).decide(state.dig, before, keep(state)), "REPORT_VOID")
    assert f"expedition decide {state.dig}" in refusal.remedy
    refused(Review(digs).redirect(state.dig, before, keep(state), "the sea"), "REPORT_VOID")
    refused(Review(digs).dictate(state.dig, before, keep(state), DICTATED), "REPORT_VOID")
    assert digs.load(state.dig).state == "reported"


def _long(state: DigState) -> str:
    """The picked file that has another passage after the one it is quoted by."""
    return next(id_ for id_ in shown(state) if state.candidates[id_].row.path == "Logs/long.md")


def test_a_redirect_is_no_longer_than_a_dictation(digs: Digs) -> None:
    state = reported(digs)
    long = "sea " * 5_000
    told = refused(
        Review(digs).redirect(state.dig, hand_on(state), keep(state), f"{long}!"),
        "INVALID_ARGUMENT",
    )
    assert "at most 20,000" in told.text
    assert digs.load(state.dig) == state
    passed(Review(digs).redirect(state.dig, hand_on(state), keep(state), long))


@pytest.mark.requirement("review:another-passage")
def test_another_passage_gives_a_new_report_which_is_the_report_from_then_on(digs: Digs) -> None:
    state = early(digs)
    id_ = _long(state)
    passed(Review(digs).another_passage(state.dig, hand_on(state), id_))
    after = digs.load(state.dig)
    assert after.evidence[id_].excerpt.first_line > state.evidence[id_].excerpt.last_line
    assert after.report is not None
    assert state.report is not None
    assert after.report.sha256 != state.report.sha256
    answer = digs.dig_report(state.dig)
    assert isinstance(answer, Reported), answer.text
    assert answer.sha256 == after.report.sha256
    passed(decide(digs, state.dig))
    texts = [source.text for source in saved(digs, state.dig).sources]
    assert after.evidence[id_].excerpt.text in texts
    assert state.evidence[id_].excerpt.text not in texts


@pytest.mark.requirement("review:another-passage")
def test_where_there_is_no_further_passage_nothing_changes(digs: Digs) -> None:
    state = reported(digs)
    short = next(id_ for id_ in shown(state) if state.candidates[id_].row.path == "Logs/ferry.md")
    refusal = refused(
        Review(digs).another_passage(state.dig, hand_on(state), short), "INVALID_ARGUMENT"
    )
    assert refusal.remedy == "keep this passage, drop it, or point to a line of the file"
    for id_ in ("row_99", ""):
        answer = Review(digs).another_passage(state.dig, hand_on(state), id_)
        refused(answer, "INVALID_ARGUMENT")
    assert digs.load(state.dig) == state


@pytest.mark.requirement("review:levels")
@pytest.mark.parametrize(
    ("level", "relayed", "opens"),
    [
        pytest.param("person", False, True, id="a passphrase"),
        pytest.param("local", False, True, id="a terminal"),
        pytest.param("client", False, True, id="the host's word"),
        pytest.param("relayed", True, True, id="a file, where files are allowed"),
        pytest.param("relayed", False, False, id="a file, where they are not any more"),
    ],
)
def test_a_decision_opens_the_brief_if_it_is_strong_enough(
    level: Level, relayed: bool, opens: bool, digs: Digs
) -> None:
    state = reported(digs)
    hand = replace(hand_on(state), level=level)
    passed(Review(digs).decide(state.dig, hand, keep(state)))
    allowed = digs.settings.decide.model_copy(update={"relayed": relayed})
    later = digs_of(replace(digs.settings, decide=allowed))
    if opens:
        assert saved(later, state.dig).decided.level == level
    else:
        refusal = refused(later.assemble_brief(state.dig), "NOT_DECIDED")
        assert refusal.reason == "the decision is relayed, client or stronger is asked"
        assert briefs(later.settings) == []


@pytest.mark.requirement("review:abandon")
def test_an_open_dig_may_be_abandoned_and_stays_so(digs: Digs) -> None:
    dig = open_dig(digs)
    passed(Review(digs).abandon(dig, "not now"))
    assert digs.load(dig).state == "abandoned"
    refused(Review(digs).abandon(dig, "again"), "WRONG_STEP")
    refused(Review(digs).reopen(dig), "WRONG_STEP")
    assert digs.store.load(dig)[1][-1].payload["reason"] == "not now"


def test_a_dig_that_has_not_failed_is_not_reopened(digs: Digs) -> None:
    dig = open_dig(digs)
    refused(Review(digs).reopen(dig), "WRONG_STEP")
    refused(Review(digs).reopen("dig_nobody"), "UNKNOWN_DIG")


@pytest.mark.requirement("review:something-quoted")
def test_keeping_only_what_gave_no_words_is_no_decision(digs: Digs) -> None:
    dig = open_dig(digs)
    state = drive(digs, dig, "scoring")
    for batch, ids in enumerate(state.batches, start=1):
        scores = [
            {"id": id_, "embodies": int(state.candidates[id_].row.path == "Notes/table.md")}
            for id_ in ids
        ]
        digs.score_summaries(dig, batch, [{**score, "why": "heat"} for score in scores])
    table = digs.load(dig).top[0].id
    digs.pick_scotoma(dig, {"deep_cuts": [], "direct_hits": [table], "pass4_empty": True})
    passed(digs.dig_report(dig))
    state = digs.load(dig)
    rest = tuple(id_ for id_ in shown(state) if id_ != table)
    answer = Review(digs).decide(dig, hand_on(state), Choices((table,), rest))
    assert "nothing that is kept has an excerpt" in refused(answer, "INVALID_ARGUMENT").reason
