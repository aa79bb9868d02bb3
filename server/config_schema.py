"""The keys of expedition.yaml: what each may hold and what stands if it is left out."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from index.records import BaseKind, EngineName, Limits, RoleRule, Value
from server.config_http import Http
from server.config_judges import OFFLINE, JudgeChoice, JudgeEntry, JudgeName
from server.config_values import KIB, Count, PathText, Section, Size, Switch, Words, several
from server.ordering import Rule

Column = Literal["title", "summary", "keypoints", "tags"]
# Sent back with every answer of its step, so it is a note and not a manual.
OwnerText = Annotated[str, Field(max_length=2000)]


class RoleEntry(Section):
    """One rule that gives files a role."""

    role: str = Field(min_length=1)
    match: str = ""
    category: str = ""
    key: str = ""
    value: str = ""

    @model_validator(mode="after")
    def _one_condition(self) -> Self:
        if (self.match, self.category, self.key).count("") != 2:
            raise ValueError("say exactly one of match, category or key")
        if bool(self.key) != bool(self.value):
            raise ValueError("key and value go together")
        return self

    def rule(self) -> RoleRule:
        """The rule as the index takes it."""
        return RoleRule(self.role, self.match, self.category, self.key, self.value)


class BaseEntry(Section):
    """One knowledge base; without an id it is called after its folder."""

    path: PathText = Field(min_length=1)
    id: str = ""
    kind: BaseKind | Literal["auto"] = "auto"
    catalogue: Annotated[str, Field(min_length=1)] = "corpus_index.md"
    strip_prefix: str = ""
    unlisted: Literal["rows", "skip"] = "rows"
    exclude: Words = ()
    roles: tuple[RoleEntry, ...] = ()
    lang: str = ""
    lang_rules: dict[str, str] = Field(default_factory=dict[str, str])
    dimension: str = ""
    hard_links: Switch = False
    engine: EngineName | None = None


class Narrator(Section):
    """Who speaks in the corpus, as a third-person digest would call them."""

    names: Words = ()
    nouns: Words = ("author", "narrator", "speaker", "writer")


class Search(Section):
    """Which columns of a row a term is looked for in."""

    columns: Annotated[tuple[Column, ...], BeforeValidator(several), Field(min_length=1)] = (
        "summary",
        "keypoints",
        "tags",
    )


class Guidance(Section):
    """The owner's own advice, given back with the answer of its step."""

    terms: OwnerText = ""
    scores: OwnerText = ""
    pick: OwnerText = ""


class Decide(Section):
    """Which ways of deciding are open beside the terminal and the client's form."""

    relayed: Switch = False


class ExcerptBounds(Section):
    """How many words of prose an excerpt holds."""

    min_words: Count = 150
    max_words: Count = 500

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.min_words > self.max_words:
            raise ValueError("min_words is more than max_words")
        return self


class SizeLimits(Section):
    """Caps that are checked before anything is read."""

    file: Size = 4 * KIB * KIB
    catalogue: Size = 256 * KIB * KIB
    frontmatter: Size = 64 * KIB
    depth: Count = 20
    nodes: Count = 10_000
    keyword: Count = 200
    title: Count = 200
    draft: Size = 256 * KIB

    def for_index(self) -> Limits:
        """The caps that the index applies."""
        return Limits(self.file, self.catalogue, self.frontmatter, self.depth, self.nodes)


def _by_name(value: Value) -> Value:
    """One word is the judge of every step."""
    return {"default": value} if isinstance(value, str) else value


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


class CeilingEntry(Section):
    """What a contract of an exploration may ask for at most; beyond it is refused."""

    rounds: Count = 50
    tokens: Count = 2_000_000
    stall_count: Count = 10
    reset_count: Count = 10
    plan_revisions: Count = 10


class Explore(Section):
    """What bounds explorations, and where their files and the answers to their plans lie."""

    ceilings: CeilingEntry = CeilingEntry()
    require_review: Switch = False
    artefacts: PathText = ""
    inbox: PathText = ""
    # a judge of kind model, which then drives `expedition explore run`
    model: str = ""


class ConfigFile(Section):
    """The whole file."""

    bases: tuple[BaseEntry, ...] = ()
    state: PathText = ""
    briefs: PathText = ""
    # before `judge`, which names some of them
    judges: dict[JudgeName, JudgeEntry] = Field(default_factory=dict[JudgeName, JudgeEntry])
    judge: Annotated[JudgeChoice, BeforeValidator(_by_name)] = JudgeChoice()
    search: Search = Search()
    retrieval: Rule = "hybrid"
    engine: EngineName = "whoosh"
    narrator: Narrator = Narrator()
    guidance: Guidance = Guidance()
    decide: Decide = Decide()
    excerpt: ExcerptBounds = ExcerptBounds()
    limits: SizeLimits = SizeLimits()
    explore: Explore = Explore()
    http: Http = Http()

    @field_validator("judges")
    @classmethod
    def _none_is_offline(cls, judges: dict[str, JudgeEntry]) -> dict[str, JudgeEntry]:
        if OFFLINE in judges:
            raise ValueError(f"{OFFLINE} is there already; give yours another name")
        return judges

    @field_validator("judge")
    @classmethod
    def _judges_that_are_there(cls, choice: JudgeChoice, info: ValidationInfo) -> JudgeChoice:
        known = {OFFLINE, *info.data.get("judges", choice.names)}
        if missing := sorted(set(choice.names) - known):
            raise ValueError(f"there is no judge {missing[0]}; name one of: {_listed(known)}")
        return choice

    @model_validator(mode="before")
    @classmethod
    def _bases_as_a_list(cls, data: Value) -> Value:
        if not isinstance(data, dict) or "bases" not in data:
            return data
        return {**data, "bases": _entries(data["bases"])}


def _entries(bases: Value) -> Value:
    """A list of entries, or a mapping from id to entry; an entry may be no more than its path."""
    if isinstance(bases, list):
        return [_entry(entry) for entry in bases]
    if isinstance(bases, dict):
        return [_entry(entry, name) for name, entry in bases.items()]
    return bases


def _entry(entry: Value, name: str | None = None) -> Value:
    if isinstance(entry, str):
        entry = {"path": entry}
    if name is None or not isinstance(entry, dict):
        return entry
    if entry.get("id", name) != name:
        raise ValueError(f"the base is called {name} and {entry['id']}")
    return {**entry, "id": name}
