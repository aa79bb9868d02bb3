"""`expedition page` and `serve --page` as processes: an address, a page behind it, an end."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from server.config import Settings
from server.page_link import page_url
from tests.digging import Ground
from tests.page_visitor import Visitor

PROGRAM = [sys.executable, "-c", "from server.cli import main; main()"]


@pytest.fixture
def settings(ground: Ground, tmp_path: Path) -> Settings:
    return ground.at(tmp_path / "state")


def words(settings: Settings) -> list[str]:
    return ["--kb", settings.bases[0].root, "--state", str(settings.state)]


@pytest.mark.requirement("page:link")
def test_the_command_prints_an_address_and_answers_until_it_is_ended(settings: Settings) -> None:
    command = [*PROGRAM, "page", "--port", "0", *words(settings)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as one:
        assert one.stdout is not None
        assert one.stderr is not None
        url = one.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", url)
        assert page_url(settings) == url
        assert Visitor(url).read("/").text
        again = subprocess.run(command, check=False, capture_output=True, text=True)
        assert again.returncode == 1
        assert f"a page runs already: {url}" in again.stderr
        one.send_signal(signal.SIGINT)
        assert one.wait(30) == 0
        assert one.stdout.read() == ""
        assert "Traceback" not in one.stderr.read()
    assert page_url(settings) is None


@pytest.mark.anyio
@pytest.mark.requirement("page:link")
async def test_a_server_shows_the_page_beside_its_tools(settings: Settings) -> None:
    arguments = [*PROGRAM[1:], "serve", "--page", *words(settings)]
    server = StdioServerParameters(command=PROGRAM[0], args=arguments)
    async with Client(server) as client:
        assert (await client.list_tools()).tools
        url = page_url(settings)
        assert url is not None
        assert "Nothing waits for you" in Visitor(url).read("/").text
        result = await client.call_tool("dig_status", {})
        assert not result.is_error
    deadline = time.monotonic() + 10
    while page_url(settings) is not None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert page_url(settings) is None
