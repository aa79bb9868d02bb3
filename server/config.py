"""What the operator asked for, from the command line, the environment and expedition.yaml."""

import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations
from pathlib import Path

from index.faults import BadSettings, NotFound
from index.meanings import folder_of_vectors
from index.records import BaseSettings, RoleRule
from server.config_file import read_config
from server.config_http import Http
from server.config_judges import JudgeChoice, JudgeEntry
from server.config_schema import (
    BaseEntry,
    Column,
    ConfigFile,
    Decide,
    ExcerptBounds,
    Explore,
    Guidance,
    Narrator,
    SizeLimits,
)
from server.folders import lies_inside
from server.ordering import Rule

APP = "corpus-expedition"
CONFIG_NAME = "expedition.yaml"
BRIEFS_NAME = "Agent_Briefs"
NO_BASE = "name one with --kb PATH, or write a configuration: expedition init PATH"
_ID = re.compile(r"[^\W_][^/\\]{0,99}")


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says; it overrides the environment, which overrides the file."""

    kb: tuple[Path, ...] = ()
    config: Path | None = None
    state: Path | None = None
    lived: tuple[str, ...] = ()
    guidance: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that an operator can set; `source` is the file it came from, if any."""

    bases: tuple[BaseSettings, ...]
    state: Path
    briefs: Path
    source: Path | None = None
    columns: tuple[Column, ...] = ("summary", "keypoints", "tags")
    retrieval: Rule = "hybrid"
    narrator: Narrator = field(default_factory=Narrator)
    guidance: Guidance = field(default_factory=Guidance)
    decide: Decide = field(default_factory=Decide)
    excerpt: ExcerptBounds = field(default_factory=ExcerptBounds)
    limits: SizeLimits = field(default_factory=SizeLimits)
    judge: JudgeChoice = field(default_factory=JudgeChoice)
    judges: Mapping[str, JudgeEntry] = field(default_factory=dict[str, JudgeEntry])
    # whether the file names a judge; only then may an agent have it dig
    judge_named: bool = False
    # its folders are absolute, or empty for those of the state directory
    explore: Explore = field(default_factory=Explore)
    http: Http = field(default_factory=Http)

    def base(self, name: str | None = None, root: str = "") -> BaseSettings:
        """The base of that id; the only one if no id is given.

        `root` is the folder that it was when something was recorded: another folder of the same
        name is another base, unless the old one is gone, for bases are moved.
        """
        ids = [base.id for base in self.bases]
        if not ids:
            raise BadSettings("no knowledge base is configured", NO_BASE)
        if name is None and len(ids) == 1:
            return self.bases[0]
        if name is None:
            raise BadSettings("there are several bases", f"name one: {', '.join(sorted(ids))}")
        if name not in ids:
            others = ", ".join(sorted(ids))
            raise NotFound(f"no base is called {name}", f"name its folder with --kb, or: {others}")
        found = self.bases[ids.index(name)]
        if root and Path(root).is_dir() and not Path(root).samefile(found.root):
            raise NotFound(
                f"the base {name} is another folder now", "name the folder that it was with --kb"
            )
        return found

    def index_home(self, base: BaseSettings) -> Path:
        """Where the index of a base lives; another folder under the same id gets another home."""
        name = re.sub(r"[^\w.-]+", "-", base.id)[:48]
        return self.state / "index" / f"{name}-{sha256(os.fsencode(base.root)).hexdigest()[:8]}"


def load_settings(
    overrides: Overrides = Overrides(), environment: Mapping[str, str] = os.environ
) -> Settings:
    """The settings in force; raises a Fault that says which word is impossible, and where."""
    source = find_config(overrides, environment)
    file = read_config(source) if source else ConfigFile()
    folder = source.parent if source else Path.cwd()
    bases = _bases(file, folder, overrides)
    state = _state(file, folder, overrides, environment)
    _check_bases(bases)
    _check_outside("the state directory", state, bases)
    if file.retrieval == "semantic":
        folder_of_vectors()
    if source and file.judges:
        # What lies in a base is data: it starts no program and sends nothing anywhere.
        own = [_base(entry, folder, file) for entry in file.bases]
        _check_outside("a configuration with judges,", source, (*bases, *own))
    return Settings(
        bases=bases,
        state=state,
        briefs=_briefs(file, source, state, bases),
        source=source,
        columns=file.search.columns,
        retrieval=file.retrieval,
        narrator=file.narrator,
        guidance=file.guidance,
        decide=file.decide,
        excerpt=file.excerpt,
        limits=file.limits,
        judge=file.judge,
        judges=file.judges,
        judge_named="judge" in file.model_fields_set,
        explore=_explore(file.explore, folder, bases),
        http=file.http,
    )


def find_config(overrides: Overrides, environment: Mapping[str, str]) -> Path | None:
    """The file to read: the one that was named, else the first that is there, else none."""
    named = overrides.config or environment.get("EXPEDITION_CONFIG")
    if named:
        return _place(named, Path.cwd())
    candidates = (Path.cwd() / CONFIG_NAME, user_config())
    return next((path for path in candidates if path.is_file()), None)


def user_config() -> Path:
    """The configuration of this user, which need not exist."""
    from platformdirs import user_config_path

    return user_config_path(APP, appauthor=False) / CONFIG_NAME


def _place(text: str | Path, folder: Path) -> Path:
    """The absolute path, a link at its end kept; `~` is the home folder, others are in `folder`."""
    try:
        path = folder / Path(text).expanduser()
        return path.resolve() if path.name == ".." else path.parent.resolve() / path.name
    except RuntimeError:
        raise BadSettings(f"{text}: there can be no such path") from None


def _state(
    file: ConfigFile, folder: Path, overrides: Overrides, environment: Mapping[str, str]
) -> Path:
    here = overrides.state or environment.get("EXPEDITION_STATE")
    if here:
        return _place(here, Path.cwd())
    if file.state:
        return _place(file.state, folder)
    from platformdirs import user_state_path

    return user_state_path(APP, appauthor=False)


def _briefs(
    file: ConfigFile, source: Path | None, state: Path, bases: Sequence[BaseSettings]
) -> Path:
    if file.briefs:
        briefs = _place(file.briefs, source.parent if source else Path.cwd())
        _check_outside("the briefs folder", briefs, bases)
        return briefs
    # A configuration kept inside a base must not bring briefs into it.
    inside = source is not None and any(lies_inside(source, Path(base.root)) for base in bases)
    return (state if source is None or inside else source.parent) / BRIEFS_NAME


def _explore(explore: Explore, folder: Path, bases: Sequence[BaseSettings]) -> Explore:
    """The section with the folders that it names made absolute; none lies inside a base."""
    given = {"artefacts": explore.artefacts, "inbox": explore.inbox}
    placed = {key: _place(path, folder) for key, path in given.items() if path}
    for key, path in placed.items():
        _check_outside(f"the {key} folder of explorations", path, bases)
    return explore.model_copy(update={key: str(path) for key, path in placed.items()})


def _bases(file: ConfigFile, folder: Path, overrides: Overrides) -> tuple[BaseSettings, ...]:
    """The bases of the file; with --kb only those named, as the file sets them if it does."""
    bases = [_base(entry, folder, file) for entry in file.bases]
    if overrides.kb:
        known = {base.root: base for base in bases}
        named = [BaseEntry(path=str(path)) for path in overrides.kb]
        given = [_base(entry, Path.cwd(), file) for entry in named]
        bases = [known.get(base.root, base) for base in given]
    rules = [RoleRule("lived", glob) for glob in overrides.lived]
    rules += [RoleRule("guidance", glob) for glob in overrides.guidance]
    return tuple(replace(base, roles=(*rules, *base.roles)) for base in bases)


def _base(entry: BaseEntry, folder: Path, file: ConfigFile) -> BaseSettings:
    root = _place(entry.path, folder).resolve()
    name = entry.id or unicodedata.normalize("NFC", root.name)
    if not root.is_dir():
        remedy = "check --kb, or take the base out of expedition.yaml"
        raise NotFound(f"the base {name} has no folder {root}", remedy)
    if not (_ID.fullmatch(name) and name.isprintable()):
        raise BadSettings(f"a base cannot be called {name!r}", "give it an id in expedition.yaml")
    return BaseSettings(
        id=name,
        root=str(root),
        kind=entry.kind,
        catalogue=entry.catalogue,
        strip_prefix=entry.strip_prefix,
        unlisted=entry.unlisted,
        exclude=entry.exclude,
        roles=tuple(role.rule() for role in entry.roles),
        lang=entry.lang,
        lang_rules=tuple(entry.lang_rules.items()),
        dimension=entry.dimension,
        hard_links=entry.hard_links,
        engine=entry.engine or file.engine,
        limits=file.limits.for_index(),
    )


def _check_bases(bases: Sequence[BaseSettings]) -> None:
    """Nothing is resolved by order: one id names one base, and one file belongs to one base."""
    for one, other in combinations(bases, 2):
        if one.id == other.id:
            raise BadSettings(
                f"two bases are called {one.id}: {one.root} and {other.root}",
                "give each its own id in expedition.yaml",
            )
        if lies_inside(Path(one.root), Path(other.root)) or lies_inside(
            Path(other.root), Path(one.root)
        ):
            raise BadSettings(
                f"one base lies inside another: {one.root} and {other.root}",
                "name only one of the two",
            )


def _check_outside(what: str, path: Path, bases: Sequence[BaseSettings]) -> None:
    for base in bases:
        if lies_inside(path, Path(base.root)):
            raise BadSettings(
                f"{what} {path} lies inside the base {base.id}",
                "keep it outside: see docs/config.md",
            )
