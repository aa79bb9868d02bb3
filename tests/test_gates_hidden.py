"""The gate on what does not show: flagged and shown, never refused."""

import pytest

from gates.hidden import nothing_hidden


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        pytest.param("plain prose", "", id="plain"),
        pytest.param("plain\U000e0069\U000e0067", "HIDDEN_TEXT", id="tags"),
        pytest.param("a\u202eb", "HIDDEN_TEXT", id="bidi"),
        pytest.param("می\u200cخواهم", "", id="Persian"),
    ],
)
def test_hidden_text_is_flagged(text: str, flag: str) -> None:
    assert nothing_hidden(text).passed
    assert nothing_hidden(text).flag == flag


def test_the_reason_shows_the_characters_as_escapes() -> None:
    assert nothing_hidden("\u202ea\u202e\u200b").reason == "3 hidden characters: \\u202e, \\u200b"
    assert nothing_hidden("a\u202a\u202b\u202c\u202d").reason.endswith("\\u202b, \\u202c")
