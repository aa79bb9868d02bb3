"""One sentence at a time: is this I, or this min, somebody speaking?"""

import pytest

from gates.pronouns import speaks
from gates.tokens import read_sentences


def spoken(sentence: str, lang: str = "en") -> bool:
    return any(speaks(lang, piece) for piece in read_sentences(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "I went home.",
        "Then I went home.",
        "So, I went home.",
        "He said I went home.",
        "He knows that in Oslo I went home.",
        "He left, and last Friday at Google I went home.",
        "In New York I went home.",
        "That Monday I went home.",
        "One early May I went home.",
        "Suddenly I went home.",
        "The part I played was small.",
        "The world knows the war I fought.",
        "The phase I liked is over.",
        "The book of the king I never wrote.",
        "The queen I knew slept.",
        "The Honda I drove broke.",
        "I, too, went.",
        "I \u2014 being old \u2014 went.",
        "I always went.",
        "I pass it, and he knows.",
        "I focus on it.",
        "\u2014I went.",
        "(I went.)",
        "I'm old.",
        "We'd go.",
        "i went, and i slept.",
        "I VIEW IT.",
        "He gave me it.",
    ],
)
def test_a_verb_may_follow_this_i(sentence: str) -> None:
    assert spoken(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Part I covered it.",
        "The world war I closed it.",
        "World War I closed it.",
        "A phase I trial closed.",
        "type I errors occurred.",
        "See section I above.",
        "Henry I granted it.",
        "Under Henry I they granted it.",
        "henry i granted it.",
        "King Aldric I granted it.",
        "They knew what Aldric I granted.",
        "They knew what King Aldric I granted.",
        "And when Aldric Bold I granted it, they slept.",
        "Pope John Paul I granted it.",
        "He saw the emperor Aldric I there.",
        "I. Newton wrote it.",
        "The I that went.",
        "An I went.",
        "The letter I went.",
        "The I/O went.",
        "The read-I went.",
        "Take I-95 home.",
        "It was I; they went.",
        "So did I, Claudius said.",
        "I: it went.",
        "I (the first) went.",
        "(I) Go home.",
        "I, II and III went.",
        "I II went.",
        "I 5 went.",
        "I is short.",
        "I covers it.",
        "I of it went.",
        "I dag gikk den.",
        "It was I.",
        "He and I",
        "The US went, and EU went.",
        "The mine closed.",
        "I's went.",
        "O'we went.",
    ],
)
def test_this_i_is_no_pronoun(sentence: str) -> None:
    assert not spoken(sentence)


@pytest.mark.parametrize(
    ("lang", "sentence", "said"),
    [
        pytest.param("nb", "Det tok 5 min å gå.", False, id="minutes"),
        pytest.param("nb", "Etter 1999 jeg gikk.", True, id="a year before the pronoun"),
        pytest.param("nb", "Broren min gikk.", True, id="my brother"),
        pytest.param("nb", "Det kommer i vår.", False, id="in spring"),
        pytest.param("nb", "Det er vår båt.", True, id="our boat"),
        pytest.param("nl", "De mijn sloot.", False, id="the mine"),
        pytest.param("nl", "Mijn broer sliep.", True, id="my brother in Dutch"),
        pytest.param("fr", "J'avais dormi.", True, id="elided"),
        pytest.param("fr", "L'avais dormi.", False, id="another elision"),
        pytest.param("de", "MIR flog, und die EU schlief.", False, id="names in capitals"),
        pytest.param("xx", "I went.", False, id="no list"),
    ],
)
def test_homographs_of_other_languages_are_told_by_the_word_before(
    lang: str, sentence: str, said: bool
) -> None:
    assert spoken(sentence, lang) is said


def test_me_and_my_are_no_subjects() -> None:
    (mine,) = read_sentences("My father saw me.")
    (ours,) = read_sentences("Then we saw him.")
    assert not speaks("en", mine, subject_only=True)
    assert speaks("en", ours, subject_only=True)
