"""The records everything else speaks in: what a file, a row and an excerpt are. Frozen, no I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

BlockKind = Literal[
    "paragraph",
    "list_item",
    "block_quote",
    "heading",
    "code",
    "table",
    "html",
    "rule",
    "footnote",
]
FrontmatterKind = Literal["yaml", "toml", "none", "error"]
FrontmatterError = Literal[
    "unterminated", "yaml", "toml", "not-a-mapping", "encoding", "too-large", "too-deep"
]
SummaryOrigin = Literal["catalogue", "frontmatter", "lead", "none"]
BaseKind = Literal["catalogue", "okf", "folder"]
EngineName = Literal["whoosh", "tantivy"]

# A frontmatter value: every scalar is text (dates, `no`, `1.10` included), an empty one is None.
Value = str | None | list["Value"] | dict[str, "Value"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the corpus that a person should know of, and where it is."""

    kind: str
    place: str
    detail: str


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The metadata block at the top of a file, as read."""

    kind: FrontmatterKind
    data: Mapping[str, Value]
    error: FrontmatterError | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """One top-level block of a body; `start` and `end` are bytes of the file, lines count from 1.

    `end` is exclusive and leaves out the line ending that closes the block; `text` is the slice
    decoded; `prose` is its inline text without code, HTML, link targets and footnote marks.
    """

    kind: BlockKind
    start: int
    end: int
    first_line: int
    last_line: int
    text: str
    prose: str


@dataclass(frozen=True, slots=True)
class Document:
    """One markdown file as read: its bytes, its frontmatter and the blocks of its body.

    `body_start` (byte) and `body_line` (from 1) are None where the body is unknown: the opening
    fence never closes, or the bytes are not UTF-8. Such a document has no blocks. `links` are the
    different targets of its links, wikilinks and embeds as written, the first 2,000.
    """

    path: str
    content: bytes
    sha256: str
    frontmatter: Frontmatter
    body_start: int | None
    body_line: int | None
    blocks: tuple[Block, ...]
    problems: tuple[Problem, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """A summary of a file, written by somebody else; `cut` if it ends in mid-word."""

    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """What a base says of one file, before anybody reads it.

    `sha256` is None for a file that cannot be read; `fingerprint` stands for everything but the
    file itself that shaped the row, so that an unchanged file need not be read again. `speech` is
    the language that its words are stemmed by: declared as `lang`, else guessed; "" if neither.
    `aliases` are other names of the file, `links` what its links may lead to: paths of the base, or
    names as wikilinks have them.
    """

    base: str
    position: int
    path: str
    cell: str
    title: str
    summary: str
    summary_origin: SummaryOrigin
    digests: tuple[Digest, ...]
    lead: str
    keypoints: tuple[str, ...]
    tags: tuple[str, ...]
    category: str
    archetype: str
    monomyth: str
    role: str
    date: str
    lang: str
    number: str
    facets: tuple[tuple[str, str], ...]
    listed: bool
    problems: tuple[str, ...]
    size: int
    mtime_ns: int
    words: int
    sha256: str | None
    fingerprint: str = ""
    speech: str = ""
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Words cut from one file by the server: one byte slice of consecutive blocks, and where it is.

    `start` and `end` are bytes of the file, lines count from 1, `words` counts prose words,
    `sha256` is of the slice, `pass_number` is the pass of the dig it was cut in (from 1).
    """

    row: str
    path: str
    start: int
    end: int
    first_line: int
    last_line: int
    text: str
    words: int
    sha256: str
    file_sha256: str
    blocks: int
    flags: tuple[str, ...]
    pass_number: int


@dataclass(frozen=True, slots=True)
class RoleRule:
    """Files that match take this role; the first rule that matches wins.

    Exactly one of `glob`, `category` or `key` is set; a frontmatter `key` has the value `value`.
    """

    role: str
    glob: str = ""
    category: str = ""
    key: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps checked before reading, in bytes unless said otherwise."""

    file: int = 4 * 1024 * 1024
    catalogue: int = 256 * 1024 * 1024
    frontmatter: int = 64 * 1024
    yaml_depth: int = 20
    yaml_nodes: int = 10_000


@dataclass(frozen=True, slots=True)
class BaseSettings:
    """One knowledge base as the operator set it; `root` is an absolute folder."""

    id: str
    root: str
    kind: BaseKind | Literal["auto"] = "auto"
    catalogue: str = "corpus_index.md"
    strip_prefix: str = ""
    unlisted: Literal["rows", "skip"] = "rows"
    exclude: tuple[str, ...] = ()
    roles: tuple[RoleRule, ...] = ()
    lang: str = ""
    lang_rules: tuple[tuple[str, str], ...] = ()
    dimension: str = ""
    hard_links: bool = False
    engine: EngineName = "whoosh"
    limits: Limits = field(default_factory=Limits)
