"""English words whose inflected forms no stemmer meets: strong verbs and old plurals."""

from functools import cache

_FORMS = """
child children|man men|woman women|foot feet|tooth teeth|goose geese|mouse mice|louse lice|ox oxen
life lives|wife wives|elf elves|person people|brother brethren|penny pence|crisis crises
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|begin began begun|bend bent
bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred
bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung
creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven
dwell dwelt|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled
fling flung|fly flew flown|forbid forbade forbidden|forget forgot forgotten
forgive forgave forgiven|forsake forsook forsaken|freeze froze frozen|give gave given
grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt
know knew known|lay laid|lead led|lean leant|leap leapt|learn learnt|lend lent|lie lay lain
light lit|lose lost loss|mean meant|meet met|mistake mistook mistaken|mow mown|overcome overcame
pay paid|prove proven|ride rode ridden|ring rang rung|rise rose risen|run ran|seek sought
sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown
shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|slay slew slain|sleep slept
slide slid|sling slung|smell smelt|speak spoke spoken|speed sped|spell spelt|spend spent
spill spilt|spin spun|spit spat|spoil spoilt|spring sprang sprung|stand stood
steal stole stolen|stick stuck|sting stung|stink stank stunk|stride strode stridden
strike struck stricken|strive strove striven|swear swore sworn|sweep swept|swell swollen
swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought
throw threw thrown|tread trod trodden|understand understood|wake woke woken
wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn
withstand withstood|wring wrung|write wrote written
"""
# wolf wolves, knife knives, grief grieve: a final f is a v before an ending.
_F_ENDINGS = ("f", "fs", "fe", "fes", "ve", "ves", "ved", "ving")
_SHORTEST = 3


def lemma(word: str) -> str:
    """The basic form of an irregular English word by `skeleton`; any other word as it is."""
    if found := _lemmas().get(word):
        return found
    root = next((word.removesuffix(end) for end in _F_ENDINGS[::-1] if word.endswith(end)), "")
    return f"{root}f" if len(root) >= _SHORTEST else word


@cache
def _lemmas() -> dict[str, str]:
    verbs = [group.split() for line in _FORMS.splitlines() for group in line.split("|")]
    return {form: forms[0] for forms in verbs for form in forms}
