"""One finished index on the disk: sealed when it was written, believed only while the seal holds.

A home holds `gen-1`, `gen-2` … and a file CURRENT that names the one in force with a seal over its
manifest; the manifest names every other file with its SHA-256. The seal is keyed: Whoosh runs what
it unpickles, so an index that was put here from elsewhere must not be opened, however whole.
"""

import hmac
import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from weakref import finalize

from index import private
from index.engine import Engine, Hit, maker
from index.faults import IndexTrouble, OtherEngine
from index.neighbours import Neighbours
from index.records import BaseKind, BaseSettings, EngineName, Problem, Row
from index.request import fingerprint
from index.row_words import RowWords
from index.substring import COLUMNS, Column, Matches, RowTable

# Raise it when the files of a generation change.
FORMAT = 2

CURRENT, KEY, LOCK = "CURRENT", "index.key", "lock"
MANIFEST, ROWS, PROBLEMS, FILES = "manifest.json", "rows.jsonl", "problems.jsonl", "files.jsonl"

_POINTER = re.compile(r"(gen-[1-9][0-9]{0,9}) ([0-9a-f]{64})\n")
_KEY_BYTES = 32
# A reader between two switches looks again; more switches than this in one opening are no chance.
_ATTEMPTS = 5
_REBUILD = "rebuild the index"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one generation is; `files` has the SHA-256 of all its other files by relative name."""

    format: int
    base: str
    root: str
    settings: str
    engine: str
    number: int
    built_at: str
    kind: BaseKind
    version: str
    rows: int
    documents: int
    counts: Mapping[str, int]
    files: Mapping[str, str]

    @property
    def name(self) -> str:
        """The folder of this generation in its home."""
        return f"gen-{self.number}"


@dataclass(frozen=True, slots=True)
class Pointer:
    """What CURRENT says: the name of a generation and the seal of its manifest."""

    name: str
    seal: str


@dataclass(frozen=True, slots=True)
class Sealed:
    """A generation whose every byte is as it was written; nothing of it has been opened yet."""

    folder: Path
    pointer: Pointer
    manifest: Manifest
    engine_name: EngineName

    def rows(self) -> tuple[Row, ...]:
        """The rows in order."""
        # It brings all of reading with it, which start-up does without.
        from index.rows import row_from_json

        return tuple(row_from_json(record) for record in _records(self.folder / ROWS))

    def row_lines(self) -> list[bytes]:
        """The rows as they are written, each with its line end."""
        try:
            return private.read(self.folder / ROWS).splitlines(keepends=True)
        except OSError as trouble:
            raise IndexTrouble(f"{ROWS} cannot be read: {trouble.strerror}", _REBUILD) from trouble

    def problems(self) -> tuple[Problem, ...]:
        """Everything that was wrong with the base."""
        return tuple(Problem(*record) for record in _records(self.folder / PROBLEMS))

    def files(self) -> dict[str, tuple[int, int]]:
        """Size and mtime_ns of every markdown file that was seen."""
        return {path: (size, mtime) for path, size, mtime in _records(self.folder / FILES)}

    def check(self) -> None:
        """IndexTrouble unless the engine can open its part and counts all documents there."""
        count = maker(self.engine_name).count(self.folder / self.engine_name)
        if count != self.manifest.documents:
            raise IndexTrouble("the search index lacks documents", _REBUILD)

    def engine(self) -> Engine:
        """The search index, opened."""
        engine = maker(self.engine_name).read(self.folder / self.engine_name)
        if engine.document_count() != self.manifest.documents:
            engine.close()
            raise IndexTrouble("the search index lacks documents", _REBUILD)
        return engine

    def bytes(self) -> int:
        """How much of the disk it takes."""
        names = (MANIFEST, *self.manifest.files)
        return sum((self.folder / name).stat().st_size for name in names)


class Generation:
    """One generation, open: every answer comes out of the same state of the base."""

    def __init__(self, sealed: Sealed, columns: Sequence[Column] = COLUMNS) -> None:
        self.sealed = sealed
        self.manifest = sealed.manifest
        self.rows: tuple[Row, ...] = sealed.rows()
        self.words = RowWords(self.rows)
        self._table = RowTable(self.rows, columns)
        self._engine = sealed.engine()
        # Whoever still answers out of it keeps it open; the last one to let go closes it.
        self._closed = finalize(self, self._engine.close)

    @property
    def name(self) -> str:
        """What this generation is called in records: it will not come again in this home."""
        return self.sealed.pointer.name

    @cached_property
    def by_path(self) -> Mapping[str, Row]:
        """The rows by the path of their file."""
        return {row.path: row for row in self.rows}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of its files, as far as they are known."""
        return tuple(sorted({row.speech for row in self.rows} - {""}))

    @cached_property
    def neighbours(self) -> Neighbours:
        """Which files link to which."""
        return Neighbours(self.rows)

    def matches(self, terms: Sequence[str]) -> Matches:
        """The rows, by place, that a term occurs in as a substring."""
        return self._table.matches(terms)

    def scores(self, terms: Sequence[str]) -> dict[str, float]:
        """BM25F of the terms over row and body, by path."""
        return self._engine.scores(terms, self.languages)

    def search(self, query: str, limit: int) -> list[Hit]:
        """The best files for plain words and "quoted phrases"."""
        return self._engine.search(query, limit, self.languages)

    def is_current(self) -> bool:
        """Whether no newer generation is in force."""
        return read_pointer(self.sealed.folder.parent) == self.sealed.pointer

    def close(self) -> None:
        """Let go of all files."""
        self._closed()


def open_current(
    home: Path, settings: BaseSettings, columns: Sequence[Column] = COLUMNS
) -> Generation | None:
    """The generation in force; None if there is none yet, IndexTrouble if it cannot be believed."""
    for _ in range(_ATTEMPTS):
        pointer = read_pointer(home)
        if pointer is None:
            return None
        try:
            sealed = unsealed(home, pointer, settings)
            if sealed.manifest.settings != fingerprint(settings):
                raise IndexTrouble("the index was built under other settings", "update it")
            return Generation(sealed, columns)
        except IndexTrouble:
            # A newer generation may have taken the place of this one while we read.
            if read_pointer(home) == pointer:
                raise
    raise IndexTrouble("the index changes faster than it can be opened", "try again")


def read_pointer(home: Path) -> Pointer | None:
    """What CURRENT says; None if nothing was ever published here."""
    try:
        private.check_folder(home.parent)
        private.check_folder(home)
        text = private.read(home / CURRENT).decode("ascii", "replace")
    except FileNotFoundError:
        return None
    except OSError as trouble:
        raise IndexTrouble(f"{home} cannot be read: {trouble.strerror}", _REBUILD) from trouble
    found = _POINTER.fullmatch(text)
    if found is None:
        raise IndexTrouble(f"{CURRENT} names no generation", _REBUILD)
    return Pointer(found[1], found[2])


def unsealed(home: Path, pointer: Pointer, settings: BaseSettings) -> Sealed:
    """The generation that the pointer names, every byte checked; its settings may be older ones."""
    folder = home / pointer.name
    try:
        private.check_folder(folder)
        content = private.read(folder / MANIFEST)
        if not hmac.compare_digest(seal(home, content), pointer.seal):
            raise IndexTrouble("the manifest is not the one that was sealed", _REBUILD)
        manifest = _manifest(content)
        _check_identity(manifest, settings)
        private.check_folder(folder / settings.engine)
        if file_names(folder) != {MANIFEST, *manifest.files}:
            raise IndexTrouble("files are missing, or are none of ours", _REBUILD)
        for name, digest in manifest.files.items():
            if private.digest(folder / name) != digest:
                raise IndexTrouble(f"{name} is damaged", _REBUILD)
    except OSError as trouble:
        raise IndexTrouble(
            f"{trouble.filename or folder} cannot be read: {trouble.strerror}", _REBUILD
        ) from trouble
    return Sealed(folder, pointer, manifest, settings.engine)


def seal(home: Path, manifest: bytes) -> str:
    """The keyed hash that only this state directory gives a manifest."""
    key = _key(home)
    if key is None:
        raise IndexTrouble("the key of the seals is gone", _REBUILD)
    return hmac.new(key, manifest, "sha256").hexdigest()


def make_key(home: Path) -> None:
    """See that this state directory has a key; one that cannot be used is replaced."""
    path = home.parent / KEY
    if not os.path.lexists(path):
        private.create(path, secrets.token_bytes(_KEY_BYTES))
    if _key(home) is None:
        private.replace(path, secrets.token_bytes(_KEY_BYTES))


def _key(home: Path) -> bytes | None:
    path = home.parent / KEY
    try:
        key = private.read(path)
        shared = path.lstat().st_mode & 0o077
    except (OSError, IndexTrouble):
        return None
    return None if shared or len(key) != _KEY_BYTES else key


def file_names(folder: Path) -> set[str]:
    """Every file below a folder of ours, by relative name; links and odd things count as files."""
    return {
        str(Path(parent, name).relative_to(folder))
        for parent, folders, files in os.walk(folder)
        for name in (*files, *(name for name in folders if Path(parent, name).is_symlink()))
    }


def manifest_bytes(manifest: Manifest) -> bytes:
    """The content of MANIFEST."""
    return json.dumps(asdict(manifest), sort_keys=True, indent=1).encode()


def _manifest(content: bytes) -> Manifest:
    record = json.loads(content)
    if record.get("format") != FORMAT:
        raise IndexTrouble("the index is in the format of another version", _REBUILD)
    return Manifest(**record)


def _check_identity(manifest: Manifest, settings: BaseSettings) -> None:
    if (manifest.base, manifest.root) != (settings.id, settings.root):
        raise IndexTrouble("the index is of another base", _REBUILD)
    if manifest.engine != maker(settings.engine).version:
        raise OtherEngine("the index is of another engine or version of the engine", _REBUILD)


def _records(path: Path) -> Iterable[Any]:
    try:
        # one by one, for all of them at once take several times what is made of them
        return map(json.JSONDecoder().decode, private.read(path).decode().splitlines())
    except OSError as trouble:
        raise IndexTrouble(f"{path} cannot be read: {trouble.strerror}", _REBUILD) from trouble
