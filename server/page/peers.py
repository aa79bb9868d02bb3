"""Whose process is at the other end: loopback is shared by all users of a machine."""

import ipaddress
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

Address = tuple[str, int]

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
# Whoever closed their end is listed without their name; a browser that waits for its answer is not.
_ESTABLISHED = "01"


def is_ours(client: Address, server: Address, tables: tuple[Path, ...] = TABLES) -> bool:
    """Whether the client runs as this user, or as root, who may do anything anyway.

    True, too, where the system has no table of connections; the documentation says so.
    """
    if not tables[0].exists():
        return True
    return uid_of(client, server, tables) in (os.geteuid(), 0)


def uid_of(client: Address, server: Address, tables: tuple[Path, ...] = TABLES) -> int | None:
    """The user whose socket the client's end is; None if the connection is not listed as open."""
    wanted = {(_written(*pair[0]), _written(*pair[1])) for pair in _spellings(client, server)}
    for table in tables:
        if not table.exists():
            continue
        for line in table.read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            if (fields[1], fields[2]) in wanted and fields[3] == _ESTABLISHED:
                return int(fields[7])
    return None


def _spellings(client: Address, server: Address) -> Iterator[tuple[Address, Address]]:
    """The connection as it is, and as a program lists it that speaks IPv4 over an IPv6 socket."""
    yield client, server
    if "." in client[0] and "." in server[0]:
        yield (f"::ffff:{client[0]}", client[1]), (f"::ffff:{server[0]}", server[1])


def _written(host: str, port: int) -> str:
    """An address as the kernel prints it: words of 32 bits in this machine's order."""
    family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
    packed = socket.inet_pton(family, host)
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
