"""The seam: judges are opened by name, and read nothing before they are asked."""

from collections.abc import Callable
from pathlib import Path

import pytest

from index.faults import BadSettings
from server.config import Settings
from server.config_schema import ConfigFile
from server.judge import JUDGES, NoAnswer, find_judge
from server.library import Library

SettingsFor = Callable[..., Settings]


def test_every_judge_of_the_table_can_be_opened(settings_for: SettingsFor, codex: Path) -> None:
    settings = settings_for(codex)
    for name in JUDGES:
        judge = find_judge(name).open_judge(settings.base(), Library(settings))
        assert judge.flags == ("JUDGE_OFFLINE",)


def test_opening_a_judge_reads_nothing(settings_for: SettingsFor, codex: Path) -> None:
    settings = settings_for(codex)
    find_judge("offline").open_judge(settings.base(), Library(settings))
    assert not settings.state.exists()


def test_a_judge_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(BadSettings, match=r"no judge oracle — name one of: .*offline"):
        find_judge("oracle")


def test_the_configured_judge_is_one_of_the_table() -> None:
    assert ConfigFile().judge.default in JUDGES


def test_a_judge_without_an_answer_says_why() -> None:
    assert NoAnswer("nothing is there").reason == "nothing is there"
