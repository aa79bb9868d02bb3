"""Plain texts are read without the parser, and exactly as the parser reads them."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from index.commonmark import Outline, outline, parsed
from index.plain_outline import plain_parts

# Whatever begins a line that is something, or only looks like it; and what may end one.
BEGINNINGS = (
    *(
        "",
        " ",
        "\t",
        "   ",
        "    ",
        "#",
        "# ",
        "## ",
        "####### ",
        "#\t",
        "- ",
        "-",
        "---",
        "* ",
        "1. ",
    ),
    *(
        "1) ",
        "2",
        "=",
        "===",
        "> ",
        "|",
        "| - |",
        "```",
        "~~~",
        "<div>",
        "<!-- ",
        "[a]: /b",
        "[^1]: x",
    ),
    *(
        "a",
        "B",
        "\u00e9",
        "\u6c34",
        "\u00b2",
        "\u00bd",
        "\u2167",
        "_",
        "\\",
        "&amp;",
        "\u00a0",
        "\u3000",
    ),
    *(
        "\x0b",
        "\x0c",
        "\x1c",
        "\x85",
        "\u2028",
        "\ufeff",
        "\u200b",
        "!",
        "$$",
        ":",
        "a | b",
        "Setext",
    ),
)
ENDINGS = (
    "",
    " ",
    "  ",
    "\t",
    "\\",
    " #",
    "#",
    " ##  ",
    "|",
    "\u00a0",
    "\x0b",
    "\u2028",
    "`",
    "*",
    "-",
)
LINES = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(BEGINNINGS),
        st.sampled_from(("", "word", "two words")),
        st.sampled_from(ENDINGS),
    ),
)
PLAINER = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(("", "", "# ", "### ", "a ", "\u00b2")),
        st.sampled_from(("", "word", "x | y")),
        st.sampled_from(ENDINGS),
    ),
)


def told(found: Outline) -> object:
    drafts = [(draft.kind, draft.lines, draft.sources) for draft in found.drafts]
    return drafts, dict(found.references), found.stopped


@pytest.mark.requirement("markdown:plain")
@given(st.lists(LINES | PLAINER, max_size=8).map("\n".join))
@example("a\n---")
@example("a | b\n--- | ---")
@example("# a #\nb\n\n# c\\")
def test_any_text_has_the_outline_that_the_parser_gives_it(text: str) -> None:
    assert told(outline(text)) == told(parsed(text))


@pytest.mark.requirement("markdown:plain")
@given(st.lists(PLAINER, max_size=8).map("\n".join))
def test_so_has_a_text_that_is_nearly_plain(text: str) -> None:
    assert told(outline(text)) == told(parsed(text))


@pytest.mark.requirement("markdown:plain")
@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=60))
def test_so_has_a_text_of_any_characters(text: str) -> None:
    assert told(outline(text)) == told(parsed(text))


@pytest.mark.requirement("markdown:plain")
def test_so_have_the_files_of_the_fixtures(fixtures: Path) -> None:
    plain = 0
    for path in filter(Path.is_file, sorted(fixtures.rglob("*.md"))):
        text = path.read_bytes().decode("utf-8", "replace")
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
        for body in (text, text.rpartition("\n---\n")[2]):
            plain += plain_parts(body) is not None
            assert told(outline(body)) == told(parsed(body))
    assert plain
