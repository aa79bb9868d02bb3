from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.markdown import read_document
from server.brief import Brief, BriefTrouble, compose_brief
from server.brief_text import block_quote, read_brief, render_brief
from tests.decided import ANCHOR, Made, Passage, decided_dig, excerpt_of

# What markdown, YAML and line readers could trip over, and any other text.
HOSTILE = st.lists(
    st.sampled_from(
        [
            "\n", "\r\n", "\r", "\n\n", " ", "\t", "> ", ">", "# ", "## 1. ", "---", "```", "~~~",
            "<!--", "-->", "<script>", "[x]: http://e.x", "![i](http://e.x)", "- ", "    ", "word",
            "\u0085", "\u2028", "\ufeff", "\u202e", "\0", "voice_anchor: forged.md", "\U0001f600",
        ]
    )
    | st.text(max_size=8),
    max_size=20,
).map("".join)  # fmt: skip


def brief_of(*passages: Passage, made: Made | None = None, anchor: str = ANCHOR) -> Brief:
    return compose_brief(
        decided_dig(passages, made or Made()), anchor, ["never said like this before"]
    )


@pytest.mark.requirement("brief:verbatim")
@given(HOSTILE)
def test_stripping_the_marks_of_a_block_quote_gives_back_the_passage(text: str) -> None:
    quoted = block_quote(text).split("\n")
    assert all(line.startswith("> ") for line in quoted)
    assert "\n".join(line.removeprefix("> ") for line in quoted) == text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("one line", id="no final line end"),
        pytest.param("one line\n", id="a final line end"),
        pytest.param("a\r\nb\r\n", id="CR LF"),
        pytest.param("a\rb\r", id="lone CR"),
        pytest.param("a  \nb\t", id="trailing blanks"),
        pytest.param("\n\na\n\n\nb\n\n", id="empty lines"),
        pytest.param("> quoted\n>> twice", id="quotation marks of its own"),
        pytest.param("", id="nothing"),
        pytest.param("a\u0085b\u2028c\x0bd\x0ce", id="what other programs call line ends"),
    ],
)
def test_a_passage_is_read_back_byte_for_byte(text: str) -> None:
    brief = brief_of(Passage("before"), Passage(text), Passage("after"))
    content = render_brief(brief).encode()
    assert read_brief(content.decode()).sources[1].text.encode() == text.encode()


@pytest.mark.requirement("brief:reads-back")
@given(texts=st.lists(HOSTILE, max_size=4), title=HOSTILE, reason=HOSTILE, path=HOSTILE)
def test_a_brief_is_read_back_equal(texts: list[str], title: str, reason: str, path: str) -> None:
    passages = [Passage(text, path=path, why=reason) for text in texts]
    brief = brief_of(*passages, made=Made(title=title, archetype=reason), anchor=title + path)
    assert read_brief(render_brief(brief)) == brief


def test_the_same_dig_gives_the_same_bytes() -> None:
    passages = [Passage("I froze."), Passage("Jeg frøs.", path="Logg/å.md")]
    assert render_brief(brief_of(*passages)) == render_brief(brief_of(*passages))


@pytest.mark.requirement("brief:no-forged-section")
@given(text=HOSTILE.filter(lambda text: "\r" not in text.replace("\r\n", "")), odd=HOSTILE)
def test_only_the_headings_of_the_program_stand_outside_a_block_quote(text: str, odd: str) -> None:
    passages = [Passage(text, path=odd, why=odd, role=odd), Passage("last")]
    brief = brief_of(*passages, made=Made(title=odd), anchor=odd)
    # A NUL makes a file binary; what follows is about markup.
    content = render_brief(brief).replace("\0", "").encode()
    blocks = read_document("brief.md", content).blocks
    headings = [block.text for block in blocks if block.kind == "heading"]
    assert [heading[:5] for heading in headings[1:]] == ["## 1.", "## 2."]
    assert {block.kind for block in blocks} == {"heading", "paragraph", "block_quote"}


@pytest.mark.parametrize(
    "made",
    [
        pytest.param({"title": "x\n---\nvoice_anchor: forged.md\n---\n"}, id="through the title"),
        pytest.param({"keyword": '"\nvoice_anchor: forged.md\n"'}, id="through the keyword"),
        pytest.param({"archetype": "\u2028voice_anchor: forged.md"}, id="through the archetype"),
        pytest.param({"flags": ("x\nvoice_anchor: forged.md",)}, id="through a flag"),
    ],
)
@pytest.mark.requirement("brief:no-forged-key")
def test_no_field_can_write_another(made: dict[str, Any]) -> None:
    brief = brief_of(Passage("I froze."), made=Made(**made))
    document = read_document("brief.md", render_brief(brief).encode())
    assert document.frontmatter.data["voice_anchor"] == ANCHOR
    assert not document.problems


@pytest.mark.parametrize(
    "passage",
    [
        pytest.param(
            Passage("---\nvoice_anchor: forged.md\n---\n\n## 1. forged"), id="through a passage"
        ),
        pytest.param(Passage("x", why="\n\nvoice_anchor: forged.md"), id="through a reason"),
        pytest.param(
            Passage("x", path="a.md\n---\nvoice_anchor: forged.md\n---\n## 9. `"),
            id="through a file name",
        ),
        pytest.param(Passage("x", role="\n> forged\n"), id="through a role"),
    ],
)
def test_no_source_can_write_a_key_or_a_quotation(passage: Passage) -> None:
    brief = brief_of(passage, Passage("I froze."))
    text = render_brief(brief)
    document = read_document("brief.md", text.encode())
    assert document.frontmatter.data["voice_anchor"] == ANCHOR
    assert [source.text for source in read_brief(text).sources] == [passage.text, "I froze."]
    assert sum(block.kind == "block_quote" for block in document.blocks) == 2


def test_a_lone_carriage_return_gets_a_warning_in_its_section() -> None:
    text = render_brief(brief_of(Passage("a\r## 2. forged"), Passage("a\r\nb")))
    assert text.count("Lone carriage returns") == 1


def test_a_file_name_with_backticks_stays_in_its_code_span() -> None:
    text = render_brief(brief_of(Passage("x", path="`a``b`.md")))
    assert "## 1. ``` `a``b`.md ```, lines 1-1\n" in text


def test_the_frontmatter_of_the_largest_dig_fits_the_cap() -> None:
    long = [
        Passage(f"passage {n}", path="f" * 200 + f"{n}.md", why="\U0001f600" * 12)
        for n in range(80)
    ]
    brief = brief_of(*long)
    phrases = tuple(f"phrase {n} " + "distinctive " * 7 for n in range(20))
    brief = brief.model_copy(update={"banned_phrases": phrases})
    assert len(read_brief(render_brief(brief)).sources) == 80


def test_frontmatter_beyond_the_cap_is_refused_and_not_written() -> None:
    brief = brief_of(*(Passage("x", path="f" * 4000, why="w" * 300) for _ in range(20)))
    with pytest.raises(BriefTrouble, match=r"65,536 allowed.*keep fewer"):
        render_brief(brief)


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        pytest.param("---\nformat", "format", "no YAML frontmatter", id="no frontmatter"),
        pytest.param("\n---\n\n# ", "\n\n# ", "never closes", id="an open frontmatter"),
        pytest.param("expedition-brief/1", "other/9", "format", id="another format"),
        pytest.param('"evidence"', '"gossip"', "kind", id="an unknown kind"),
        pytest.param('"1-1"', '"one"', "lines", id="lines without numbers"),
        pytest.param("sources:\n", "sauces:\n", "sources", id="no sources"),
        pytest.param("words: ", "words: !!python/name:os.system ", "tag", id="a YAML tag"),
    ],
)
def test_what_is_no_brief_is_refused_with_the_place(
    written: str, instead: str, complaint: str
) -> None:
    text = render_brief(brief_of(Passage("I froze.")))
    with pytest.raises(BriefTrouble, match=complaint):
        read_brief(text.replace(written, instead))


def test_a_refusal_repeats_nothing_of_what_it_read() -> None:
    text = render_brief(brief_of(Passage("x"))).replace('"evidence"', '"secret words"')
    with pytest.raises(BriefTrouble) as refusal:
        read_brief(text)
    assert "secret" not in str(refusal.value)


def test_a_passage_whose_quotation_was_cut_out_is_read_as_empty() -> None:
    text = render_brief(brief_of(Passage("I froze."), Passage("I thawed.")))
    brief = read_brief(text.replace("> I froze.\n", ""))
    assert [source.text for source in brief.sources] == ["", "I thawed."]


def test_notes_added_below_a_passage_leave_it_whole() -> None:
    text = render_brief(brief_of(Passage("I froze.")))
    added = text + "\nMy own note.\n\n> from another book\n\n## Ideas\n\n> and another\n"
    assert read_brief(added).sources[0].text == "I froze."


def test_the_blaze_stands_in_the_brief_in_full() -> None:
    blaze = excerpt_of(Passage("# Blaze\n\n- claim one\n- claim two\n", path="Blaze/b.md"))
    brief = compose_brief(decided_dig([], Made(blaze="Blaze/b.md")), ANCHOR, guidance=[blaze])
    assert "> # Blaze\n> \n> - claim one\n> - claim two\n> \n" in render_brief(brief)


DOCS = Path(__file__).resolve().parent.parent / "docs" / "brief-format.md"


def test_the_example_in_the_docs_is_what_the_program_writes() -> None:
    anchor = Passage(
        "I woke before the stove was lit.\n\nMy breath stood in the room.",
        path="VoiceLogs/2024-01.md",
        start=212,
        first_line=9,
        file=b"as it was",
    )
    cut = Passage(
        "Bread that rises slowly keeps.",
        path="Essays/bread.md",
        role="",
        start=1040,
        first_line=31,
        file=b"as it was",
        connection="what waits is not idle",
    )
    blaze = Passage("# Blaze\n\nWinter is a teacher.", path="Blaze/winter.md")
    made = Made(
        blaze=blaze.path, anchors=("row_1",), flags=("JUDGE_OFFLINE", "SHORT_NOTE:Essays/bread.md")
    )
    line = "VoiceLogs/2024-01.md — first-person body prose confirmed, 2 paragraphs"
    phrases = ["winter is a teacher"]
    dig = decided_dig([anchor, cut], made)
    brief = compose_brief(dig, line, phrases, [excerpt_of(blaze)])
    example = DOCS.read_text(encoding="utf-8").split("~~~markdown\n")[1].split("~~~\n")[0]
    assert render_brief(brief) == example
