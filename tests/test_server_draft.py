import pytest

from server.brief import Brief, compose_brief
from server.draft import check_draft
from server.quotations import Quotation, quotations
from tests.decided import ANCHOR, Made, Passage, decided_dig, excerpt_of

LIVED = (
    "I walked out on the ice, and it sang.\nNobody had told me that *ice* sings —\n"
    "I thought of [my father](people/father.md) and stood there until dark."
)
BLAZE = "Every winter is a teacher who never raises her voice, and we are late to class."
JAPANESE = "\u79c1\u306f\u6c37\u306e\u4e0a\u3092\u6b69\u3044\u305f"
PHRASES = ["never raises her voice", "frost writes the first letter"]


@pytest.fixture(scope="module")
def brief() -> Brief:
    blaze = excerpt_of(Passage(BLAZE, path="Blaze/b.md"))
    dig = decided_dig([Passage(LIVED), Passage("Another day. I slept.")], Made(blaze="Blaze/b.md"))
    return compose_brief(dig, ANCHOR, PHRASES, [blaze])


def found(brief: Brief, draft: str) -> list[tuple[int, str]]:
    return [(finding.line, finding.kind) for finding in check_draft(brief, draft)]


@pytest.mark.parametrize(
    ("draft", "line"),
    [
        pytest.param("She never raises her voice.", 1, id="as stored"),
        pytest.param("x\n\nNEVER **raises**\nher voice", 3, id="wrapped, loud and emphatic"),
        pytest.param("x\r\ny\rShe never raises her voice", 3, id="after other line ends"),
        pytest.param("frost writes\u00a0the first \u2018letter\u2019", 1, id="other blanks"),
        pytest.param("n\u200bever rai\u00adses her voice", 1, id="hidden characters"),
        pytest.param("> never raises her voice", 1, id="inside a quotation"),
    ],
)
@pytest.mark.requirement("draft:banned-phrase")
def test_a_banned_phrase_is_found_in_any_dress(brief: Brief, draft: str, line: int) -> None:
    assert (line, "banned phrase") in found(brief, draft)


@pytest.mark.parametrize(
    "draft",
    [
        pytest.param("She never raises my voice.", id="another word inside"),
        pytest.param("never raises her voices", id="another word at the end"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_is_no_banned_phrase_is_left_alone(brief: Brief, draft: str) -> None:
    assert found(brief, draft) == []


def test_every_use_of_a_banned_phrase_is_found(brief: Brief) -> None:
    draft = "never raises her voice\n" * 3
    assert found(brief, draft) == [(line, "banned phrase") for line in (1, 2, 3)]


@pytest.mark.requirement("draft:words-of-guidance")
def test_seven_words_in_a_row_of_guidance_are_found_and_six_are_not(brief: Brief) -> None:
    seven = check_draft(brief, "So:\n*every winter* is a teacher, who never")
    assert [(finding.line, finding.kind, finding.text) for finding in seven] == [
        (2, "words of guidance", "every winter is a teacher who never")
    ]
    assert check_draft(brief, "every winter is a teacher who whispers") == ()


def test_a_long_stretch_of_guidance_is_one_finding(brief: Brief) -> None:
    kinds = [kind for _, kind in found(brief, BLAZE)]
    assert kinds.count("words of guidance") == 1


def test_lived_words_may_be_used(brief: Brief) -> None:
    assert found(brief, LIVED) == []


@pytest.mark.parametrize(
    "draft",
    [
        pytest.param("> I walked out on the ice, and it sang.", id="a block quote"),
        pytest.param("> Nobody had told me\nthat ice sings", id="one that goes on without marks"),
        pytest.param("- > I walked out on the ice", id="one in a list"),
        pytest.param("> I walked out on the ice\n> — Daniel", id="one with its speaker below"),
        pytest.param("\u201cI walked out on the ice,\u201d I said.", id="curly marks"),
        pytest.param('He wrote "nobody had told me that ice sings."', id="straight marks"),
        pytest.param("Er: \u201enobody had told me that\u201c", id="German marks"),
        pytest.param("\u00abI walked out on the ice\u00bb", id="guillemets"),
        pytest.param("\u2018I walked out on the ice\u2019", id="single marks"),
        pytest.param("> I walked out on the ice … Nobody had told me", id="an elision"),
        pytest.param("> and it sang. [...] stood there until dark", id="a bracketed elision"),
        pytest.param("> I thought of my father and stood there", id="a link read as prose"),
        pytest.param("> I thought of [my father](people/father.md)", id="a link as written"),
        pytest.param('a 6" pipe and a 7" pipe lay there for ever', id="inches"),
        pytest.param('"not so many words"', id="fewer than five words"),
    ],
)
def test_a_quotation_that_the_brief_holds_is_left_alone(brief: Brief, draft: str) -> None:
    assert found(brief, draft) == []


@pytest.mark.parametrize(
    ("draft", "line"),
    [
        pytest.param("x\n\n> I walked out on the thin ice", 3, id="a word put in"),
        pytest.param("> I walked out on ice, and it sang", 1, id="a word left out"),
        pytest.param("> Fine.\n>\n> I walked home over the bridge", 3, id="a second paragraph"),
        pytest.param("x\n\u201cnobody\nhad ever told me that", 2, id="an open mark"),
        pytest.param('"Nobody had told me that rivers sing"', 1, id="straight marks"),
        pytest.param("> it sang … I walked out on the ice", 1, id="an elision in another order"),
        pytest.param("> I walked … it sang … until dark", 1, id="an elision of scraps"),
        pytest.param("> stood there until dark. Another day. I slept", 1, id="two passages joined"),
        pytest.param("> Short.\n> — I never said such a thing", 2, id="a line with a dash"),
        pytest.param(f"\u300c{JAPANESE}\u300d", 1, id="Japanese"),
        pytest.param("It\u2019s \u2018what I don\u2019t dare to say\u2019", 1, id="apostrophes"),
    ],
)
@pytest.mark.requirement("draft:quotation")
def test_a_quotation_that_the_brief_does_not_hold_is_found(
    brief: Brief, draft: str, line: int
) -> None:
    assert found(brief, draft) == [(line, "quotation not in the brief")]


def test_a_brief_without_sources_holds_no_quotation() -> None:
    brief = compose_brief(decided_dig([]), ANCHOR)
    assert found(brief, "> anything at all that is quoted") == [(1, "quotation not in the brief")]


def test_findings_come_in_the_order_of_lines(brief: Brief) -> None:
    draft = "> five words of my own\n\nnever raises her voice\n\n> and five more of mine"
    assert [line for line, _ in found(brief, draft)] == [1, 3, 5]


def test_a_long_quotation_is_shown_shortened(brief: Brief) -> None:
    (finding,) = check_draft(brief, "> " + "word " * 500)
    assert len(finding.text) == 240


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "He said \u201cone two three four five\u201d and \u201csix seven eight nine ten\u201d.",
            [
                Quotation(1, "\u201cone two three four five\u201d"),
                Quotation(1, "\u201csix seven eight nine ten\u201d"),
            ],
            id="two on a line",
        ),
        pytest.param(
            "\u201cone two three four five\n\n\u201csix seven eight nine ten\u201d",
            [
                Quotation(1, "\u201cone two three four five"),
                Quotation(3, "\u201csix seven eight nine ten\u201d"),
            ],
            id="one over two paragraphs",
        ),
        pytest.param(
            "\u201cone \u2018two three\u2019 four five\u201d",
            [Quotation(1, "\u201cone \u2018two three\u2019 four five\u201d")],
            id="one inside another",
        ),
        pytest.param(
            ">> one two three\n> four five\n# heading of five whole words",
            [Quotation(1, "one two three\nfour five")],
            id="a heading ends a block quote",
        ),
    ],
)
def test_quotations_are_read_with_their_lines(text: str, expected: list[Quotation]) -> None:
    assert quotations(text) == expected
