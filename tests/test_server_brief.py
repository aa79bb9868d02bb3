from dataclasses import replace

import pytest

from server.brief import REASON_SHOWN, compose_brief
from tests.decided import ANCHOR, AT, Made, Passage, decided_dig, excerpt_of, sha256


def test_a_brief_says_what_the_dig_was_and_how_it_was_decided() -> None:
    brief = compose_brief(decided_dig([Passage("I froze.")]), ANCHOR, ["a phrase of four words"])
    assert brief.model_dump(exclude={"sources"}) == {
        "format": "expedition-brief/1",
        "dig": "dig_" + "a" * 26,
        "title": "The long winter",
        "slug": "the-long-winter",
        "keyword_primary": "winter",
        "voice": "Carbon",
        "archetype_primary": "The Hermit",
        "monomyth": "Ordeal",
        "voice_anchor": ANCHOR,
        "banned_phrases": ("a phrase of four words",),
        "decided": {
            "level": "local",
            "way": "terminal",
            "at": AT,
            "report_sha256": "b" * 64,
        },
        "searched": {"terms": ("frost", "hunger"), "summaries": 1, "batches": 1, "passes": 1},
        "flags": (),
    }


def test_a_source_has_the_bytes_and_hashes_of_its_extraction() -> None:
    passage = Passage("I froze.\nI thawed.", start=120, first_line=7, file=b"the whole file")
    (source,) = compose_brief(decided_dig([passage]), ANCHOR).sources
    assert source.model_dump() == {
        "base": "codex",
        "file": "VoiceLogs/a.md",
        "role": "lived",
        "lines": "7-8",
        "bytes": "120-138",
        "words": 4,
        "sha256": sha256("I froze.\nI thawed."),
        "file_sha256": sha256("the whole file"),
        "kind": "evidence",
        "reason": "the same silence",
    }
    assert source.text == "I froze.\nI thawed."


@pytest.mark.requirement("brief:only-what-was-kept")
def test_what_the_person_dropped_is_no_source() -> None:
    dig = decided_dig([Passage("kept"), Passage("dropped")], Made(dropped=("row_2",)))
    assert [source.text for source in compose_brief(dig, ANCHOR).sources] == ["kept"]


def test_a_kept_candidate_without_an_excerpt_is_no_source() -> None:
    dig = decided_dig([Passage("cut"), Passage("rejected")])
    dig = replace(dig, evidence={"row_1": dig.evidence["row_1"]})
    assert [source.text for source in compose_brief(dig, ANCHOR).sources] == ["cut"]


@pytest.mark.parametrize(
    ("passage", "made", "kind", "reason"),
    [
        pytest.param(
            Passage("x", connection="waiting is a wall"),
            Made(),
            "evidence",
            "waiting is a wall",
            id="a deep cut by its connection",
        ),
        pytest.param(
            Passage("x"),
            Made(direct=("row_1",)),
            "evidence",
            "the same silence",
            id="a direct hit by the agent's why",
        ),
        pytest.param(
            Passage("x"),
            Made(anchors=("row_1",)),
            "voice_anchor",
            "first-person paragraphs: 2",
            id="a voice anchor by its paragraphs",
        ),
        pytest.param(
            Passage("x"),
            Made(anchors=("row_1",), direct=("row_1",)),
            "voice_anchor",
            "the same silence",
            id="an anchor that was picked by the agent's why",
        ),
        pytest.param(
            Passage("x", via="pointed"),
            Made(),
            "evidence",
            "pointed to by a person",
            id="a file that a person pointed to",
        ),
        pytest.param(
            Passage("x", via="pointed"),
            Made(vouched=("row_1",)),
            "voice_anchor",
            "vouched by person",
            id="a passage that a person vouched for",
        ),
        pytest.param(
            Passage("x", via="dictated"),
            Made(),
            "dictated",
            "dictated by a person",
            id="a dictated passage",
        ),
        pytest.param(
            Passage("x", role="guidance"),
            Made(),
            "guidance",
            "the same silence",
            id="a kept excerpt of guidance",
        ),
    ],
)
def test_a_source_says_what_it_is_and_why_it_is_there(
    passage: Passage, made: Made, kind: str, reason: str
) -> None:
    (source,) = compose_brief(decided_dig([passage], made), ANCHOR).sources
    assert (source.kind, source.reason) == (kind, reason)


def test_the_blaze_comes_last_as_guidance() -> None:
    dig = decided_dig([Passage("I froze.")], Made(blaze="Blaze/b.md"))
    blaze = excerpt_of(Passage("Winter is a teacher.", path="Blaze/b.md"))
    source = compose_brief(dig, ANCHOR, guidance=[blaze]).sources[-1]
    assert (source.file, source.role, source.kind) == ("Blaze/b.md", "guidance", "guidance")
    assert source.reason == "the blaze"


def test_flags_of_the_report_and_later_ones_stand_once() -> None:
    dig = decided_dig([], Made(flags=("SCORES_FLAT", "REOPENED 1")))
    brief = compose_brief(dig, ANCHOR, flags=["SOURCE_CHANGED:a.md", "SCORES_FLAT"])
    assert brief.flags == ("SCORES_FLAT", "REOPENED 1", "SOURCE_CHANGED:a.md")


def test_lone_carriage_returns_in_a_passage_are_flagged() -> None:
    dig = decided_dig([Passage("a\r\nb"), Passage("a\rb", path="VoiceLogs/old.md")])
    assert compose_brief(dig, ANCHOR).flags == ("HIDDEN_TEXT:VoiceLogs/old.md",)


def test_an_endless_reason_is_cut_where_it_shows() -> None:
    (source,) = compose_brief(decided_dig([Passage("x", why="w" * 1000)]), ANCHOR).sources
    assert len(source.reason) == REASON_SHOWN
    assert source.reason.endswith("…")


def test_no_brief_can_be_composed_without_a_decision() -> None:
    dig = replace(decided_dig([Passage("x")]), decision=None)
    with pytest.raises(ValueError, match="no recorded decision"):
        compose_brief(dig, ANCHOR)
