"""Where an author's prose is in markdown: paragraphs and list items, nothing set apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.inline import prose_of, unlinked
from gates.markup import paragraphs
from gates.speech import own_words


def read(text: str) -> list[str]:
    return [text[start:end] for start, end in paragraphs(text)]


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        pytest.param("one\nwraps\n\ntwo", ["one\nwraps", "two"], id="paragraphs"),
        pytest.param("one\r\nwraps\r\n\r\ntwo\rthree", ["one\r\nwraps", "two\rthree"], id="CR"),
        pytest.param("# a\none\n####### two", ["one\n####### two"], id="headings"),
        pytest.param("one\n===\ntwo\n---\nthree", ["three"], id="underlined headings"),
        pytest.param("one\n\n---\n\n* * *\n\ntwo", ["one", "two"], id="rules"),
        pytest.param("- one\n- two\n  wraps\n\n  more", ["one", "two\n  wraps", "more"], id="list"),
        pytest.param(
            "- one\n\n      deep\n\nout\n\n    code", ["one", "deep", "out"], id="indents"
        ),
        pytest.param("1. one\n2) two", ["one", "two"], id="numbered list"),
        pytest.param("In\n1999. We left", ["In\n1999. We left"], id="a year is no list mark"),
        pytest.param("In\n1. one", ["In", "one"], id="1 is"),
        pytest.param("-\n\none", ["one"], id="an empty item"),
        pytest.param("one\n    goes on", ["one\n    goes on"], id="indented continuation"),
        pytest.param("    code\n\tcode\n\none", ["one"], id="indented code"),
        pytest.param("> quote\nlazy\n\none", ["one"], id="block quote and lazy line"),
        pytest.param(">\none", ["one"], id="an empty quote has no lazy line"),
        pytest.param("> quote\n# head\none", ["one"], id="a heading ends a quote"),
        pytest.param("> quote\n- one", ["one"], id="a list ends a quote"),
        pytest.param("> quote\n    lazy\n\none", ["one"], id="an indented lazy line"),
        pytest.param("```\na\n\n``\n```\none", ["one"], id="fence"),
        pytest.param("```a`b\none", ["```a`b\none"], id="a backtick after three is no fence"),
        pytest.param("~~~ x\na\n```\n~~~~\none", ["one"], id="tildes"),
        pytest.param("```\nnever closed\n\none", [], id="an open fence"),
        pytest.param("<div>\na\n\none", ["one"], id="HTML block"),
        pytest.param("one\n<div>\na\n\ntwo", ["one", "two"], id="HTML block after a line"),
        pytest.param("<b>one</b> two", ["<b>one</b> two"], id="inline HTML"),
        pytest.param("<b>\na\n\none", ["one"], id="a lone tag"),
        pytest.param("one\n<b>\ntwo", ["one\n<b>\ntwo"], id="a lone tag after a line"),
        pytest.param("< one", ["< one"], id="a sign"),
        pytest.param("<script>a\n\nb</script>\none", ["one"], id="script"),
        pytest.param("<pre>a</pre>\none", ["one"], id="script on one line"),
        pytest.param("<!-- a\n\nb -->\none", ["one"], id="comment"),
        pytest.param("<!-- a --> b\none", ["one"], id="comment on one line"),
        pytest.param("<?a?>\n<!X>\n<![CDATA[a\n]]>\none", ["one"], id="instructions"),
        pytest.param("|a|b|\n|-|-|\n|c|\n\none", ["one"], id="table"),
        pytest.param("a|b\n--|--\nc\n\none", ["one"], id="table without edges"),
        pytest.param("one | two", ["one | two"], id="a pipe"),
        pytest.param("[a]: b\n[^c]: d\ngoes on\n\none", ["one"], id="definitions"),
        pytest.param("one\n[a]: b", ["one\n[a]: b"], id="no definition after a line"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_paragraphs_are_those_of_the_authors_prose(text: str, prose: list[str]) -> None:
    assert read(text) == prose


@pytest.mark.parametrize(
    ("paragraph", "prose"),
    [
        pytest.param("a `b` c", "a     c", id="code"),
        pytest.param("a ``b`c`` d", "a         d", id="code with a backtick"),
        pytest.param("a `b c", "a `b c", id="a lone backtick"),
        pytest.param("`` a ` b `` c ` d", "            c ` d", id="runs pair by length"),
        pytest.param("a <!-- b --> c", "a            c", id="comment"),
        pytest.param("a <!-- b", "a <!-- b", id="an open comment"),
        pytest.param("a %%b%% c", "a       c", id="comment of Obsidian"),
        pytest.param("a <q>b</q> c", "a          c", id="quotation"),
        pytest.param("a <b>c</b>", "a    c    ", id="tags"),
        pytest.param("a <mailto:x> b", "a            b", id="address"),
        pytest.param("[a](b) [c][d] e[^1]", " a      c     e    ", id="links"),
        pytest.param("see https://a.b/c now", "see               now", id="bare address"),
        pytest.param("*a* __b__ ~~c~~ d_e", " a    b     c   d_e", id="emphasis"),
        pytest.param("a\\*b &amp; c", "a  b       c", id="escape and entity"),
        pytest.param("<!-- a\nb --> c", "      \n      c", id="lines stay"),
    ],
)
def test_inline_marks_become_blanks(paragraph: str, prose: str) -> None:
    assert prose_of(paragraph) == prose


def test_a_text_without_its_targets_keeps_its_code_and_emphasis() -> None:
    assert unlinked("*a* `b` [c](d)") == "*a* `b` [c    "


MARKS = st.text(st.sampled_from("a1.\n\r\t >-*#`~<!/|[]()^:_=%&;\\ \u200b"), max_size=60)


@given(MARKS)
def test_paragraphs_lie_apart_and_in_order(text: str) -> None:
    places = [place for span in paragraphs(text) for place in span]
    assert places == sorted(places)
    assert all(text[start:end].strip() for start, end in paragraphs(text))


@given(MARKS)
def test_places_in_the_prose_are_places_in_the_text(text: str) -> None:
    prose = prose_of(text)
    assert len(prose) == len(text)
    assert all(kept in (" ", written) for kept, written in zip(prose, text, strict=True))


@given(MARKS)
def test_own_sentences_are_places_in_the_text_as_given(text: str) -> None:
    own = own_words(text)
    spans = [own.span(sentence) for sentence in own.sentences]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
