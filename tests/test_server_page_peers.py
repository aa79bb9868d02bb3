"""Loopback is shared by all users of a machine; the page answers to one of them."""

import http.client
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from server.config import Settings
from server.page.peers import is_ours, uid_of
from server.page.security import FOREIGN_USER
from tests.nobody import NOBODY
from tests.page_visitor import Visitor, visiting


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    with visiting(Settings((), tmp_path / "state", tmp_path / "briefs")) as somebody:
        yield somebody


@pytest.mark.requirement("page:own-user")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="no table of connections here")
def test_another_user_of_the_machine_gets_nothing(visitor: Visitor) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=10)
    connection.request("GET", "/")
    assert connection.getresponse().read()
    os.fchown(connection.sock.fileno(), NOBODY, -1)  # as if it had been handed on to them
    connection.request("GET", "/")
    answer = connection.getresponse()
    assert answer.status == 403
    assert answer.read().decode() == FOREIGN_USER.text
    connection.close()


@pytest.mark.requirement("page:no-room-for-others")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="no table of connections here")
def test_another_user_who_holds_many_connections_keeps_nobody_out(
    visitor: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(80)]
        for one in sockets:
            os.fchown(one.fileno(), NOBODY, -1)
            one.connect(("127.0.0.1", visitor.port))
        assert visitor.get("/").status == 200
        sockets[-1].settimeout(10)
        assert sockets[-1].recv(1) == b""
    assert visitor.get("/").status == 200
    # what is written down for each of them could fill the pipe that nobody reads
    assert caplog.text == ""


SERVER = ("127.0.0.1", 8080)
TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1
   1: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 2 1
   2: 0200007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 3 1
   3: 0100007F:C002 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 4 1
"""
TABLE6 = """\
  sl  local_address                         remote_address                        st tx rx uid
   0: 0000000000000000FFFF00000100007F:C003 0000000000000000FFFF00000100007F:1F90 01 0 0 0 1002 0 5
   1: 00000000000000000000000001000000:C004 00000000000000000000000001000000:1F90 01 0 0 0 1003 0 6
"""


@pytest.mark.requirement("page:own-user")
@pytest.mark.skipif(sys.byteorder != "little", reason="the table is that of another machine")
@pytest.mark.parametrize(
    ("client", "server", "uid"),
    [
        pytest.param(("127.0.0.1", 0xC001), SERVER, 1000, id="a browser"),
        pytest.param(("127.0.0.2", 0xC001), SERVER, 1001, id="the same port elsewhere"),
        pytest.param(("127.0.0.1", 0xC002), SERVER, None, id="who has hung up"),
        pytest.param(("127.0.0.1", 0xC003), SERVER, 1002, id="IPv4 in IPv6"),
        pytest.param(("::1", 0xC004), ("::1", 8080), 1003, id="IPv6"),
        pytest.param(("127.0.0.1", 1), SERVER, None, id="nobody"),
    ],
)
def test_the_user_at_the_other_end_is_looked_up(
    client: tuple[str, int], server: tuple[str, int], uid: int | None, tmp_path: Path
) -> None:
    tables = (tmp_path / "tcp", tmp_path / "tcp6")
    assert is_ours(client, server, tables)  # a system that keeps no table
    tables[0].write_text(TABLE, encoding="ascii")
    tables[1].write_text(TABLE6, encoding="ascii")
    assert uid_of(client, server, tables) == uid


@pytest.mark.requirement("page:own-user")
def test_whoever_is_not_listed_is_not_let_in(tmp_path: Path) -> None:
    (tmp_path / "tcp").write_text(TABLE, encoding="ascii")
    tables = (tmp_path / "tcp", tmp_path / "tcp6")
    assert not is_ours(("127.0.0.1", 1), SERVER, tables)


@pytest.mark.requirement("page:own-user")
def test_no_header_makes_somebody_else_of_a_client(visitor: Visitor) -> None:
    forwarded = {"X-Forwarded-For": "10.0.0.1", "Forwarded": "for=10.0.0.1"}
    assert visitor.get("/", **forwarded).status == 200


def test_the_page_listens_on_loopback_only(visitor: Visitor) -> None:
    table = Path("/proc/net/tcp")
    if not table.exists():
        pytest.skip("no table of connections here")
    listening = [
        line.split()[1]
        for line in table.read_text(encoding="ascii").splitlines()[1:]
        if line.split()[3] == "0A" and line.split()[1].endswith(f":{visitor.port:04X}")
    ]
    assert listening == [f"0100007F:{visitor.port:04X}"]
