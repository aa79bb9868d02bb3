"""Tells a client of this machine about the server, in the client's own file."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path
from typing import Literal

from gates.forms import as_mapping
from index.faults import BadSettings, StorageTrouble

ClientName = Literal["claude-desktop", "claude-code", "vscode", "cursor", "codex"]
NAME = "expedition"
# No client's own settings are near this; what is larger is something else.
_MOST_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Change:
    """A client's file before and after; `before` is None where there is no file yet."""

    path: Path
    before: str | None
    after: str

    @property
    def needed(self) -> bool:
        """Whether anything is to be written."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """The difference as `diff -u` shows it."""
        lines = ((self.before or "").splitlines(), self.after.splitlines())
        names = (str(self.path) if self.before is not None else os.devnull, str(self.path))
        return "\n".join(unified_diff(*lines, *names, lineterm=""))


def change_for(
    client: ClientName, server: Sequence[str], environment: Mapping[str, str] = os.environ
) -> Change:
    """What a client's file would become; BadSettings where it cannot be read as what it should be.

    `server` is the command line that starts the server.
    """
    path = place_of(client, environment)
    before = _read(path)
    if client == "codex":
        return Change(path, before, _in_toml(path, before or "", server))
    key, more = ("servers", {"type": "stdio"}) if client == "vscode" else ("mcpServers", {})
    entry = {**more, "command": server[0], "args": list(server[1:])}
    return Change(path, before, _in_json(path, before, key, entry))


def apply(change: Change) -> Path | None:
    """Write it, and keep what was there beside it; the path of that, if there was anything.

    Raises StorageTrouble, or BadSettings where the file has changed since it was shown.
    """
    if _read(change.path) != change.before:
        raise BadSettings(f"{change.path} has changed meanwhile", "look at it again")
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    backup = change.path.with_name(f"{change.path.name}.{stamp}.bak")
    try:
        change.path.parent.mkdir(parents=True, exist_ok=True)
        if change.before is not None:
            _write(backup, change.before, change.path.stat().st_mode & 0o777)
        _write(change.path, change.after, 0o600)
    except OSError as trouble:
        raise StorageTrouble(f"{trouble.filename}: {trouble.strerror}") from trouble
    return backup if change.before is not None else None


def place_of(client: ClientName, environment: Mapping[str, str] = os.environ) -> Path:
    """Where this client keeps the servers of its user; a link there is followed."""
    home = Path(environment.get("HOME") or Path.home())
    settings = _settings_folder(home, environment)
    places = {
        "claude-desktop": settings / "Claude" / "claude_desktop_config.json",
        "vscode": settings / "Code" / "User" / "mcp.json",
        "cursor": home / ".cursor" / "mcp.json",
        "codex": Path(environment.get("CODEX_HOME") or home / ".codex") / "config.toml",
        "claude-code": home / ".claude.json",
    }
    return places[client].resolve()


def _settings_folder(home: Path, environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")


def _read(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise BadSettings(f"{path} is too large for a client's settings", "look at it")
        return content.decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as wrong:
        raise BadSettings(f"{path} is no UTF-8", "mend it, or add the entry by hand") from wrong
    except OSError as trouble:
        raise BadSettings(f"{path}: {trouble.strerror}", "mend it, or add it by hand") from trouble


def _in_json(path: Path, before: str | None, key: str, entry: Mapping[str, object]) -> str:
    by_hand = f"add the entry by hand: {json.dumps({NAME: entry})} under {key}"
    try:
        found: object = json.loads(before) if before and before.strip() else {}
    except (ValueError, RecursionError) as wrong:
        # one with comments is valid for its client; they would be lost here
        raise BadSettings(f"{path} is no plain JSON", by_hand) from wrong
    whole = as_mapping(found)
    servers = as_mapping(whole.get(key, {})) if whole is not None else None
    if whole is None or servers is None:
        raise BadSettings(f"{path} has no mapping under {key}", by_hand)
    if servers.get(NAME) == entry and before is not None:
        return before
    after = {**whole, key: {**servers, NAME: entry}}
    return json.dumps(after, indent=2, ensure_ascii=False) + "\n"


def _in_toml(path: Path, before: str, server: Sequence[str]) -> str:
    import tomllib

    # JSON's strings and lists are TOML's
    rest = json.dumps(list(server[1:]), ensure_ascii=False)
    table = f"[mcp_servers.{NAME}]\ncommand = {json.dumps(server[0])}\nargs = {rest}\n"
    try:
        found = tomllib.loads(before).get("mcp_servers", {}).get(NAME)
    except (ValueError, AttributeError) as wrong:
        raise BadSettings(f"{path} is no TOML of this form", f"add by hand: {table}") from wrong
    if found is None:
        return before + ("\n" if before and not before.endswith("\n\n") else "") + table
    if found == {"command": server[0], "args": list(server[1:])}:
        return before
    raise BadSettings(f"{path} has another {NAME} already", f"make it, by hand: {table}")


def _write(path: Path, text: str, mode: int) -> None:
    """Put a whole file in place; one that is there keeps its mode."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    if path.exists():
        mode = path.stat().st_mode & 0o777
    descriptor = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_CLOEXEC, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
        os.fchmod(file.fileno(), mode)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
