"""Which language a text is in, as declared, as guessed, and where the text contradicts."""

import pytest

from index.text import guess, language, settle

TEXTS = {
    "en": "I walked to the yard before the others woke, and I did not want to use the key.",
    "nb": "Jeg gikk til havna før de andre våknet. Jeg hadde nøkkelen og ville ikke bruke den.",
    "nn": "Eg gjekk til hamna før dei andre vakna. Eg hadde nøkkelen og ville ikkje bruke han.",
    "sv": "Jag gick till hamnen innan de andra vaknade. Jag hade nyckeln och ville inte.",
    "da": "Jeg gik ned til havnen, før de andre vågnede. Jeg havde nøglen og ville ikke.",
    "de": "Ich ging zum Hafen, bevor die anderen aufwachten, und wollte ihn nicht benutzen.",
    "nl": "Ik liep naar de haven voordat de anderen wakker werden en wilde hem niet gebruiken.",
    "fr": "Je suis allé au port avant que les autres se réveillent, avec la clé dans ma poche.",
    "es": "Caminé hasta el puerto antes de que los demás despertaran. Tenía la llave en el bolso.",
    "it": "Andai al porto prima che gli altri si svegliassero. Avevo la chiave e non volevo.",
    "pt": "Caminhei até ao porto antes de os outros acordarem. Tinha a chave e não queria.",
    "ja": "私は港へ歩いた。",
    "zh": "我走到了港口。",
    "ko": "나는 항구로 걸었다.",
    "ru": "Я пошёл в гавань.",
    "el": "Πήγα στο λιμάνι.",
    "he": "הלכתי לנמל.",
    "ar": "ذهبت إلى الميناء.",
    "fa": "به بندر رفتم و کلید داشتم.",
    "hi": "मैं बंदरगाह गया।",
    "th": "ฉันเดินไปที่ท่าเรือ",
}
UNLISTED = {
    "Finnish": "Kävelin satamaan ennen kuin muut heräsivät. Minulla oli avain taskussani.",
    "Polish": "Poszedłem do portu zanim inni się obudzili. Miałem klucz w kieszeni.",
    "Catalan": "Vaig caminar fins al port abans que els altres. Tenia la clau a la butxaca.",
    "Afrikaans": "Ek het na die hawe gestap voordat die ander wakker geword het. Ek het die "
    "sleutel in my sak gehad en wou dit nie gebruik nie.",
    "Turkish": "Diğerleri uyanmadan önce limana yürüdüm. Anahtar cebimdeydi.",
    "Esperanto": "Mi iris al la haveno antaŭ ol la aliaj vekiĝis. La ŝlosilo estis en mia poŝo.",
    "one word by chance": "Kävelin satamaan ennen muita. Veljeni ei puhunut siitä.",
    "two relatives at once": "Foo the der the der bar und and.",
    "no language": "Foo bar baz 12.",
    "no text": "",
}


@pytest.mark.parametrize(("lang", "text"), TEXTS.items(), ids=TEXTS)
def test_a_language_is_told_by_its_letters_and_function_words(lang: str, text: str) -> None:
    assert guess(text) == lang


@pytest.mark.parametrize("text", UNLISTED.values(), ids=UNLISTED)
def test_a_language_without_a_list_is_not_taken_for_another(text: str) -> None:
    assert guess(text) == ""


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ("en-US", "en"),
        ("EN_gb", "en"),
        ("Norsk", "nb"),
        ("no-NO", "nb"),
        ("nob", "nb"),
        ("Français", "fr"),
        ("fi", "fi"),
        ("", ""),
    ],
)
def test_a_code_is_read_however_it_is_written(declared: str, code: str) -> None:
    assert language(declared) == code


@pytest.mark.parametrize(
    ("declared", "text", "settled"),
    [
        pytest.param("nb", "Kort.", "nb", id="as declared"),
        pytest.param("", TEXTS["de"], "de", id="guessed"),
        pytest.param("nb", TEXTS["en"] * 3, "en", id="plainly another"),
        pytest.param("nb", TEXTS["en"][:40], "nb", id="not plainly another"),
        pytest.param("en", TEXTS["ja"], "ja", id="another alphabet"),
        pytest.param("zh", TEXTS["ja"], "zh", id="Chinese with a kana"),
        pytest.param("uk", TEXTS["ru"], "ru", id="a language of a known alphabet"),
        pytest.param("fi", UNLISTED["Finnish"], "", id="a language without a list"),
        pytest.param("ja", "Romaji only.", "", id="a declared alphabet that is not there"),
        pytest.param("nb", UNLISTED["Finnish"], "nb", id="no better guess"),
    ],
)
def test_the_declared_language_holds_unless_the_text_is_plainly_in_another(
    declared: str, text: str, settled: str
) -> None:
    assert settle(declared, text) == settled
