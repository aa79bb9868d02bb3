"""The desk at which a person decides: what each address shows, and what each form does."""

from dataclasses import replace

from index.faults import Fault
from index.records import Document
from server.dig import Digs
from server.dig_state import Candidate, DigState, Evidence
from server.foreseen import as_refusals
from server.library import Unreadable
from server.page.brief_view import brief_view
from server.page.cards import Source, quote
from server.page.complaints import STALE, Complaint, complaints, said
from server.page.forms import Form, form_of, read_form
from server.page.hand import hand_of
from server.page.plans import PlanDesk
from server.page.posted import Posted
from server.page.rendering import Away, Sheet, Shown
from server.page.security import Seal
from server.page.views import dig_view, listed, needs_anchor, paths, summarised
from server.passages_added import dictated, pointed
from server.passphrase import is_set
from server.refusals import Refusal
from server.replies import Answer, Briefed
from server.report import shown_ids
from server.review import Hand, Review
from server.shelf import find_brief

NO_BRIEF = {"title": "No brief yet", "text": "It can be written once you have decided."}

Added = tuple[Candidate, Evidence]


class Desk:
    """Shows digs, and records what a person does with them. To show anything changes nothing."""

    def __init__(self, digs: Digs, plans: PlanDesk, seal: Seal) -> None:
        self.digs = digs
        self.plans = plans
        self.review = Review(digs)
        self.seal = seal

    def listing(self) -> Sheet:
        """The digs and plans that wait for a person, and other digs of late."""
        waiting, others = listed(self.digs.runs())
        plans = self.plans.waiting()
        return Sheet("list.html", {"waiting": waiting, "others": others, "plans": plans})

    def dig(self, dig: str) -> Sheet:
        """A dig: what it looked for, its report, its candidates, and what may be done now."""
        return self._dig(self.digs.load(dig))

    def confirm(self, dig: str, posted: Posted) -> Sheet:
        """The same choices once more, in full, before they are recorded; records nothing."""
        state, form = self.digs.load(dig), read_form(posted.fields)
        if not self._trusts(posted, "form", dig):
            return self._dig(state, form, STALE, status=403)
        if wrong := complaints(form, state, self.review.deeds(state)):
            return self._dig(state, form, *wrong, status=422)
        added = self._added(state, form)
        if isinstance(added, Refusal):
            return self._dig(state, form, said(added), status=422)
        return self._confirm(state, form, added)

    def record(self, dig: str, posted: Posted) -> Shown:
        """Record what was confirmed: these words, and no others."""
        state, form = self.digs.load(dig), read_form(posted.fields)
        confirmed = posted.field("added")
        if not self._trusts(posted, "record", dig, *form.parts(), confirmed):
            return self._dig(state, form, STALE, status=403)
        wrong = complaints(form, state, self.review.deeds(state))
        added = None if wrong else self._added(state, form)
        if isinstance(added, Refusal):
            return self._dig(state, form, said(added), status=409)
        if wrong or _sha256_of(added) != confirmed:
            return self._dig(state, form, *(wrong or (STALE,)), status=409)
        hand = hand_of(self.digs.settings.state, posted.fields, form.report)
        if isinstance(hand, Refusal):
            return self._confirm(state, form, added, said(hand))
        answer = self._recorded(state, form, hand)
        if isinstance(answer, Refusal):
            return self._dig(self.digs.load(dig), form, said(answer), status=409)
        return Away(f"/digs/{dig}")

    def passage(self, dig: str, posted: Posted) -> Shown:
        """Take the next passage of a candidate's file; the report is new then."""
        state, form = self.digs.load(dig), read_form(posted.fields)
        if not self._trusts(posted, "form", dig):
            return self._dig(state, form, STALE, status=403)
        candidate = posted.field("candidate")
        hand = Hand("local", "page", form.report)
        answer = self.review.another_passage(dig, hand, candidate)
        if isinstance(answer, Refusal):
            return self._dig(self.digs.load(dig), form, said(answer), status=409)
        return Away(f"/digs/{dig}#{candidate}")

    def write_brief(self, dig: str, posted: Posted) -> Shown:
        """Write the brief that a recorded decision opened."""
        state = self.digs.load(dig)
        if not self._trusts(posted, "form", dig):
            return self._dig(state, None, STALE, status=403)
        answer = self.digs.assemble_brief(dig)
        if isinstance(answer, Refusal):
            return self._dig(state, None, said(answer), status=409)
        saved = isinstance(answer, Briefed) and answer.saved
        return Away(f"/digs/{dig}/brief" if saved else f"/digs/{dig}")

    def brief(self, dig: str) -> Sheet:
        """The written brief of a dig, verified now."""
        state = self.digs.load(dig)
        if state.brief is None or not state.brief.written:
            return Sheet("trouble.html", NO_BRIEF, status=404)
        view = brief_view(find_brief(self.digs.settings, dig), self.digs.settings)
        return Sheet("brief.html", {"brief": view, "dig": dig})

    def _dig(
        self, state: DigState, form: Form | None = None, *wrong: Complaint, status: int = 200
    ) -> Sheet:
        form = _current(form, state)
        reading = (self._source(state), self._lang(state))
        view = dig_view(state, form, reading, self.review.deeds(state))
        return Sheet(
            "dig.html",
            {
                "dig": view,
                "form": form,
                "complaints": wrong,
                "complaint_title": summarised(wrong),
                "token": self.seal.token("form", state.dig),
            },
            status,
        )

    def _confirm(
        self, state: DigState, form: Form, added: Added | None, *wrong: Complaint
    ) -> Sheet:
        choices = form.as_choices(shown_ids(state, state.report.anchors) if state.report else ())
        preview = quote(*added, (self._source(state), self._lang(state))) if added else None
        sha256 = _sha256_of(added)
        return Sheet(
            "confirm.html",
            {
                "dig": state.dig,
                "title": state.context.title,
                "form": form,
                "keep": paths(state, choices.keep),
                "drop": paths(state, choices.drop),
                "vouched": paths(state, choices.vouched),
                "preview": preview,
                "needs_anchor": form.deed == "decide" and needs_anchor(state, choices),
                "added": sha256,
                "passphrase": is_set(self.digs.settings.state),
                "complaints": wrong,
                "complaint_title": summarised(wrong),
                "token": self.seal.token("record", state.dig, *form.parts(), sha256),
            },
            403 if wrong else 200,
        )

    def _recorded(self, state: DigState, form: Form, hand: Hand) -> Answer:
        shown = shown_ids(state, state.report.anchors) if state.report else ()
        choices = form.as_choices(shown)
        match form.deed:
            case "redirect":
                return self.review.redirect(state.dig, hand, choices, form.words)
            case "point":
                return self.review.point(state.dig, hand, choices, form.place)
            case "dictate":
                return self.review.dictate(state.dig, hand, choices, form.passage)
            case _:
                return self.review.decide(state.dig, hand, choices)

    def _added(self, state: DigState, form: Form) -> Added | Refusal | None:
        """The passage that the form would add, cut as it would be recorded."""
        digs = self.digs
        if form.deed == "point":
            return as_refusals("point to a file", lambda: pointed(state, form.place, digs.library))
        if form.deed == "dictate":
            return as_refusals("dictate", lambda: dictated(state, form.passage, digs.settings))
        return None

    def _trusts(self, posted: Posted, *parts: str) -> bool:
        return self.seal.knows(posted.cookie, posted.field("token"), *parts)

    def _source(self, state: DigState) -> Source:
        def read(path: str) -> Document | str:
            try:
                found = self.digs.library.document(
                    self.digs.settings.base(state.base, state.root), path
                )
            except Fault as trouble:
                return f"Its file cannot be read: {trouble.message}."
            return f"{found.reason}." if isinstance(found, Unreadable) else found

        return read

    def _lang(self, state: DigState) -> str:
        """The language of the base, if it is one of these settings and says so."""
        return next((b.lang for b in self.digs.settings.bases if b.id == state.base), "")


def _current(form: Form | None, state: DigState) -> Form:
    """The form for the report as it is now; of choices made on another report nothing stays."""
    sha256 = state.report.sha256 if state.report else ""
    if form is None:
        return form_of(sha256, state.decision)
    if form.report == sha256:
        return form
    return replace(form, report=sha256, choices={}, vouched=())


def _sha256_of(added: Added | None) -> str:
    """Which words an added passage has; empty if none is added."""
    return added[1].excerpt.sha256 if added else ""
