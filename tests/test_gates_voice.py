"""The voice gate: first person outside quotations, in many languages, never fooled by a numeral."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.voice import Voice, first_person, hear
from index.markdown import read_document
from tests.dressed import CLOTHES


def verdict(text: str, lang: str = "") -> str:
    return first_person(hear(text, lang)).outcome


SAID = [
    ("en", "I walked to the yard.\n\nI had the key in my pocket.", "plain"),
    ("en", "My father kept the key.\n\nWe never asked him.", "My and We"),
    ("en", "i walked home and i cried.\n\ni did not tell anyone.", "small letters"),
    ("en", "I WALKED HOME.\n\nMY FATHER SLEPT.", "capitals"),
    ("en", "I\u2019ve got it.\n\nWe\u2019re done.", "contractions"),
    ("en-US", "I'm done.\n\nI'd go.", "a region"),
    ("English", "I'm done.\n\nI'd go.", "a language by name"),
    ("en", "He said \u201cNo\u201d and I left.\n\nMy brother stayed.", "beside a quotation"),
    ("en", "In Oslo I learned it.\n\nLast Monday I left.", "a place, a day"),
    (
        "en",
        "The part I played was small.\n\nThe war I fought is over.",
        "nouns that could be labels",
    ),
    ("en", "Henry and I went.\n\nYesterday, I slept.", "and I"),
    ("en", "I, too, went.\n\nI always miss him.", "asides and adverbs"),
    ("en", "- I went home.\n- My father slept.", "list items"),
    ("en", "**Adam:** I think so.\n\n**Jerod:** We agree.", "a transcript's labels"),
    ("en", " ".join(f"I walked to pier {n}." for n in range(6)), "one paragraph of six sentences"),
    ("en", "The boys' boat and I sank.\n\nIt's 5\" long and my father's.", "apostrophe and inch"),
    ("en", "'Twas I who went, and I wept.\n\nMy father slept.", "an apostrophe in front"),
    ("en", "I walked home.  \n<b>I</b> slept.\n\n[My father](http://a.b) slept.", "tags and links"),
    ("nb", "Jeg hadde n\u00f8kkelen.\n\nVi snakket ikke.", "Norwegian"),
    ("no", "Jeg gikk.\n\nFaren min sov.", "Norwegian by its old code"),
    ("nn", "Eg gjekk.\n\nMe snakka ikkje.", "Nynorsk"),
    ("sv", "Jag gick.\n\nVår far sov.", "Swedish"),
    ("da", "Jeg gik.\n\nVores far sov.", "Danish"),
    ("de", "Ich ging.\n\nMein Bruder blieb.", "German"),
    ("nl", "Ik liep.\n\nMijn broer bleef.", "Dutch"),
    ("fr", "J\u2019avais la cl\u00e9.\n\nMon fr\u00e8re se taisait.", "French"),
    ("es", "Tengo la llave.\n\nMi hermano callaba.", "Spanish"),
    ("it", "Io camminavo.\n\nMia madre rimase.", "Italian"),
    ("pt", "Eu andei.\n\nMinha m\u00e3e ficou.", "Portuguese"),
    ("ja", "私は港へ歩いた。\n\n僕たちは黙っていた。", "Japanese"),
    ("", "私は港へ歩いた。鍵があった。\n\nわたしの兄は黙っていた。", "Japanese by its letters"),
    ("zh", "我走到了港口。\n\n我们没有说话。", "Chinese"),
    ("", "我走到了港口。\n\n我们没有说话。", "Chinese by its letters"),
    ("ko", "나는 항구로 걸었다.\n\n우리는 말하지 않았다.", "Korean"),
    ("ru", "Я пошёл в гавань.\n\nМой брат молчал.", "Russian"),
    ("", "Εγώ πήγα.\n\nΟ αδελφός μου σώπαινε.", "Greek by its letters"),
    ("", "אני הלכתי.\n\nאחי שלי שתק.", "Hebrew by its letters"),
    ("", "أنا ذهبت إلى الميناء.\n\nنحن لم نتكلم.", "Arabic by its letters"),
    ("", "من به بندر رفتم و کلید داشتم.\n\nما حرف نزدیم.", "Persian by its letters"),
    ("", "मैं बंदरगाह गया।\n\nमेरा भाई चुप था।", "Hindi by its letters"),
    ("", "ฉันเดินไปที่ท่าเรือ\n\nพี่ชายของฉันเงียบ", "Thai by its letters"),
]
OTHERS = [
    ("en", "Part I covers the harbour.\n\nWorld War I closed it.", "labels"),
    ("en", "See Appendix I for the parts.\n\nTable I gives the prices.", "more labels"),
    ("en", "Henry I granted the charter.\n\nHis daughter lost what Henry I had won.", "a king"),
    ("en", "henry i granted it.\n\nelizabeth i reigned, and world war i came.", "in small letters"),
    ("en", "King Aldric I ruled.\n\nThey knew what Aldric I had won.", "an unlisted king"),
    ("en", "Pope John Paul I died.\n\nEmperor Otto Max I reigned.", "names of several words"),
    ("en", "The disk I/O was slow.\n\nA slow I/O path hides faults.", "I/O"),
    ("en", "I. Newton wrote it.\n\nJ. I. Packer read it.", "initials"),
    ("en", "Type I errors occur.\n\nA stage I cancer, a phase I trial.", "small labels"),
    ("en", "The letter I is short.\n\nThere is no I in team.", "a letter"),
    ("en", "An I went missing.\n\nThe letter I came late.", "a letter before a verb"),
    ("en", "Take the I-95 south.\n\nSections I, II and III. (I) One.", "roads and enumerations"),
    ("en", "He is older than I.\n\nPart I: I", "no verb"),
    ("en", "Non-I/O work.\n\nThe non-I group left.", "a prefix"),
    ("en", '"I will go," said Anna.\n\n"I know," said her mother.', "straight quotes"),
    (
        "en",
        "\u2018I don\u2019t know,\u2019 said Anna.\n\n\u2018We won\u2019t.\u2019",
        "single quotes",
    ),
    ("en", "'The boys' house is mine and I own it,' he said.\n\n'I know.'", "a plural in quotes"),
    ("en", "\u201cI kept it.\n\n\u201cI never used it,\u201d Anna said.", "over two paragraphs"),
    ("en", "\u2018I kept it.\n\n\u2018We hid it.\n\n\u2018I know,\u2019 Anna said.", "over three"),
    (
        "en",
        "\u201cHe said \u201cI\u2019ll go\u201d and I wept.\u201d\n\n\u201cI did.\u201d",
        "nested",
    ),
    ("en", "> I kept the key.\nI never used it.\n\n> My key", "block quotes, and a lazy line"),
    ("en", "- > I kept it.\n- > We hid it.", "block quotes in a list"),
    ("en", "<!-- I wrote this -->\nIt closed.\n\nIt was sold <!-- by me -->.", "comments"),
    ("en", "<!--\nI wrote\n\nmy own\n-->\n\nIt closed.", "a comment over lines"),
    ("en", "%%I wrote it%% It closed.\n\nIt was %%my%% sold.", "comments of Obsidian"),
    ("en", "```\nI am code\n\nmy my\n```\n\n    I am too\n\nUse `I` and `my`.", "code"),
    ("en", "~~~~\nI am\n~~~\nmy\n~~~~\n\nIt closed.", "a tilde fence"),
    ("en", "# I went\n\nMy house\n---\n\nWe left\n===\n\nIt closed.", "headings"),
    ("en", "| I | we |\n|---|---|\n| my | me |\n\nIt closed.", "a table"),
    ("en", "<div>\nI am\nmine\n</div>\n\n<pre>\nI\n\nmy\n</pre>\n\nIt closed.", "HTML blocks"),
    ("en", "It is <q>I went</q>.\n\nIt was <q>my key</q>.", "HTML quotations"),
    ("en", "It closed.[^1]\n\n[^1]: I saw it.\nMy note.\n\n[I]: http://my.example", "definitions"),
    ("en", "[It](https://we.example/my) closed.\n\nhttps://my.example/i/am closed.", "targets"),
    ("en", "\u2014 I will go, said Anna.\n\n\u2014 We know, he said.", "dashes"),
    ("nb", "\u00abJeg reiser\u00bb, sa Anna.\n\n\u00abVi vet det\u00bb, sa moren.", "guillemets"),
    ("nb", "- Jeg reiser, sa Anna.\n- Vi vet det, sa moren.", "hyphens of dialogue"),
    ("nb", "I dag gikk b\u00e5ten.\n\nI v\u00e5r tok det 5 min.", "i dag, i v\u00e5r, minutes"),
    ("en", "I dag is Norwegian.\n\nI morgen too.", "Norwegian words in English"),
    (
        "sv",
        "\u201dJag g\u00e5r\u201d, sa Anna.\n\n\u201dVi kommer\u201d, sa hon.",
        "Swedish quotes",
    ),
    (
        "de",
        "\u201eIch gehe\u201c, sagte Anna.\n\n\u00bbWir kommen\u00ab, sagte er.",
        "German quotes",
    ),
    ("fr", "\u00ab\u00a0Je pars\u00a0\u00bb, dit Anna.\n\n\u2014 Nous venons.", "French quotes"),
    ("es", "\u2014Yo me voy \u2014dijo Ana\u2014.\n\n\u2014Nosotros no.", "Spanish dashes"),
    ("it", "I ragazzi corrono al porto.\n\nI cani dormono sul molo.", "the Italian article"),
    ("it", "Il modulo IO tace.\n\nIl porto IO dorme.", "a name in capitals"),
    ("nl", "De mijn sloot.\n\nDie mijn is oud.", "the Dutch mine"),
    ("en", "The US kept it.\n\nThe US and ME sold it.", "a country and a state"),
    (
        "ja",
        "「私は行く」と彼は言った。\n\n私立学校は公私を分ける。",
        "Japanese quotes, other words",
    ),
    ("zh", "自我是空的。\n\n我国很大。", "Chinese compounds"),
    ("en", " ".join(f"I walked to pier {n}." for n in range(5)), "one paragraph of five sentences"),
    ("en", "The mill closed. " * 12 + "I agree.\n\nMy notes follow.", "two planted lines"),
    ("en", "", "nothing"),
    ("en", "```\nI am\n```", "nothing but code"),
    ("en", "1999. It was dark.\n\n2. It was cold.\n10) It closed.", "numbers in front"),
]
UNKNOWN = [
    ("xx", "Foo bar baz.\n\nQux quux.", "a code that nobody knows"),
    ("fi", "Min\u00e4 k\u00e4velin.\n\nMinulla oli avain.", "a language without a list"),
    (
        "",
        "K\u00e4velin satamaan ennen muita.\n\nVeljeni ei puhunut siit\u00e4.",
        "undeclared Finnish",
    ),
    (
        "",
        "Vaig caminar fins al port.\n\nEl meu germ\u00e0 no en parlava mai.",
        "undeclared Catalan",
    ),
    ("", "Foo.", "too little to tell by"),
]


def table(rows: list[tuple[str, str, str]]) -> list[object]:
    return [pytest.param(lang, text, id=spoken) for lang, text, spoken in rows]


@pytest.mark.requirement("voice:first-person")
@pytest.mark.parametrize(("lang", "text"), table(SAID))
def test_somebody_speaks_of_themselves(lang: str, text: str) -> None:
    assert verdict(text, lang) == "passed"


@pytest.mark.requirement("voice:not-fooled")
@pytest.mark.parametrize(("lang", "text"), table(OTHERS))
def test_nobody_speaks_of_themselves(lang: str, text: str) -> None:
    assert verdict(text, lang) == "refused"


@pytest.mark.parametrize(("lang", "text"), table(UNKNOWN))
def test_what_cannot_be_told_is_left_to_a_person(lang: str, text: str) -> None:
    assert first_person(hear(text, lang)).flag == "VOICE_UNDECIDABLE"


def test_a_text_plainly_in_another_language_is_judged_in_that() -> None:
    english = "I walked to the yard before the others woke and had the key with me. " * 3
    assert hear(f"{english}\n\n{english}", "nb").lang == "en"
    assert hear("I walked home.\n\nMy father slept.", "nb").lang == "nb"


def test_the_sentences_heard_are_places_in_the_text_as_given() -> None:
    text = "# My day\n\nIt rained. **I w\u200bent** home.\n\n\u201cI know.\u201d My ke\u00ady!"
    voice = hear(text, "en")
    assert [text[start:end] for start, end in voice.spans] == [
        "I w\u200bent** home.",
        "My ke\u00ady!",
    ]
    assert (voice.paragraphs, voice.sentences, voice.densest) == (2, 3, 1)


def test_the_paragraphs_asked_for_are_a_setting() -> None:
    voice = hear("I went home.", "en")
    assert first_person(voice, 1).passed
    assert not first_person(voice, 2).passed


@pytest.mark.parametrize(
    ("told", "others", "passes"),
    [
        pytest.param(2, 8, True, id="one in five"),
        pytest.param(2, 9, False, id="less than one in five"),
        pytest.param(6, 60, True, id="six"),
        pytest.param(5, 60, False, id="five"),
    ],
)
def test_six_sentences_speak_or_one_in_five(told: int, others: int, passes: bool) -> None:
    text = "\n\n".join(["I went home."] * told + ["It rained."] * others)
    assert first_person(hear(text, "en")).passed is passes


def test_the_refusal_says_what_was_heard() -> None:
    reason = first_person(hear("I went home. It rained.", "en")).reason
    assert reason.startswith("first person in 1 of 2 sentences in 1 paragraphs")
    assert first_person(Voice("en", 0, (), 0, 0)).reason.startswith("no prose")


@pytest.mark.parametrize("change", [pytest.param(CLOTHES[name], id=name) for name in CLOTHES])
@pytest.mark.parametrize(("lang", "text"), table(SAID + OTHERS))
def test_how_a_text_is_set_changes_no_verdict(
    change: Callable[[str], str], lang: str, text: str
) -> None:
    assert verdict(change(text), lang) == verdict(text, lang)


@given(
    st.text(
        st.sampled_from(
            "I my we'\u2019\u201c\u201d\u00ab\u00bb\"->#`|<!*_[]().,\n\t\u200b\u0301\ud800"
        ),
        max_size=60,
    ),
    st.sampled_from(["", "en", "nb", "ja", "xx", "\ud800"]),
)
def test_any_text_is_heard_within_its_bounds(text: str, lang: str) -> None:
    voice = hear(text, lang)
    assert len(voice.spans) <= voice.sentences
    assert all(0 <= start < end <= len(text) for start, end in voice.spans)


def rate(folder: Path, glob: str) -> float:
    """The share of files with prose that pass."""
    outcomes: list[str] = []
    for path in sorted(folder.rglob(glob)):
        document = read_document(path.name, path.read_bytes())
        if document.body_start is not None:
            text = document.content[document.body_start :].decode()[:100_000]
            outcomes.append(verdict(text))
    return outcomes.count("passed") / len(outcomes)


@pytest.mark.parametrize(
    ("corpus", "least", "most"),
    [
        pytest.param("transcripts-changelog/data", 0.95, 1, id="people talking"),
        pytest.param("essays-first-person/data", 0.4, 0.9, id="a weblog, half of it how-to"),
        pytest.param("laws-no/data", 0, 0, id="laws"),
        pytest.param("okf-reference/data", 0, 0, id="reference pages"),
        pytest.param("requirements-asvs/data", 0, 0.1, id="requirements, a preface says we"),
        pytest.param("glossary-multilang/data/en", 0, 0.1, id="a glossary"),
    ],
)
def test_real_texts_are_told_apart(shared: Path, corpus: str, least: float, most: float) -> None:
    assert least <= rate(shared / "corpora" / corpus, "*.md") <= most
