"""The closed list of flags: for each, when it comes and what to do next."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flag:
    """A word that a refusal, a report or a brief may carry."""

    name: str
    comes: str
    remedy: str


_FLAGS = (
    Flag("UNKNOWN_DIG", "no dig has this id", "open one with open_dig, or list them: dig_status"),
    Flag("UNKNOWN_BASE", "no knowledge base has this id, or several and none named", "name one"),
    Flag("WRONG_STEP", "the dig's state does not allow this call", "make one of the moves named"),
    Flag("INVALID_ARGUMENT", "an argument is missing, unknown or of the wrong kind", "correct it"),
    Flag("BUSY", "another process holds the store", "repeat the call"),
    Flag("NOT_DECIDED", "no person has decided on the report", "a person runs expedition decide"),
    Flag("REPORT_VOID", "the decision was for a report that has changed", "decide again"),
    Flag("NOTHING_KEPT", "the person dropped every candidate", "open a new dig"),
    Flag("TERM_COUNT", "not 10 to 12 usable, different terms", "send that many"),
    Flag("TERM_FANOUT", "too few terms leave the words of keyword and title", "send others"),
    Flag("TERM_FANOUT_WEAK", "the dig went on with the few distinct terms", "read with care"),
    Flag("NO_CANDIDATES", "no row and no body matches a term", "send other terms"),
    Flag("SCORES_INVALID", "a batch's scores are incomplete or out of form", "send them whole"),
    Flag("SCORES_FLAT", "every row of a batch got the same score", "read the reasons with care"),
    Flag("PICK_INVALID", "a pick is not allowed", "pick among the top rows"),
    Flag("NO_PROSE", "the file holds no prose to quote", "pick another row"),
    Flag("SHORT_NOTE", "the whole body is shorter than an excerpt", "judge it as a note"),
    Flag("SHORT_PASSAGE", "no run of prose reaches the minimum", "judge it as a fragment"),
    Flag("LONG_CUT", "one long paragraph was cut at a sentence end", "read on in the file"),
    Flag("EXCERPT_DIGEST_REJECTED", "the body only repeats its digest", "pick another row"),
    Flag("THIRD_PERSON_REJECTED", "the body narrates the narrator", "pick another row"),
    Flag("HIDDEN_TEXT", "characters that do not show were found", "look at the escapes"),
    Flag("NO_LIVED_MATERIAL", "nothing is lived, which voice Carbon needs", "point or dictate"),
    Flag("VOICE_ANCHOR_MISSING", "no lived first-person excerpt", "record, point, dictate"),
    Flag("VOICE_UNDECIDABLE", "the language is unknown, so the voice is", "a person may vouch"),
    Flag("ROLE_UNSTATED", "the base states no roles", "check that the anchor is lived"),
    Flag("SOURCE_CHANGED", "a file changed since it was indexed or cut", "verify the brief"),
    Flag("PATH_REFUSED", "this path may not be opened", "name a listed file"),
    Flag("INDEX_BUILDING", "the index is being built", "repeat the call in a moment"),
    Flag("INDEX_STALE", "files changed since the index was built", "expedition index update"),
    Flag("INDEX_REBUILDING", "a damaged index is being rebuilt", "repeat the call in a moment"),
    Flag("BASE_UNAVAILABLE", "the base's folder cannot be read", "bring it back, then repeat"),
    Flag("STORAGE_FULL", "the state directory cannot be written", "free space, then repeat"),
    Flag("JUDGE_OFFLINE", "word statistics judged, no model and no person", "judge for yourself"),
    Flag("DECOY_SCORED", "a row that matches nothing was scored high", "distrust the scores"),
    Flag("REOPENED", "a person reopened a failed step", "see how often"),
    Flag("STEP_n FAILED", "a step was refused twice", "a person: expedition dig --resume DIG"),
)

FLAGS: dict[str, Flag] = {flag.name: flag for flag in _FLAGS}


def explain(flag: str) -> Flag:
    """The entry behind a flag as shown; `NAME:place`, `NAME 2` and `STEP_3 FAILED` find theirs."""
    if flag.startswith("STEP_"):
        return FLAGS["STEP_n FAILED"]
    return FLAGS[flag.partition(":")[0].partition(" ")[0]]
