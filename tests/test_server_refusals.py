"""Every refusal in one golden file, each made by a real call; none shows what was refused."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from server import refusals as told
from server import store
from server.drafts import check_against_brief
from server.flags import FLAGS, explain
from server.looking import search_base
from server.refusals import Refusal
from server.review import Choices
from tests import refusals_made as made
from tests.digging import (
    ASKED,
    DICTATED,
    NOTHING,
    TERMS,
    Ground,
    digs_of,
    hand_on,
    in_memory,
    keep,
    shown,
)
from tests.digging_base import BLAZE_PATH
from tests.goldens import assert_golden
from tests.refusals_made import NONE, Case, Stage
from tests.voices_base import GUIDE, LETTER

NOBODY = "dig_aaaaaaaaaaaaaaaaaaaaaaaaaa"
COSTUMES = ["patience", "kiln", "keeps", "unopened", "kilns", "kept", "kiln door", *TERMS[:3]]
CUT = {"id": "row_99", "connection": "a\nb"}

OPENING: dict[str, Case] = {
    "no such voice": lambda s: s.digs.open_dig({**ASKED, "voice": "Lead"}),
    "a title without a word": lambda s: s.digs.open_dig({**ASKED, "title": "…"}),
    "a long keyword": lambda s: s.digs.open_dig({**ASKED, "keyword_primary": "a" * 201}),
    "a slug out of form": lambda s: s.digs.open_dig({**ASKED, "slug": "../x"}),
    "no such base": lambda s: s.digs.open_dig({**ASKED, "base": "other"}),
    "several bases and none named": made.two_bases,
    "a blaze that nobody lists": lambda s: s.digs.open_dig({**ASKED, "blaze_path": "Guides/b.md"}),
    "a blaze that is lived": lambda s: s.digs.open_dig({**ASKED, "blaze_path": "Logs/kiln.md"}),
}
STEPS: dict[str, Case] = {
    "an unknown dig": lambda s: s.digs.dig_report(NOBODY),
    "a step out of order": lambda s: s.digs.assemble_brief(s.dig("scoring")),
    "a batch that is not open": lambda s: s.digs.score_summaries(s.dig("scoring"), 2, []),
    "nothing left after a brief": lambda s: s.digs.retrieve_candidates(s.briefed(), []),
    "nine terms": lambda s: s.digs.retrieve_candidates(s.dig(), list(TERMS[:9])),
    "terms that are none": lambda s: s.digs.retrieve_candidates(s.dig(), [*TERMS, 7, "x" * 61]),
    "terms in costume": lambda s: s.digs.retrieve_candidates(s.dig(), COSTUMES),
    "terms that reach nothing": lambda s: s.digs.retrieve_candidates(s.dig(), list(NOTHING)),
    "scores of other kinds": lambda s: made.scores(
        s,
        {"id": "row_9", "embodies": True, "why": ""},
        {"id": "row_99", "embodies": 2.0, "why": "so"},
    ),
    "picks out of form": lambda s: made.picks(s, deep_cuts=[CUT], direct_hits=["row_99"]),
    "nothing picked": made.picks,
    "terms refused twice": lambda s: made.twice(
        s,
        "opened",
        lambda dig: s.digs.retrieve_candidates(dig, []),
        lambda dig: s.digs.retrieve_candidates(dig, None),
    ),
    "no candidates twice": lambda s: made.twice(
        s,
        "opened",
        lambda dig: s.digs.retrieve_candidates(dig, list(NOTHING)),
        lambda dig: s.digs.retrieve_candidates(dig, [f"{word}s" for word in NOTHING]),
    ),
    "scores refused twice": lambda s: made.twice(
        s,
        "scoring",
        lambda dig: s.digs.score_summaries(dig, 1, []),
        lambda dig: s.digs.score_summaries(dig, 1, None),
    ),
    "picks refused twice": lambda s: made.twice(
        s,
        "scored",
        lambda dig: s.digs.pick_scotoma(dig, {}),
        lambda dig: s.digs.pick_scotoma(dig, {"deep_cuts": 1}),
    ),
    "a step after a failed one": lambda s: made.twice(
        s,
        "opened",
        lambda dig: s.digs.retrieve_candidates(dig, []),
        lambda dig: s.digs.retrieve_candidates(dig, None),
        s.digs.dig_report,
    ),
    "an id that was not picked": lambda s: s.digs.extract_excerpt(s.dig("picked"), "row_99", None),
    "a file that repeats its digest": lambda s: made.excerpt(s, "Essays/digest.md"),
    "a file that tells of its narrator": lambda s: made.excerpt(s, "Essays/told.md"),
    "a file without prose": lambda s: made.excerpt(s, "Notes/table.md"),
    "a file that is gone": lambda s: made.gone(s, link=False),
    "a file that became a link": lambda s: made.gone(s, link=True),
}
DECIDING: dict[str, Case] = {
    "a brief without a decision": lambda s: s.digs.assemble_brief(s.dig("reported")),
    "a form declined": lambda s: made.form(s, "no answer"),
    "a form that drops all": lambda s: made.form(s, "drop all"),
    "a decision too weak": made.weak,
    "not all of it": lambda s: made.deed(s, lambda r, d: r.decide(d.dig, hand_on(d), NONE)),
    "another report": lambda s: made.deed(
        s, lambda r, d: r.decide(d.dig, replace(hand_on(d), report_sha256="0" * 64), keep(d))
    ),
    "a second decision": made.decided_twice,
    "abandoning too late": lambda s: s.review.abandon(s.briefed(), "late"),
    "a redirect without words": lambda s: made.deed(
        s, lambda r, d: r.redirect(d.dig, hand_on(d), keep(d), " ")
    ),
    "a redirect that names an id twice": lambda s: made.deed(
        s, lambda r, d: r.redirect(d.dig, hand_on(d), Choices(shown(d), shown(d)), "the sea")
    ),
    "a sixth redirect": made.redirected_often,
    "no further passage": lambda s: made.deed(
        s, lambda r, d: r.another_passage(d.dig, hand_on(d), shown(d)[0])
    ),
    "a passage of nothing": lambda s: made.deed(
        s, lambda r, d: r.another_passage(d.dig, hand_on(d), "row_99")
    ),
    "pointing to a slip": lambda s: made.point(s, "Letters/plank.md"),
    "pointing to guidance": lambda s: made.point(s, GUIDE),
    "pointing to nobody's voice": lambda s: made.point(s, "Essays/oven.md"),
    "pointing beyond the end": lambda s: made.point(s, LETTER, 99),
    "dictating nothing": lambda s: made.deed(
        s, lambda r, d: r.dictate(d.dig, hand_on(d), keep(d), "")
    ),
    "dictating in nobody's voice": lambda s: made.deed(
        s, lambda r, d: r.dictate(d.dig, hand_on(d), keep(d), "The oven was lit at dawn.")
    ),
    "dictating and deciding half": lambda s: made.deed(
        s, lambda r, d: r.dictate(d.dig, hand_on(d), NONE, DICTATED)
    ),
    "a judge that cannot be asked": lambda s: told.unreachable(
        "dig", "judge far: no connection", "see that it runs", s.dig("opened")
    ),
    "a file where files do not decide": lambda s: made.relayed(s, "keep: all", allowed=False),
    "a file out of form": lambda s: made.relayed(s, "keep: all"),
    "reopening what has not failed": lambda s: s.review.reopen(s.dig()),
}
AROUND: dict[str, Case] = {
    "an engine that is not installed": lambda _: made.engine_missing(),
    "an empty query": lambda s: search_base(s.digs, " ", None, None),
    "a limit out of range": lambda s: search_base(s.digs, "tide", None, 51),
    "a draft against no brief": lambda s: check_against_brief(s.digs, "none.md", "A draft."),
    "a brief named by a path": lambda s: check_against_brief(s.digs, "../none.md", "A draft."),
    "a draft that is a book": lambda s: check_against_brief(s.digs, "a.md", "x" * 300_000),
    "an index on its way": lambda s: made.building(s, damaged=False),
    "an index that is mended": lambda s: made.building(s, damaged=True),
    "a base that is gone": made.base_gone,
    "a store that is held": made.busy,
    "a store that is damaged": made.damaged_store,
}
ARGUMENTS: dict[str, Case] = {
    "no such tool": lambda s: made.sent(s, "confirm", dig_id=NOBODY),
    "nothing sent": lambda s: made.sent(s, "score_summaries"),
    "an argument nobody knows": lambda s: made.sent(s, "dig_report", dig_id="", confirmed=True),
    "an argument with a slip": lambda s: made.sent(s, "dig_status", digid=NOBODY),
    "arguments of other kinds": lambda s: made.sent(
        s, "score_summaries", dig_id=1, batch="1", scores=[]
    ),
    "arguments without end": lambda s: made.sent(s, "check_draft", brief="", text="x" * 600_000),
    "a form filled in oddly": lambda s: made.sent(
        s, "assemble_brief", "yes", dig_id=s.dig("reported")
    ),
}
CASES = {**ARGUMENTS, **OPENING, **STEPS, **DECIDING, **AROUND}
SHAPE = re.compile(r"\[(?P<flag>[A-Z_]+|STEP_[1-4] FAILED — [^]]+)\] (?P<rest>[^\n]+)")


@pytest.fixture(scope="module")
def refusals(ground: Ground, voices_ground: Ground) -> Iterator[dict[str, Refusal]]:
    """The refusal of each case, in their order."""
    with in_memory() as folder:
        yield _made(ground, voices_ground, folder)


def _made(ground: Ground, voices_ground: Ground, folder: Path) -> dict[str, Refusal]:
    digs, voices = (
        digs_of(g.at(folder / name)) for g, name in ((ground, "a"), (voices_ground, "b"))
    )
    stage = Stage(digs, voices, folder)
    answers: dict[str, Refusal] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "LOCK_WAIT_SECONDS", 0.05)
        for name, case in CASES.items():
            answer = case(stage)
            assert isinstance(answer, Refusal), f"{name}: {answer.text}"
            answers[name] = answer
    return {name: _plain(answer, folder) for name, answer in answers.items()}


def _plain(refusal: Refusal, folder: Path) -> Refusal:
    """The same without what differs from run to run."""
    text = refusal.model_dump_json().replace(str(folder), "FOLDER")
    return Refusal.model_validate_json(re.sub(r"dig_[a-z2-7]{26}", "DIG", text))


@pytest.mark.requirement("refusals:golden")
def test_every_refusal_reads_as_it_was_agreed(refusals: dict[str, Refusal]) -> None:
    entries = [f"# {name}\n{refusal.text}\n" for name, refusal in refusals.items()]
    assert_golden("refusals.txt", "\n".join(entries))


@pytest.mark.requirement("refusals:shape")
def test_every_refusal_is_a_flag_what_why_and_the_next_move(refusals: dict[str, Refusal]) -> None:
    for name, refusal in refusals.items():
        shape = SHAPE.fullmatch(refusal.text)
        assert shape, name
        parts = shape["rest"].split(" — ")
        assert len(parts) == 3, f"{name}: {refusal.text}"
        assert all(part.strip() == part and part for part in parts), name
        assert refusal.gate.isidentifier(), name


@pytest.mark.requirement("refusals:every-flag")
def test_every_flag_that_refuses_is_among_them(refusals: dict[str, Refusal]) -> None:
    made_flags = {explain(refusal.flag).name for refusal in refusals.values()}
    assert made_flags == {name for name, flag in FLAGS.items() if flag.refuses}


@pytest.mark.requirement("refusals:nothing-leaks")
def test_no_refusal_shows_a_line_of_the_corpus(
    refusals: dict[str, Refusal], ground: Ground
) -> None:
    texts = " ".join(refusal.text for refusal in refusals.values())
    assert BLAZE_PATH in texts
    for file in ground.base.rglob("*.md"):
        lines = [line for line in file.read_text("utf-8").splitlines() if len(line) > 40]
        assert not [line for line in lines if line[:40] in texts], file
