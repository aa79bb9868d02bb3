"""The closed list of flags, and the page that explains it."""

from pathlib import Path

import pytest

from server.flags import FLAGS, explain
from tests.goldens import assert_golden

DOCS = Path(__file__).parent.parent / "docs"
AGREED = """
UNKNOWN_DIG UNKNOWN_BASE WRONG_STEP INVALID_ARGUMENT BUSY NOT_DECIDED REPORT_VOID NOTHING_KEPT
TERM_COUNT TERM_FANOUT TERM_FANOUT_WEAK NO_CANDIDATES SCORES_INVALID SCORES_FLAT PICK_INVALID
NO_PROSE SHORT_NOTE SHORT_PASSAGE LONG_CUT EXCERPT_DIGEST_REJECTED THIRD_PERSON_REJECTED HIDDEN_TEXT
NO_LIVED_MATERIAL VOICE_ANCHOR_MISSING VOICE_UNDECIDABLE ROLE_UNSTATED SOURCE_CHANGED BRIEF_GONE
PATH_REFUSED INDEX_BUILDING INDEX_STALE INDEX_REBUILDING BASE_UNAVAILABLE EXTRA_MISSING STORAGE_FULL
JUDGE_OFFLINE JUDGE_UNREACHABLE DECOY_SCORED REOPENED
"""
HEAD = """\
# Flags

A flag is one word for what an agent or a person should know. A refusal opens with it:
`[FLAG] what — why — next move`. A report, a brief and an answer list theirs; one that belongs to a
file names it, as `SHORT_NOTE:notes/a.md`. The list is closed.

| Flag | Refuses | When it comes | What next |
| --- | --- | --- | --- |
"""


def page() -> str:
    """The page as the list gives it."""
    rows = [
        f"| `{flag.name}` | {'yes' if flag.refuses else 'no'} | {flag.comes} | {flag.remedy} |\n"
        for flag in FLAGS.values()
    ]
    return HEAD + "".join(rows)


@pytest.mark.requirement("flags:closed")
def test_the_list_is_the_one_that_was_agreed() -> None:
    assert list(FLAGS) == [*AGREED.split(), "STEP_n FAILED"]


@pytest.mark.requirement("flags:explained")
def test_the_page_is_the_list() -> None:
    assert_golden("flags.md", page(), DOCS)


@pytest.mark.requirement("flags:explained")
@pytest.mark.parametrize(
    ("shown", "name"),
    [
        ("SHORT_NOTE", "SHORT_NOTE"),
        ("SHORT_NOTE:Notes/a: b.md", "SHORT_NOTE"),
        ("REOPENED 2", "REOPENED"),
        ("STEP_3 FAILED — 9 usable terms of 9 sent", "STEP_n FAILED"),
    ],
)
def test_a_flag_as_shown_finds_its_entry(shown: str, name: str) -> None:
    assert explain(shown).name == name


def test_each_entry_is_a_short_phrase_without_a_full_stop() -> None:
    for flag in FLAGS.values():
        for text in (flag.comes, flag.remedy):
            assert 0 < len(text) <= 60, flag.name
            assert text[0].islower(), flag.name
            assert text[-1].isalnum(), flag.name
            assert "|" not in text, flag.name
