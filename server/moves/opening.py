"""Opening a dig: its arguments judged, its context gathered, its pattern built."""

import re
import secrets
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from gates.forms import is_text
from index.faults import NotFound, PathRefused, StorageTrouble
from index.records import BaseSettings
from server import refusals
from server.blaze import NO_BLAZE, Blaze, read_blaze
from server.config import NO_BASE, Settings
from server.dig_state import Context, Voice
from server.fold import dump, fold
from server.library import Library
from server.locks import locked
from server.moves.outcome import attempt_of
from server.principal import LOCAL
from server.refusals import Refusal
from server.replies import Answer, Next, Opened, store_answer, stored_answer
from server.store import Actor, NewEvent, Run, Store

VOICES = ("Carbon", "Si-C", "Silicon")
KIND = "dig"
_SLUG = re.compile(r"[a-z0-9-]{1,80}")
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
# Letters that no decomposition turns into ASCII.
_PLAIN = str.maketrans({"ø": "o", "æ": "ae", "å": "a", "ß": "ss", "ł": "l", "đ": "d", "œ": "oe"})


@dataclass(frozen=True, slots=True)
class Opener:
    """Who opens a dig, and to whom it will belong; the owner of the machine has local ones."""

    actor: Actor = "agent"
    principal: str | None = None

    @property
    def owner(self) -> str:
        """Whose dig it will be."""
        return self.principal or LOCAL


def open_dig(
    arguments: Mapping[str, object],
    store: Store,
    library: Library,
    opener: Opener,
) -> Answer:
    """A new dig; or the one that the same words opened, as long as it is still `opened`."""
    settings = library.settings
    if complaint := _complaint(arguments, settings):
        return refusals.invalid_argument("open_dig", *complaint)
    base = base_named("open_dig", arguments.get("base"), settings)
    if isinstance(base, Refusal):
        return base
    attempt = attempt_of(arguments)
    if kept := _opened_before(attempt, base, store, opener.owner):
        return kept
    blaze = _blaze(str(arguments.get("blaze_path") or ""), base, library)
    if isinstance(blaze, Refusal):
        return blaze
    context = _context(arguments, blaze)
    flags = _flags(context, base, library)
    dig = new_id()
    answer = Opened(
        dig_id=dig,
        base=base.id,
        context=dump(context),
        flags=flags,
        guidance=settings.guidance.terms,
        next=Next(tool="retrieve_candidates", why=_ASK_TERMS),
    )
    event = NewEvent(
        "opened",
        {
            "base": {"id": base.id, "root": base.root},
            "context": dump(context),
            "flags": list(flags),
            "answer": store_answer("open_dig", attempt, answer),
        },
        opener.actor,
    )
    with locked(settings.state, "opening"):
        # the same call may have come twice at once
        if kept := _opened_before(attempt, base, store, opener.owner):
            return kept
        store.create(
            Run(dig, KIND, base.id, context.title, "opened", 0, "", "", opener.owner), [event]
        )
    return answer


_ASK_TERMS = (
    "send 10-12 concept-adjacent terms: synonyms, causes, effects, physical images, opposites, "
    "for finding files that embody this pattern; at least 6 without a word of keyword or title"
)


def new_id() -> str:
    """`dig_` and 26 lower-case base32 characters that hold 128 random bits."""
    number = secrets.randbits(128) << 2
    return "dig_" + "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def slug_of(title: str) -> str:
    """A title as `[a-z0-9-]`, at most 80 characters; `dig` if nothing of it is left."""
    plain = unicodedata.normalize("NFKD", title.casefold().translate(_PLAIN))
    letters = "".join(c for c in plain if not unicodedata.combining(c))
    slug = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:80].strip("-")
    return slug or "dig"


def _complaint(arguments: Mapping[str, object], settings: Settings) -> tuple[str, str] | None:
    for name, most in (
        ("keyword_primary", settings.limits.keyword),
        ("title", settings.limits.title),
        ("archetype_primary", settings.limits.title),
        ("monomyth_hint", settings.limits.title),
    ):
        text = str(arguments.get(name) or "")
        if len(text) > most:
            return f"{name} has {len(text)} characters", f"send at most {most}"
        if not is_text(text):
            return f"{name} cannot be written down", "send plain text"
        if name in ("keyword_primary", "title") and not any(c.isalnum() for c in text):
            return f"{name} says nothing", "send at least one word"
    if arguments.get("voice") not in VOICES:
        return "there is no such voice", f"send voice as one of: {', '.join(VOICES)}"
    slug = arguments.get("slug")
    if slug is not None and not _SLUG.fullmatch(str(slug)):
        return "the slug is out of form", "send 1-80 of a-z, 0-9 and -, or leave it out"
    return None


def base_named(asked: str, name: object, settings: Settings) -> BaseSettings | Refusal:
    """The base of that id; the only one if no id is given."""
    known = [base.id for base in settings.bases]
    if not known:
        return refusals.unknown_base(asked, "no knowledge base is configured", known, NO_BASE)
    if name is None and len(known) == 1:
        return settings.bases[0]
    if name is None:
        return refusals.unknown_base(asked, f"there are {len(known)} bases", known)
    if name not in known:
        return refusals.unknown_base(asked, "there is no such base", known)
    return settings.base(str(name))


def _opened_before(attempt: str, base: BaseSettings, store: Store, owner: str) -> Answer | None:
    for run in reversed(store.runs(KIND)):
        if (run.state, run.base, run.principal) != ("opened", base.id, owner):
            continue
        # A damaged dig is told of when it is asked for; it keeps nobody from opening another.
        with suppress(StorageTrouble):
            state = fold(*store.load(run.run))
            kept = state.answers.get(("open_dig", attempt))
            if kept is not None and state.pass_number == 1 and state.root in ("", base.root):
                return stored_answer(kept)
    return None


def _blaze(path: str, base: BaseSettings, library: Library) -> Blaze | Refusal:
    if not path:
        return NO_BLAZE
    asked = "open_dig with this blaze_path"
    rows = library.facts(base).by_path
    if path not in rows:
        return refusals.not_listed(asked, path, rows)
    try:
        return read_blaze(rows[path], base, library)
    except (PathRefused, NotFound) as fault:
        return Refusal(
            gate="blaze_readable",
            flag="PATH_REFUSED",
            asked=asked,
            reason=fault.message,
            remedy=fault.remedy or "name a readable file of role guidance, or leave it out",
        )


def _context(arguments: Mapping[str, object], blaze: Blaze) -> Context:
    text = {key: " ".join(str(value or "").split()) for key, value in arguments.items()}
    return Context(
        keyword_primary=text["keyword_primary"],
        title=text["title"],
        slug=text.get("slug") or slug_of(text["title"]),
        voice=cast("Voice", text["voice"]),
        archetype_primary=text["archetype_primary"],
        monomyth_hint=text.get("monomyth_hint", ""),
        blaze_path=blaze.path,
        blaze_claims=blaze.claims,
        blaze_open_questions=blaze.open_questions,
        named_phrases=blaze.named_phrases,
        pattern=_pattern(text, blaze.claims),
    )


def _pattern(text: Mapping[str, str], claims: tuple[str, ...]) -> str:
    """One sentence from archetype, keyword, title and first claim."""
    archetype = f"{text['archetype_primary']}: " if text["archetype_primary"] else ""
    claim = f" — {claims[0]}" if claims else ""
    return f'{archetype}{text["keyword_primary"]}, as in "{text["title"]}"{claim}'


def _flags(context: Context, base: BaseSettings, library: Library) -> tuple[str, ...]:
    if context.voice != "Carbon":
        return ()
    roles = {row.role for row in library.facts(base).rows}
    if not roles - {""}:
        return ("ROLE_UNSTATED",)
    return () if "lived" in roles else ("NO_LIVED_MATERIAL",)
