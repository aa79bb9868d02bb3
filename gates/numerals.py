"""The English letter I: a pronoun where a verb may follow and no name or label goes before."""

import re
from collections.abc import Sequence

from gates.tokens import Token

_LONGEST_NAME = 6
_ROMAN = re.compile(r"[ivxlc]+\Z")
_PAUSES = frozenset(["", ",", "\u2013", "\u2014", "\u2026", "..."])


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# After a comma these open an aside: I, too, went.
_ASIDES = _set(
    "too for however like along personally as myself also on in being having at who with"
)
_NO_VERBS = _set(
    "is are has does of to from the a an and or nor than which these those this "
    "dag morgen natt kveld går gar fjor år"
)
_FINAL_S = _set(
    "was always sometimes perhaps besides nevertheless nonetheless afterwards yes as towards "
    "upstairs downstairs overseas nowadays"
)
_LABELS = _set(
    "part chapter appendix table figure fig section book volume vol act scene war type class phase "
    "stage level grade group schedule annex article title division category unit step plate "
    "exhibit form tier lemma theorem element case no number bowl psalm canto item axis factor zone "
    "corps collagen region mark model series season cohort paragraph clause sector area line"
)
# Verbs that tell `the part I played` from `part I`; few, for the noun may take the others itself.
_PLAIN_VERBS = _set(
    "am was have had did do will would can could should might must may never always still also "
    "once just really only think thought know knew like liked love loved want wanted need needed "
    "made make wrote write took take saw see said say felt feel found find left kept keep told "
    "tell built build ran read bought brought lost won drew heard held met put sat spent taught "
    "gave got went came grew chose spoke drove ate sold stood played fought use used call called "
    "learned worked lived walked tried hate hated remember remembered missed owned carried mean"
)
_TITLES = _set(
    "king queen pope emperor empress tsar czar kaiser sultan shah prince princess duke saint st "
    "pharaoh caliph khan archduke elector patriarch"
)
_REGNAL = _set(
    "henry elizabeth james charles george edward richard william john mary louis philip francis "
    "frederick nicholas alexander peter catherine paul pius leo gregory benedict napoleon otto "
    "leopold ferdinand alfonso christian haakon håkon harald olav olaf gustav gustavus carl karl "
    "erik eric magnus wilhelm friedrich maximilian joseph rudolf rudolph albert victoria anne "
    "stephen robert david malcolm constantine justinian basil darius xerxes cyrus ramses rameses "
    "seti thutmose ptolemy mehmed murad selim suleiman abbas ismail pedro manuel joão sancho juan "
    "felipe umberto emanuele emmanuel baldwin philippe françois ivan boris zog franz valdemar knut "
    "canute sverre baudouin selassie faisal hussein abdullah fuad farouk kamehameha tiglath "
    "antiochus seleucus vespasian theodosius valentinian leo adrian clement innocent urban"
)
_LETTERS = _set("the an letter letters capital vitamin")
# Before a name these make it a place, a time or a company of the speaker's: in Oslo I learned.
_ADVERBIAL = _set(
    "in on at with from to for after before since during near without inside the a an every each "
    "this that last next about like early late until till through around past one"
)
_TIMES = _set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december christmas easter"
)


def stands_for_speaker(tokens: Sequence[Token], at: int) -> bool:
    """Whether the I at this place speaks: a verb may follow, nothing before makes it a number."""
    if at + 1 == len(tokens) or not _may_govern(tokens[at + 1]):
        return False
    if at == 0:
        return True
    if tokens[at].gap.strip():
        return tokens[at].gap[-1] not in "-/\u2010\u2011"
    return not (_labelled(tokens, at) or _crowned(tokens, at))


def _may_govern(after: Token) -> bool:
    pause = after.gap.strip()
    if pause not in _PAUSES or (pause and after.word not in _ASIDES):
        return False
    if after.word in _NO_VERBS or after.word[0].isdigit() or _ROMAN.match(after.word):
        return False
    third_person = after.word.endswith("s") and not after.word.endswith(("ss", "us"))
    return not third_person or after.word in _FINAL_S


def _labelled(tokens: Sequence[Token], at: int) -> bool:
    before, after = tokens[at - 1], tokens[at + 1]
    if before.word in _LETTERS:
        return True
    if before.word not in _LABELS:
        return False
    world_war = before.word == "war" and at > 1 and tokens[at - 2].word == "world"
    return world_war or before.written[0].isupper() or after.word not in _PLAIN_VERBS


def _crowned(tokens: Sequence[Token], at: int) -> bool:
    """Whether the words before are a ruler's name; `in Oslo I` is none."""
    before = tokens[at - 1]
    named = before.written[0].isupper()
    if before.word in _REGNAL:
        return named or tokens[at].written == "i"
    if not named or before.word in _TIMES or tokens[at + 1].written.isupper():
        return False
    first = at - 1
    while (
        first > at - _LONGEST_NAME
        and first
        and tokens[first - 1].written[0].isupper()
        and not tokens[first].gap.strip()
    ):
        first -= 1
    if tokens[first].word in _TITLES and first < at - 1:
        return True
    if first == 0 or tokens[first].gap.strip():
        return False
    return tokens[first - 1].word not in _ADVERBIAL
