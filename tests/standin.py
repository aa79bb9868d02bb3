"""A stand-in for a model's endpoint: speaks the OpenAI protocol, and misbehaves on command."""

import json
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

from tests.honest import honest, step_of

# The body of the HTTP answer, and its status, from the text of an honest one.
Act = Callable[["Handler", str], None]


@dataclass
class StandIn:
    """What the endpoint is to do next at one step, and what it was sent."""

    url: str = ""
    step: str = "scores"
    acts: list[Act] = field(default_factory=list[Act])
    prompts: list[str] = field(default_factory=list[str])
    keys: list[str] = field(default_factory=list[str])
    released: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def next_act(self, step: str) -> "Act":
        with self.lock:
            return self.acts.pop(0) if self.acts and step == self.step else say


class Handler(BaseHTTPRequestHandler):
    standin: StandIn

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        (message,) = sent["messages"]
        prompt: str = message["content"]
        self.standin.prompts.append(prompt)
        self.standin.keys.append(self.headers["Authorization"])
        self.standin.next_act(step_of(prompt))(self, json.dumps(honest(prompt)))

    def reply(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass


def completion(text: str | None) -> dict[str, Any]:
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "stand-in",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def say(handler: Handler, text: str) -> None:
    handler.reply(json.dumps(completion(text)).encode())


def saying(change: Callable[[str], str]) -> Act:
    """The honest text, changed."""
    return lambda handler, text: say(handler, change(text))


def sending(body: bytes, status: int = 200, **headers: str) -> Act:
    """Bytes of whatever kind."""
    return lambda handler, _: handler.reply(body, status, **headers)


def hang(handler: Handler, _: str) -> None:
    """Nothing, until the test is over."""
    handler.standin.released.wait(30)


def hang_up(handler: Handler, _: str) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def break_off(handler: Handler, text: str) -> None:
    """Half of what was announced."""
    body = json.dumps(completion(text)).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.close_connection = True


@contextmanager
def stand_in(kind: type[Handler] = Handler) -> Generator[StandIn]:
    """The endpoint, at a free port of this machine."""
    standin = StandIn()
    handler = type("OneHandler", (kind,), {"standin": standin})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.block_on_close = False
    standin.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield standin
    finally:
        standin.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
