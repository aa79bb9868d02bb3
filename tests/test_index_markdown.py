"""A file becomes blocks of its own bytes, with the prose a reader hears, whatever the input."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from index import commonmark
from index.lines import read_lines
from index.markdown import read_document
from index.prose import MARKS, prose_between
from index.records import Block, Document

CASES = Path(__file__).resolve().parent / "cases" / "markdown"
MANIFEST: dict[str, Any] = json.loads((CASES / "manifest.json").read_text(encoding="utf-8"))


def read(text: str | bytes) -> Document:
    return read_document("note.md", text.encode() if isinstance(text, str) else text)


def outlined(text: str) -> str:
    return ", ".join(f"{b.kind} {b.first_line}-{b.last_line}" for b in read(text).blocks)


def only(text: str) -> Block:
    (block,) = read(text).blocks
    return block


@pytest.mark.requirement("markdown:cases")
@pytest.mark.parametrize("case", MANIFEST["cases"], ids=lambda case: case["file"])
def test_the_cases_are_read_as_their_manifest_says(case: dict[str, Any]) -> None:
    document = read_document(case["file"], (CASES / case["file"]).read_bytes())
    paragraphs = [block.text for block in document.blocks if block.kind == "paragraph"]
    assert document.frontmatter.kind == case["frontmatter"]["kind"]
    assert document.frontmatter.error == case["error"]
    assert document.frontmatter.data == (case["frontmatter"]["data"] or {})
    assert document.body_start == case["body_start_byte"]
    assert document.body_line == case["body_start_line"]
    assert len(paragraphs) == (case["paragraphs"] or 0)
    if paragraphs:
        assert paragraphs[0].startswith(case["first_paragraph_starts"])


@pytest.mark.requirement("markdown:blocks")
@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        pytest.param("One.\nTwo.\n\nThree.", "paragraph 1-2, paragraph 4-4", id="text"),
        pytest.param("# A\nB\n===\nC", "heading 1-1, heading 2-3, paragraph 4-4", id="headings"),
        pytest.param("- a\n\n  b\n- c\n\n\n", "list_item 1-3, list_item 4-4", id="list"),
        pytest.param("1. a\n   - b\n2. c", "list_item 1-2, list_item 3-3", id="list in list"),
        pytest.param("> a\nb\n\n> c", "block_quote 1-2, block_quote 4-4", id="quotations"),
        pytest.param("> - a\n> - b", "block_quote 1-2", id="a list in a quotation"),
        pytest.param("```\na\n\n```\nb", "code 1-4, paragraph 5-5", id="fenced code"),
        pytest.param("```\na\n\n\n", "code 1-2", id="code without its end"),
        pytest.param("    a\n\n    b\n\nc", "code 1-3, paragraph 5-5", id="indented code"),
        pytest.param("|a|b|\n|-|-|\n|c|d|\ne", "table 1-4", id="table"),
        pytest.param(
            "a\n|a|\n|-|\n\nb",
            "paragraph 1-1, table 2-3, paragraph 5-5",
            id="a table ends a paragraph",
        ),
        pytest.param("|a|\n|-|\n> b", "table 1-2, block_quote 3-3", id="a quotation ends a table"),
        pytest.param("<div>\na\n\nb", "html 1-2, paragraph 4-4", id="HTML"),
        pytest.param(
            "<!-- a\n\nb\n--> c\nd", "html 1-4, paragraph 5-5", id="a comment over blocks"
        ),
        pytest.param("<!-- a\n\nb", "html 1-3", id="a comment without its end"),
        pytest.param("a\n\n***\n\nb", "paragraph 1-1, rule 3-3, paragraph 5-5", id="rule"),
        pytest.param("[^1]: a\n\n    b\n\nc", "footnote 1-3, paragraph 5-5", id="footnote"),
        pytest.param("[^1]:\n\nc", "footnote 1-1, paragraph 3-3", id="an empty footnote"),
        pytest.param(
            "[a]: b\n[c]: d 'e\nf'\ng", "paragraph 4-4", id="link definitions are no blocks"
        ),
        pytest.param("\t- a\n\n\tb", "code 1-3", id="tabs"),
        pytest.param("-\ta\n\n\tb", "list_item 1-3", id="a tab after a marker"),
        pytest.param(
            "a\x0c\n\x0b\n\u2028\n\nb", "paragraph 1-3, paragraph 5-5", id="odd white space"
        ),
        pytest.param("\n\n  a", "paragraph 3-3", id="blank lines first"),
        pytest.param("", "", id="nothing"),
        pytest.param(" \n\t\n", "", id="blanks"),
    ],
)
def test_the_blocks_of_a_body_and_their_lines(text: str, blocks: str) -> None:
    assert outlined(text) == blocks


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CR LF", "CR"])
def test_line_endings_change_bytes_but_no_line_and_no_prose(end: str) -> None:
    lines = ["---", "a: 1", "---", "One *two*", "three.", "", "- four", "", "Åse 日本 e\u0301"]
    document = read(end.join(lines))
    assert [(block.first_line, block.last_line) for block in document.blocks] == [
        (4, 5),
        (7, 7),
        (9, 9),
    ]
    assert [block.prose for block in document.blocks] == [
        "One two three.",
        "four",
        "Åse 日本 e\u0301",
    ]
    assert [block.text for block in document.blocks] == [
        f"One *two*{end}three.",
        "- four",
        "Åse 日本 e\u0301",
    ]
    assert document.content[document.blocks[2].start :].decode() == lines[-1]


@pytest.mark.parametrize(
    ("text", "start"), [("\ufeff# A", 3), ("\ufeff\n# A", 4), ("\ufeff---\n---\n# A", 11)]
)
def test_a_byte_order_mark_belongs_to_no_block(text: str, start: int) -> None:
    block = only(text)
    assert (block.kind, block.start, block.prose) == ("heading", start, "A")


PROSE = [
    ("Some *emph* and __strong__ text.", "Some emph and strong text."),
    ("Wrapped\nlines are  \nread\\\non.", "Wrapped lines are\nread\non."),
    ("Plain\n   lines \n too.", "Plain lines too."),
    ("Call `f(x)` now.", "Call  now."),
    ("An <b class='x'>HTML</b> tag.", "An HTML tag."),
    ("A <!-- secret\ncomment --> here.", "A  here."),
    ("A [link *x*](http://a.b 'title').", "A link x."),
    ("A [link][r], [r][] and [r].\n\n[r]: http://a.b 'title'", "A link, r and r."),
    ("A [link][r].", "A [link][r]."),
    ("An ![*alt* text](i.png).", "An alt text."),
    ("See <https://a.b/c>.", "See https://a.b/c."),
    ("A note[^1], two[^long-name].\n\n[^1]: x", "A note, two."),
    ("A [^two words] bracket.", "A [^two words] bracket."),
    ("See [[Old mill]] and [[A#b|that]].", "See Old mill and that."),
    ("An ![[map.png]] embed.", "An  embed."),
    ("Source [[1]](http://a.b/c).", "Source [1]."),
    ("Empty [[]] and [[ open.", "Empty [[]] and [[ open."),
    ("a&amp;b &lt;c&gt; &#39;d&#39; \\*e\\*", "a&b <c> 'd' *e*"),
    ("H<sub>2</sub>O snake_case_name 2 * 3", "H2O snake_case_name 2 * 3"),
    ("It's ~~gone~~.", "It's ~~gone~~."),
    ("# A *heading* `x` #", "A heading"),
    ("Setext `x`\n---", "Setext"),
    ("- one\n\n  two\n  > three\n- ", "one\n\ntwo\n\nthree"),
    ("- one\n\n  | a |\n  |---|\n  | b |", "one"),
    ("- one\n\n      code", "one"),
    ("- one\n\n  [^1]: note\n\n  two", "one\n\ntwo"),
    ("> one\n> # two\n> - three", "one\n\ntwo\n\nthree"),
    ("[^1]: The *note*.\n\n    More.", "The note.\n\nMore."),
    ("|a|\n|-|\n|b|", ""),
    ("    code", ""),
    ("```\ncode\n```", ""),
    ("<p>I walked.</p>", ""),
    ("***", ""),
    ("![](i.png)", ""),
]


@pytest.mark.requirement("markdown:prose")
@pytest.mark.parametrize(("text", "prose"), PROSE, ids=[text for text, _ in PROSE])
def test_prose_is_what_a_reader_hears(text: str, prose: str) -> None:
    assert read(text).blocks[0].prose == prose


@pytest.mark.requirement("markdown:unreadable")
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"caf\xe9 closed", "encoding", id="Latin-1"),
        pytest.param("text".encode("utf-16"), "binary", id="UTF-16"),
        pytest.param(b"\xed\xa0\x80", "encoding", id="a surrogate"),
        pytest.param(b"\xc0\xaf", "encoding", id="an overlong form"),
        pytest.param(b"PK\x03\x04\x00\x00", "binary", id="an archive"),
        pytest.param(b"---\na: 1\n---\ncaf\xe9", "encoding", id="a broken body"),
    ],
)
def test_what_is_no_text_is_reported_and_not_guessed(content: bytes, problem: str) -> None:
    document = read(content)
    assert (document.frontmatter.kind, document.frontmatter.error) == ("error", "encoding")
    assert (document.body_start, document.body_line, document.blocks) == (None, None, ())
    assert [(found.kind, found.place) for found in document.problems] == [(problem, "note.md")]


def test_a_nul_far_from_the_start_is_a_character_like_others() -> None:
    document = read("a\n\n" * 3000 + "b\0c\n\nd")
    assert document.problems == ()
    assert [block.text for block in document.blocks][-2:] == ["b\0c", "d"]
    assert document.blocks[-2].prose == "b\ufffdc"


def hostile() -> list[tuple[str, str]]:
    """Texts on which parsers of markdown stall, recurse or run out of memory."""
    size = 20_000
    return [
        ("quotation marks", ">" * size),
        ("list markers", "- " * (size // 2)),
        ("numbered markers", "1) " * (size // 3)),
        ("stars with blanks", "* " * (size // 2) + "a"),
        ("a list ever deeper", "".join(" " * n + "- a\n" for n in range(340))),
        ("lazy lines under deep quotations", ">" * 60 + "a\n" + "b\n" * (size // 2)),
        ("open brackets", "[" * size),
        ("nested brackets", "[" * (size // 2) + "]" * (size // 2)),
        ("nested brackets that are defined", "[a]: b\n\n" + "[a " * 10_000 + "]" * 10_000),
        ("image openings", "![" * (size // 2)),
        ("link openings", "[a](" * (size // 4)),
        ("wikilink openings", "[[" * (size // 2)),
        ("footnote openings", "[^" * (size // 2)),
        ("footnotes in footnotes", "[^a]: " * (size // 6)),
        ("stars", "*a " * (size // 3)),
        ("mixed emphasis", "*_*_a" * (size // 5)),
        ("strong in emphasis", "**a *b " * (size // 7)),
        ("ever longer backticks", "".join("`" * n + " " for n in range(340))),
        ("comment openings", "a <!--" * (size // 6)),
        ("declaration openings", "a <!A" * (size // 5)),
        ("instruction openings", "a <?" * (size // 4)),
        ("data openings", "a <![CDATA[" * (size // 11)),
        ("tag openings", "a <a b='" * (size // 8)),
        ("attributes", "<a" + " b" * (size // 2)),
        ("ampersands", "&" * size),
        ("backslashes", "\\" * size),
        ("definitions", "[a]: b\n" * (size // 7)),
        ("a title without end", '[a]: b "\n' + "c\n" * (size // 2)),
        ("a label without end", "[a\n" + "b\n" * (size // 2)),
        ("a table of wide rows", "|a" * 170 + "\n" + "|-" * 170 + "\n" + "|\n" * 10_000),
        ("many small tables", "|a|\n|-|\n\n" * (size // 9)),
        ("blank lines", "\n" * size),
        ("tabs", "\t" * size),
        ("one-letter paragraphs", "a\n\n" * (size // 3)),
        ("one-letter items", "-\n" * (size // 2)),
    ]  # fmt: skip


@pytest.mark.requirement("markdown:hostile")
@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in hostile()])
def test_hostile_text_stays_under_a_price_and_what_is_left_out_is_said(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commonmark, "UNITS", 7_000)
    found = commonmark.outline(text)
    # no rule can overdraw by more than its own step
    assert found.spent < 7_000 + len(text)
    document = read(text)
    check(document)
    kinds = {problem.kind for problem in document.problems}
    assert ("blocks-unread" in kinds) == (found.stopped is not None)
    assert kinds <= {"blocks-unread", "prose-unread"}


def test_what_comes_after_too_deep_a_place_is_left_out_and_reported() -> None:
    document = read("Read.\n\n" + "- " * 100 + "deep\n\nNever read.")
    assert [block.prose for block in document.blocks] == ["Read.", ""]
    assert [(found.kind, found.place) for found in document.problems] == [
        ("blocks-unread", "note.md:3")
    ]


def test_a_paragraph_of_too_much_markup_has_no_prose_and_the_next_one_has() -> None:
    document = read("A.\n\n" + "a*" * (MARKS + 1) + "\n\nZ *is* read.")
    assert [block.prose for block in document.blocks] == ["A.", "", "Z is read."]
    assert [(found.kind, found.place) for found in document.problems] == [
        ("prose-unread", "note.md:3")
    ]


def test_nesting_as_people_write_it_is_read_to_the_last_level() -> None:
    depth = commonmark.LEVELS // 2 - 1
    text = "".join(f"{'  ' * level}- level {level}\n" for level in range(depth))
    document = read(text)
    assert document.problems == ()
    assert document.blocks[0].prose.split("\n\n")[-1] == f"level {depth - 1}"


@pytest.mark.parametrize("batch", [1, 7])
def test_taking_tokens_early_changes_nothing(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for text, _ in PROSE]
    text = "\n\n".join([*texts, "> - a\n>   > b\n>\n> [^n]: c\n>     - d", *reversed(texts)])
    calm = read(text)
    monkeypatch.setattr(commonmark, "_BATCH", batch)
    assert read(text) == calm


def test_places_inside_links_code_and_html_cannot_be_cut_at() -> None:
    text = (
        "One. *Two.* [a. B](c 'd. e') `f. g`. <i t='h. i'> [[j. k]] ![l. m](n). **End** 日本。語。"
    )
    stops = [stop.end() for stop in re.finditer(r"\. |。(?=.)", text)]
    cuts = prose_between(text, stops)
    assert [text[start : start + 5] for start, _ in cuts] == [
        "One. ",
        "*Two.",
        "<i t=",
        "**End",
        "語。",
    ]
    assert (
        " ".join(prose for _, prose in cuts).split()
        == only(text).prose.replace("。", "。 ").split()
    )


def check(document: Document) -> None:
    """What holds of every document, whatever the bytes."""
    lines = read_lines(document.content)
    end = document.body_start or 0
    for block in document.blocks:
        assert block.start >= end
        assert block.end > block.start
        end = block.end
        assert document.content[block.start : block.end] == block.text.encode()
        bom = 3 if block.start == 3 and document.content.startswith(b"\xef\xbb\xbf") else 0
        assert block.start - bom == lines.start(block.first_line)
        assert block.end == lines.end(block.last_line)
        assert block.text.strip(" \t\r\n")
        assert block.prose == block.prose.strip()
        if block.kind in ("code", "table", "html", "rule"):
            assert block.prose == ""


WORDS = "--- +++ # ``` <!-- --> <div> [^a]: |a|b| |-|-| * _ ` [ ]( ) ![ [[ ]] &amp; \\ === ***"
BLANKS = ["\n", "\n\n", "\r\n", "\r", " ", "  \n", "    ", "\t", "\u2028", "\x85", "\x0c", "\ufeff"]
OTHERS = [
    "- ",
    "> ",
    "1. ",
    "[a]: b",
    "<a b='",
    "k: v",
    "a",
    "b c",
    "Å",
    "日本",
    "\ue000",
    "\0",
    '"',
]
PIECES = st.sampled_from([*WORDS.split(), *BLANKS, *OTHERS])


@pytest.mark.requirement("markdown:any-bytes")
@given(st.lists(PIECES, max_size=40).map("".join))
@example("\ufeff\ufeff# A")
@example("- \r\n\r\n\ta")
def test_any_text_becomes_ordered_slices_of_its_bytes(text: str) -> None:
    content = text.encode()
    document = read_document("note.md", content)
    assert document == read_document("note.md", content)
    check(document)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_reported(content: bytes) -> None:
    document = read_document("note.md", content)
    check(document)
    assert (document.body_start is None) == (
        document.frontmatter.error in ("encoding", "unterminated")
    )


@given(st.lists(PIECES, max_size=30).map("".join), st.data())
def test_prose_cut_anywhere_is_in_order_and_never_raises(text: str, data: st.DataObject) -> None:
    places = sorted(data.draw(st.sets(st.integers(1, max(1, len(text))))))
    cuts = prose_between(text, places)
    starts = [start for start, _ in cuts]
    assert starts == sorted({0, *starts})
    assert set(starts) <= {0, *places}


def test_the_corpora_are_read_without_a_problem(shared: Path) -> None:
    files = sorted((shared / "corpora").rglob("*.md"))
    read_ones = [read_document(file.name, file.read_bytes()) for file in files]
    assert len(read_ones) == 724
    assert [document.path for document in read_ones if document.problems] == []
    for document in read_ones:
        check(document)
