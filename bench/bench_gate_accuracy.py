"""How often the voice gate is right on real text, beside the literal rule that it replaces.

A corpus is its own label: in a transcript people speak of themselves, in a statute nobody does.
Of each file the first six paragraphs of prose are judged, as of an excerpt. Our own small base has
traps among its files.

    python bench/bench_gate_accuracy.py ../shared/corpora [--confusions]
    python bench/bench_gate_accuracy.py --smoke
"""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.bench_metamorphic import OURS, prose_of
from gates.voice import first_person, hear

# The literal rule: any of these words anywhere.
LITERAL = re.compile(r"\bI\b|\bmy\b|\bwe\b")


@dataclass(frozen=True)
class Labelled:
    """A corpus whose texts are all in the first person, or none of them."""

    name: str
    lang: str
    folder: str
    first_person: bool


CORPORA = (
    Labelled("transcripts", "en", "transcripts-changelog/data", first_person=True),
    Labelled("statutes", "nb", "laws-no/data", first_person=False),
    Labelled("glossary", "en", "glossary-multilang/data/en", first_person=False),
    Labelled("glossary", "de", "glossary-multilang/data/de", first_person=False),
    Labelled("glossary", "ur", "glossary-multilang/data/ur", first_person=False),
    Labelled("glossary", "zh", "glossary-multilang/data/zh-cn", first_person=False),
    Labelled("knowledge bundle", "en", "okf-bashkit/data", first_person=False),
    Labelled("reference bundles", "en", "okf-reference/data", first_person=False),
    Labelled("requirements", "en, ar", "requirements-asvs/data", first_person=False),
)
OWN = (
    Labelled("guides", "en", "Formation", first_person=False),
    Labelled("logs", "en", "VoiceLogs", first_person=True),
)


@dataclass
class Score:
    """How many texts there are, and how many each rule told as their label says."""

    texts: int = 0
    right: int = 0
    undecidable: int = 0
    literal: int = 0


def judged(corpus: Labelled, root: Path) -> Iterator[tuple[str, str, bool]]:
    """Each text, what the gate says, and whether the literal rule would pass it."""
    for text in prose_of(root / corpus.folder):
        yield text, first_person(hear(text)).outcome, bool(LITERAL.search(text))


def score(corpus: Labelled, root: Path) -> tuple[Score, list[str]]:
    """The figures of a corpus, and the texts that the gate told wrongly."""
    found, wrong = Score(), []
    for text, outcome, literal in judged(corpus, root):
        found.texts += 1
        found.undecidable += outcome == "undecidable"
        right = outcome == ("passed" if corpus.first_person else "refused")
        found.right += right
        found.literal += literal is corpus.first_person
        if not right and outcome != "undecidable":
            wrong.append(text)
    return found, wrong


def main() -> None:
    """Print a line for each corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=OURS)
    parser.add_argument("--confusions", action="store_true", help="and what was told wrongly")
    parser.add_argument("--smoke", action="store_true", help="our own small base only")
    given = parser.parse_args()
    root = OURS if given.smoke else given.folder
    print(
        f"{'corpus':<20}{'lang':<8}{'label':<14}{'texts':>6}{'right':>7}{'open':>6}{'literal':>9}"
    )
    for corpus in OWN if root == OURS else CORPORA:
        found, wrong = score(corpus, root)
        label = "first person" if corpus.first_person else "not"
        print(
            f"{corpus.name:<20}{corpus.lang:<8}{label:<14}"
            f"{found.texts:>6}{found.right:>7}{found.undecidable:>6}{found.literal:>9}"
        )
        for text in wrong if given.confusions else ():
            print(f"    {' '.join(text.split())[:300]}")


if __name__ == "__main__":
    main()
