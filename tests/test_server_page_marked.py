"""The excerpt in its place: lines, marks and what is around it, for any text."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.lines import read_lines
from index.markdown import read_document
from index.records import Digest, Document, Excerpt
from index.text import visible
from server.page.marked import BYTES_AROUND, LINES_AROUND, Place, in_its_place, marked_lines

FILE = "".join(f"Line {n} says that I was here.\n" for n in range(1, 41))


def cut(document: Document, start: int, end: int) -> Excerpt:
    content = document.content
    before = content[:start]
    first = len(read_lines(before + b"x"))
    return Excerpt(
        row="row_1",
        path="a.md",
        start=start,
        end=end,
        first_line=first,
        last_line=first + len(read_lines(content[start:end] + b"x")) - 1,
        text=content[start:end].decode("utf-8"),
        words=1,
        sha256=hashlib.sha256(content[start:end]).hexdigest(),
        file_sha256=document.sha256,
        blocks=1,
        flags=(),
        pass_number=1,
    )


def marked(place: Place, mark: str) -> str:
    return "".join(p.text for line in place.lines for p in line.pieces if mark in p.marks)


def whole(place: Place) -> list[str]:
    return ["".join(piece.text for piece in line.pieces) for line in place.lines]


@pytest.mark.requirement("page:evidence")
def test_an_excerpt_stands_between_the_lines_around_it() -> None:
    document = read_document("a.md", FILE.encode())
    start = FILE.index("Line 20")
    end = FILE.index("\nLine 22")
    place = in_its_place(cut(document, start, end), document, (), "en")
    numbers = [line.number for line in place.lines]
    assert numbers == list(range(20 - LINES_AROUND, 21 + LINES_AROUND + 1))
    assert (place.above, place.below) == (19 - LINES_AROUND, 40 - 21 - LINES_AROUND)
    assert marked(place, "cut") == FILE[start:end].replace("\n", "")
    assert whole(place) == FILE.splitlines()[numbers[0] - 1 : numbers[-1]]


def test_a_long_line_is_shown_in_part_and_says_so() -> None:
    text = f"{'a ' * 5000}Here I am.{' b' * 5000}"
    document = read_document("a.md", text.encode())
    start = text.index("Here")
    place = in_its_place(cut(document, start, start + 10), document, (), "")
    (line,) = whole(place)
    assert line.startswith("…")
    assert line.endswith("…")
    assert len(line) == 2 * BYTES_AROUND + 10 + 2
    assert (place.above, place.below) == (0, 0)


def test_first_person_and_the_words_of_the_digest_are_marked() -> None:
    digest = "The kiln is opened at dawn and everything that was inside of it is broken."
    text = f"I stood by the kiln all night. {digest} Nobody spoke."
    document = read_document("a.md", text.encode())
    place = in_its_place(cut(document, 0, len(text)), document, (Digest(digest),), "en")
    assert marked(place, "voice") == "I stood by the kiln all night."
    assert marked(place, "digest") in digest
    assert len(marked(place, "digest")) > len(digest) - 3


@pytest.mark.requirement("page:text-nodes")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\u202eb", "a\\u202eb", id="bidi"),
        pytest.param("\ufeffa\ufeffb", "\ufeffa\\ufeffb", id="a mark of order in mid-text"),
        pytest.param("a\U000e0041b", "a\\U000e0041b", id="a tag"),
        pytest.param("\U0001f469\u200d\U0001f33e", "\U0001f469\u200d\U0001f33e", id="an emoji"),
        pytest.param("a\x1bb", "a\\u001bb", id="a control"),
    ],
)
def test_what_is_hidden_is_escaped_and_what_a_script_needs_is_not(text: str, shown: str) -> None:
    document = read_document("a.md", text.encode())
    place = in_its_place(cut(document, 0, len(text.encode())), document, (), "")
    assert whole(place) == [shown]


@given(
    before=st.text(max_size=200),
    text=st.text(min_size=1, max_size=200),
    after=st.text(max_size=200),
)
def test_any_excerpt_is_shown_letter_by_letter(before: str, text: str, after: str) -> None:
    parts = [one.encode("utf-8", "replace") for one in (before, text, after)]
    document = read_document("a.md", b"".join(parts))
    start = len(parts[0])
    excerpt = cut(document, start, start + len(parts[1]))
    place = in_its_place(excerpt, document, (), "")
    alone = in_its_place(excerpt, None, (), "")
    bare = excerpt.text.replace("\r", "").replace("\n", "")
    assert len(marked(alone, "cut")) >= len(bare)
    if visible(bare) == bare:
        assert marked(alone, "cut") == bare
        assert marked(place, "cut") == bare
    numbers = [line.number for line in place.lines]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


@given(
    text=st.text(alphabet="ab \n", max_size=60),
    edges=st.lists(st.integers(0, 60), max_size=8, unique=True),
)
def test_every_letter_has_the_marks_of_the_spans_it_lies_in(text: str, edges: list[int]) -> None:
    ordered = sorted(edge for edge in edges if edge <= len(text))
    spans = list(zip(ordered[::2], ordered[1::2], strict=False))
    lines = marked_lines(text, 1, {"voice": spans})
    letters = [
        (letter, "voice" in p.marks) for one in lines for p in one.pieces for letter in p.text
    ]
    expected = [
        (letter, any(start <= at < end for start, end in spans))
        for at, letter in enumerate(text)
        if letter != "\n"
    ]
    assert letters == expected
