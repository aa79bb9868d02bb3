"""The closed lists of the voice gate: which words say that somebody speaks of themselves."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gates.numerals import stands_for_speaker
from gates.tokens import Sentence, Token


@dataclass(frozen=True, slots=True)
class FirstPerson:
    """One language's words for I and we; `subjects` may govern a verb, `others` not.

    `elided` are those that melt into the next word (`j'avais`). `unless_after` tells a word from
    its homograph by the word before: `i vår` is in spring. A script without blanks has a `pattern`.
    """

    subjects: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    elided: frozenset[str] = frozenset()
    unless_after: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    pattern: re.Pattern[str] | None = None


def speaks(lang: str, sentence: Sentence, subject_only: bool = False) -> bool:
    """Whether a sentence holds the first person of a language, if need be as a subject."""
    words = LISTS.get(lang)
    if words is None:
        return False
    if words.pattern:
        return words.pattern.search(sentence.text) is not None
    shouted = sentence.shouted
    wanted = words.subjects if subject_only else words.subjects | words.others
    return any(
        _is_first_person(words, wanted, sentence.tokens, at)
        for at, token in enumerate(sentence.tokens)
        # US, EU, MIT: in running text capitals make a name of a pronoun
        if shouted or len(token.word) == 1 or not token.written.isupper()
    )


def _is_first_person(
    words: FirstPerson, wanted: frozenset[str], tokens: Sequence[Token], at: int
) -> bool:
    word = tokens[at].word
    head, _, tail = word.partition("'")
    if tail:
        return head in words.elided or (head in words.subjects and tail in _MELTED)
    if word not in wanted:
        return False
    before = tokens[at - 1].word if at else ""
    if before in words.unless_after.get(word, ()) or (before[-1:].isdigit() and word in _UNITS):
        return False
    return word != "i" or stands_for_speaker(tokens, at)


def _list(subjects: str, others: str = "", elided: str = "", **unless_after: str) -> FirstPerson:
    return FirstPerson(
        frozenset(subjects.split()),
        frozenset(others.split()),
        frozenset(elided.split()),
        {word: frozenset(before.split()) for word, before in unless_after.items()},
    )


def _pattern(pattern: str) -> FirstPerson:
    return FirstPerson(pattern=re.compile(pattern))


# What an apostrophe may join to a subject: I'm, we've, I'd, we'll.
_MELTED = frozenset(["m", "ve", "d", "ll", "re"])
# After a number these are minutes and ounces.
_UNITS = frozenset(["min", "ons"])
_SEASON = "i en hver denne neste forrige hele om til mot på siste tidlig sen"

LISTS: Mapping[str, FirstPerson] = {
    "en": _list("i we", "me my myself us our ours ourselves"),
    "nb": _list(
        "jeg vi",
        "meg min mi mitt mine oss vår vårt våre",
        vår=_SEASON,
        mine="en ei",
    ),
    "nn": _list(
        "eg vi me",
        "meg min mi mitt mine oss vår vårt våre",
        vår=_SEASON,
        mine="ei ein",
    ),
    "sv": _list("jag vi", "mig mej min mitt mina oss vår vårt våra", vår="i en varje denna nästa"),
    "da": _list("jeg vi", "mig min mit mine os vor vort vore vores", mine="en"),
    "de": _list(
        "ich wir",
        "mich mir mein meine meinem meinen meiner meines uns unser unsere unserem unseren unserer "
        "unseres unsre unsrer unsrem unsren",
    ),
    "nl": _list("ik we wij", "mij me mijn mezelf ons onze", mijn="de een deze die elke"),
    "fr": _list("je nous", "me moi mon ma mes notre nos mien mienne", "j m"),
    "es": _list(
        "yo nosotros nosotras soy estoy tengo tuve hice dije quise pude quiero puedo estuve hemos "
        "somos estamos tenemos",
        "me mi mis mí mío mía míos mías conmigo nos nuestro nuestra nuestros nuestras",
    ),
    "it": _list(
        "io noi ho abbiamo siamo ebbi fui ero",
        "mi me mio mia miei mie nostro nostra nostri nostre",
        "m",
    ),
    "pt": _list(
        "eu nós sou estou tenho tive fiz estive somos estamos temos",
        "me mim meu meus minha minhas comigo nosso nossa nossos nossas conosco connosco",
    ),
    # 私立 is private and 公僕 a servant of the public: an ideograph beside it makes another word;
    # わたした has passed something on: kana need a particle after them
    "ja": _pattern(
        "(?<![\u4e00-\u9fff])[私僕俺](?![\u4e00-\u9fff])|[私僕俺](?:達|自身)|我々|吾輩"
        "|(?:わたし|わたくし|あたし|ぼく|おれ|ボク|オレ|われわれ)(?:たち|ら)?(?=[はがものをにとへで、。])"
    ),
    "zh": _pattern("(?<![自忘大小无無])我(?![国國])|咱们|咱們|俺"),
    "ko": _list(
        "나는 난 내가 나도 저는 제가 저도 우리는 우리가 우린 저희는 저희가",
        "나를 나의 내 나에게 내게 저를 저의 제 저에게 우리 우리를 우리의 우리도 저희",
    ),
    "ru": _list(
        "я мы ми аз ние",
        "меня мне мной мною нас нам нами мой моя моё мое мои моего моей моему моих моим моими мою "
        "наш наша наше наши нашего нашей нашему наших нашим нашу мене мені моє мої мою мен ме",
    ),
    "el": _list("εγώ εμείς", "εμένα μου εμάς μας"),
    "he": _list("אני אנחנו אנו", "שלי שלנו אותי אותנו לי לנו"),
    "ar": _list("أنا نحن وأنا إنني إننا", "لي لنا إني إنا"),
    "fa": _list("من ما", "مرا خودم خودمان"),
    "hi": _list("मैं हम मैंने हमने", "मुझे मेरा मेरी मेरे हमें हमारा हमारी हमारे"),
    "th": _pattern("ดิฉัน|ฉัน|ข้าพเจ้า|ผม|พวกเรา"),
}
