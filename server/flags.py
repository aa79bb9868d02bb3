"""The closed list of flags: for each, when it comes and what to do next."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flag:
    """A word on an answer, a report or a brief; one that `refuses` may also open a refusal."""

    name: str
    comes: str
    remedy: str
    refuses: bool = True


def _note(name: str, comes: str, remedy: str) -> Flag:
    """A flag that stops nothing: it says what people should know."""
    return Flag(name, comes, remedy, refuses=False)


_GO_ON = "go on: the report names the file; a person may redirect"
_AGAIN = "repeat the same call in a moment"

_FLAGS = (
    Flag("UNKNOWN_DIG", "no dig has this id", "list the open ones: dig_status"),
    Flag("UNKNOWN_BASE", "no knowledge base has this id, or several and none named", "name one"),
    Flag("WRONG_STEP", "the dig's state does not allow this call", "make one of the moves named"),
    Flag("INVALID_ARGUMENT", "an argument is missing, unknown or out of form", "send it as asked"),
    Flag("BUSY", "another process holds the store, or calls come too fast", "repeat the same call"),
    Flag("NOT_DECIDED", "no person has decided on the report", "a person: expedition decide DIG"),
    Flag("REPORT_VOID", "the decision is on a report that has changed", "decide on it as it is"),
    Flag("NOTHING_KEPT", "the person dropped every candidate", "open a new dig"),
    Flag("TERM_COUNT", "not 10 to 12 usable, different terms", "send that many"),
    Flag("TERM_FANOUT", "fewer than 6 terms leave keyword and title", "replace those named"),
    _note("TERM_FANOUT_WEAK", "the dig went on with fewer than 6 terms", "read with care"),
    Flag("NO_CANDIDATES", "no row and no body holds one of the terms", "send other terms"),
    Flag("SCORES_INVALID", "a batch's scores are incomplete or out of form", "send all of them"),
    _note("SCORES_FLAT", "every row of a batch got the same score", "distrust the order"),
    Flag("PICK_INVALID", "a pick is not allowed", "pick among the top rows, as asked"),
    Flag("NO_PROSE", "the file, or what is left of it, holds no prose", _GO_ON),
    _note("SHORT_NOTE", "the whole body is shorter than an excerpt", "judge it as a note"),
    _note("SHORT_PASSAGE", "no run of prose reaches the minimum", "judge it as a fragment"),
    _note("LONG_CUT", "one long paragraph was cut at a sentence end", "read on in the file"),
    Flag("EXCERPT_DIGEST_REJECTED", "the body only repeats its digest", _GO_ON),
    Flag("THIRD_PERSON_REJECTED", "the body tells what its narrator tells", _GO_ON),
    _note("HIDDEN_TEXT", "characters that do not show were found", "look at the escapes"),
    _note("NO_LIVED_MATERIAL", "voice Carbon, and nothing in the base is lived", "record a note"),
    Flag("VOICE_ANCHOR_MISSING", "no lived first-person excerpt", "record, point or dictate"),
    _note("VOICE_UNDECIDABLE", "no word list knows the language", "a person may vouch"),
    _note("ROLE_UNSTATED", "the base states no roles", "see that the anchor is lived"),
    Flag("SOURCE_CHANGED", "a file changed or went since it was indexed", "look at the file"),
    _note("BRIEF_GONE", "the brief is not where it was written", "find it; show has its excerpts"),
    Flag("PATH_REFUSED", "this path may not be opened", "name a listed file"),
    Flag("INDEX_BUILDING", "the index is being built", _AGAIN),
    _note("INDEX_STALE", "files changed since the index was built", "expedition index update"),
    Flag("INDEX_REBUILDING", "a damaged index is being rebuilt", _AGAIN),
    Flag("BASE_UNAVAILABLE", "the base's folder cannot be read", "bring it back, then repeat"),
    Flag("EXTRA_MISSING", "the configuration asks for a part not installed", "the owner adds it"),
    Flag("STORAGE_FULL", "state or briefs cannot be written or trusted", "do what the text says"),
    _note("JUDGE_OFFLINE", "word statistics judged, no model and no person", "judge for yourself"),
    Flag("JUDGE_UNREACHABLE", "the judge could not be asked", "mend it, then dig --resume DIG"),
    _note("DECOY_SCORED", "a row that matches nothing was scored high", "distrust the scores"),
    _note("REOPENED", "a person reopened a failed step, so many times", "see what was refused"),
    Flag("STEP_n FAILED", "a step was refused twice", "a person: expedition dig --resume DIG"),
)

FLAGS: dict[str, Flag] = {flag.name: flag for flag in _FLAGS}


def explain(flag: str) -> Flag:
    """The entry behind a flag as shown; `NAME:place`, `NAME 2` and `STEP_3 FAILED` find theirs."""
    if flag.startswith("STEP_"):
        return FLAGS["STEP_n FAILED"]
    return FLAGS[flag.partition(":")[0].partition(" ")[0]]
