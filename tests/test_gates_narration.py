"""The third-person tell: somebody telling of the narrator, where the narrator should speak."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.narration import Narrator, not_narrated
from tests.dressed import CAPITALS, CLOTHES

DANIEL = Narrator(("Daniel", "Daniel Comp"))
CHANGES = {**CAPITALS, **CLOTHES}


def accepts(text: str, narrator: Narrator = DANIEL, lang: str = "") -> bool:
    return not_narrated(text, narrator, lang).passed


@pytest.mark.requirement("narration:opening")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Daniel recounts the winter.", id="present"),
        pytest.param("Daniel recounted the winter.", id="past"),
        pytest.param("Daniel has been reflecting on it.", id="participle"),
        pytest.param("Daniel goes on to describe the mill.", id="goes on to"),
        pytest.param("Daniel vividly recounts the winter.", id="adverb"),
        pytest.param("Daniel, vividly, recounts the winter.", id="adverb in commas"),
        pytest.param("Daniel, the owner of the mill, describes it.", id="aside"),
        pytest.param("Daniel \u2014 the owner \u2014 describes it.", id="aside in dashes"),
        pytest.param("Daniel (the owner) describes it.", id="aside in brackets"),
        pytest.param("Daniel begins to recount the winter.", id="infinitive"),
        pytest.param("Daniel Comp records the winter.", id="surname"),
        pytest.param("*Daniel* recounts the winter.", id="emphasis"),
        pytest.param("# Note\n\nDaniel describes the winter.", id="below a heading"),
        pytest.param("> An epigraph.\n\nDaniel describes it.", id="below a quotation"),
        pytest.param("In this note Daniel recounts the winter.", id="mid-sentence"),
        pytest.param("Daniel\u200b recounts the winter.", id="zero width"),
        pytest.param("The author recounts the winter.", id="role noun"),
        pytest.param("Here the narrator quietly reflects on loss.", id="role and adverb"),
        pytest.param("Forfatteren beskriver vinteren.", id="Norwegian"),
        pytest.param("Der Erzähler schildert den Winter.", id="German"),
        pytest.param("L'auteur décrit l'hiver.", id="French"),
        pytest.param("Daniel recounts it. I was there.", id="first person only later"),
    ],
)
def test_a_text_that_opens_by_telling_of_its_narrator_is_refused(text: str) -> None:
    assert not accepts(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I was nine the winter the mill closed.", id="first person"),
        pytest.param("Daniel records sold well, and I bought one.", id="a record is no verb"),
        pytest.param("We heard Daniel describe it.", id="the subject is we"),
        pytest.param("I heard that Marta describes it as luck.", id="somebody else"),
        pytest.param("Daniel's records are lost.", id="possessive"),
        pytest.param("Daniel slept. The mill was shut.", id="another verb"),
        pytest.param("Daniel: describes nothing.", id="a speaker's label"),
        pytest.param("An author describes what she sees.", id="any author"),
        pytest.param("Daniel.", id="a name alone"),
        pytest.param("Daniel, then.", id="a name and a comma"),
        pytest.param("“Daniel recounts it,” she said. I laughed.", id="in quotation marks"),
        pytest.param("> Daniel recounts it.\n\nI laughed.", id="in a block quote"),
        pytest.param("The mill closed. Daniel recounts it.", id="one such sentence further on"),
        pytest.param("", id="nothing"),
        pytest.param("Daniel and the old men of the whole valley describe it.", id="far apart"),
    ],
)
def test_other_openings_pass(text: str) -> None:
    assert accepts(text)


def test_three_sentences_of_the_narrator_and_no_first_person_are_a_digest() -> None:
    digest = "The mill closed. Daniel walked home. Daniel kept the key. The author tells why."
    assert not accepts(digest)
    assert accepts(f"{digest} My father slept.")
    assert accepts(digest.replace("The author tells why.", "Nobody asked."))


def test_the_narrator_is_a_setting() -> None:
    marta = Narrator(("Marta", " "), ("chronicler",))
    assert not accepts("Marta recounts the winter.", marta)
    assert not accepts("The chronicler recounts the winter.", marta)
    assert accepts("Daniel recounts the winter.", marta)
    assert accepts("The author recounts the winter.", marta)


def test_the_first_person_is_that_of_the_texts_language() -> None:
    assert accepts("Jeg hørte hvordan Daniel beskriver det.", lang="nb")
    assert not accepts("Hun hørte hvordan Daniel beskriver det.", lang="nb")


@pytest.mark.parametrize("change", [pytest.param(CHANGES[name], id=name) for name in CHANGES])
@pytest.mark.parametrize(
    "text",
    [
        "In the note of May, Daniel recounts the winter.",
        "All of the winter, I kept the key, and Daniel told nobody.",
        "The mill closed. Daniel walked to the yard, alone. Daniel kept the key. Daniel slept.",
    ],
)
def test_how_a_text_is_set_changes_no_verdict(change: Callable[[str], str], text: str) -> None:
    assert accepts(change(text)) is accepts(text)


@given(st.text(st.sampled_from("Daniel recounts, I“”.\n>\u0301"), max_size=60))
def test_any_text_gets_a_verdict(text: str) -> None:
    assert not_narrated(text, DANIEL).outcome in ("passed", "refused")
