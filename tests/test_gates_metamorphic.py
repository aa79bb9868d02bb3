"""Changes of a text that change nothing of what it says change no verdict."""

import pytest

from bench.bench_metamorphic import DEPENDS, OURS, WAYS, changed, prose_of, verdicts

TEXTS = list(prose_of(OURS))[::4]
TOLD = "Ada walks to the mill and counts the rings. She gives out before they do, and Ada knows it."
LIVED = (
    "I walked to the mill, and I counted the rings that my stone had made. We said nothing.\n\n"
    "My mother came out and I told her what I had seen; she laughed at me, and I was glad.\n\n"
    "I have gone back since. I do not know what I looked for, and I found my own steps there."
)


@pytest.mark.requirement("gates:metamorphic")
def test_texts_of_both_kinds_are_looked_at() -> None:
    assert len(TEXTS) > 10
    heard = {verdicts(text, text[:400])["voice"] for text in (*TEXTS, LIVED, TOLD)}
    assert heard >= {"passed", "refused"}
    assert {verdicts(text, text[:400])["narration"] for text in TEXTS} == {"passed", "refused"}


@pytest.mark.requirement("gates:metamorphic")
@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_no_verdict_on_a_real_text_depends_on_how_it_is_spelt_and_set(number: int) -> None:
    assert list(changed(TEXTS[number])) == []


@pytest.mark.requirement("gates:metamorphic")
@pytest.mark.parametrize("text", [LIVED, TOLD], ids=["lived", "told"])
def test_no_verdict_on_a_plain_case_depends_on_it_either(text: str) -> None:
    assert list(changed(text)) == []


@pytest.mark.requirement("gates:metamorphic")
def test_every_change_changes_something() -> None:
    for name, way in WAYS.items():
        assert way(LIVED) != LIVED, name
    assert {way for _, way in DEPENDS} <= set(WAYS)
