"""`expedition search --explain` and `expedition index inspect`: what the index sees, and why."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.rows_made import make_base

Run = Callable[..., Result]

NOTES = {
    "hull.md": "---\ntitle: The hull\nsummary: Rust and what it costs.\ntags: [boats]\n---\n"
    "I was scraping rust from the hull, and rust fell into the water.\n",
    "sea.md": "---\ntitle: The sea\n---\nThe water was cold.\n",
    "Agent_Briefs/old.md": "A brief of ours.\n",
    "shut/secret.md": "Nothing to see.\n",
    "notes.txt": "no markdown",
}


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    make_base(root, NOTES)
    (root / "torn.md").write_bytes(b"\xff\xfe\x00a")
    (root / "link.md").symlink_to("sea.md")
    config = tmp_path / "expedition.yaml"
    config.write_text(f"bases: [{{id: notes, path: {root}, exclude: ['shut/**']}}]\n")
    return root


@pytest.fixture
def run(expedition: Run, tmp_path: Path, kb: Path) -> Run:
    options = ("--config", tmp_path / "expedition.yaml", "--state", tmp_path / "state")
    return lambda *words: expedition(*words, *options)


def told(result: Result) -> Any:
    assert result.stderr == ""
    return json.loads(result.stdout)


@pytest.mark.requirement("search:explained")
def test_a_search_says_what_each_word_brought_each_file(run: Run) -> None:
    run("index", "update")
    record = told(run("search", "--explain", "--json", "rusting water nowherequux"))
    assert record["words"] == [
        {"word": "rusting", "tokens": ["rust"], "files": 1},
        {"word": "water", "tokens": ["water"], "files": 2},
        {"word": "nowherequux", "tokens": ["nowherequux"], "files": 0},
    ]
    assert [hit["file"] for hit in record["hits"]] == ["hull.md", "sea.md"]
    for hit in record["hits"]:
        assert hit["score"] == pytest.approx(sum(record["parts"][hit["file"]].values()), abs=0.02)
    assert set(record["parts"]["hull.md"]) == {"rusting", "water"}


@pytest.mark.requirement("search:explained")
@pytest.mark.parametrize(
    "query",
    [
        "rust rusting rusted hull",
        "water 4.1.2-1 water",
        '"scraping rust" hull rust-1',
        " ".join(f"w{number}" for number in range(70)) + " hull water",
    ],
)
def test_what_the_words_brought_adds_up_to_the_score(run: Run, kb: Path, query: str) -> None:
    (kb / "many.md").write_text(f"{query} and 4.1.2-1 of rust on the hull, rust-1.\n")
    run("index", "update")
    record = told(run("search", "--explain", "--json", query))
    assert record["hits"]
    for hit in record["hits"]:
        parts = record["parts"][hit["file"]].values()
        # each is rounded to two digits
        assert sum(parts) == pytest.approx(hit["score"], abs=0.005 * (len(parts) + 1))


@pytest.mark.requirement("search:explained")
def test_at_a_terminal_the_reasons_stand_under_each_file(run: Run) -> None:
    run("index", "update")
    lines = run("search", "--explain", "rusting nowherequux").stdout.splitlines()
    assert lines[:3] == [
        "2 words asked for:",
        "    rusting: as rust, in 1 file",
        "    nowherequux: as nowherequux, in no files",
    ]
    assert lines[3].endswith("hull.md — The hull")
    assert lines[4].startswith("    rusting ")
    nothing = run("search", "--explain", "nowherequux").stdout
    assert nothing.startswith("1 word asked for:\n")
    assert nothing.endswith("No file matches.\n")


@pytest.mark.requirement("index:inspected")
def test_a_file_is_shown_with_its_row_and_its_searched_words(run: Run, kb: Path) -> None:
    run("index", "update")
    for name in ("hull.md", str(kb / "hull.md")):
        record = told(run("index", "inspect", "--json", name))
        assert record["standing"] == "as indexed"
        assert record["reason"] == ""
        assert record["row"]["title"] == "The hull"
        assert record["fields"]["body"]["tokens"]["rust"] == 2
        assert record["fields"]["tags"]["tokens"] == {"boat": 1}
        assert record["fields"]["title"]["weight"] > record["fields"]["body"]["weight"]
    text = run("index", "inspect", "hull.md").stdout
    assert text.startswith("hull.md: as indexed, gen-1 of notes\nrow:\n")
    assert "  tags, weight 2, 1 words: boat 1\n" in text


@pytest.mark.requirement("index:inspected")
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("Agent_Briefs/old.md", "it is a brief that this program wrote"),
        ("shut/secret.md", "an exclude glob of the configuration"),
        ("notes.txt", "its name does not end in .md or .markdown"),
        ("link.md", "symbolic links are never followed"),
        ("Agent_Briefs", "it is a folder"),
        ("nowhere.md", "it is not there"),
        ("../notes/sea.md", "it leads to a parent folder"),
    ],
)
def test_a_file_that_is_not_found_is_shown_with_the_reason(
    run: Run, path: str, reason: str
) -> None:
    run("index", "update")
    result = run("index", "inspect", path)
    assert result.exit_code == 3
    assert result.stdout.startswith(f"{path}: not indexed, gen-1 of notes\nwhy: {reason}\n")


@pytest.mark.requirement("index:inspected")
def test_other_bytes_of_the_same_size_and_time_are_told_apart(run: Run, kb: Path) -> None:
    run("index", "update")
    before = (kb / "sea.md").stat()
    (kb / "sea.md").write_text((kb / "sea.md").read_text().replace("cold", "warm"))
    os.utime(kb / "sea.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert told(run("index", "inspect", "--json", "./sea.md"))["standing"] == "changed since"
    found = run("search", "cold")
    assert found.stdout.startswith("sea.md — The sea\n")
    assert found.stderr.startswith("INDEX_STALE:1 of these files changed or went — ")


@pytest.mark.requirement("index:inspected")
def test_a_file_is_compared_with_what_was_indexed(run: Run, kb: Path) -> None:
    run("index", "update")
    (kb / "sea.md").write_text("Warm now.")
    (kb / "hull.md").unlink()
    (kb / "new.md").write_text("New.")
    standing = {
        name: told(run("index", "inspect", "--json", name)) for name in ("sea.md", "hull.md")
    }
    assert standing["sea.md"]["standing"] == "changed since"
    assert standing["sea.md"]["fields"]["body"]["tokens"] == {"now": 1, "warm": 1}
    assert standing["hull.md"]["standing"] == "gone"
    assert standing["hull.md"]["row"]["title"] == "The hull"
    new = run("index", "inspect", "new.md")
    assert (new.exit_code, new.stdout.splitlines()[1]) == (
        3,
        "why: it is newer than the index: expedition index update",
    )


@pytest.mark.requirement("index:inspected")
def test_a_file_that_is_no_text_is_a_row_with_its_problem(run: Run) -> None:
    run("index", "update")
    record = told(run("index", "inspect", "--json", "torn.md"))
    assert record["row"]["sha256"] is None
    assert record["reason"]
    assert record["problems"]


@pytest.mark.requirement("index:inspected")
def test_without_an_index_the_command_that_builds_one_is_named(run: Run) -> None:
    result = run("index", "inspect", "hull.md")
    assert result.exit_code == 4
    assert "build it: expedition index rebuild" in result.stderr


@pytest.mark.requirement("index:inspected")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFO on this system")
def test_a_pipe_in_the_place_of_a_file_is_not_opened(run: Run, kb: Path) -> None:
    run("index", "update")
    os.mkfifo(kb / "pipe.md")
    assert "why: " in run("index", "inspect", "pipe.md").stdout


@pytest.mark.requirement("index:neighbours")
@pytest.mark.parametrize("explain", [(), ("--explain",)])
def test_a_search_shows_the_neighbours_of_what_it_found(
    run: Run, kb: Path, explain: tuple[str, ...]
) -> None:
    (kb / "sea.md").write_text("The water was cold; see [[hull]].\n")
    run("index", "update")
    found = run("search", "cold", "--neighbours", *explain).stdout.splitlines()
    assert "    links to: hull.md" in found
    assert "    linked from: sea.md" in run("search", "scraping", "--neighbours").stdout
    assert "links" not in run("search", "cold").stdout
    record = told(run("search", "cold", "--neighbours", "--json", *explain))
    assert record["hits"][0]["links"] == ["hull.md"]
