"""The ground a judge is tried on: the labelled set as a base of files, with an index of its own."""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from index.records import BaseSettings
from server.calibration.labelled import Labelled, read_labelled
from server.calibration.trial import Report, Watch, try_judge
from server.config import Settings
from server.folders import make_private
from server.judge import JudgeModule
from server.library import Library

BASE = "judging"


def check_judge(
    judge: JudgeModule, name: str, settings: Settings, folder: Path, watch: Watch
) -> Report:
    """Try a judge on the labelled set in a folder; nothing of it is kept."""
    labelled = read_labelled(folder)
    with tempfile.TemporaryDirectory(prefix="expedition-") as place:
        root = Path(place) / BASE
        write_base(labelled, root)
        base = BaseSettings(BASE, str(root), kind="folder", lang="en")
        private = make_private(Path(place) / "state")
        library = Library(replace(settings, bases=(base,), state=private), wait=600.0)
        rows = library.facts(base).by_path
        return try_judge(judge.open_judge(base, library), name, labelled, rows, watch)


def write_base(labelled: Sequence[Labelled], root: Path) -> None:
    """Each summary as a file whose frontmatter holds it, and whose body says it once more."""
    for pattern in labelled:
        for row in pattern.rows:
            path = root / row.path
            path.parent.mkdir(parents=True, exist_ok=True)
            head = f"title: {json.dumps(row.title)}\nsummary: {json.dumps(row.summary)}"
            path.write_text(f"---\n{head}\n---\n{row.summary}\n", encoding="utf-8")
