"""`expedition install`: a client's own settings, changed after a look and with a copy kept."""

import difflib
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import click.testing
import pytest

from index.faults import BadSettings
from server.installing import apply, change_for, place_of
from tests.terminal import at_terminal

Command = Callable[..., click.testing.Result]
SERVER = ("/opt/expedition", "serve", "--kb", "/home/o'neil/my notes")
JSON_CLIENTS = ("claude-desktop", "vscode", "cursor")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return tmp_path


@pytest.mark.requirement("install:client")
@pytest.mark.parametrize("client", JSON_CLIENTS)
def test_an_entry_is_added_beside_what_is_there_and_a_copy_is_kept(home: Path, client: str) -> None:
    path = place_of(client)  # type: ignore[arg-type]
    path.parent.mkdir(parents=True)
    key = "servers" if client == "vscode" else "mcpServers"
    before = json.dumps({"theme": "dark", key: {"other": {"command": "ø"}}}, ensure_ascii=False)
    path.write_text(before, encoding="utf-8")
    path.chmod(0o640)
    change = change_for(client, SERVER)  # type: ignore[arg-type]
    backup = apply(change)
    assert backup is not None
    assert backup.read_text(encoding="utf-8") == before
    after = json.loads(path.read_text(encoding="utf-8"))
    assert (after["theme"], after[key]["other"]) == ("dark", {"command": "ø"})
    entry = after[key]["expedition"]
    assert (entry["command"], tuple(entry["args"])) == (SERVER[0], SERVER[1:])
    assert path.stat().st_mode & 0o777 == 0o640
    assert not change_for(client, SERVER).needed  # type: ignore[arg-type]
    assert home in path.parents


@pytest.mark.requirement("install:client")
def test_a_client_without_a_file_gets_one_that_only_its_user_reads(home: Path) -> None:
    change = change_for("cursor", SERVER)
    assert change.before is None
    assert apply(change) is None
    path = home / ".cursor" / "mcp.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text())["mcpServers"]["expedition"]["command"] == SERVER[0]


@pytest.mark.requirement("install:client")
def test_toml_keeps_every_line_that_is_there(home: Path) -> None:
    path = place_of("codex")
    path.parent.mkdir()
    before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "o"\n'
    path.write_text(before)
    apply(change_for("codex", SERVER))
    assert path.read_text().startswith(before)
    made = tomllib.loads(path.read_text())["mcp_servers"]
    assert made["expedition"] == {"command": SERVER[0], "args": list(SERVER[1:])}
    assert not change_for("codex", SERVER).needed
    with pytest.raises(BadSettings, match="another expedition already"):
        change_for("codex", ("elsewhere",))
    assert home in path.parents


@pytest.mark.requirement("install:careful")
@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("vscode", '{"servers": {} /* mine */}'),
        ("cursor", "[]"),
        ("cursor", '{"mcpServers": []}'),
        ("cursor", "\ufeff{}"),
        ("cursor", "[" * 100_000),
        ("codex", "= ="),
        ("codex", "mcp_servers = 3"),
    ],
)
def test_a_file_of_another_form_is_left_alone_and_the_entry_is_shown(
    home: Path, client: str, text: str
) -> None:
    path = place_of(client)  # type: ignore[arg-type]
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSettings) as found:
        change_for(client, SERVER)  # type: ignore[arg-type]
    assert SERVER[0] in str(found.value)
    assert path.read_text(encoding="utf-8") == text
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert home in path.parents


@pytest.mark.requirement("install:careful")
def test_a_file_that_changed_meanwhile_is_not_overwritten(home: Path) -> None:
    change = change_for("cursor", SERVER)
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text("{}")
    with pytest.raises(BadSettings, match="changed meanwhile"):
        apply(change)
    assert (home / ".cursor" / "mcp.json").read_text() == "{}"


@pytest.mark.requirement("install:careful")
def test_a_link_stays_a_link(home: Path) -> None:
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "mcp.json").write_text("{}")
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").symlink_to(home / "dotfiles" / "mcp.json")
    apply(change_for("cursor", SERVER))
    assert (home / ".cursor" / "mcp.json").is_symlink()
    assert "expedition" in (home / "dotfiles" / "mcp.json").read_text()


@pytest.mark.requirement("install:asks")
def test_it_shows_the_change_and_writes_only_what_was_agreed_to(
    home: Path, expedition: Command, codex: Path
) -> None:
    asked = ("install", "--client", "cursor", "--kb", codex)
    path = home / ".cursor" / "mcp.json"
    shown = expedition(*asked, "--print")
    assert shown.exit_code == 0
    assert '+    "expedition": {' in shown.stdout
    silent = expedition(*asked)
    assert (silent.exit_code, path.exists()) == (1, False)
    with at_terminal([str(word) for word in asked], HOME=str(home)) as terminal:
        terminal.type_in("Write this? [y/N]: ", "n")
        assert terminal.end() == 0
    assert not path.exists()
    with at_terminal([str(word) for word in asked], HOME=str(home)) as terminal:
        terminal.type_in("Write this? [y/N]: ", "y")
        assert terminal.end() == 0
    assert json.loads(path.read_text())["mcpServers"]["expedition"]["args"][-1] == str(codex)
    assert expedition(*asked, "--yes").exit_code == 0
    assert "has it already" in expedition(*asked).stdout


@pytest.mark.requirement("install:asks")
def test_claude_code_is_asked_by_its_own_command(
    home: Path, expedition: Command, codex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("install", "--client", "claude-code", "--kb", codex)
    shown = expedition(*asked, "--print").stdout
    assert shown.startswith("claude mcp add --scope user expedition -- ")
    program = home / "claude"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {home / "said"}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(home), prepend=":")
    assert expedition(*asked, "--yes").exit_code == 0
    said = (home / "said").read_text().splitlines()
    assert said[:5] == ["mcp", "add", "--scope", "user", "expedition"]
    assert difflib.get_close_matches(str(codex), said)
