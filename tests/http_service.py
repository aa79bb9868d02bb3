"""`expedition serve --http` as an operator runs it: a process, its port, and who may come."""

import http.client
import json
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from server.config import Settings
from server.http.tokens import hash_of
from tests.mcp_client import Mode

COMMAND = str(Path(sys.executable).with_name("expedition"))
TOKENS = {"anna": "exp_annas", "berit": "exp_berits"}


@dataclass
class Service:
    """A running service; `lines` are what it wrote on standard error, once it has ended."""

    process: "subprocess.Popen[bytes]"
    url: str
    lines: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        """Status and text; a header's name is written with underscores."""
        return self._asked(path, method, b"" if method == "POST" else None, headers)

    def post(self, body: bytes, **headers: str) -> tuple[int, str]:
        """The same for a body that is sent to the endpoint."""
        return self._asked(urlsplit(self.url).path, "POST", body, headers)

    def _asked(
        self, path: str, method: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, str]:
        place = urlsplit(self.url)
        connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=30)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body=body, headers=sent)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8")
        connection.close()
        return answer.status, text

    @asynccontextmanager
    async def client(self, who: str, mode: Mode = "auto") -> AsyncGenerator[Client]:
        """An MCP client with somebody's token."""
        headers = {"Authorization": f"Bearer {TOKENS.get(who, who)}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as web:
            transport = streamable_http_client(self.url, http_client=web)
            async with Client(transport, mode=mode) as client:
                yield client

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, wait for the end, and read what was written."""
        self.process.send_signal(number)
        assert self.process.stderr
        self.lines += [json.loads(line) for line in self.process.stderr]
        return self.process.wait(30)


@contextmanager
def serving(
    settings: Settings, config: Mapping[str, object], arguments: Sequence[str] = ()
) -> Generator[Service]:
    """The service over these bases and this state; it does not outlive the block."""
    file = settings.state.with_name("expedition.yaml")
    bases = {base.id: base.root for base in settings.bases}
    # JSON is YAML
    file.write_text(json.dumps({"bases": bases, "http": config}))
    command = [COMMAND, "serve", "--http", "--port", "0", "--config", str(file)]
    command += ["--state", str(settings.state), *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        try:
            assert process.stderr
            first = json.loads(process.stderr.readline())
            service = Service(process, first["url"], [first])
            _await(service)
            yield service
        finally:
            process.kill()


def hashed() -> dict[str, str]:
    """The tokens as a configuration knows them."""
    return {name: hash_of(token) for name, token in TOKENS.items()}


def _await(service: Service) -> None:
    for _ in range(600):
        try:
            if service.ask("/healthz")[0] == 200:
                return
        except OSError:
            service.process.poll()
        if service.process.poll() is not None:
            break
    raise AssertionError("the service did not start")
