"""The offline judge on whole bases, through the same moves and gates as everybody."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gates.terms import enough_terms, read_terms, terms_distinct
from index.text import words
from server.clients import program
from server.config import Overrides, Settings, load_settings
from server.dig import Digs
from server.dig_state import Context, DigState
from server.driving import drive
from server.judge import Asked, NoAnswer, TermsRequest
from server.judges.offline import OfflineJudge, open_judge
from server.library import Library
from server.replies import Opened, Reported

TITLE = "A Study of Something Else"
BLAZE = "Blaze/Forgiveness Without an Apology.md"
PLANTED = "VoiceLogs/2017-05-14_Scraping the Havdis.md"
SHARED = [
    pytest.param("essays-first-person/data", "transparency", id="essays"),
    pytest.param("glossary-multilang/data", "cluster", id="an English glossary entry"),
    pytest.param("glossary-multilang/data", "Sicherheit", id="a German one"),
    pytest.param("glossary-multilang/data", "スケーラビリティ", id="a Japanese one"),
    pytest.param("glossary-multilang/data", "集群", id="a Chinese one"),
    pytest.param("laws-no/data", "ansvar", id="Norwegian acts"),
    pytest.param("okf-bashkit/data", "security", id="a bundle"),
    pytest.param("okf-reference/data/acme_retail", "revenue", id="nine short files"),
    pytest.param("okf-reference/data/ga4", "users", id="a keyword in every row"),
    pytest.param("okf-reference/data/stackoverflow", "answer", id="joins and metrics"),
    pytest.param("requirements-asvs/data", "session", id="requirements in tables"),
    pytest.param("requirements-asvs/data", "المصادقة", id="Arabic"),
    pytest.param("transcripts-changelog/data", "anxiety", id="transcripts without any row"),
]


class Bases:
    """Bases with their indexes, each built once; digs in one state directory."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._libraries: dict[Path, Library] = {}

    def library(self, root: Path) -> Library:
        if root not in self._libraries:
            state = self._state / str(len(self._libraries))
            settings = load_settings(Overrides(kb=(root,), state=state), {})
            self._libraries[root] = Library(_private(settings))
        return self._libraries[root]

    def judge(self, root: Path) -> OfflineJudge:
        library = self.library(root)
        return open_judge(library.settings.base(), library)

    def dig(self, root: Path, keyword: str, **said: str) -> DigState:
        """A whole dig with the offline judge, to its report."""
        library, judge = self.library(root), self.judge(root)
        asked = {"keyword_primary": keyword, "title": TITLE, "voice": "Silicon"}
        opened = Digs(library).open_dig({**asked, "archetype_primary": "", **said})
        assert isinstance(opened, Opened), opened.text
        digs = Digs(library, "judge", judge.flags)
        answer = drive(digs, opened.dig_id, judge)
        assert isinstance(answer, Reported), answer.text
        return digs.load(opened.dig_id)


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bases]:
    yield Bases(tmp_path_factory.mktemp("state"))


@pytest.mark.requirement("judge:offline-planted")
def test_it_finds_the_planted_deep_cut_by_what_the_blaze_claims(
    bases: Bases, fixtures: Path
) -> None:
    state = bases.dig(fixtures / "codex", "forgiveness", blaze_path=BLAZE, voice="Carbon")
    cuts = [state.candidates[cut.id].row.path for cut in state.picks.deep_cuts]
    assert cuts == [PLANTED]
    assert "unpaid" not in state.terms
    assert state.report is not None
    assert state.report.anchors


@pytest.mark.requirement("judge:offline-flagged")
def test_whatever_it_judges_is_flagged(bases: Bases, fixtures: Path) -> None:
    state = bases.dig(fixtures / "codex", "silence")
    assert "JUDGE_OFFLINE" in state.flags
    assert state.report is not None
    assert "JUDGE_OFFLINE" in state.report.text


@pytest.mark.parametrize("keyword", ["Vergebung", "tilgivelse", "brød", "許し", "the", "Tore's"])
def test_it_answers_or_says_why_not_in_any_language(
    bases: Bases, fixtures: Path, keyword: str
) -> None:
    asked = Asked(Context(keyword, TITLE, "s", "Silicon", ""))
    try:
        terms = bases.judge(fixtures / "codex").suggest_terms(TermsRequest(asked))
    except NoAnswer as silence:
        assert "needed" in silence.reason
    else:
        assert enough_terms(read_terms(terms, (keyword, TITLE))).passed


@pytest.mark.requirement("judge:offline-shared")
@pytest.mark.parametrize(("root", "keyword"), SHARED)
def test_it_digs_in_every_shared_corpus(
    bases: Bases, shared: Path, root: str, keyword: str
) -> None:
    state = bases.dig(shared / "corpora" / root, keyword)
    assert state.picks.ids
    assert len(state.scores) == sum(len(batch) for batch in state.batches)
    assert {score.embodies for score in state.scores.values()} > {1}


@pytest.mark.requirement("judge:offline-terms")
def test_nine_in_ten_title_words_of_the_essays_yield_terms_that_pass(
    bases: Bases, shared: Path
) -> None:
    root = shared / "corpora" / "essays-first-person" / "data"
    library, judge = bases.library(root), bases.judge(root)
    rows = library.facts(library.settings.base()).rows
    keywords = sorted({word.casefold() for row in rows for word in words(row.title)})
    assert len(keywords) > 500
    passed = sum(_passes(judge, keyword) for keyword in keywords)
    assert passed >= 0.9 * len(keywords)


@pytest.mark.requirement("judge:offline-deterministic")
def test_two_processes_write_the_same_report(fixtures: Path, tmp_path: Path) -> None:
    reports: list[str] = []
    for seed in ("1", "2"):
        command = [program(), "dig", "--kb", str(fixtures / "codex"), "--json"]
        command += ["--state", str(tmp_path / seed), "--keyword", "silence"]
        command += ["--title", "What the Yard Kept", "--voice", "Carbon"]
        answer = subprocess.run(
            command,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        )
        reports.append(json.loads(answer.stdout)["report"])
    assert reports[0] == reports[1]


def _passes(judge: OfflineJudge, keyword: str) -> bool:
    asked = Asked(Context(keyword, TITLE, "s", "Silicon", ""))
    try:
        terms = read_terms(judge.suggest_terms(TermsRequest(asked)), (keyword, TITLE))
    except NoAnswer:
        return False
    return enough_terms(terms).passed and terms_distinct(terms).passed


def _private(settings: Settings) -> Settings:
    from server.folders import make_private

    make_private(settings.state)
    return settings
