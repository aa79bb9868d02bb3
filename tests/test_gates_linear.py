"""The work of every gate grows with its text and no faster, whatever the text."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from gates.digest import uncovered_words
from gates.hidden import nothing_hidden
from gates.narration import Narrator, not_narrated
from gates.phrases import Frequencies, harvest, uses
from gates.speech import own_words
from gates.terms import read_terms
from gates.voice import hear
from index.records import Digest
from index.text import content_words, sentences, settle, skeleton, visible, words
from tests.hostile import PIECES

DIGEST = Digest("Ab I went, the author recounts a day and Daniel, she said, a", cut=True)
BASE = Frequencies(10, lambda word: 1, lambda phrase: True)
FUNCTIONS: dict[str, Callable[[str], object]] = {
    "voice in English": lambda text: hear(text, "en"),
    "voice": hear,
    "narration": lambda text: not_narrated(text, Narrator(("Daniel", "Ab Cd"))),
    "digest": lambda text: uncovered_words(text, [DIGEST]),
    "phrases in a draft": lambda text: uses(text, ["a a a a"], ["ab cd " * 9]),
    "phrases of a text": lambda text: harvest([text], BASE),
    "terms": lambda text: read_terms([text, *text[:500]], [text[:200]]),
    "hidden text": nothing_hidden,
    "look-alikes": skeleton,
    "words": words,
    "sentences": sentences,
    "content words": content_words,
    "escapes": visible,
}
SHORT = 1500
# Twice the text may cost a little more than twice the work: tables are made once, lists grow.
RATIO = 2.4


def work(function: Callable[[str], object], text: str) -> int:
    """How many calls a function makes, of Python and of C."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1

    for remembered in (own_words, settle):
        remembered.cache_clear()
    sys.setprofile(count)
    try:
        function(text)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.requirement("gates:linear")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_twice_the_text_is_twice_the_work(name: str) -> None:
    function = FUNCTIONS[name]
    for piece in PIECES:
        short = piece * (SHORT // len(piece))
        function(short)
        assert work(function, short + short) <= RATIO * work(function, short) + 500, repr(piece)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_long_text_is_read_to_its_end(name: str) -> None:
    # patterns do their work in one call; a quadratic one would not come back from this
    for piece in ("<!-- ", "`a``", "[a](", '"a ', "- > ", "a\u0323\u0301", "Ab I went. "):
        text = piece * (131_072 // len(piece))
        assert FUNCTIONS[name](text) is not None
