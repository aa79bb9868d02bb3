"""Does somebody speak of themselves? First person outside quotations, by closed lists."""

from dataclasses import dataclass

from gates.pronouns import LISTS, speaks
from gates.speech import OwnWords, own_words
from gates.verdict import Verdict, passed, refused, undecidable
from index.text import Span, settle

PARAGRAPHS = 2
# A transcript may come in one paragraph; then so many sentences must speak.
SENTENCES = 6
# Fewer than six must be one sentence in five, or two planted lines would make a digest a witness.
ONE_IN = 5


@dataclass(frozen=True, slots=True)
class Voice:
    """What was heard: the language, empty if unknown; how many sentences in all.

    `spans` are the character offsets of those in the first person, `paragraphs` counts the
    paragraphs they are in, `densest` is the most in one paragraph.
    """

    lang: str
    sentences: int
    spans: tuple[Span, ...]
    paragraphs: int
    densest: int


def hear(text: str, lang: str = "") -> Voice:
    """The first person of a markdown text, judged in `lang` or, if none is given, in its own."""
    return hear_own(own_words(text), lang)


def hear_own(own: OwnWords, lang: str = "") -> Voice:
    """The first person among sentences already read."""
    settled = settle(lang, " ".join(sentence.text for sentence in own.sentences))
    spoken = [
        [sentence for sentence in paragraph if speaks(settled, sentence)]
        for paragraph in own.paragraphs
    ]
    return Voice(
        lang=settled if settled in LISTS else "",
        sentences=len(own.sentences),
        spans=tuple(own.span(sentence) for paragraph in spoken for sentence in paragraph),
        paragraphs=sum(bool(paragraph) for paragraph in spoken),
        densest=max(map(len, spoken), default=0),
    )


def first_person(voice: Voice, paragraphs: int = PARAGRAPHS) -> Verdict:
    """The text is first-person prose: in two paragraphs, or in six sentences of one."""
    if not voice.sentences:
        return refused(
            "first_person",
            "VOICE_ANCHOR_MISSING",
            "no prose outside quotations and code",
            "take a passage in which the author speaks",
        )
    if not voice.lang:
        return undecidable(
            "first_person",
            "VOICE_UNDECIDABLE",
            "no list of pronouns for the language of this text, or no telling which it is",
            "state `lang` in the file or the base, or let a person vouch for the passage",
        )
    heard = f"{len(voice.spans)} of {voice.sentences} sentences in {voice.paragraphs} paragraphs"
    spread = voice.paragraphs >= paragraphs or voice.densest >= SENTENCES
    told = len(voice.spans)
    if spread and (told >= SENTENCES or ONE_IN * told >= voice.sentences):
        return passed("first_person", f"first person in {heard}")
    return refused(
        "first_person",
        "VOICE_ANCHOR_MISSING",
        f"first person in {heard}; asked are {paragraphs} paragraphs or {SENTENCES} sentences of "
        f"one, and in all {SENTENCES} sentences or 1 in {ONE_IN}",
        "take a passage in which the author speaks of themselves",
    )
