"""How many title words of a base, each taken as a keyword, give the offline judge terms that pass.

    python bench/bench_offline_terms.py [BASE]

Without BASE the essays beside the checkout are read, or our own fixtures where these are not there.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from gates.terms import enough_terms, read_terms, terms_distinct
from gates.verdict import first_refusal
from index.text import words
from server.config import Overrides, load_settings
from server.dig_state import Context
from server.folders import make_private
from server.judge import Asked, NoAnswer, TermsRequest
from server.judges.offline import OfflineJudge, open_judge
from server.library import Library

ROOT = Path(__file__).resolve().parent.parent
BASES = (
    ROOT.parent / "shared" / "corpora" / "essays-first-person" / "data",
    ROOT / "kb_fixtures" / "codex",
)
TITLE = "A Study of Something Else"
SHOWN = 10


def main() -> None:
    base = Path(sys.argv[1]) if sys.argv[1:] else next(path for path in BASES if path.is_dir())
    with tempfile.TemporaryDirectory() as state:
        settings = load_settings(Overrides(kb=(base,), state=Path(state) / "state"), {})
        make_private(settings.state)
        library = Library(settings)
        rows = library.facts(settings.base()).rows
        keywords = sorted({word.casefold() for row in rows for word in words(row.title)})
        report(open_judge(settings.base(), library), keywords, str(base))


def report(judge: OfflineJudge, keywords: list[str], base: str) -> None:
    failed: dict[str, str] = {}
    seconds: list[float] = []
    for keyword in keywords:
        start = time.process_time()
        if reason := complaint(judge, keyword):
            failed[keyword] = reason
        seconds.append(time.process_time() - start)
    passed = len(keywords) - len(failed)
    print(f"{base}: {passed} of {len(keywords)} title words ({passed / len(keywords):.1%}) pass")
    print(f"CPU per list: median {statistics.median(seconds) * 1000:.0f} ms")
    for keyword, reason in list(failed.items())[:SHOWN]:
        print(f"  {keyword}: {reason}")


def complaint(judge: OfflineJudge, keyword: str) -> str:
    """Why there is no list of terms that passes; empty if there is one."""
    asked = Asked(Context(keyword, TITLE, "s", "Silicon", ""))
    try:
        terms = read_terms(judge.suggest_terms(TermsRequest(asked)), (keyword, TITLE))
    except NoAnswer as silence:
        return silence.reason
    refusal = first_refusal([enough_terms(terms), terms_distinct(terms)])
    return refusal.reason if refusal else ""


if __name__ == "__main__":
    main()
