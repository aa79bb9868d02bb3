"""The official conformance suite before the product: all scenarios that ask for no tool of its own.

Most scenarios call tools that a fixture server must offer; of these only refusals are seen here.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.digging import Ground
from tests.http_service import serving

# By version of the protocol, the scenarios that any server can pass, and how many checks at least.
ANY_SERVER = {
    "2026-07-28": {
        "tools-list": 4,
        "resources-list": 2,
        "prompts-list": 2,
        "sep-2164-resource-not-found": 4,
        "dns-rebinding-protection": 2,
        "caching": 8,
        "input-required-result-unsupported-methods": 2,
        "http-header-validation": 14,
    },
    "2025-11-25": {
        "server-initialize": 2,
        "ping": 2,
        "tools-list": 3,
        "resources-list": 2,
        "prompts-list": 2,
        "dns-rebinding-protection": 2,
    },
}
_RESULT = re.compile(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$", re.MULTILINE)


@pytest.mark.requirement("http:conformance")
@pytest.mark.parametrize("version", ANY_SERVER)
def test_the_official_suite_finds_the_protocol_kept(
    version: str, ground: Ground, tmp_path: Path
) -> None:
    command = shutil.which("conformance")
    if command is None:
        pytest.skip("no suite: npm install node@24 @modelcontextprotocol/conformance")
    with serving(ground.at(tmp_path / "state"), {}) as service:
        asked = [command, "server", "--url", service.url, "--requirements", version]
        told = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=120)
    found = {name: (int(good), int(bad)) for name, good, bad in _RESULT.findall(told.stdout)}
    for scenario, checks in ANY_SERVER[version].items():
        passed, failed = found[scenario]
        assert (passed >= checks, failed) == (True, 0), scenario
