"""The server over HTTP, run as an operator runs it: guards, owners, limits, notes, ends."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

from server.config import Settings
from server.config_file import read_config
from server.http.tokens import hash_of
from tests.digging import ASKED, TERMS, Ground, advance, decide, digs_of
from tests.http_service import COMMAND, TOKENS, Service, hashed, serving
from tests.mcp_client import MODES, Mode, answered, refused

pytestmark = pytest.mark.anyio
BEARER = {"Authorization": f"Bearer {TOKENS['anna']}"}
SECRET = "unheard-of-quagga"


@pytest.fixture(scope="module")
def settings(ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return ground.at(tmp_path_factory.mktemp("http") / "state")


@pytest.fixture(scope="module")
def service(settings: Settings) -> Iterator[Service]:
    """Two workers, two who may come, and one site whose pages may."""
    config = {"tokens": hashed(), "hosts": ["dig.example"], "origins": ["https://notes.example"]}
    with serving(settings, config, ["--workers", "2"]) as running:
        yield running
        assert running.end() == 0
        assert not [line for line in running.lines if line["level"] not in ("info", "warning")]
        assert SECRET not in json.dumps(running.lines)
        calls = [line for line in running.lines if line["event"] == "call"]
        assert {line["principal"] for line in calls} >= {"anna", "berit"}
        assert {line["tool"] for line in calls} >= {"open_dig", "search_corpus", ""}
        assert len({line["worker"] for line in calls}) == 2


@pytest.mark.requirement("http:guarded")
@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/healthz", {}, 200),
        ("/healthz", {"Host": "anything"}, 200),
        ("/readyz", {}, 200),
        ("/metrics", {}, 401),
        ("/metrics", {"Authorization": "Bearer exp_wrong"}, 401),
        ("/metrics", {"Authorization": f"Basic {TOKENS['anna']}"}, 401),
        ("/metrics", {"Authorization": f"Bearer {hash_of(TOKENS['anna'])}"}, 401),
        ("/metrics", {"Authorization": "Bearer " + "x" * 20_000}, 401),
        ("/metrics", BEARER, 200),
        ("/metrics", {**BEARER, "Host": "dig.example"}, 200),
        ("/metrics", {**BEARER, "Host": "evil.example"}, 421),
        ("/mcp", {}, 401),
        ("/mcp", BEARER, 405),
        ("/mcp", {**BEARER, "Accept": "*/*"}, 405),
        ("/anything", {}, 401),
        ("/anything", BEARER, 404),
    ],
)
def test_who_may_see_what(
    service: Service, path: str, headers: dict[str, str], status: int
) -> None:
    assert service.ask(path, **headers)[0] == status


@pytest.mark.requirement("http:guarded")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        # let in, and found to be no call
        ({}, 400),
        ({"Host": "dig.example"}, 400),
        ({"Origin": "https://notes.example"}, 400),
    ],
)
def test_calls_come_under_our_own_names_and_from_sites_that_may(
    service: Service, headers: dict[str, str], status: int
) -> None:
    form = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
    assert service.ask("/mcp", "POST", **BEARER, **form, **headers)[0] == status


@pytest.mark.requirement("http:guarded")
def test_a_post_without_a_token_reaches_nothing(service: Service) -> None:
    status, text = service.ask("/mcp", "POST", Content_Type="application/json")
    assert status == 401
    assert json.loads(text)["error"] == "invalid_token"


@pytest.mark.requirement("http:digs")
@pytest.mark.requirement("principal:own")
@pytest.mark.parametrize("mode", MODES)
async def test_two_principals_dig_beside_each_other_over_two_workers(
    service: Service, settings: Settings, mode: Mode
) -> None:
    words = {key: value for key, value in ASKED.items() if value is not None}
    async with service.client("anna", mode) as anna, service.client("berit", mode) as berit:
        opened = {**words, "title": f"{mode} {SECRET}"}
        dig = (await answered(anna, "open_dig", **opened))["dig_id"]
        await answered(anna, "retrieve_candidates", dig_id=dig, terms=list(TERMS))
        assert (await answered(anna, "dig_status"))["digs"][0]["dig_id"] == dig
        assert "digs" not in await answered(berit, "dig_status")
        assert "[UNKNOWN_DIG]" in await refused(berit, "dig_report", {"dig_id": dig})
        # the person at the machine sees all, and so does what they run
        digs = digs_of(settings)
        while digs.load(dig).state != "reported":
            advance(digs, dig)
        assert "[NOT_DECIDED]" in await refused(anna, "assemble_brief", {"dig_id": dig})
        decide(digs, dig)
        assert "[UNKNOWN_DIG]" in await refused(berit, "assemble_brief", {"dig_id": dig})
        brief = await answered(anna, "assemble_brief", dig_id=dig)
        assert Path(brief["path"]).is_file()
        await answered(berit, "search_corpus", query=SECRET)
        await refused(berit, f"no_such_{SECRET}", {})


@pytest.mark.requirement("principal:own")
async def test_equal_ids_of_requests_bring_everybody_their_own_answer(service: Service) -> None:
    digs: dict[str, str] = {}
    words = {key: value for key, value in ASKED.items() if value is not None}
    for who in TOKENS:
        async with service.client(who) as client:
            opened = await answered(client, "open_dig", **words, monomyth_hint=who)
            digs[who] = opened["dig_id"]
    call: dict[str, object] = {"name": "dig_status", "arguments": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()

    def status(who: str) -> str:
        form = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
        bearer = {"Authorization": f"Bearer {TOKENS[who]}", "MCP_Protocol_Version": "2025-06-18"}
        return service.post(body, **form, **bearer)[1]

    with ThreadPoolExecutor(8) as threads:
        asked = ["anna", "berit"] * 12
        for who, text in zip(asked, threads.map(status, asked), strict=True):
            assert {name for name, dig in digs.items() if dig in text} == {who}, text


@pytest.mark.requirement("http:counted")
async def test_calls_are_counted_over_all_workers(service: Service) -> None:
    async with service.client("anna") as anna:
        for _ in range(4):
            await refused(anna, "dig_status", {"dig_id": "nothing"})
    _, text = service.ask("/metrics", **BEARER)
    counts = [line for line in text.splitlines() if "expedition_calls_total{" in line]
    found = next(line for line in counts if 'flag="UNKNOWN_DIG",tool="dig_status"' in line)
    assert float(found.split()[-1]) >= 4
    assert SECRET not in text


@pytest.mark.requirement("http:lasts")
async def test_a_worker_that_dies_is_replaced_and_no_dig_is_lost(service: Service) -> None:
    words = {key: value for key, value in ASKED.items() if value is not None}
    async with service.client("anna") as anna:
        dig = (await answered(anna, "open_dig", **words))["dig_id"]
    before = workers_of(service.process.pid)
    os.kill(before[0], signal.SIGKILL)
    deadline = time.monotonic() + 30
    while workers_of(service.process.pid) in (before, before[1:]) or len(
        workers_of(service.process.pid)
    ) < len(before):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    async with service.client("anna") as anna:
        assert (await answered(anna, "dig_status", dig_id=dig))["dig_id"] == dig


def workers_of(pid: int) -> list[int]:
    """The processes that answer, not the one that tidies up after them."""
    found = subprocess.run(
        ["pgrep", "-P", str(pid), "-f", "spawn_main"], capture_output=True, text=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


@pytest.mark.requirement("http:lasts")
def test_workers_end_with_the_process_that_started_them(settings: Settings) -> None:
    with serving(settings, {"tokens": hashed()}, ["--workers", "2"]) as service:
        workers = workers_of(service.process.pid)
        assert len(workers) == 2
        service.process.kill()
        deadline = time.monotonic() + 30
        while any(Path(f"/proc/{worker}").exists() for worker in workers):
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.requirement("http:limits")
async def test_whoever_calls_too_fast_is_told_when_to_come_again(settings: Settings) -> None:
    limits: dict[str, Any] = {"tokens": hashed(), "calls_per_minute": 2}
    with serving(settings, limits) as service:
        async with service.client("anna") as anna, service.client("berit") as berit:
            for _ in range(2):
                await answered(anna, "dig_status")
            told = await refused(anna, "dig_status", {})
            assert told.startswith("[BUSY] dig_status — you call faster than you may")
            await answered(berit, "dig_status")


@pytest.mark.requirement("http:guarded")
def test_nobody_serves_the_world_without_a_token(settings: Settings) -> None:
    words = ["--kb", settings.bases[0].root, "--state", str(settings.state)]
    result = subprocess.run(
        [COMMAND, "serve", "--http", "--host", "0.0.0.0", "--port", "0", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=settings.state,
    )
    assert result.returncode == 2
    assert "no token is asked for" in result.stderr
    assert "expedition token new" in result.stderr


@pytest.mark.requirement("http:tokens")
def test_a_token_is_shown_once_and_kept_as_a_hash(tmp_path: Path) -> None:
    made = subprocess.run(
        [COMMAND, "token", "new", "anna"], capture_output=True, text=True, check=True
    ).stdout
    (token,) = [line.strip() for line in made.splitlines() if line.strip().startswith("exp_")]
    entry = yaml.safe_load(made.partition("expedition.yaml:\n")[2])
    assert entry == {"http": {"tokens": {"anna": hash_of(token)}}}
    (tmp_path / "expedition.yaml").write_text(made.partition("expedition.yaml:\n")[2])
    assert read_config(tmp_path / "expedition.yaml").http.tokens == {"anna": hash_of(token)}
    again = subprocess.run(
        [COMMAND, "token", "new", "anna", "--json"], capture_output=True, text=True, check=True
    )
    assert json.loads(again.stdout)["token"] != token
    odd = subprocess.run(
        [COMMAND, "token", "new", "a b"], capture_output=True, text=True, check=False
    )
    assert odd.returncode == 2


@pytest.mark.requirement("http:tokens")
@pytest.mark.parametrize(
    "http",
    [
        {"tokens": {"local": hash_of("a")}},
        {"tokens": {"anna": hash_of("a"), "berit": hash_of("a")}},
        {"tokens": {"anna": "exp_a token itself"}},
        {"tokens": {"an na": hash_of("a")}},
        {"hosts": ["https://dig.example"]},
        {"origins": ["dig.example"]},
        {"oauth": {"issuer": "https://id.example"}},
        {"calls_per_minute": 0},
    ],
)
def test_what_opens_too_much_or_nothing_is_no_configuration(
    http: dict[str, object], tmp_path: Path
) -> None:
    from index.faults import BadSettings

    (tmp_path / "expedition.yaml").write_text(json.dumps({"http": http}))
    with pytest.raises(BadSettings, match="http"):
        read_config(tmp_path / "expedition.yaml")
