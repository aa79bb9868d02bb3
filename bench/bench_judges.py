"""How well the offline judge does on the labelled set, beside chance and beside the keyword alone.

python bench/bench_judges.py [--throws 20]
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from index.text import fold
from server.calibration.bench import check_judge
from server.calibration.labelled import FOLDER
from server.config import Overrides, Settings, load_settings
from server.judge import Judge, PickRequest, ScoresRequest, TermsRequest, find_judge


class Chance:
    """Grades and picks by the throw of a die."""

    flags = ()

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def suggest_terms(self, request: TermsRequest) -> object:
        """None: the set has its own."""
        return []

    def score_batch(self, request: ScoresRequest) -> object:
        """Each grade as likely."""
        return [
            {"id": row.id, "embodies": self.random.randrange(4), "why": "by chance"}
            for row in request.rows
        ]

    def choose(self, free: Sequence[str]) -> Sequence[str]:
        """Two, each as likely."""
        return self.random.sample(free, min(2, len(free)))

    def pick(self, request: PickRequest) -> Mapping[str, object]:
        """Two of the rows that the gate lets pass: they do not name the keyword."""
        keyword = fold(request.asked.context.keyword_primary)
        free = [
            one.id
            for one, score in request.top
            if keyword not in fold(f"{one.row.title} {one.row.summary}") and score.embodies
        ]
        cuts = self.choose(free)
        return {
            "deep_cuts": [{"id": id_, "connection": "by chance"} for id_ in cuts],
            "direct_hits": [one.id for one, _ in request.top if one.id not in cuts][:1],
            "pass4_empty": not cuts,
        }


class Keyword(Chance):
    """What a search for the obvious word finds: 3 for the keyword, 1 for a term, else 0."""

    def __init__(self) -> None:
        super().__init__(0)

    def choose(self, free: Sequence[str]) -> Sequence[str]:
        """The first two, as the list has them."""
        return free[:2]

    def score_batch(self, request: ScoresRequest) -> object:
        """By what the row says literally."""
        keyword = fold(request.asked.context.keyword_primary)
        terms = [fold(term) for term in request.terms]

        def grade(text: str) -> int:
            if keyword in text:
                return 3
            return 1 if any(term in text for term in terms) else 0

        rows = {row.id: fold(f"{row.row.title} {row.row.summary}") for row in request.rows}
        return [
            {"id": id_, "embodies": grade(text), "why": "by its words"}
            for id_, text in rows.items()
        ]


class Always:
    """A module that opens one judge, whatever the base."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def open_judge(self, base: Any, library: Any) -> Judge:
        """The judge."""
        return self.judge


def figures_of(judge: Any, name: str, settings: Settings, folder: Path) -> tuple[float, int]:
    """Kappa and the deep cuts that were found."""
    found = check_judge(judge, name, settings, folder, lambda done, total: None).figures()
    return found["kappa"], found["deep_cut_hits"]


def main() -> None:
    """Print the figures of the three; those of chance from the least to the most of all throws."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=20)
    parser.add_argument("--set", type=Path, default=FOLDER)
    asked = parser.parse_args()
    settings = load_settings(Overrides(), {})
    throws = [
        figures_of(Always(Chance(seed)), "chance", settings, asked.set)
        for seed in range(asked.throws)
    ]
    kappas, hits = (sorted(column) for column in zip(*throws, strict=True))
    print(f"{'judge':10} {'kappa':>14} {'deep cuts of 12':>16}")
    span = f"{kappas[0]:.2f} to {kappas[-1]:.2f}"
    print(f"{'chance':10} {span:>14} {f'{hits[0]} to {hits[-1]}':>16}")
    print(f"{'  (mean)':10} {fmean(kappas):>14.2f} {fmean(hits):>16.1f}")
    for name, judge in (
        ("keyword", Always(Keyword())),
        ("offline", find_judge("offline", settings)),
    ):
        kappa, hit = figures_of(judge, name, settings, asked.set)
        print(f"{name:10} {kappa:>14.2f} {hit:>16}")


if __name__ == "__main__":
    main()
