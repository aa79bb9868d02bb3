"""The page's server: sockets on loopback and nowhere else, one page for a state directory."""

import logging
import socket
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from index.faults import BadSettings
from server.config import Settings
from server.dig import Digs
from server.library import Library
from server.page_link import HOST, PageRuns, announced

if TYPE_CHECKING:
    from uvicorn import Server

# Where the page is looked for first, so that a link outlives a restart.
PORT = 4127
_LEAVE_SECONDS = 5.0
_HOSTS = ((socket.AF_INET, HOST), (socket.AF_INET6, "::1"))


@contextmanager
def listening(settings: Settings, port: int | None) -> Generator[tuple[str, list[socket.socket]]]:
    """The page's address and its sockets, announced while the block runs.

    Port 0 is any free one; without a port it is the usual one, or a free one where that is taken.
    Raises PageRuns where a page runs over this state directory already, BadSettings where the port
    cannot be had.
    """
    with ExitStack() as stack:
        sockets = _bound(port)
        for one in sockets:
            stack.enter_context(one)
        url = stack.enter_context(announced(settings, sockets[0].getsockname()[1]))
        yield url, sockets


def server_of(settings: Settings, port: int) -> "Server":
    """A server of the page, to be run with the sockets of a port."""
    import uvicorn

    from server.page.app import build_page
    from server.page.connections import OwnConnections

    # The person's own moves: what an agent sends comes over MCP.
    digs = Digs(Library(settings), actor="person")
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(
        build_page(digs, port),
        http=OwnConnections,
        log_config=None,
        access_log=False,
        ws="none",
        lifespan="off",
        # No header says who asks; by default uvicorn believes one that comes over loopback.
        proxy_headers=False,
        server_header=False,
        limit_concurrency=64,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config)


@contextmanager
def beside(settings: Settings, port: int | None = None) -> Generator[None]:
    """The page on a thread of its own while the block runs, unless a page runs already."""
    with ExitStack() as stack:
        with suppress(PageRuns):
            _, sockets = stack.enter_context(listening(settings, port))
            stack.enter_context(_running(settings, sockets))
        yield


@contextmanager
def _running(settings: Settings, sockets: list[socket.socket]) -> Generator[None]:
    server = server_of(settings, sockets[0].getsockname()[1])
    thread = threading.Thread(target=server.run, args=(sockets,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        # whatever holds the page up, whoever ends the server does not wait for it
        thread.join(_LEAVE_SECONDS)


def _bound(port: int | None) -> list[socket.socket]:
    try:
        return _bound_to(PORT if port is None else port)
    except OSError as trouble:
        if port is None:
            return _bound_to(0)
        reason = trouble.strerror or "cannot be had"
        raise BadSettings(f"port {port}: {reason}", "name another, or none") from trouble


def _bound_to(port: int) -> list[socket.socket]:
    """A socket for each loopback address, all on one port; IPv6 only where there is any."""
    found: list[socket.socket] = []
    for family, host in _HOSTS:
        one = socket.socket(family, socket.SOCK_STREAM)
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind((host, found[0].getsockname()[1] if found else port))
            one.listen()
        except OSError:
            one.close()
            if not found:
                raise
            break
        found.append(one)
    return found
