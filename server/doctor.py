"""Is all well with this installation, its state and its bases? Looked at, not repaired."""

import os
import sqlite3
import sys
from collections.abc import Sequence
from importlib.metadata import version

from index.corpus import Progress
from index.faults import Fault
from server.clients import serve_arguments, snippets
from server.config import Overrides, Settings, load_settings
from server.doctor_bases import bases
from server.doctor_state import state
from server.findings import Check, failed, note, ok, trouble

LIBRARIES = ("mcp", "pydantic", "markdown-it-py", "pyyaml", "rapidfuzz")
OLDEST_PYTHON = 0x030B0000
# STRICT tables came with it.
OLDEST_SQLITE = (3, 37, 0)


def examine(overrides: Overrides, progress: Progress | None = None) -> list[Check]:
    """Everything that can be looked at; settings that cannot be read hide state and bases."""
    found = installation()
    try:
        settings = load_settings(overrides)
    except Fault as fault:
        return [*found, failed("settings", fault)]
    source = f"from {settings.source}" if settings.source else "no file, the defaults hold"
    found += [ok("settings", source), *state(settings), *bases(settings, progress)]
    return [*found, clients(settings, overrides)]


def exit_code(found: Sequence[Check]) -> int:
    """4 for trouble with storage or an index, 1 for other trouble, 0 for none."""
    return max(check.code for check in found)


def clients(settings: Settings, overrides: Overrides) -> Check:
    """How a client starts a server with these settings."""
    known = snippets(serve_arguments(settings, overrides))
    claude_code = next(snippet.text for snippet in known if snippet.client == "Claude Code")
    return ok("clients", f"for Claude Code: {claude_code}", snippets=known)


def installation() -> list[Check]:
    """What can be known without any configuration."""
    return [python(), platform(), paths(), sqlite(), libraries(), index_library()]


def python() -> Check:
    """The interpreter is new enough."""
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.hexversion < OLDEST_PYTHON:
        return trouble("python", found, "install Python 3.11 or newer")
    return ok("python", found)


def platform() -> Check:
    """Only POSIX systems have what the program relies on."""
    if os.name != "posix":
        return trouble("platform", f"{sys.platform} is no POSIX system", "use Linux or macOS")
    return ok("platform", f"{sys.platform}; POSIX only for now")


def paths() -> Check:
    """Files can be opened one folder at a time, no link followed."""
    missing = [name for name in ("O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC") if not hasattr(os, name)]
    missing += ["openat"] * (os.open not in os.supports_dir_fd)
    if missing:
        return trouble("paths", f"this system lacks {', '.join(missing)}", "use Linux or macOS")
    return ok("paths", "openat and O_NOFOLLOW are here")


def sqlite() -> Check:
    """SQLite is new enough for the store."""
    found = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        return trouble("sqlite", found, "use a Python whose SQLite is 3.37 or newer")
    return ok("sqlite", f"{found}, journal_mode=DELETE, synchronous=EXTRA")


def libraries() -> Check:
    """Which versions the program runs with."""
    versions = {name: version(name) for name in LIBRARIES}
    detail = ", ".join(f"{name} {found}" for name, found in versions.items())
    return ok("libraries", detail, **versions)


def index_library() -> Check:
    """The index library is the one that was measured, or the one it can be exchanged for."""
    import whoosh

    found = ".".join(map(str, whoosh.__version__))
    if found not in ("3.54.0", "2.7.4"):
        return note("whoosh", found, "3.54.0 is the version that is tested")
    return ok("whoosh", found)
