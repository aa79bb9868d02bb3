"""Is this told by somebody, or of them? `Daniel recounts …` is a digest's voice, no witness's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gates.pronouns import speaks
from gates.speech import own_words
from gates.tokens import Token
from gates.verdict import Verdict, passed, refused
from index.text import loose, settle

# So many sentences of this kind and no first person anywhere are a digest, wherever it opens.
MANY = 3
_LONGEST_ASIDE = 8
_PAUSES = " \t\r\n,()-\u2013\u2014"
_LONGEST_WAY = 4


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Role nouns stand for a narrator's name.
_ROLES = """
author narrator speaker writer forfatteren fortelleren fortælleren forteljaren författaren
berättaren autor autorin verfasser erzähler erzählerin auteur schrijver verteller narrateur
autora narrador narradora autore autrice narratore
"""
NOUNS = tuple(_ROLES.split())
_REGULAR = """
recount reflect record describe recall remember narrate relate report explain note observe discuss
explore examine consider share detail document chronicle portray present argue claim state mention
muse ponder contemplate meditate reminisce recollect outline summarise summarize introduce reveal
confess admit express emphasise emphasize stress highlight address trace depict illustrate suggest
acknowledge announce comment conclude talk
"""
_OTHERS = """
retells retold tells told telling writes wrote written writing speaks spoke spoken speaking
forteller fortalte fortel fortalde fortæller beskriver beskrev skildrer skildret skildrar
reflekterer reflekterte reflekterede minnes mintes husker huskar gjengir skriver skrev
forklarer forklarte berättar berättade reflekterar reflekterade minns mindes förklarar förklarade
erzählt erzählte beschreibt beschrieb schildert schilderte reflektiert reflektierte erinnert
erinnerte berichtet berichtete schreibt schrieb erklärt erklärte
vertelt vertelde beschrijft beschreef reflecteert herinnert schrijft schreef schetst schetste
raconte raconta décrit décrivit réfléchit relate relata évoque évoqua rapporte explique écrit
describe describió relató reflexiona recuerda recordó narra narró cuenta contó explica escribe
racconta raccontò descrive descrisse riflette ricorda scrive spiega
descreve descreveu relatou reflete recorda lembra conta contou escreve
"""
_ADVERBS = _set(
    "also then here later first once again often still now even just further himself herself "
    "themself himselv også da så her sier är auch dann hier selbst"
)
_AUXILIARIES = _set(
    "is was has had have been will would can could does did goes went on to begins began by starts "
    "started continues continued har hadde havde hat ist a ha"
)
_INDEFINITE = _set("a an any every each another some no one ein eine un une una um uma en et een")


def _forms(lemma: str) -> Iterator[str]:
    root = lemma.removesuffix("e")
    yield from (lemma, f"{lemma}s", f"{root}es", f"{root}ed", f"{root}ing")


_VERBS = frozenset(form for lemma in _REGULAR.split() for form in _forms(lemma)) | _set(_OTHERS)


@dataclass(frozen=True, slots=True)
class Narrator:
    """Who a digest of this corpus would be about: names, and the role nouns that stand for them."""

    names: Sequence[str] = ()
    nouns: Sequence[str] = NOUNS


def not_narrated(text: str, narrator: Narrator, lang: str = "") -> Verdict:
    """The text neither opens by telling of its narrator nor does so all along."""
    sentences = own_words(text).sentences
    settled = settle(lang, " ".join(sentence.text for sentence in sentences)) or "en"
    who = _Subject.of(narrator)
    others = [sentence for sentence in sentences if not speaks(settled, sentence, True)]
    if others and others[0] is sentences[0] and who.tells(others[0].tokens):
        return _refused("it opens by telling of its narrator in the third person")
    about = sum(who.opens(sentence.tokens) or who.tells(sentence.tokens) for sentence in others)
    if about >= MANY and not any(speaks(settled, sentence) for sentence in sentences):
        return _refused(f"{about} sentences tell of its narrator, none is in the first person")
    return passed("not_narrated")


@dataclass(frozen=True, slots=True)
class _Subject:
    names: frozenset[tuple[str, ...]]
    firsts: frozenset[str]
    nouns: frozenset[str]

    @classmethod
    def of(cls, narrator: Narrator) -> "_Subject":
        names = frozenset(tuple(loose(name).split()) for name in narrator.names) - {()}
        firsts = frozenset(name[0] for name in names)
        return cls(names, firsts, frozenset(map(loose, narrator.nouns)))

    def tells(self, tokens: Sequence[Token]) -> bool:
        """Whether somewhere the narrator is the subject of a verb of telling."""
        return any(
            _reports(tokens, end) for at in range(len(tokens)) for end in self._ends(tokens, at)
        )

    def opens(self, tokens: Sequence[Token]) -> bool:
        """Whether the sentence begins with the narrator's name, whatever they do."""
        return any(tuple(_words(tokens, 0, len(name))) == name for name in self.names)

    def _ends(self, tokens: Sequence[Token], at: int) -> Iterator[int]:
        """Where the subject that begins here ends, if it is the narrator."""
        for name in self.names if tokens[at].word in self.firsts else ():
            if tuple(_words(tokens, at, at + len(name))) == name:
                yield at + len(name)
        article, _, noun = tokens[at].word.rpartition("'")
        before = article or (tokens[at - 1].word if at else "")
        if noun in self.nouns and before not in _INDEFINITE:
            yield at + 1


def _words(tokens: Sequence[Token], start: int, end: int) -> list[str]:
    return [token.word for token in tokens[start:end]]


def _reports(tokens: Sequence[Token], at: int) -> bool:
    """Whether a verb of telling follows, past a surname, an aside, adverbs and auxiliaries."""
    at = _past_aside(tokens, at)
    for token in tokens[at : at + _LONGEST_WAY]:
        if token.gap.strip(_PAUSES):
            return False
        if token.word in _VERBS:
            return True
        surname = token.written[0].isupper()
        adverb = token.word.endswith("ly") or token.word in _ADVERBS
        if not (surname or adverb or token.word in _AUXILIARIES):
            return False
    return False


def _past_aside(tokens: Sequence[Token], at: int) -> int:
    if at < len(tokens) and _pauses(tokens[at]):
        for end in range(at + 1, min(at + _LONGEST_ASIDE, len(tokens))):
            if _pauses(tokens[end]):
                return end
    return at


def _pauses(token: Token) -> bool:
    return bool(token.gap.strip()) and not token.gap.strip(_PAUSES)


def _refused(reason: str) -> Verdict:
    return refused(
        "not_narrated",
        "THIRD_PERSON_REJECTED",
        reason,
        "take a passage in which the narrator speaks",
    )
