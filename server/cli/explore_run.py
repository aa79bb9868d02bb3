"""`expedition explore run` and `resume`: the orchestrated loop, which is an extra."""

import importlib.util
import logging
import secrets
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
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

EXTRA = (
    "the orchestrated loop is an extra: pip install 'corpus-expedition[magentic]' "
    "(in a checkout .venv/bin/pip install -e '.[magentic]')"
)
_MOST_SHOWN = 2000
_FILE = click.Path(path_type=Path)
_HERE = click.option("--review-here", is_flag=True, help="Review the plan at this terminal.")
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
@_HERE
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

    _need_extra()
    _drive(settings, given["rehearse"], start, Leg(str(sent["run"]), here))


@click.command("resume")
@click.argument("run")
@click.option("--retry", is_flag=True, help="Go on after a crash; what was spent stays spent.")
@_HERE
@_REHEARSE
@settings_options
def resume(
    settings: Settings, run: str, retry: bool, review_here: bool, rehearse: Path | None
) -> None:
    """Go on with a parked RUN whose plan was answered, or with --retry after a crash.

    Example: expedition explore resume exp_2f...
    """

    _need_extra()
    _known(settings, run)

    def go_on(loop: "Loop") -> "RunState":
        return loop.resume(run, retry)

    _drive(settings, rehearse, go_on, Leg(run, review_here))


def _need_extra() -> None:
    if importlib.util.find_spec("agent_framework_orchestrations") is None:
        say(f"expedition: {EXTRA}")
        sys.exit(1)


def _known(settings: Settings, run: str) -> None:
    """End with its code where no exploration has this id, before a model is asked for."""
    from server.explore.explorations import Explorations
    from server.store import UnknownRun

    try:
        Explorations(settings).load(run)
    except UnknownRun:
        say("expedition: no exploration has this id; see: expedition explore list")
        sys.exit(3)


@dataclass(frozen=True, slots=True)
class Leg:
    """Which run is driven, and whether its plan is reviewed at this terminal."""

    run: str
    here: bool


def _drive(settings: Settings, rehearse: Path | None, go: "Going", leg: Leg) -> None:
    """Drive a leg and tell how it ended; an error ends the run and the command."""
    from server.explore.magentic.leg import Reviewer
    from server.explore.magentic.run import Loop, Refused, clients_of
    from server.explore.magentic.scripted import read_script
    from server.shown import visible_line

    script = read_script(rehearse) if rehearse else None
    reviewer = Reviewer(Terminal(), level_of(settings)) if leg.here else None
    # what the framework would say of lost rounds and used-up caps is in the trace and the ending
    for name in ("agent_framework", "agent_framework_orchestrations", "agent_framework_openai"):
        logging.getLogger(name).addHandler(logging.NullHandler())
    loop = Loop(settings, clients_of(settings, script), reviewer)
    try:
        state = go(loop)
    except _foreseen() as wrong:
        # a model's own line may be in it
        kind = "" if isinstance(wrong, Refused) else f"{type(wrong).__name__}: "
        say(f"expedition: {kind}{visible_line(str(wrong))[:_MOST_SHOWN]}")
        if not isinstance(wrong, Refused):
            _tell_failed(settings, leg.run)
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


def _tell_failed(settings: Settings, run: str) -> None:
    """The last line of a run that failed; nothing for one that was never opened or goes on."""
    from server.explore.explorations import Explorations
    from server.store import UnknownRun

    with suppress(UnknownRun):
        state = Explorations(settings).load(run)
        if state.failed:
            _told(state)


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
    from server.explore.opening import new_id

    sent: dict[str, object] = {
        "objective": given["objective"],
        "contract": contract,
        "bases": list(given["bases"]),
        "success_criteria": given["success"],
        "dimension": given["dimension"],
        "run": new_id(secrets.token_bytes(16)) if given["run_id"] is None else given["run_id"],
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
    from server.explore.artefacts import loads

    try:
        return loads(_read(path))
    except ValueError as wrong:
        remedy = "write it as JSON in which each key stands once"
        raise BadSettings(f"{path} is no JSON", remedy) from wrong


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as trouble:
        raise BadSettings(f"{path}: {trouble.strerror}", "name a file that is there") from trouble
    except UnicodeDecodeError as wrong:
        raise BadSettings(f"{path} is no UTF-8", "write it as UTF-8") from wrong
