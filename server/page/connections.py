"""Whom the page listens to at all: another user's connection is cut before it takes up room."""

from asyncio import BaseTransport
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from server.page.peers import Address, is_ours


class OwnConnections(H11Protocol):
    """HTTP for connections of this user and of root; whoever else connects is hung up on."""

    _served = False

    def connection_made(self, transport: BaseTransport) -> None:
        """Count and serve a connection only where it is ours."""
        client, server = (transport.get_extra_info(end) for end in ("peername", "sockname"))
        if client and server and is_ours(_address(client), _address(server)):
            self._served = True
            super().connection_made(transport)  # type: ignore[arg-type]
        else:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tidy up after a connection that was served; of others nothing is left."""
        if self._served:
            super().connection_lost(exc)


def _address(name: object) -> Address:
    host, port, *_ = cast(tuple[str, int], name)
    return host, port
