"""`expedition dig`: what it prints, where it stops, and how it goes on."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.digging import Ground
from tests.digging_base import KEYWORD

Expedition = Callable[..., Result]
Dig = Callable[..., Result]

NOBODY = "dig_aaaaaaaaaaaaaaaaaaaaaaaaaa"


@pytest.fixture
def dig(ground: Ground, tmp_path: Path, expedition: Expedition) -> Dig:
    """`expedition dig` over the small base, in a state of the test's own."""
    settings = ground.at(tmp_path / "state")

    def run(*words: str) -> Result:
        where = ("--kb", str(ground.base), "--state", str(settings.state))
        return expedition("dig", *where, *words)

    return run


def start(keyword: str = "dough", *more: str) -> tuple[str, ...]:
    return ("--keyword", keyword, "--title", "What Rises", "--voice", "Carbon", *more)


@pytest.mark.requirement("dig:without-an-agent")
def test_a_dig_prints_its_report_and_how_to_decide_and_stops(dig: Dig) -> None:
    result = dig(*start("ice"))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("=== DIG REPORT ===")
    assert "JUDGE_OFFLINE" in result.stdout
    assert "expedition decide dig_" in result.stdout.splitlines()[-1]
    assert result.stderr.startswith("digging: dig_")


def test_as_json_it_is_one_object_with_sorted_keys(dig: Dig) -> None:
    result = dig(*start("ice", "--json"))
    answer = json.loads(result.stdout)
    assert list(answer) == sorted(answer)
    assert result.stdout.count("\n") == 1
    assert answer["dig_id"] in result.stderr
    assert "JUDGE_OFFLINE" in answer["flags"]


def test_a_keyword_without_hits_fails_the_first_step(dig: Dig) -> None:
    result = dig(*start("zeppelin"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "[STEP_1 FAILED — the keyword is in 0 files of this base" in result.stderr


def test_a_failed_step_is_reopened_and_judged_again(
    dig: Dig, expedition: Expedition, ground: Ground, tmp_path: Path
) -> None:
    name = dig(*start("zeppelin")).stderr.split()[1]
    again = dig("--resume", name)
    assert again.exit_code == 1
    assert "STEP_1 FAILED" in again.stderr
    where = ("--kb", str(ground.base), "--state", str(tmp_path / "state"))
    shown = json.loads(expedition("show", name, "--events", "--json", *where).stdout)
    assert shown["reopened"] == 1
    kinds = [(event["kind"], event["actor"]) for event in shown["events"]]
    assert kinds == [
        ("opened", "person"),
        ("failed", "judge"),
        ("reopened", "person"),
        ("failed", "judge"),
    ]


def test_a_base_that_is_not_there_uses_up_no_reopening(
    dig: Dig, expedition: Expedition, ground: Ground, tmp_path: Path
) -> None:
    name = dig(*start("zeppelin")).stderr.split()[1]
    state = ("--state", str(tmp_path / "state"))
    (tmp_path / "elsewhere").mkdir()
    lost = expedition("dig", "--resume", name, "--kb", str(tmp_path / "elsewhere"), *state)
    assert lost.exit_code == 3
    shown = expedition("show", name, "--json", "--kb", str(ground.base), *state)
    assert json.loads(shown.stdout)["reopened"] == 0


def test_a_dig_that_waits_for_a_person_shows_its_report_again(dig: Dig) -> None:
    first = dig(*start("ice"))
    name = first.stderr.split()[1]
    again = dig("--resume", name)
    assert (again.exit_code, again.stdout) == (0, first.stdout)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--keyword", KEYWORD), "--title and --voice missing", id="words missing"),
        pytest.param((), "--keyword and --title and --voice missing", id="nothing said"),
        pytest.param(("--resume", NOBODY, "--title", "T"), "without --title", id="both ways"),
        pytest.param(start("ice", "--voice", "Tenor"), "Tenor", id="no such voice"),
        pytest.param(start("ice", "--judge", "oracle"), "no judge oracle", id="no such judge"),
        pytest.param(start("ice", "--slug", "Ä"), "slug", id="a slug out of form"),
        pytest.param(start("-"), "keyword_primary says nothing", id="a keyword of no word"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(dig: Dig, words: tuple[str, ...], said: str) -> None:
    result = dig(*words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_judge_that_is_not_there_opens_no_dig(
    dig: Dig, expedition: Expedition, ground: Ground, tmp_path: Path
) -> None:
    dig(*start("ice", "--judge", "oracle"))
    where = ("--kb", str(ground.base), "--state", str(tmp_path / "state"))
    assert json.loads(expedition("digs", "--json", *where).stdout).get("digs", []) == []


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("--resume", NOBODY), id="a dig"),
        pytest.param(start("ice", "--base", "other"), id="a base"),
    ],
)
def test_what_is_not_there_is_not_found(dig: Dig, words: tuple[str, ...]) -> None:
    assert dig(*words).exit_code == 3


def test_every_option_reaches_the_dig(
    dig: Dig, expedition: Expedition, ground: Ground, tmp_path: Path
) -> None:
    options = ("--archetype", "Keeper", "--monomyth", "Return", "--slug", "what-rises")
    result = dig(*start("ice", *options, "--blaze", "Guides/blaze.md", "--base", "kb"))
    assert result.exit_code == 0, result.stderr
    name = result.stderr.split()[1]
    where = ("--kb", str(ground.base), "--state", str(tmp_path / "state"))
    shown = expedition("show", name, "--json", *where)
    context = json.loads(shown.stdout)["context"]
    assert context["keyword_primary"] == "ice"
    assert context["archetype_primary"] == "Keeper"
    assert context["monomyth_hint"] == "Return"
    assert context["slug"] == "what-rises"
    assert context["blaze_path"] == "Guides/blaze.md"
