"""`expedition inspect` says what the program reads in one file, and what it cannot read and why."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

CASES = Path(__file__).resolve().parent / "cases" / "markdown"
MANIFEST: dict[str, Any] = json.loads((CASES / "manifest.json").read_text(encoding="utf-8"))

Expedition = Callable[..., Result]


def read(expedition: Expedition, file: Path) -> dict[str, Any]:
    result = expedition("inspect", "--json", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == json.dumps(json.loads(result.stdout), sort_keys=True) + "\n"
    record: dict[str, Any] = json.loads(result.stdout)
    return record


@pytest.mark.requirement("inspect:cases")
@pytest.mark.parametrize("case", MANIFEST["cases"], ids=lambda case: case["file"])
def test_the_cases_are_told_as_their_manifest_says(
    case: dict[str, Any], expedition: Expedition
) -> None:
    record = read(expedition, CASES / case["file"])
    for key in ("bytes", "frontmatter", "error", "body_start_byte", "body_start_line"):
        assert record[key] == case[key], key
    told: list[dict[str, str]] = record["paragraphs"] or []
    assert len(told) == (case["paragraphs"] or 0)
    assert (record["paragraphs"] is None) == (case["body_start_byte"] is None)
    for paragraph in told[:1]:
        assert paragraph["text"].startswith(case["first_paragraph_starts"])


def test_paragraphs_are_told_with_their_lines_bytes_and_words(
    expedition: Expedition, tmp_path: Path
) -> None:
    file = tmp_path / "note.md"
    file.write_bytes("---\na: 1\n---\nÅ *b*\n`c` d.\n\n- e\n\n[f](g)\n".encode())
    record = read(expedition, file)
    assert record["file"] == str(file)
    assert record["blocks"] == {"paragraph": 2, "list_item": 1}
    assert record["paragraphs"] == [
        {
            "first_line": 4,
            "last_line": 5,
            "start_byte": 13,
            "end_byte": 26,
            "words": 3,
            "text": "Å *b*\n`c` d.",
        },
        {
            "first_line": 9,
            "last_line": 9,
            "start_byte": 33,
            "end_byte": 39,
            "words": 1,
            "text": "[f](g)",
        },
    ]


def test_a_person_reads_what_a_program_reads(expedition: Expedition, tmp_path: Path) -> None:
    file = tmp_path / "note.md"
    file.write_text(
        "---\ntitle: Low water\ntags: [river, [mill]]\nempty:\nmap: {a: 1}\ntitle: Again\n---\n"
        f"One.\nTwo.\n\n{'long ' * 20}\n\n# Head\n",
        encoding="utf-8",
    )
    result = expedition("inspect", file)
    told = result.stdout.splitlines()
    assert told[0].startswith(f"{file}: 199 bytes, sha256 ")
    assert told[1:] == [
        "frontmatter: yaml",
        "  title: Again",
        "  tags: [river, [mill]]",
        "  empty: (empty)",
        "  map: {a: 1}",
        "body: from byte 79, line 8",
        "blocks: 2 paragraph, 1 heading",
        "paragraphs: 2",
        "  lines 8-9, 2 words: One. Two.",
        f"  line 11, 20 words: {' '.join(['long'] * 12)}…",
        "problems: 1",
        f"  {file}:6: title (duplicate-key)",
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(b"", "frontmatter: none", id="an empty file"),
        pytest.param(b"", "paragraphs: none", id="no paragraph"),
        pytest.param(b"caf\xe9", "frontmatter: error (encoding: no UTF-8 at byte 3)", id="Latin-1"),
        pytest.param(b"caf\xe9", "body: unknown", id="no body"),
        pytest.param(b"a\0b", "(binary)", id="a binary file"),
        pytest.param(
            b"---\na: *b\n---\n",
            "frontmatter: error (yaml: an alias without its anchor)",
            id="broken YAML",
        ),
    ],
)
def test_what_cannot_be_read_is_said(
    content: bytes, told: str, expedition: Expedition, tmp_path: Path
) -> None:
    file = tmp_path / "note.md"
    file.write_bytes(content)
    result = expedition("inspect", file)
    assert result.exit_code == 0
    assert told in result.stdout


@pytest.mark.requirement("inspect:hidden")
def test_hidden_characters_are_shown_as_escapes_and_reported(
    expedition: Expedition, tmp_path: Path
) -> None:
    file = tmp_path / "note.md"
    file.write_text(
        '---\nti\u200btle: "a\u202eb"\n---\nx\r\n\r\none\r\ntw\u202eo\u2028\x1b[31m.\r\n',
        newline="",
    )
    result = expedition("inspect", file)
    assert result.stdout.isascii()
    assert "\x1b" not in result.stdout
    assert r"ti\u200btle: a\u202eb" in result.stdout
    assert r"one tw\u202eo\u2028\u001b[31m." in result.stdout
    (problem,) = read(expedition, file)["problems"]
    assert (problem["kind"], problem["place"]) == ("hidden-text", f"{file}:7")


def test_a_link_to_a_file_is_followed(expedition: Expedition, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("One.")
    (tmp_path / "link.md").symlink_to("note.md")
    assert len(read(expedition, tmp_path / "link.md")["paragraphs"]) == 1


def absent(folder: Path) -> Path:
    return folder / "absent.md"


def in_an_absent_folder(folder: Path) -> Path:
    return folder / "absent" / "note.md"


def looping_link(folder: Path) -> Path:
    (folder / "loop").symlink_to("loop")
    return folder / "loop"


def itself(folder: Path) -> Path:
    return folder


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "fifo")
    return folder / "fifo"


def too_large(folder: Path) -> Path:
    with (folder / "large.md").open("wb") as file:
        file.truncate(4 * 1024 * 1024 + 1)
    return folder / "large.md"


@pytest.mark.requirement("inspect:refused")
@pytest.mark.parametrize(
    ("make", "code"),
    [
        pytest.param(absent, 3, id="no such file"),
        pytest.param(in_an_absent_folder, 3, id="no such folder"),
        pytest.param(looping_link, 3, id="a link to itself"),
        pytest.param(itself, 1, id="a folder"),
        pytest.param(fifo, 1, id="a pipe that nobody writes to"),
        pytest.param(too_large, 1, id="a file above the limit"),
    ],
)
def test_what_is_no_file_to_read_is_a_clear_error(
    make: Callable[[Path], Path], code: int, expedition: Expedition, tmp_path: Path
) -> None:
    result = expedition("inspect", make(tmp_path))
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith("expedition: ")
    assert result.stderr.endswith(" — name a markdown file\n")
