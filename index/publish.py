"""How a generation comes into force: complete, synced and sealed before CURRENT names it."""

import json
import os
import re
import shutil
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from index import private
from index.corpus import Corpus
from index.engine import maker
from index.faults import IndexTrouble
from index.generation import (
    CURRENT,
    FILES,
    FORMAT,
    MANIFEST,
    PROBLEMS,
    ROWS,
    Manifest,
    Pointer,
    Sealed,
    file_names,
    make_key,
    manifest_bytes,
    seal,
)
from index.records import BaseSettings, EngineName
from index.request import fingerprint
from index.rows import row_to_json

_NAME = re.compile(r"gen-([1-9][0-9]{0,9})")


@contextmanager
def draft(home: Path) -> Generator[Path]:
    """An empty folder for the next generation; whatever is left of it at the end is removed."""
    folder = home / f"tmp-{os.getpid()}"
    private.remove(folder)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        private.remove(folder)


def continue_engine(sealed: Sealed, folder: Path) -> None:
    """Give a draft the engine's files of an older generation; nobody writes to them again."""
    (folder / sealed.engine_name).mkdir(mode=0o700)
    for name in sealed.manifest.files:
        if name.startswith(f"{sealed.engine_name}/"):
            _link(sealed.folder / name, folder / name)


def publish(
    folder: Path,
    settings: BaseSettings,
    corpus: Corpus,
    old: Pointer | None,
    written: Mapping[str, bytes],
) -> Manifest:
    """Fill up and seal a draft that holds the engine's files, and put it in force.

    `written` has the lines of rows, by path, that are as they were.
    """
    home = folder.parent
    private.write(folder / ROWS, _row_lines(corpus, written))
    private.write(folder / PROBLEMS, _problem_lines(corpus))
    private.write(folder / FILES, _file_lines(corpus))
    number = 1 + max(map(int, _generations(home)), default=0)
    manifest = _manifest(number, settings, corpus, _digests(folder))
    _check_engine(folder / settings.engine, settings.engine, manifest.documents)
    content = manifest_bytes(manifest)
    private.write(folder / MANIFEST, [content])
    for place in (folder / settings.engine, folder):
        private.sync(place)
    pointer = Pointer(manifest.name, seal(home, content))
    folder.rename(home / pointer.name)
    private.sync(home)
    private.replace(home / CURRENT, f"{pointer.name} {pointer.seal}\n".encode())
    _prune(home, {pointer.name, old.name if old else ""})
    return manifest


def sweep(home: Path) -> None:
    """Remove what killed builds left behind; only who holds the lock may."""
    for path in home.iterdir():
        if path.name.startswith("tmp-") or path.name.endswith(".new"):
            private.remove(path)


def prepare(home: Path) -> None:
    """Make a home private, with a key for its seals."""
    private.make_folder(home.parent)
    private.make_folder(home)
    make_key(home)


def _generations(home: Path) -> Mapping[str, Path]:
    """Every generation that is there, by its number."""
    found = ((_NAME.fullmatch(path.name), path) for path in home.iterdir())
    return {name[1]: path for name, path in found if name}


def _prune(home: Path, kept: set[str]) -> None:
    for path in _generations(home).values():
        if path.name not in kept:
            private.remove(path)


def _digests(folder: Path) -> Mapping[str, str]:
    """Sync and hash every file of a draft."""
    digests: dict[str, str] = {}
    for name in sorted(file_names(folder)):
        private.sync(folder / name)
        digests[name] = private.digest(folder / name)
    return digests


def _manifest(
    number: int, settings: BaseSettings, corpus: Corpus, files: Mapping[str, str]
) -> Manifest:
    return Manifest(
        format=FORMAT,
        base=settings.id,
        root=settings.root,
        settings=fingerprint(settings),
        engine=maker(settings.engine).version,
        number=number,
        built_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        kind=corpus.kind,
        version=corpus.version,
        rows=len(corpus.rows),
        documents=sum(row.sha256 is not None for row in corpus.rows),
        counts=corpus.counts,
        files=files,
    )


def _check_engine(folder: Path, name: EngineName, documents: int) -> None:
    """An engine that lost a document on the way is not published."""
    found = maker(name).count(folder)
    if found != documents:
        raise IndexTrouble(
            f"the engine holds {found} of {documents} documents", "rebuild the index"
        )


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        # Not every file system has hard links, and none has them without end.
        shutil.copyfile(source, target, follow_symlinks=False)


def _row_lines(corpus: Corpus, written: Mapping[str, bytes]) -> Iterable[bytes]:
    """The content of ROWS."""
    return (written.get(row.path) or _line(row_to_json(row)) for row in corpus.rows)


def _problem_lines(corpus: Corpus) -> Iterable[bytes]:
    """The content of PROBLEMS."""
    return (_line([item.kind, item.place, item.detail]) for item in corpus.problems)


def _file_lines(corpus: Corpus) -> Iterable[bytes]:
    """The content of FILES."""
    return (_line([path, *stamp]) for path, stamp in sorted(corpus.files.items()))


def _line(record: object) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"
