"""What rows say of their files, word by word, and which of the words are rare."""

import pytest

from index.row_words import RowWords
from tests.rows_made import make_row


@pytest.mark.parametrize(
    ("said", "words"),
    [
        pytest.param({"title": "The ferries of 1999"}, {"ferri"}, id="stems, no grammar, no year"),
        pytest.param({"summary": "Rust", "keypoints": ("hull",)}, {"rust", "hull"}, id="digests"),
        pytest.param({"tags": ("salt", "ox")}, {"salt"}, id="tags, no two letters"),
        pytest.param({"speech": "nb", "title": "Og båten"}, {"bat"}, id="another grammar"),
        pytest.param({"title": "\u6771\u4eac"}, {"\u6771\u4eac"}, id="a word of two characters"),
        pytest.param({}, set[str](), id="nothing"),
    ],
)
def test_a_row_says_words_that_tell_what_its_file_is_about(
    said: dict[str, object], words: set[str]
) -> None:
    found = RowWords([make_row(**said)]).of(0)  # type: ignore[arg-type]
    assert words <= found
    assert all(len(word) == 1 or word in words for word in found)


def test_the_fewer_rows_hold_a_word_the_rarer_it_is() -> None:
    rows = [make_row(f"{n}.md", title="boat" if n % 3 else "boat salt") for n in range(30)]
    words = RowWords(rows)
    assert words.rarity("boat") < words.rarity("salt") < words.rarity("unheard")
    assert words.rarity("boat") > 0


def test_a_sample_of_many_rows_is_spread_over_all_of_them() -> None:
    rows = [make_row(f"{n}.md", title="north" if n < 1500 else "south") for n in range(3_000)]
    words = RowWords(rows)
    assert words.rarity("north") == words.rarity("south")


def test_in_a_base_without_rows_every_word_is_as_rare_as_another() -> None:
    words = RowWords([])
    assert words.rarity("salt") == words.rarity("boat") > 0
