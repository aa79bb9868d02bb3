"""An HTTP client that stops reading an answer that is too long, and follows nobody elsewhere."""

from collections.abc import AsyncIterator
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from threading import Event
from typing import cast

import httpx2

from server.config_judges import JudgeEntry


class _TooLong(httpx2.ReadError):
    """More bytes came than an answer may have."""


class _Counted(httpx2.AsyncByteStream):
    """The bytes of a body, up to a bound."""

    def __init__(self, body: httpx2.AsyncByteStream, left: int, too_long: Event) -> None:
        self._body = body
        self._left = left
        self._too_long = too_long

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._body:
            self._left -= len(chunk)
            if self._left < 0:
                self._too_long.set()
                raise _TooLong("the answer is too long")
            yield chunk

    async def aclose(self) -> None:
        """Close the body that is counted."""
        await self._body.aclose()


class _Capped(httpx2.AsyncHTTPTransport):
    """A transport whose bodies are counted."""

    def __init__(self, trust: SSLContext, most: int, too_long: Event) -> None:
        super().__init__(verify=trust)
        self._most = most
        self._too_long = too_long

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response, its body counted while it is read."""
        response = await super().handle_async_request(request)
        # What is small on the way could be endless here, and only the way is counted.
        if response.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            await response.aclose()
            raise httpx2.ReadError("the answer is encoded, which nobody asked for")
        body = cast(httpx2.AsyncByteStream, response.stream)
        response.stream = _Counted(body, self._most, self._too_long)
        return response


def trusted(entry: JudgeEntry) -> SSLContext:
    """The authorities that the endpoint's certificate is checked by; slow to load."""
    if entry.base_url.startswith("http:"):
        # Nothing is checked where nothing is encrypted; this one trusts nobody.
        return SSLContext(PROTOCOL_TLS_CLIENT)
    return httpx2.create_ssl_context()


def capped_client(entry: JudgeEntry, trust: SSLContext, too_long: Event) -> httpx2.AsyncClient:
    """A client for one question; `too_long` is set when it had to stop reading."""
    return httpx2.AsyncClient(
        transport=_Capped(trust, entry.max_bytes, too_long),
        timeout=entry.timeout_seconds,
        # A compressed answer could be small on the way and endless here.
        headers={"Accept-Encoding": "identity"},
        follow_redirects=False,
    )
