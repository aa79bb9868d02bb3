"""A free-form run beside a dig: which quotations anybody wrote, and which files it missed."""

import json
from collections.abc import Callable
from pathlib import Path

import click.testing
import pytest

from index.faults import BadSettings, NotFound
from server.compare import FreeRun, compare, read_free_run
from server.dig import Digs
from tests.digging import reported

Command = Callable[..., click.testing.Result]


@pytest.mark.requirement("judge:compare")
def test_each_quotation_is_told_by_where_its_words_come_from(digs: Digs) -> None:
    state = reported(digs)
    row = next(one.row for one in state.candidates.values() if one.row.path == "Logs/tide.md")
    body = (Path(digs.settings.bases[0].root) / row.path).read_text(encoding="utf-8")
    sentence = next(line for line in body.splitlines() if line.startswith("I walked out"))
    sentence = sentence[:90].rpartition(" ")[0]
    told = [
        (row.path, sentence, "verbatim"),
        (row.path, f"**{sentence.upper()}**", "reworded marks"),
        (row.path, row.summary, "digest"),
        (row.path, "Nobody ever wrote these very words in any file at all", "invented"),
        ("Logs/nowhere.md", sentence, "invented"),
        ("../outside.md", sentence, "invented"),
        (row.path, "\u2026", "invented"),
    ]
    free = FreeRun.model_validate(
        {"files": ["Logs/ferry.md"], "quotations": [{"file": f, "text": t} for f, t, _ in told]}
    )
    found = compare(free, state, digs.library)
    assert [one.kind for one in found.quotations] == [kind for _, _, kind in told]
    assert found.counts == {"verbatim": 1, "reworded marks": 1, "digest": 1, "invented": 4}
    assert row.path in found.both
    assert "Logs/nowhere.md" in found.only_free
    dug = {one.excerpt.path for one in state.evidence.values()}
    assert set(found.only_dig) == dug - {row.path, "Logs/ferry.md"}


@pytest.mark.requirement("judge:compare")
def test_a_dig_is_compared_at_the_terminal(
    expedition: Command, codex: Path, tmp_path: Path
) -> None:
    run = tmp_path / "free.json"
    quoted = {"file": "VoiceLogs/none.md", "text": "Words that nobody wrote"}
    run.write_text(json.dumps({"files": [], "quotations": [quoted]}), encoding="utf-8")
    words = ["--keyword", "forgiveness", "--title", "When Nobody Says Sorry", "--voice", "Carbon"]
    places = ["--kb", codex, "--state", tmp_path / "state"]
    answer = expedition("dig", *words, *places, "--compare", run)
    assert answer.exit_code == 0, answer.stderr
    assert "=== END DIG REPORT ===" in answer.stdout
    assert "quoted 1 times: 0 verbatim, 0 reworded marks, 0 digest, 1 invented." in answer.stdout
    assert "invented: VoiceLogs/none.md: Words that nobody wrote" in answer.stdout


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"files": 1}',
        '{"quotations": [{"file": "a"}]}',
        '{"else": 1}',
        '{"files": [',
        '{"files": [], "files": []}',
    ],
)
def test_a_run_out_of_form_is_said_before_anything_is_dug(tmp_path: Path, content: str) -> None:
    run = tmp_path / "free.json"
    run.write_text(content, encoding="utf-8")
    with pytest.raises(BadSettings, match="it reads"):
        read_free_run(run)
    with pytest.raises(NotFound):
        read_free_run(tmp_path / "nowhere.json")
