"""How to tell an MCP client about this server: snippets with absolute paths."""

import json
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from server.config import Overrides, Settings


@dataclass(frozen=True, slots=True)
class Snippet:
    """What goes where for one client; `text` is JSON, or a command line to run."""

    client: str
    where: str
    text: str


def program() -> str:
    """The absolute path of the `expedition` command: clients start it with a bare PATH."""
    beside = Path(sys.executable).parent / "expedition"
    return str(beside) if beside.is_file() else shutil.which("expedition") or "expedition"


def serve_arguments(settings: Settings, overrides: Overrides) -> list[str]:
    """What `expedition serve` must be told, from any folder, to serve these settings."""
    told: list[str] = []
    if settings.source is not None:
        told += ["--config", str(settings.source)]
    if overrides.kb:
        told += [word for base in settings.bases for word in ("--kb", base.root)]
    if overrides.state is not None:
        told += ["--state", str(settings.state)]
    told += [word for glob in overrides.lived for word in ("--lived", glob)]
    return told + [word for glob in overrides.guidance for word in ("--guidance", glob)]


def snippets(arguments: Sequence[str]) -> tuple[Snippet, ...]:
    """The settings that start `expedition serve` with these arguments, client by client."""
    command, *rest = program(), "serve", *arguments
    server = {"command": command, "args": rest}
    common = json.dumps({"mcpServers": {"expedition": server}}, indent=2)
    code = json.dumps({"servers": {"expedition": {"type": "stdio", **server}}}, indent=2)
    added = f"claude mcp add --scope user expedition -- {shlex.join([command, *rest])}"
    return (
        Snippet("Claude Desktop, Cursor", "claude_desktop_config.json, ~/.cursor/mcp.json", common),
        Snippet("Claude Code", "run once", added),
        Snippet("VS Code", ".vscode/mcp.json", code),
    )
