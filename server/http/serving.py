"""Starts the workers, all on one socket, and ends with them."""

import ipaddress
import os
import socket
import sys
import tempfile
from contextlib import ExitStack
from functools import partial

import uvicorn
from uvicorn.supervisors import Multiprocess

from index.faults import BadSettings
from server.config import Settings
from server.http import SHARED_COUNTS, journal
from server.prompts import Toolset

PORT = 4128
# Requests that a worker holds at once, streams included; more are told 503.
_MOST_AT_ONCE = 256
_BACKLOG = 512
_FINISH_SECONDS = 20


def serve(settings: Settings, toolset: Toolset, host: str, port: int, workers: int) -> None:
    """Serve until a signal ends it; calls that are being answered are finished.

    Raises BadSettings where everybody could come and nobody is asked for a token.
    """
    if not (_is_loopback(host) or settings.http.guarded):
        raise BadSettings(
            f"{host} can be reached from elsewhere, and no token is asked for",
            "name who may come under `http:` (expedition token new NAME), or serve on 127.0.0.1",
        )
    with ExitStack() as stack:
        own = stack.enter_context(_bound(host, port))
        counts = stack.enter_context(tempfile.TemporaryDirectory(prefix="expedition-"))
        # before anything that counts is imported, here or in a worker
        os.environ[SHARED_COUNTS] = counts
        _run(settings, toolset, own, workers)


def _run(settings: Settings, toolset: Toolset, own: socket.socket, workers: int) -> None:
    from server.http.app import ENDPOINT, Place, build

    host, port = own.getsockname()[:2]
    place = Place(settings, toolset, port, workers, os.getpid() if workers > 1 else 0)
    config = uvicorn.Config(
        partial(build, place),
        factory=True,
        lifespan="on",
        log_config=journal.CONFIG,
        access_log=False,
        ws="none",
        # no header says who asks
        proxy_headers=False,
        server_header=False,
        workers=workers,
        limit_concurrency=_MOST_AT_ONCE,
        timeout_graceful_shutdown=_FINISH_SECONDS,
    )
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}{ENDPOINT}"
    if sys.stderr.isatty():
        print(f"MCP over HTTP at {address} - Ctrl-C ends it", file=sys.stderr)
    else:
        config.configure_logging()
        journal.note("serving", url=address, workers=workers, guarded=settings.http.guarded)
    if workers > 1:
        Multiprocess(config, [own]).run()
    else:
        uvicorn.Server(config).run([own])


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        own = socket.socket(family, socket.SOCK_STREAM)
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind(address)
        own.listen(_BACKLOG)
    except OSError as trouble:
        reason = trouble.strerror or "cannot be had"
        raise BadSettings(f"{host} port {port}: {reason}", "name another address") from trouble
    own.set_inheritable(True)
    return own
