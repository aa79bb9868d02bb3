"""Documents that cannot lie: their commands parse, those on our own bases run, links lead."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import click.testing
import pytest

from server.cli import expedition as group

REPOSITORY = Path(__file__).resolve().parent.parent
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
_COMMAND = re.compile(r"(?:^\$ |`|\| )(?:\S*/)?expedition ([a-z][^`\n]*)", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def commands() -> Iterator[tuple[str, str]]:
    """Every `expedition …` that a page shows, with the page's name."""
    for page in PAGES:
        for match in _COMMAND.finditer(page.read_text(encoding="utf-8")):
            yield page.name, match[1].strip()


SHOWN = sorted(set(commands()))


def chosen(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that the words name, and what is left of them."""
    command: click.Command = group
    context = click.Context(group)
    while isinstance(command, click.Group) and words:
        inner = command.get_command(context, words[0])
        assert inner is not None, f"there is no command {words[0]}"
        command, words = inner, words[1:]
    return command, words


def test_the_pages_show_commands() -> None:
    assert len(SHOWN) > 12


@pytest.mark.requirement("docs:commands")
@pytest.mark.parametrize(("page", "line"), SHOWN, ids=[f"{page}: {line}" for page, line in SHOWN])
def test_every_command_in_a_page_exists_with_its_options(page: str, line: str) -> None:
    command, words = chosen(shlex.split(line.replace("…", "")))
    known = {option for parameter in command.params for option in parameter.opts}
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    assert set(options) <= known | {"--help"}, page


RUN = [
    line
    for _, line in SHOWN
    if "kb_fixtures" in line or line in ("gate --list", "gate term_fanout")
]


@pytest.mark.parametrize("line", RUN)
def test_commands_on_our_own_bases_run(
    line: str, expedition: Callable[..., click.testing.Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(REPOSITORY)
    stdin = '{"input": {"anchor": ["boat"], "term": "boats"}}' if "term_fanout" in line else None
    result = expedition(*shlex.split(line), stdin=stdin)
    assert result.exit_code == 0, result.output
    assert result.stdout.strip()


def test_the_readme_names_every_command() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    missing = [name for name in group.list_commands(click.Context(group)) if f" {name}" not in text]
    assert missing == []


@pytest.mark.requirement("docs:links")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = _LINK.findall(page.read_text(encoding="utf-8"))
    assert [name for name in targets if not (page.parent / name).exists()] == []


def test_the_folder_map_of_the_readme_names_every_module_of_server() -> None:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    listed = text[text.index("```text\nserver/") : text.index("```\n\nApache")]
    stems = re.findall(r"([a-z_]+)(\*?)\.py|([a-z_]+)/", listed)
    names = [(stem or folder, star) for stem, star, folder in stems]
    modules = {path.stem for path in (REPOSITORY / "server").glob("*.py")} - {"__init__"}
    left = {
        m for m in modules if not any(m == n or (star and m.startswith(n)) for n, star in names)
    }
    assert left == set()
