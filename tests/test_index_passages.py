"""The chooser quotes whole neighbouring paragraphs where the terms are densest, and goes deeper."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.markdown import read_document
from index.passages import Bounds, Passage, passages
from index.records import Document
from index.text import Span, count_words, sentence_spans

SMALL = Bounds(min_words=10, max_words=20)


def document_of(*blocks: str) -> Document:
    return read_document("note.md", "\n\n".join(blocks).encode())


def words(count: int, *terms: str) -> str:
    """So many words of prose that begin with the terms, as one sentence."""
    return " ".join([*terms, *["word"] * (count - len(terms))]) + "."


def choose(
    document: Document,
    terms: Sequence[str] = (),
    bounds: Bounds = SMALL,
    covered: Sequence[Sequence[Span]] | None = None,
    after_line: int | None = None,
) -> list[Passage]:
    none: list[Sequence[Span]] = [()] * len(document.blocks)
    return passages(document, terms, bounds, none if covered is None else covered, after_line)


def cut(document: Document, passage: Passage) -> str:
    return document.content[passage.start : passage.end].decode()


def best(document: Document, terms: Sequence[str] = ()) -> str:
    return cut(document, choose(document, terms)[0])


@pytest.mark.requirement("passages:dense")
def test_the_passage_is_taken_where_the_terms_are_densest() -> None:
    sparse, dense = words(12, "river"), words(12, "river", "mill", "river")
    document = document_of(words(12), sparse, "# Heading", words(12), dense, words(12))
    assert best(document, ["river", "mill"]) == dense


def test_terms_are_found_inside_words_and_folded() -> None:
    document = document_of(words(12), words(12, "RIVERBANKS", "Cafe\u0301s"))
    found = choose(document, ["riverbank", "CAFÉ", "café", ""])[0]
    assert (found.first_line, found.hits) == (3, 2)


def test_with_equal_density_more_different_terms_win_and_then_the_earlier_place() -> None:
    once, both = words(12, "river", "river"), words(12, "river", "mill")
    assert best(document_of(once, both), ["river", "mill"]) == both
    document = document_of(both, once, both)
    assert choose(document, ["river", "mill"])[0].first_line == 1


def test_a_passage_is_one_slice_of_whole_neighbouring_paragraphs() -> None:
    document = document_of(words(6, "river"), "## Between", words(6, "river"), words(6))
    (found, *_) = choose(document, ["river"])
    assert cut(document, found) == "\n\n".join([words(6, "river"), "## Between", words(6, "river")])
    assert (found.words, found.blocks, found.hits, found.flags) == (12, 3, 2, ())
    assert (found.first_line, found.last_line) == (1, 5)


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param("```\ncode\n```", id="code"),
        pytest.param("|a|\n|-|\n|b|", id="a table"),
        pytest.param("<div>x</div>", id="HTML"),
        pytest.param("***", id="a rule"),
        pytest.param("[^1]: note", id="a footnote"),
    ],
)
def test_whatever_is_no_prose_ends_a_run(ending: str) -> None:
    document = document_of(words(6), words(6), ending, words(6), words(8))
    assert [cut(document, found) for found in choose(document)] == [
        f"{words(6)}\n\n{words(6)}",
        f"{words(6)}\n\n{words(8)}",
    ]


@pytest.mark.requirement("passages:ends")
def test_headings_and_pictures_open_and_close_no_passage() -> None:
    document = document_of("# Top", "![](a.png)", words(12), "![](b.png)", "# End", "## Last")
    assert [cut(document, found) for found in choose(document)] == [words(12)]


def test_lists_and_quotations_are_quoted_only_where_no_paragraphs_are_long_enough() -> None:
    items = f"- {words(6, 'river')}\n- {words(6, 'river')}"
    with_paragraphs = document_of(items, words(12))
    assert best(with_paragraphs, ["river"]) == words(12)
    assert len(choose(with_paragraphs, ["river"])) == 1
    without = document_of(words(6), items, f"> {words(6)}")
    assert best(without, ["river"]) == items


@pytest.mark.requirement("passages:short")
def test_a_short_note_is_taken_whole_from_its_first_prose_to_its_last() -> None:
    document = document_of("# Title", words(3), "```\ncode\n```", f"- {words(3)}", "## End")
    (found,) = choose(document)
    assert found.flags == ("SHORT_NOTE",)
    assert cut(document, found) == "\n\n".join([words(3), "```\ncode\n```", f"- {words(3)}"])
    assert (found.words, found.blocks) == (6, 3)


def test_where_no_run_is_long_enough_the_longest_is_taken_and_flagged() -> None:
    document = document_of(words(5), "***", f"{words(4)}\n\n- {words(3)}", "***", words(6))
    found = choose(document)
    assert {passage.flags for passage in found} == {("SHORT_PASSAGE",)}
    assert [passage.words for passage in found] == [7, 6, 5]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("", id="nothing"),
        pytest.param("# Only a heading", id="a heading"),
        pytest.param("```\ncode\n```\n\n|a|\n|-|", id="code and a table"),
        pytest.param("---\ntitle: A\n\nNever closed, so no body.", id="an unknown body"),
        pytest.param("[^1]: A footnote of many words.", id="a footnote"),
    ],
)
def test_without_prose_there_is_no_passage(body: str) -> None:
    assert choose(document_of(body)) == []


SENTENCES = [words(6, f"Sentence{n}") for n in range(9)]


@pytest.mark.requirement("passages:long-cut")
def test_a_long_paragraph_is_cut_at_a_sentence_end() -> None:
    document = document_of(" ".join(SENTENCES))
    (found, *deeper) = choose(document)
    assert cut(document, found) == " ".join(SENTENCES[:2])
    assert (found.words, found.flags, found.blocks) == (12, ("LONG_CUT",), 1)
    assert all(cut(document, passage).startswith("Sentence") for passage in deeper)
    assert {passage.flags for passage in deeper} == {("LONG_CUT",)}
    assert found.end <= deeper[0].start


def test_a_cut_that_starts_inside_a_paragraph_comes_after_all_that_do_not() -> None:
    dense = [*SENTENCES[:4], words(12, "River", "river"), *SENTENCES[4:]]
    document = document_of(" ".join(dense), words(12))
    starts = [passage.start for passage in choose(document, ["river"])]
    paragraphs = [block.start for block in document.blocks]
    assert starts[:2] == paragraphs
    assert starts[2] == document.content.index(b"River")


def test_a_cut_keeps_links_whole_and_counts_prose_alone() -> None:
    linked = "One two three [four. Five six](http://seven.eight/nine 'Ten. Eleven') `x. Y` twelve."
    document = document_of(f"{linked} {' '.join(SENTENCES)}")
    found = choose(document, bounds=Bounds(min_words=5, max_words=9))
    assert cut(document, found[0]) == linked
    assert found[0].words == 7


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CR LF", "CR"])
def test_a_cut_knows_its_lines_and_bytes(end: str) -> None:
    lines = [f"Å{n} {words(5)} Øy{n} {words(5)}" for n in range(6)]
    document = read_document("note.md", f"# Top{end}{end}{end.join(lines)}{end}".encode())
    for found in choose(document):
        text = cut(document, found)
        before = document.content[: found.start].decode()
        assert found.first_line == 1 + before.count(end)
        assert found.last_line == found.first_line + text.count(end)
        assert text == text.strip()


def test_a_sentence_longer_than_a_passage_is_cut_between_words() -> None:
    document = document_of("word " * 100)
    found = choose(document)[0]
    assert 10 <= found.words <= 20
    assert cut(document, found) == " ".join(["word"] * found.words)


@pytest.mark.requirement("passages:covered")
def test_no_passage_opens_in_covered_text_while_another_exists() -> None:
    copied, own = words(12, "river", "river"), words(12)
    document = document_of(copied, own, words(12, "river"))
    covered = [[(0, len(copied))], [], []]
    starts = [passage.start for passage in choose(document, ["river"], covered=covered)]
    assert starts == [document.blocks[at].start for at in (2, 1, 0)]


def test_a_passage_takes_in_enough_words_that_no_digest_covers() -> None:
    half = words(12)
    document = document_of(half, words(7), words(12))
    covered = [[(half.index("word", 20), len(half))], [], []]
    (found,) = [p for p in choose(document, covered=covered) if p.start == 0]
    assert found.last_line == 3


def test_if_all_paragraphs_open_in_covered_text_lists_are_tried() -> None:
    copied, items = words(12), f"- {words(6)}\n- {words(6)}"
    document = document_of(copied, items)
    covered = [[(0, len(copied))], [], []]
    assert [cut(document, found) for found in choose(document, covered=covered)][:1] == [items]


def test_a_cut_does_not_open_in_a_covered_sentence() -> None:
    document = document_of(" ".join(SENTENCES))
    covered = [[(0, len(SENTENCES[0]) + 1 + len(SENTENCES[1]))]]
    assert cut(document, choose(document, covered=covered)[0]).startswith("Sentence2")


@pytest.mark.requirement("passages:next")
def test_after_a_line_only_passages_that_start_later_are_left() -> None:
    document = document_of(words(12), words(12), words(12))
    assert [found.first_line for found in choose(document, after_line=1)] == [3, 5]
    assert [found.first_line for found in choose(document, after_line=3)] == [5]
    assert choose(document, after_line=5) == []
    assert choose(document_of(words(3)), after_line=1) == []


def test_other_places_come_before_other_cuts_of_one_place() -> None:
    document = document_of(*[words(6, "river") for _ in range(6)], *[words(6) for _ in range(6)])
    found = choose(document, ["river"])
    apart = found[:6]
    assert all(a.end <= b.start or b.end <= a.start for a in apart for b in apart if a is not b)
    assert len({(passage.start, passage.end) for passage in found}) == len(found)


def test_the_usual_bounds_hold_on_usual_text() -> None:
    paragraphs = [words(40, "river") if n % 7 == 3 else words(40) for n in range(40)]
    document = document_of(*paragraphs)
    found = choose(document, ["river"], Bounds())
    assert all(150 <= passage.words <= 500 for passage in found)
    assert found[0].hits / found[0].words == max(p.hits / p.words for p in found)


def test_a_file_of_one_word_paragraphs_takes_no_time_and_gives_no_endless_list() -> None:
    document = document_of(*["river"] * 5_000)
    found = choose(document, ["river"], Bounds())
    assert 30 < len(found) <= 200
    assert found[0].words == 150


PARTS = st.sampled_from(
    ["# H", "***", "```\nx\n```", "![](a)", "[^1]: note", "<i>", "|a|\n|-|"]
    + [words(n, "river") for n in (1, 5, 9, 14, 30)]
    + [f"- {words(7)}\n- {words(2)}", f"> {words(8)}", "日本語。" * 9, " ".join(SENTENCES)]
    + ["One [two. Three](a) `b. C` *four. Five* " * 4, "a\r\nb. c\rd. " * 8]
)


@given(st.lists(PARTS, max_size=8), st.integers(0, 20), st.data())
def test_every_passage_keeps_the_rules(parts: list[str], after: int, data: st.DataObject) -> None:
    document = document_of(*parts)
    covered = [
        data.draw(st.sampled_from([[], [(0, len(block.prose))] if block.prose else []]))
        for block in document.blocks
    ]
    found = choose(document, ["river", "four"], SMALL, covered, after)
    assert found == choose(document, ["river", "four"], SMALL, covered, after)
    assert len({(passage.start, passage.end) for passage in found}) == len(found)
    starts = {block.start: block for block in document.blocks}
    ends = {block.end: block for block in document.blocks}
    for passage in found:
        assert passage.first_line > after
        assert cut(document, passage).strip()
        if passage.flags != ("SHORT_NOTE",):
            assert 0 < passage.words <= 20
        if passage.flags in ((), ("LONG_CUT",)):
            assert passage.words >= 10
        if "LONG_CUT" not in passage.flags:
            first, last = starts[passage.start], ends[passage.end]
            assert first.kind != "heading" and last.kind != "heading"
            assert first.prose and last.prose
            assert (passage.first_line, passage.last_line) == (first.first_line, last.last_line)
            kept = [b for b in document.blocks if first.start <= b.start <= last.start]
            assert passage.blocks == len(kept)
            kinds = ("paragraph", "list_item", "block_quote")
            assert passage.words == sum(count_words(b.prose) for b in kept if b.kind in kinds)


def test_cuts_of_real_texts_end_where_sentences_end(shared: Path) -> None:
    cuts = 0
    for file in sorted((shared / "corpora").rglob("*.md")):
        document = read_document(file.name, file.read_bytes())
        for passage in choose(document, ["people", "work"], Bounds()):
            if "LONG_CUT" not in passage.flags:
                continue
            cuts += 1
            (block,) = [b for b in document.blocks if b.start <= passage.start < b.end]
            last = len(block.text.encode()[: passage.end - block.start].decode())
            assert last in {end for _, end in sentence_spans(block.text)}
            assert not re.search(r"\]\([^)]*$", cut(document, passage))
    assert cuts > 0
