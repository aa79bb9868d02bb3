"""Where the page runs is known while it runs, and from then on nowhere."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from index.faults import BadSettings, StorageTrouble
from server.config import Settings
from server.dig import Digs
from server.page.serving import beside, listening
from server.page_link import NAME, PageRuns, announced, dig_url, page_url
from server.replies import Reported
from tests.digging import digs_of, reported


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings((), tmp_path / "state", tmp_path / "briefs")


@pytest.mark.requirement("page:link")
def test_the_link_is_there_while_the_page_runs(settings: Settings) -> None:
    assert page_url(settings) is None
    with announced(settings, 4321) as url:
        assert url == page_url(settings) == "http://127.0.0.1:4321/"
        assert dig_url(settings, "dig_x") == "http://127.0.0.1:4321/digs/dig_x"
        file = settings.state / NAME
        assert file.stat().st_mode & 0o777 == 0o600
        assert json.loads(file.read_bytes()) == {"pid": os.getpid(), "port": 4321}
    assert page_url(settings) is None
    assert dig_url(settings, "dig_x") is None


@pytest.mark.requirement("page:link")
def test_a_page_that_was_killed_is_no_page(settings: Settings) -> None:
    program = (
        "import os, signal, sys; from pathlib import Path;"
        "from server.config import Settings; from server.page_link import announced;"
        "made = announced(Settings((), Path(sys.argv[1]), Path(sys.argv[1])), 4321);"
        "made.__enter__(); print('up', flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    command = [sys.executable, "-c", program, str(settings.state)]
    killed = subprocess.run(command, check=False, capture_output=True, text=True)
    assert killed.stdout == "up\n"
    assert b"4321" in (settings.state / NAME).read_bytes()
    assert page_url(settings) is None


@pytest.mark.requirement("page:link")
@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff", b'{"port": "x"}'])
def test_a_page_that_is_just_starting_is_not_named_yet(content: bytes, settings: Settings) -> None:
    with announced(settings, 4321):
        (settings.state / NAME).write_bytes(content)
        assert page_url(settings) is None


def test_a_link_in_its_place_is_not_followed(settings: Settings, tmp_path: Path) -> None:
    settings.state.mkdir(mode=0o700)
    (tmp_path / "else").write_bytes(b"mine")
    (settings.state / NAME).symlink_to(tmp_path / "else")
    assert page_url(settings) is None
    with pytest.raises(StorageTrouble, match=NAME), announced(settings, 1):
        pass
    assert (tmp_path / "else").read_bytes() == b"mine"


@pytest.mark.requirement("page:one")
def test_one_page_runs_over_a_state_directory(settings: Settings) -> None:
    with announced(settings, 4321):
        with pytest.raises(PageRuns, match=r"127\.0\.0\.1:4321"), announced(settings, 4322):
            pass
        with beside(settings, port=0):
            assert page_url(settings) == "http://127.0.0.1:4321/"


def test_the_usual_port_is_taken_where_it_is_free_and_another_where_not(
    settings: Settings, tmp_path: Path
) -> None:
    with listening(settings, None) as (first, _):
        other = Settings((), tmp_path / "other", tmp_path)
        with listening(other, None) as (second, _):
            assert first != second
        port = int(first.rstrip("/").rpartition(":")[2])
        with pytest.raises(BadSettings, match=f"port {port}"), listening(other, port):
            pass


@pytest.mark.requirement("page:link")
def test_the_report_names_the_link_while_the_page_runs(digs: Digs) -> None:
    dig = reported(digs).dig
    alone = digs.dig_report(dig)
    assert isinstance(alone, Reported)
    with beside(digs.settings, port=0):
        url = dig_url(digs.settings, dig)
        named = digs_of(digs.settings).dig_report(dig)
        assert isinstance(named, Reported)
        assert named.ways == (*alone.ways, f"Or in a browser on this machine: {url}")
        assert named.model_copy(update={"ways": alone.ways}) == alone
    assert digs.dig_report(dig) == alone


@pytest.mark.requirement("page:link")
def test_the_first_report_names_it_and_stores_no_link(digs: Digs) -> None:
    with beside(digs.settings, port=0):
        state = reported(digs)
        answer = digs.dig_report(state.dig)
        url = dig_url(digs.settings, state.dig)
    assert url is not None
    assert url in answer.text
    events = digs.store.load(state.dig)[1]
    assert url not in json.dumps([dict(event.payload) for event in events])
