"""`expedition explore run` and `resume`: the orchestrated loop, which is an extra."""

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from index.faults import BadSettings
from server.cli.options import settings_options
from server.cli.output import say
from server.cli.reviewer import Terminal, level_of
from server.config import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.explore.magentic.run import Loop
    from server.explore.state import RunState

    Going = Callable[[Loop], RunState]

EXTRA = "the orchestrated loop is an extra: pip install 'corpus-expedition[magentic]'"
_FILE = click.Path(path_type=Path)
_REHEARSE = click.option("--rehearse", type=_FILE, help="A script instead of a model.")


@click.command("run")
@click.option("--objective", required=True, help="What to look for.")
@click.option("--contract", type=_FILE, required=True, help="The six bounds, as JSON.")
@click.option("--base", "bases", multiple=True, required=True, help="The id of a base; repeat it.")
@click.option("--approaches", type=_FILE, help="Expert approaches, as a JSON list.")
@click.option("--success", default="", help="What a success is.")
@click.option("--dimension", default="", help="Read only documents of this dimension.")
@click.option("--starting-material", "material", type=_FILE, help="Text to add to the task.")
@click.option("--run", "run_id", help="An unused id.")
@click.option("--artefacts", type=_FILE, help="Where the files of the run are written.")
@click.option("--inbox", type=_FILE, help="Where answers to plans may be laid.")
@click.option("--review-here", is_flag=True, help="Review the plan at this terminal.")
@click.option("--park", type=_FILE, help="Park for the review; the loop is kept in this folder.")
@_REHEARSE
@settings_options
def run(settings: Settings, **given: Any) -> None:
    """Explore with the orchestrated loop and write a mandate.

    Example: expedition explore run --objective "Save on kerbs" --contract c.json --base roads
    """
    from gates.forms import as_mapping
    from server.explore.doors import Doors, complaint

    contract: object = _json(given["contract"])
    review = (as_mapping(contract) or {}).get("enable_plan_review") is True
    here, park = given["review_here"], given["park"]
    if fault := complaint(Doors(here, park is not None), review):
        say(f"expedition: {fault}")
        sys.exit(1)
    settings = _placed(settings, given)
    sent = _sent(given, contract, settings)

    def start(loop: "Loop") -> "RunState":
        return loop.start(sent)

    _drive(settings, given["rehearse"], start, here)


@click.command("resume")
@click.argument("run")
@click.option("--retry", is_flag=True, help="Start again from the same checkpoint after a crash.")
@_REHEARSE
@settings_options
def resume(settings: Settings, run: str, retry: bool, rehearse: Path | None) -> None:
    """Go on with a parked RUN whose plan was answered.

    Example: expedition explore resume exp_2f...
    """

    def go_on(loop: "Loop") -> "RunState":
        return loop.resume(run, retry)

    _drive(settings, rehearse, go_on, False)


def _drive(settings: Settings, rehearse: Path | None, go: "Going", here: bool) -> None:
    """Drive a leg and tell how it ended; an error ends the run and the command."""
    if importlib.util.find_spec("agent_framework_orchestrations") is None:
        say(f"expedition: {EXTRA}")
        sys.exit(1)
    from server.explore.magentic.leg import Reviewer
    from server.explore.magentic.run import Loop, clients_of
    from server.explore.magentic.scripted import read_script
    from server.store import UnknownRun

    script = read_script(rehearse) if rehearse else None
    reviewer = Reviewer(Terminal(), level_of(settings)) if here else None
    loop = Loop(settings, clients_of(settings, script), reviewer)
    try:
        state = go(loop)
    except UnknownRun:
        say("expedition: no exploration has this id; see: expedition explore list")
        sys.exit(3)
    except _foreseen() as wrong:
        say(f"expedition: {type(wrong).__name__}: {wrong}")
        sys.exit(1)
    sys.exit(_told(state))


def _foreseen() -> tuple[type[Exception], ...]:
    """What a leg may fail by; the run is recorded as failed, and a line says why."""
    from agent_framework.exceptions import AgentFrameworkException

    from server.explore.magentic.run import ParkedStateError, Refused
    from server.explore.magentic.signals import LegFailed
    from server.explore.marked import HypothesisParseError
    from server.explore.review import PlanReviewInputError

    ours = (Refused, ParkedStateError, LegFailed, HypothesisParseError, PlanReviewInputError)
    return (*ours, AgentFrameworkException)


def _told(state: "RunState") -> int:
    """The last lines, and the exit code."""
    from server.explore.artefacts import ANSWER, QUESTION, file_name
    from server.explore.endings import ending_of
    from server.explore.mandate import approaches_of
    from server.explore.trace import notice_of

    if state.question is not None:
        print(f"Parked: {state.run}, plan review #{state.question.index + 1}")
        print(f"Question: {file_name(state.run, QUESTION)}")
        print(f"Answer: {file_name(state.run, ANSWER)}, or: expedition explore review {state.run}")
        print(f"Then: expedition explore resume {state.run}")
        return 6
    ending = ending_of(state)
    print(notice_of(state, ending, len(approaches_of(state, ending)) if ending.completed else 0))
    return 1 if ending.failed else 5 if ending.exhausted else 0


def _placed(settings: Settings, given: dict[str, Any]) -> Settings:
    """The settings with the folders of this run."""
    places = {name: str(given[name].absolute()) for name in ("artefacts", "inbox") if given[name]}
    return replace(settings, explore=settings.explore.model_copy(update=places))


def _sent(given: dict[str, Any], contract: object, settings: Settings) -> dict[str, object]:
    from server.explore.artefacts import check_outside

    sent: dict[str, object] = {
        "objective": given["objective"],
        "contract": contract,
        "bases": list(given["bases"]),
        "success_criteria": given["success"],
        "dimension": given["dimension"],
        "run": given["run_id"],
    }
    if given["approaches"]:
        sent["expert_approaches"] = _json(given["approaches"])
    if given["material"]:
        path: Path = given["material"]
        sent["starting_material"] = {"name": path.name, "text": _read(path)}
    if given["park"]:
        folder = given["park"].absolute()
        sent["checkpoints"] = str(check_outside("the park folder", folder, settings))
    return sent


def _json(path: Path) -> Any:
    try:
        return json.loads(_read(path))
    except ValueError as wrong:
        raise BadSettings(f"{path} is no JSON", "write it as JSON") from wrong


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as trouble:
        raise BadSettings(f"{path}: {trouble.strerror}", "name a file that is there") from trouble
    except UnicodeDecodeError as wrong:
        raise BadSettings(f"{path} is no UTF-8", "write it as UTF-8") from wrong
