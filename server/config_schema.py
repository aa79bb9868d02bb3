"""The keys of expedition.yaml: what each may hold and what stands if it is left out."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from index.records import BaseKind, Limits, RoleRule, Value

KIB = 1024
UNITS = {"": 1, "B": 1, "KiB": KIB, "MiB": KIB * KIB}


def _switch(value: Value) -> bool:
    """YAML scalars arrive as text, so that `no` can be Norwegian; only two words are a switch."""
    if value in ("true", "false"):
        return value == "true"
    raise ValueError("say true or false")


def _size(value: Value) -> int:
    """Bytes, plain or with a unit: 4194304, 64 KiB, 4 MiB."""
    if not isinstance(value, str):
        raise ValueError("say a number of bytes, such as 64 KiB or 4 MiB")
    number = value.rstrip("BKMi").rstrip()
    unit = value[len(number) :].strip()
    if unit not in UNITS or not (number.isascii() and number.isdigit()) or len(number) > 12:
        raise ValueError("say a number of bytes, such as 64 KiB or 4 MiB")
    return int(number) * UNITS[unit]


def _count(value: Value) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 9:
        return int(value)
    raise ValueError("say a whole number")


def _several(value: Value) -> Value:
    """One word may stand for a list of one."""
    return [value] if isinstance(value, str) else value


Switch = Annotated[bool, BeforeValidator(_switch)]
Size = Annotated[int, BeforeValidator(_size), Field(gt=0)]
Count = Annotated[int, BeforeValidator(_count), Field(gt=0)]
Words = Annotated[tuple[str, ...], BeforeValidator(_several)]
PathText = Annotated[str, Field(pattern=r"^[^\x00]*$")]
Column = Literal["title", "summary", "keypoints", "tags"]
# Sent back with every answer of its step, so it is a note and not a manual.
OwnerText = Annotated[str, Field(max_length=2000)]


class Section(BaseModel):
    """A mapping of the file: unknown keys are errors, a key without a value is a key left out."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _without_empty_values(cls, data: Value) -> Value:
        if not isinstance(data, dict):
            return data
        return {
            key: data[key] for key in data if data[key] is not None or key not in cls.model_fields
        }


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
    lang_rules: dict[str, str] = {}
    dimension: str = ""
    hard_links: Switch = False


class Narrator(Section):
    """Who speaks in the corpus, as a third-person digest would call them."""

    names: Words = ()
    nouns: Words = ("author", "narrator", "speaker", "writer")


class Search(Section):
    """Which columns of a row a term is looked for in."""

    columns: Annotated[tuple[Column, ...], BeforeValidator(_several), Field(min_length=1)] = (
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


class ConfigFile(Section):
    """The whole file."""

    bases: tuple[BaseEntry, ...] = ()
    state: PathText = ""
    briefs: PathText = ""
    judge: Literal["offline"] = "offline"
    search: Search = Search()
    narrator: Narrator = Narrator()
    guidance: Guidance = Guidance()
    decide: Decide = Decide()
    excerpt: ExcerptBounds = ExcerptBounds()
    limits: SizeLimits = SizeLimits()

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
