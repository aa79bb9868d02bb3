"""The two bases of the acceptance examples of exploration: `roads` in the folder veg, and small."""

import json
from collections.abc import Mapping
from pathlib import Path

from index.holdings import Holdings, survey_holdings
from index.paths import BaseFolder
from index.records import BaseSettings

INDEX = """---
okf_version: "0.2"
bundle_id: roads
---
# Roads

- [Innledning](krav/N100/innledning.md)
- [Rekkverk](krav/N200/rekkverk.md)
- [Gone](krav/N300/gone.md)
"""

BASELINE: Mapping[str, object] = {
    "currency": "NOK",
    "base_year": 2026,
    "lines": [
        {"code": "21.1", "amount": 1_000_000},
        {
            "code": "21.2",
            "amount": 400_000,
            "band": {"low": 300_000, "mode": 400_000, "high": 600_000},
        },
        {
            "code": "31.1",
            "amount": 2_500_000,
            "band": {"low": 2_200_000, "mode": 2_500_000, "high": 3_100_000},
        },
        {"code": "88.9", "amount": 0},
    ],
}

# A word of the verdict that no answer may ever hold.
MARKER = "OCHRE-KINGFISHER"

ROADS: Mapping[str, str] = {
    "index.md": INDEX,
    "krav/N100/innledning.md": (
        "---\ntype: Krav\ntitle: Innledning\nrequirement_number: Krav 1.1-1\n---\n"
        "Kravene gjelder alle nye veger.\n"
    ),
    "krav/N100/rundkjoring.md": (
        "---\ntype: Krav\ntitle: Rundkjøring\nrequirement_number: Krav 4.1.2-1\n---\n"
        "En rundkjøring skal ha en ytre diameter på minst 26 meter.\n"
    ),
    "krav/N200/rekkverk.md": (
        "---\ntype: Krav\ntitle: Rekkverk\nnumber: 12.11\ndimension: safety\n---\n"
        "Rekkverk skal settes der skråningen er bratt.\n"
    ),
    "guide/a.md": "---\ntype: Guide\ntitle: Guide\n---\nHow to read the requirements.\n",
    "verdicts/v1.md": (
        f"---\ntype: verdict\ntitle: Secret Sparrow\nnumber: V-77\n---\nRejected. {MARKER}\n"
    ),
    "notes.txt": "not a document\n",
    "cost-baseline.json": json.dumps(BASELINE),
}

SMALL: Mapping[str, str] = {"p.md": "# P\n\nOne.\n", "q.md": "# Q\n\nTwo.\n"}


def write_files(root: Path, files: Mapping[str, str]) -> Path:
    """Write a base; the folder is made where it is not there."""
    root.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
    return root


def write_roads(parent: Path) -> Path:
    """The base `roads`, whose folder is called veg."""
    return write_files(parent / "veg", ROADS)


def write_small(parent: Path) -> Path:
    """The base `small`: two documents and nothing else."""
    return write_files(parent / "small", SMALL)


def settings_of(root: Path, **others: object) -> BaseSettings:
    """A base as an operator configures it, its kind detected."""
    return BaseSettings(id=root.name, root=str(root), **others)  # type: ignore[arg-type]


def holdings_of(root: Path, **others: object) -> Holdings:
    """What a base holds now."""
    settings = settings_of(root, **others)
    with BaseFolder.open(settings.root) as folder:
        return survey_holdings(folder, settings)
