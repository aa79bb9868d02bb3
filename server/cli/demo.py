"""`expedition demo`: the main job, once, from an empty folder to a brief."""

import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from index.faults import Fault
from server.cli.answers import conclude
from server.cli.output import print_file, progress
from server.refusals import Refusal
from server.replies import Answer

if TYPE_CHECKING:
    from server.demo import Stage
    from server.dig import Digs

T = TypeVar("T")

ABOUT = """\
A dig over kb_fixtures/codex by an MCP client, against the real server in a process of its own.
The judgements an agent would make were written down before, in kb_fixtures/codex.dig.json; rows
that it does not name are scored by the words they share with the pattern.
"""


@click.command("demo")
@click.option(
    "--decision",
    type=click.Choice(["keep", "drop"]),
    help="Decide on the whole report instead of being asked, as a script would.",
)
def command(decision: str | None) -> None:
    """Dig in kb_fixtures/codex through the MCP server, ask you to decide, print the brief.

    Everything it makes is in .demo/ and is made anew each time.

    Example: expedition demo --decision keep
    """
    from server.demo import dig, prepare
    from server.dig import Digs
    from server.judges.offline import open_judge
    from server.library import Library

    stage = prepare()
    click.echo(ABOUT)
    _index(stage)
    library = Library(stage.settings)
    digs = Digs(library)
    judge = open_judge(stage.settings.base(), library)
    name = _run(dig, stage, judge, digs.load, click.echo)
    answer = _decided(stage, digs, name, decision)
    if isinstance(answer, Refusal):
        conclude(answer, as_json=False)
    _finish(stage, digs, name)


def _index(stage: "Stage") -> None:
    from index.rebuild import rebuild

    base = stage.settings.base()
    with progress("indexing") as bar:
        home = stage.settings.index_home(base)
        outcome = rebuild(base, home, lambda seen: bar(seen.done, seen.total))
    click.echo(f"index: {outcome.rows} rows, {outcome.documents} documents, in {stage.folder}")


def _decided(stage: "Stage", digs: "Digs", name: str, decision: str | None) -> Answer:
    """What a person, or a script in their place, decided; without either the demo ends here."""
    from server.cli.interview import interview
    from server.demo import decision_file
    from server.relayed import decide_from_file
    from server.review import Review

    review = Review(digs)
    report = digs.load(name).report
    assert report is not None  # what the dig ended with
    if decision is not None:
        click.echo(f"decision: {decision} all of it, from a file\n")
        return decide_from_file(review, name, decision_file(stage, name, report.sha256, decision))
    answer = interview(review, name) if sys.stdin.isatty() and sys.stdout.isatty() else None
    if answer is None:
        click.echo(f"Nothing was decided; the report waits.\n{_ways(stage, name)}")
        sys.exit(1)
    return answer


def _finish(stage: "Stage", digs: "Digs", name: str) -> None:
    """The brief, if the person opened one."""
    from server.demo import assemble

    state = digs.load(name).state
    if state == "abandoned":
        click.echo("The dig is abandoned: nothing of the report was kept, so there is no brief.")
    elif state != "decided":
        resume = f"expedition dig --resume {name} --config {stage.config}"
        click.echo(f"The dig is {state} again. Go on with:\n  {resume}")
    else:
        brief = _run(assemble, stage, name)
        click.echo(f"assemble_brief: {brief['path']}\n")
        print_file(Path(brief["path"]))


def _ways(stage: "Stage", name: str) -> str:
    return "\n".join(
        (
            "Decide in one of these ways:",
            "  make demo                at a terminal: it asks you, candidate by candidate",
            "  make demo DECISION=keep  in a script; the brief then says `relayed`",
            f"  expedition decide {name} --config {stage.config}",
        )
    )


def _run(function: Callable[..., Coroutine[Any, Any, T]], *arguments: object) -> T:
    """Run an async function; a fault that came out through a task group is that fault again."""
    import anyio

    try:
        return anyio.run(function, *arguments)
    except* Fault as group:
        fault = _first(group)
    # Raised inside that block it would come out in a group again, on some Pythons.
    raise fault from None


def _first(group: BaseExceptionGroup[Fault]) -> Fault:
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    assert isinstance(found, Fault)  # what the group was split for
    return found
