"""The person's decision, whichever way it came: bound to one report, recorded once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gates.forms import is_text
from gates.human import strong_enough
from gates.verdict import Verdict
from server import refusals, steps
from server.anchors import anchors_in, may_vouch
from server.dig import Digs
from server.dig_state import Candidate, Decision, DigState, Evidence, Level, Rejection, Report, Way
from server.fold import dump, with_added
from server.moves.excerpts import cut_candidate, wanted_of
from server.moves.outcome import Outcome, attempt_of
from server.moves.reporting import reply
from server.passages_added import MOST_CHARACTERS, dictated, pointed
from server.passphrase import weakest_that_counts
from server.refusals import Refusal
from server.replies import Answer, store_answer
from server.report import render_report, shown_ids
from server.status import status_of
from server.steps import Deed
from server.store import Actor, NewEvent

Judged = Outcome | Refusal
_COMMANDS: Mapping[Deed, str] = {
    "decide": "expedition decide",
    "redirect": "expedition decide",
    "reopen": "expedition dig --resume",
}
# What decides, or sends the dig another way; the next passage of a file does neither.
BINDING: tuple[Deed, ...] = ("decide", "redirect", "add_passage")
# What is wrong, and what to do instead.
Complaint = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Hand:
    """Whose decision it is, as far as can be told, and for which report it was made."""

    level: Level
    way: Way
    report_sha256: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What becomes of each candidate of a report; `vouched` are lived by the person's word."""

    keep: tuple[str, ...]
    drop: tuple[str, ...]
    vouched: tuple[str, ...] = ()


class Review:
    """What only a person may do with a dig."""

    def __init__(self, digs: Digs) -> None:
        self.digs = digs

    def deeds(self, state: DigState) -> tuple[Deed, ...]:
        """What a person may do with a dig now; one decided on too weakly may be decided anew."""
        allowed = steps.DEEDS[state.state]
        anew = state.state == "decided" and not self.digs.counts(state)
        return ("decide", *allowed) if anew else allowed

    def waits(self, state: DigState) -> bool:
        """Whether the dig stands still until a person moves."""
        return state.state == "failed" or "decide" in self.deeds(state)

    def decide(self, dig: str, hand: Hand, choices: Choices) -> Answer:
        """Record keep or drop for every candidate of the report; nothing kept abandons the dig."""

        def judge(state: DigState, report: Report) -> Judged:
            if complaint := _incomplete(state, report, choices) or _empty(state, choices):
                return refusals.invalid_argument("decide", *complaint)
            decided = _decided(hand, report, choices)
            if choices.keep:
                return _outcome(state, (decided,), "decided")
            gone = _person("abandoned", {"reason": "every candidate was dropped"})
            return _outcome(state, (decided, gone), "abandoned")

        return self._deed(dig, "decide", hand, judge)

    def redirect(self, dig: str, hand: Hand, choices: Choices, words: str) -> Answer:
        """Send the agent back to the terms with the person's words; kept rows stay."""

        def judge(state: DigState, report: Report) -> Judged:
            if len(state.redirects) >= steps.MAX_REDIRECTS:
                return refusals.invalid_argument(
                    "redirect",
                    f"this dig was redirected {steps.MAX_REDIRECTS} times",
                    "keep, drop, or open a new dig",
                )
            if complaint := _misdirected(words, choices, shown_ids(state, report.anchors)):
                return refusals.invalid_argument("redirect", *complaint)
            payload = {"words": words, "keep": list(choices.keep), "drop": list(choices.drop)}
            return _outcome(state, (_person("redirected", payload),), "opened")

        return self._deed(dig, "redirect", hand, judge)

    def another_passage(self, dig: str, hand: Hand, candidate: str) -> Answer:
        """Take the next passage of a candidate's file; the report is rendered anew."""

        def judge(state: DigState, report: Report) -> Judged:
            if candidate not in state.evidence or state.candidates[candidate].via == "dictated":
                return refusals.invalid_argument(
                    "another passage", "this candidate has no excerpt", "name one that has"
                )
            found = self._next_passage(state, candidate)
            if isinstance(found, Rejection):
                return refusals.invalid_argument(
                    "another passage",
                    found.reason,
                    "keep this passage, drop it, or point to a line of the file",
                )
            cut_event = _person("excerpt_cut", {"evidence": dump(found)})
            changed = replace(state, evidence={**state.evidence, candidate: found})
            kept = anchors_in(changed, report.anchors)
            rendered = render_report(changed, kept, report.blaze)
            return _outcome(state, (cut_event, _reported(changed, rendered)), "reported")

        return self._deed(dig, "another_passage", hand, judge)

    def point(self, dig: str, hand: Hand, choices: Choices, place: tuple[str, int]) -> Answer:
        """Add a passage from a file of the base (path, line to start at) and decide with it."""

        def add(state: DigState) -> tuple[Candidate, Evidence] | Refusal:
            return pointed(state, place, self.digs.library)

        return self._deed(dig, "add_passage", hand, _adding(hand, choices, add))

    def dictate(self, dig: str, hand: Hand, choices: Choices, text: str) -> Answer:
        """Add a passage in the person's own words and decide with it; the corpus stays as it is."""

        def add(state: DigState) -> tuple[Candidate, Evidence] | Refusal:
            return dictated(state, text, self.digs.settings)

        return self._deed(dig, "add_passage", hand, _adding(hand, choices, add))

    def abandon(self, dig: str, reason: str) -> Answer:
        """Close a dig for good."""
        event = _person("abandoned", {"reason": reason})
        return self._plain(dig, "abandon", lambda state: _outcome(state, (event,), "abandoned"))

    def reopen(self, dig: str) -> Answer:
        """Give a failed step fresh attempts."""

        def judge(state: DigState) -> Judged:
            assert state.failure is not None  # what `failed` means
            event = _person("reopened", {"step": state.failure.step})
            return _outcome(state, (event,), steps.BEFORE_STEP[state.failure.step])

        return self._plain(dig, "reopen", judge)

    def _next_passage(self, state: DigState, candidate: str) -> Evidence | Rejection:
        after = state.evidence[candidate].excerpt.last_line
        wanted = replace(wanted_of(state, candidate), after_line=after)
        found = cut_candidate(state, wanted, self.digs.library)
        return found if isinstance(found, Rejection) else found.evidence

    def _deed(
        self, dig: str, deed: Deed, hand: Hand, judge: Callable[[DigState, Report], Judged]
    ) -> Answer:
        """A deed on a report: refused when the report the person saw is not the report any more."""

        def on_report(state: DigState) -> Judged:
            if state.report is None or state.report.sha256 != hand.report_sha256:
                return refusals.report_void(deed, state.dig)
            strength = self._strength(hand.level)
            if deed in BINDING and not strength.passed:
                return refusals.from_verdict(strength, deed, state.dig)
            return judge(state, state.report)

        return self._plain(dig, deed, on_report)

    def _strength(self, level: Level) -> Verdict:
        """Whether a decision of this level counts now."""
        return strong_enough(level, weakest_that_counts(self.digs.settings))

    def _plain(self, dig: str, deed: Deed, judge: Callable[[DigState], Judged]) -> Answer:
        def judged(state: DigState) -> Outcome:
            deeds = self.deeds(state)
            if deed not in deeds:
                legal = _legal(state, deeds)
                return Outcome(refusals.wrong_step(deed, state.state, legal, state.dig))
            if state.brief is not None:
                # Its file may be on the disk by now; a decision that was carried out stands.
                written = f"{state.state}, and its brief was begun"
                legal = [f"expedition brief {state.dig}"]
                return Outcome(refusals.wrong_step(deed, written, legal, state.dig))
            found = judge(state)
            return found if isinstance(found, Outcome) else Outcome(found)

        answer = self.digs.amend(dig, deed, judged)
        return answer if isinstance(answer, Refusal) else self.digs.dig_status(dig)


def _legal(state: DigState, deeds: tuple[Deed, ...]) -> list[str]:
    """What can be done with a dig now: by the person, else by the agent that goes on with it."""
    commands = [_COMMANDS[deed] for deed in deeds if deed in _COMMANDS]
    named = dict.fromkeys(f"{command} {state.dig}" for command in commands)
    return [*named, *steps.TOOLS[state.state]]


def _adding(
    hand: Hand,
    choices: Choices,
    add: Callable[[DigState], tuple[Candidate, Evidence] | Refusal],
) -> Callable[[DigState, Report], Judged]:
    """Excerpt, new report and the decision for its hash, in one transaction."""

    def judge(state: DigState, report: Report) -> Judged:
        added = add(state)
        if isinstance(added, Refusal):
            return added
        candidate, evidence = added
        if complaint := _incomplete(state, report, choices):
            return refusals.invalid_argument("decide", *complaint)
        changed = replace(
            with_added(state, candidate), evidence={**state.evidence, candidate.id: evidence}
        )
        anchors = report.anchors
        if state.context.voice == "Carbon":
            anchors = (*anchors, *anchors_in(changed, (candidate.id,)))
        rendered = render_report(changed, anchors, report.blaze)
        vouched = choices.vouched
        if evidence.voice.outcome == "undecidable":
            vouched = (*vouched, candidate.id)
        final = replace(choices, keep=(*choices.keep, candidate.id), vouched=vouched)
        payload = {"evidence": dump(evidence), "candidate": dump(candidate)}
        events = (
            _person("excerpt_cut", payload),
            _reported(changed, rendered),
            _decided(hand, rendered, final),
        )
        return _outcome(state, events, "decided")

    return judge


def _incomplete(state: DigState, report: Report, choices: Choices) -> Complaint | None:
    """What is wrong with the choices: each candidate is kept or dropped, once."""
    shown = shown_ids(state, report.anchors)
    if sorted((*choices.keep, *choices.drop)) != sorted(shown):
        return "not every candidate is kept or dropped, each once", f"decide on {', '.join(shown)}"
    if not set(choices.vouched) <= set(choices.keep):
        return "a candidate is vouched for but not kept", "keep what you vouch for"
    if not all(may_vouch(state, id_) for id_ in choices.vouched):
        return "a candidate is vouched for whose voice is no open question", "vouch for others"
    return None


def _empty(state: DigState, choices: Choices) -> Complaint | None:
    """What is wrong with keeping only candidates that gave no words."""
    if not choices.keep or any(id_ in state.evidence for id_ in choices.keep):
        return None
    return "nothing that is kept has an excerpt", "keep one that has, drop all, or redirect"


def _misdirected(words: str, choices: Choices, shown: tuple[str, ...]) -> Complaint | None:
    """What is wrong with a redirect: it says what to look for, and each id at most once."""
    chosen = (*choices.keep, *choices.drop)
    if not words.strip() or not is_text(words):
        return "there are no words that can be written down", "say what to look for"
    if len(words) > MOST_CHARACTERS:
        most = f"{MOST_CHARACTERS:,}"
        return f"they are {len(words):,} characters", f"say it in at most {most}"
    if len(set(chosen)) < len(chosen) or not set(chosen) <= set(shown):
        return "an id is unknown or named twice", f"name each of {', '.join(shown)} at most once"
    return None


def _decided(hand: Hand, report: Report, choices: Choices) -> NewEvent:
    decision = Decision(
        hand.level, hand.way, report.sha256, choices.keep, choices.drop, choices.vouched
    )
    actor: Actor = "client" if hand.level == "client" else "person"
    return NewEvent("decided", {"decision": dump(decision)}, actor)


def _reported(state: DigState, report: Report) -> NewEvent:
    """The new report; from now on it is what `dig_report` answers."""
    answer = reply(replace(state, report=report))
    kept = store_answer("dig_report", attempt_of({}), answer)
    return _person("reported", {"report": dump(report), "answer": kept})


def _person(kind: str, payload: Mapping[str, object]) -> NewEvent:
    return NewEvent(kind, payload, actor="person")


def _outcome(state: DigState, events: tuple[NewEvent, ...], to: steps.State) -> Outcome:
    return Outcome(status_of(state), events, to, replay=False)
