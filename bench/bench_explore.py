"""What the rungs of an exploration cost in characters, and how long they take, base by base.

    python bench/bench_explore.py [--documents 20000] [BASE ...]

Characters are those of the reply as compact JSON, which is what its tokens are counted from.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from index.records import BaseSettings
from server.config import Overrides, Settings, load_settings
from server.explore.answers import Opened
from server.explore.explorations import Explorations
from server.refusals import Refusal

CONTRACT = {
    "max_rounds": 50,
    "max_tokens": 2_000_000,
    "max_stall_count": 10,
    "max_reset_count": 10,
    "max_plan_revisions": 0,
    "enable_plan_review": False,
}
FIXTURE = Path(__file__).resolve().parent.parent / "kb_fixtures" / "requirements" / "fjordveg"
REPEATS = 5


def write_many(root: Path, count: int) -> Path:
    """A base of so many numbered requirements, a hundred in each directory."""
    for number in range(count):
        path = root / f"part-{number // 100:03}" / f"requirement-{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = f"title: Requirement {number}\nnumber: R {number // 100}.{number % 100}"
        path.write_text(f"---\ntype: Requirement\n{head}\n---\nIt shall be so.\n", encoding="utf-8")
    return root


def exploring(settings: Settings, base: str) -> tuple[Explorations, str]:
    """A run on one base with a round open."""
    runs = Explorations(settings)
    sent = {"objective": "measure", "contract": CONTRACT, "bases": [base]}
    opened = runs.open_exploration(sent)
    if not isinstance(opened, Opened):
        raise SystemExit(opened)
    runs.submit_plan(opened.run, {"plan": "go down", "current_progress": "", "tokens": 0})
    row = {"is_request_satisfied": False, "is_in_loop": False, "is_progress_being_made": True}
    runs.record_round(
        opened.run,
        {
            **row,
            "round_index": 1,
            "next_speaker": "navigator",
            "instruction_or_question": "look",
            "tokens": 0,
        },
    )
    return runs, opened.run


def measured(call: Callable[[], Any]) -> tuple[Any, int, float]:
    """The answer, its characters, and the median of its milliseconds."""
    taken: list[float] = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        answer = call()
        taken.append((time.perf_counter() - start) * 1000)
    if isinstance(answer, Refusal):
        raise SystemExit(answer.text)
    return answer, len(answer.model_dump_json(exclude_defaults=True)), statistics.median(taken)


def rungs(root: Path, state: Path) -> None:
    """One line for each rung on one base."""
    settings = load_settings(Overrides(kb=(root,), state=state), {})
    start = time.perf_counter()
    runs, run = exploring(settings, _named(settings))
    base = _named(settings)
    first = (time.perf_counter() - start) * 1000
    catalogue, cost, taken = measured(lambda: runs.list_bundles(run))
    documents = catalogue.bases[0].documents
    _line(f"{root.name}, {documents} documents", "opened", 0, first)
    _line("", "list_bundles", cost, taken)
    top, cost, taken = measured(lambda: runs.read_bundle(run, base))
    _line("", "read_bundle", cost, taken)
    path = ""
    listing = top
    while listing.directories:
        path = listing.directories[0].path
        sent = {"base": base, "path": path}
        listing, cost, taken = measured(lambda sent=sent: runs.read_dir(run, sent))
    if path:
        _line("", f"read_dir, {len(listing.documents)} of {listing.total}", cost, taken)
    document = listing.documents[0].name
    sent = {"base": base, "path": document}
    _, cost, taken = measured(lambda: runs.read_file(run, sent))
    _line("", "read_file", cost, taken)


def _named(settings: Settings) -> str:
    only: BaseSettings = settings.bases[0]
    runs = Explorations(replace(settings, bases=(only,)))
    answer: Any = runs.list_bundles()
    name: str = answer.bases[0].id
    return name


def _line(base: str, rung: str, characters: int, milliseconds: float) -> None:
    print(f"{base:36} {rung:24} {characters or '':>9} {milliseconds:9.1f} ms")


def main() -> None:
    """Every base in turn, the made one last."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bases", nargs="*", type=Path, default=[FIXTURE])
    parser.add_argument("--documents", type=int, default=20_000)
    asked = parser.parse_args()
    print(f"{'base':36} {'rung':24} {'chars':>9} {'median':>9}")
    with tempfile.TemporaryDirectory() as folder:
        made = write_many(Path(folder) / "made", asked.documents)
        for number, root in enumerate([*asked.bases, made]):
            rungs(root, Path(folder) / f"state-{number}")


if __name__ == "__main__":
    main()
