import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE, run

import click
import pytest
from click.testing import CliRunner, Result

from index.faults import Fault, NotFound
from index.records import Digest
from server.cli import COMMANDS, LazyGroup
from server.cli.options import base_option, json_option, override_options, settings_options
from server.cli.output import emit, progress, say
from server.clients import program
from server.config import Overrides, Settings
from tests.nobody import as_nobody

Expedition = Callable[..., Result]


@click.command()
@base_option
@json_option
@settings_options
def shown(settings: Settings, base: str | None, as_json: bool) -> None:
    click.echo(f"{settings.base(base).root} {as_json} {settings.state}")


@click.command()
@override_options
def told(overrides: Overrides) -> None:
    click.echo(repr(overrides))


def test_a_command_gets_settings_and_its_own_options(tmp_path: Path) -> None:
    words = ["--kb", str(tmp_path), "--state", "s", "--base", tmp_path.name, "--json"]
    result = CliRunner().invoke(shown, words)
    assert result.output == f"{tmp_path} True {Path.cwd() / 's'}\n"


def test_a_command_may_ask_for_the_options_unread() -> None:
    words = ["--kb", "a", "--kb", "b", "--lived", "v/**", "--guidance", "g/**", "--config", "c"]
    result = CliRunner().invoke(told, words)
    expected = Overrides((Path("a"), Path("b")), Path("c"), None, ("v/**",), ("g/**",))
    assert result.output == f"{expected!r}\n"


def test_an_answer_is_one_object_on_one_line_with_sorted_keys(
    capsys: pytest.CaptureFixture[str],
) -> None:
    emit({"b": Path("x"), "a": (Digest("ø\u009b\udcff", cut=True),), "c": Overrides().kb})
    captured = capsys.readouterr()
    text = r'{"a": [{"cut": true, "text": "\u00f8\u009b\udcff"}], "b": "x", "c": []}'
    assert captured.out == text + "\n"
    assert captured.err == ""


def test_what_has_no_json_form_is_a_bug() -> None:
    with pytest.raises(TypeError, match="bytes has no JSON form"):
        emit({"content": b"x"})


def test_messages_go_to_stderr_and_bars_only_to_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    say("reading")
    with progress("reading") as report:
        report(1, 2)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "reading\n")


def test_at_a_terminal_there_is_a_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with progress("reading") as report:
        report(0, 0)
        report(1, 2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "reading" in captured.err


def test_every_command_of_the_table_is_there_under_its_name() -> None:
    group = LazyGroup()
    context = click.Context(group)
    assert group.list_commands(context) == list(COMMANDS)
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.get_short_help_str()
    assert group.get_command(context, "nothing") is None


def test_a_foreseen_failure_is_one_line_and_its_own_exit_code(
    expedition: Expedition, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: LazyGroup, ctx: click.Context, name: str) -> click.Command:
        raise NotFound("no base is called x", "there is: y")

    monkeypatch.setattr(LazyGroup, "get_command", fail)
    result = expedition("show")
    assert result.exit_code == NotFound.exit_code == 3
    assert result.stderr == "expedition: no base is called x — there is: y\n"
    assert result.stdout == ""


def test_each_kind_of_fault_has_an_exit_code_of_the_contract() -> None:
    assert {kind.exit_code for kind in Fault.__subclasses__()} <= {1, 2, 3, 4}


def test_an_unknown_command_is_a_usage_error(expedition: Expedition) -> None:
    assert expedition("dgi").exit_code == 2


def test_the_installed_command_says_its_version() -> None:
    answer = run([program(), "--version"], check=False, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.startswith("expedition, version ")


@pytest.mark.requirement("setup:init")
def test_init_writes_a_configuration_that_loads_and_serves_the_base(
    expedition: Expedition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    base = tmp_path / "it's: a # 日本語 base 🌲"
    base.mkdir()
    written = expedition("init", base)
    assert written.exit_code == 0
    assert f"Wrote {tmp_path / 'expedition.yaml'}" in written.stdout
    answer = CliRunner().invoke(shown)
    assert answer.output.startswith(f"{base} ")


@pytest.mark.requirement("setup:init")
def test_init_never_writes_over_a_file(
    expedition: Expedition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "expedition.yaml").write_text("judge: offline", encoding="utf-8")
    result = expedition("init", "notes")
    assert result.exit_code == 2
    assert "stays as it is" in result.stderr
    assert (tmp_path / "expedition.yaml").read_text(encoding="utf-8") == "judge: offline"


@pytest.mark.requirement("setup:init")
def test_init_never_writes_into_the_base(
    expedition: Expedition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = tmp_path / "notes"
    base.mkdir()
    monkeypatch.chdir(base)
    monkeypatch.setattr("server.cli.init.user_config", lambda: tmp_path / "user" / "e.yaml")
    assert expedition("init", ".").exit_code == 0
    assert expedition("init", ".", "--output", "e.yaml").exit_code == 2
    assert list(base.iterdir()) == []
    assert (tmp_path / "user" / "e.yaml").is_file()


def test_init_answers_in_json_with_a_snippet_per_client(
    expedition: Expedition, tmp_path: Path
) -> None:
    target = tmp_path / "e.yaml"
    (tmp_path / "notes").mkdir()
    result = expedition("init", tmp_path / "notes", "--output", target, "--json")
    answer = json.loads(result.stdout)
    assert (answer["base"], answer["config"]) == ("notes", str(target))
    for snippet in answer["clients"]:
        assert f"{target}" in snippet["text"]
        assert "serve" in snippet["text"]
    desktop, _, code = (snippet["text"] for snippet in answer["clients"])
    assert json.loads(desktop)["mcpServers"]["expedition"]["args"][0] == "serve"
    assert json.loads(code)["servers"]["expedition"]["type"] == "stdio"


@pytest.mark.parametrize("name", ["gone", "file.md"])
def test_init_wants_a_folder(expedition: Expedition, tmp_path: Path, name: str) -> None:
    (tmp_path / "file.md").touch()
    assert expedition("init", tmp_path / name).exit_code == 3


def test_init_says_where_it_may_not_write(expedition: Expedition, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "file").touch()
    result = expedition("init", tmp_path / "notes", "--output", tmp_path / "file" / "e.yaml")
    assert result.exit_code == 4
    odd = tmp_path / "od\nd"
    odd.mkdir()
    assert expedition("init", odd, "--output", tmp_path / "e.yaml").exit_code == 2


@pytest.mark.requirement("cli:shut-folders")
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("verify", "{}"), id="verify"),
        pytest.param(("inspect", "{}"), id="inspect"),
        pytest.param(("digs", "--kb", "{}"), id="a base"),
        pytest.param(("init", "{}"), id="init"),
        pytest.param(("judge", "check", "--set", "{}"), id="a labelled set"),
    ],
)
def test_a_folder_that_may_not_be_entered_is_told_in_one_line(
    expedition: Expedition, tmp_path: Path, words: tuple[str, ...]
) -> None:
    shut = tmp_path / "shut"
    (shut / "inner").mkdir(parents=True)
    tmp_path.chmod(0o755)
    shut.chmod(0)
    try:
        with as_nobody():
            result = expedition(*(word.format(shut / "inner" / "a.md") for word in words))
    finally:
        shut.chmod(0o700)
    assert result.exit_code in (2, 3, 4), result.output
    assert result.stderr.count("\n") == 1
    assert "Permission denied" in result.stderr


@pytest.mark.requirement("output:full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_whoever_has_read_enough_is_told_nothing(unbuffered: str, tmp_path: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    program = "from server.cli import main; main()"
    command = [sys.executable, "-c", program, "digs", "--state", str(tmp_path)]
    own = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with os.fdopen(writes, "wb") as closed:
        done = run(command, stdout=closed, stderr=PIPE, text=True, check=False, env=own)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.requirement("output:full")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("word", ["--help", "digs"])
def test_an_answer_that_cannot_be_written_ends_with_one_line(
    word: str, unbuffered: str, tmp_path: Path
) -> None:
    state = ("--state", str(tmp_path)) if word == "digs" else ()
    command = [sys.executable, "-c", "from server.cli import main; main()", word, *state]
    own = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("wb") as full:
        done = run(command, stdout=full, stderr=PIPE, text=True, check=False, env=own)
    assert (done.returncode, done.stderr) == (
        4,
        "expedition: the answer cannot be written: No space left on device\n",
    )
