"""Step 5: one verbatim excerpt of a picked file, the next one, or why there is none."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.config import Settings
from server.dig import Digs
from server.dig_state import DigState
from server.refusals import Refusal
from server.replies import Answer, Cut
from tests.digging import TERMS, digs_of, drive, open_dig
from tests.digging_base import PARAGRAPHS, REJECTED


def picked(digs: Digs, paths: Sequence[str]) -> DigState:
    """A dig in which these files were picked as direct hits."""
    dig = open_dig(digs)
    state = drive(digs, dig, "scoring")
    for batch, ids in enumerate(state.batches, start=1):
        scores = [
            {"id": id_, "embodies": 3 * (state.candidates[id_].row.path in paths), "why": "so"}
            for id_ in ids
        ]
        digs.score_summaries(dig, batch, scores)
    hits = [one.id for path in paths for one in digs.load(dig).top if one.row.path == path]
    digs.pick_scotoma(dig, {"deep_cuts": [], "direct_hits": hits, "pass4_empty": True})
    after = digs.load(dig)
    assert after.state == "picked"
    return after


def cut(answer: Answer) -> Cut:
    assert isinstance(answer, Cut), answer.text
    return answer


def refused(answer: Answer, flag: str) -> Refusal:
    assert isinstance(answer, Refusal), answer.text
    assert answer.flag == flag, answer.text
    return answer


@pytest.mark.requirement("dig:excerpt")
def test_an_excerpt_is_a_byte_slice_of_its_file_with_lines_and_hash(digs: Digs) -> None:
    state = picked(digs, ["Logs/tide.md"])
    (id_,) = state.picks.ids
    answer = cut(digs.extract_excerpt(state.dig, id_, None))
    content = (Path(digs.settings.bases[0].root) / "Logs/tide.md").read_bytes()
    assert answer.excerpt.encode() in content
    first, last = map(int, answer.lines.split("-"))
    lines = content.decode().splitlines()[first - 1 : last]
    assert answer.excerpt == "\n".join(lines)
    assert answer.sha256 == hashlib.sha256(answer.excerpt.encode()).hexdigest()
    assert 150 <= answer.words <= 500
    assert set(answer.verdicts.values()) == {"passed"}
    assert all(f"> {line}".rstrip() in answer.text for line in lines)


@pytest.mark.requirement("dig:excerpt-next")
def test_after_a_line_the_next_passage_comes_until_there_is_none(
    changing: Settings,
) -> None:
    digs, base = digs_of(changing), Path(changing.bases[0].root)
    state = picked(digs, ["Logs/tide.md"])
    (id_,) = state.picks.ids
    text = "\n\n".join((" ".join(TERMS), *PARAGRAPHS))
    (base / "Logs/tide.md").write_text(text, "utf-8")
    seen: list[int] = []
    answer = digs.extract_excerpt(state.dig, id_, 0)
    while isinstance(answer, Cut):
        first, last = map(int, answer.lines.split("-"))
        assert not seen or first > seen[-1]
        seen.append(last)
        answer = digs.extract_excerpt(state.dig, id_, last)
    refusal = refused(answer, "NO_PROSE")
    assert "no further passage" in refusal.reason
    assert len(seen) > 1
    evidence = digs.load(state.dig).evidence[id_]
    assert evidence.excerpt.last_line == seen[-1]


@pytest.mark.requirement("dig:excerpt-rejected")
@pytest.mark.parametrize(("path", "flag"), REJECTED.items())
def test_a_file_that_may_not_be_quoted_is_recorded_and_reported(
    path: str, flag: str, digs: Digs
) -> None:
    state = picked(digs, [path, "Logs/tide.md"])
    id_ = state.picks.ids[0]
    refusal = refused(digs.extract_excerpt(state.dig, id_, None), flag)
    assert "dig_report" in refusal.remedy
    assert digs.load(state.dig).rejections[id_].flag == flag
    report = drive(digs, state.dig).report
    assert report is not None
    assert f"{flag}:{path}" in report.flags
    assert f"{path} — so ({id_}, no excerpt: {flag})" in report.text


def test_the_report_cuts_what_nobody_extracted(digs: Digs) -> None:
    state = picked(digs, ["Logs/tide.md", "Notes/table.md"])
    digs.dig_report(state.dig)
    after = digs.load(state.dig)
    tide, table = state.picks.ids
    assert after.evidence[tide].excerpt.path == "Logs/tide.md"
    assert after.rejections[table].flag == "NO_PROSE"


@pytest.mark.requirement("dig:excerpt")
@pytest.mark.parametrize("id_", ["row_99", "", "Logs/tide.md", "../kiln"])
def test_only_a_picked_id_is_cut(id_: str, digs: Digs) -> None:
    state = picked(digs, ["Logs/tide.md"])
    refusal = refused(digs.extract_excerpt(state.dig, id_, None), "INVALID_ARGUMENT")
    assert refusal.remedy == f"send one of: {state.picks.ids[0]}"
    assert refused(digs.extract_excerpt(state.dig, state.picks.ids[0], -1), "INVALID_ARGUMENT")


def test_where_nothing_is_picked_the_way_on_is_the_report(digs: Digs) -> None:
    state = picked(digs, [])
    refusal = refused(digs.extract_excerpt(state.dig, "row_1", None), "INVALID_ARGUMENT")
    assert refusal.remedy == "nothing was picked; go on with dig_report"


@pytest.mark.requirement("dig:source-changed")
def test_a_file_changed_since_it_was_indexed_is_cut_as_it_is_and_flagged(
    changing: Settings,
) -> None:
    digs, base = digs_of(changing), Path(changing.bases[0].root)
    state = picked(digs, ["Logs/tide.md"])
    file = base / "Logs/tide.md"
    file.write_text(file.read_text("utf-8").replace("my boots", "my shoes"), "utf-8")
    answer = cut(digs.extract_excerpt(state.dig, state.picks.ids[0], None))
    assert "with my shoes in my hand" in answer.excerpt
    assert answer.flags == ("SOURCE_CHANGED",)


@pytest.mark.requirement("dig:source-changed")
def test_a_file_gone_since_it_was_indexed_is_a_rejection(changing: Settings) -> None:
    digs, base = digs_of(changing), Path(changing.bases[0].root)
    state = picked(digs, ["Logs/tide.md", "Logs/ferry.md"])
    (base / "Logs/tide.md").unlink()
    (base / "Logs/ferry.md").unlink()
    (base / "Logs/ferry.md").symlink_to(base / "Logs/kiln.md")
    tide, ferry = state.picks.ids
    refused(digs.extract_excerpt(state.dig, tide, None), "SOURCE_CHANGED")
    refused(digs.extract_excerpt(state.dig, ferry, None), "PATH_REFUSED")
    digs.dig_report(state.dig)
    report = digs.load(state.dig).report
    assert report is not None
    assert "SOURCE_CHANGED:Logs/tide.md" in report.flags
    assert "PATH_REFUSED:Logs/ferry.md" in report.flags


def test_a_passage_is_kept_as_it_was_cut_whatever_becomes_of_the_file(
    changing: Settings,
) -> None:
    digs, base = digs_of(changing), Path(changing.bases[0].root)
    state = picked(digs, ["Logs/tide.md"])
    answer = cut(digs.extract_excerpt(state.dig, state.picks.ids[0], None))
    (base / "Logs/tide.md").write_text("Gone.\n", "utf-8")
    digs.dig_report(state.dig)
    kept = digs.load(state.dig).evidence[state.picks.ids[0]]
    assert kept.excerpt.text == answer.excerpt


@pytest.mark.requirement("dig:excerpt")
def test_the_passages_of_one_pass_are_many_but_not_endless(
    digs: Digs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.moves.excerpts.MOST_CUTS", 3)
    state = picked(digs, ["Logs/tide.md"])
    (id_,) = state.picks.ids
    first = digs.extract_excerpt(state.dig, id_, None)
    for line in (0, 1):
        digs.extract_excerpt(state.dig, id_, line)
    before = digs.load(state.dig).seq
    refusal = refused(digs.extract_excerpt(state.dig, id_, 2), "INVALID_ARGUMENT")
    assert "dig_report" in refusal.remedy
    assert digs.load(state.dig).seq == before
    assert digs.extract_excerpt(state.dig, id_, None).text == first.text
