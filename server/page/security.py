"""Who is let in, and what a browser is told: nothing comes from elsewhere, nothing goes there."""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.page.peers import Address, is_ours

# The longest dictation in the widest letters, percent-encoded, and the other fields.
MOST_BYTES = 512 * 1024
FORM = "application/x-www-form-urlencoded"
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    # Each page relaxes this to same-origin for itself: browsers that may name no referrer name no
    # origin either, and a form without one is refused.
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

LooksOurs = Callable[[Address, Address], bool]


@dataclass(frozen=True, slots=True)
class Denial:
    """Why a request is not answered; its text repeats nothing of the request."""

    status: int
    text: str


FOREIGN_HOST = Denial(421, "This page answers on this machine, under its own address, only.")
FOREIGN_USER = Denial(403, "This page answers to the user who started it, only.")
NO_METHOD = Denial(405, "Pages are read with GET; only the forms on them are sent, with POST.")
FOREIGN_ORIGIN = Denial(403, "This form was not sent from this page.")
NO_FORM = Denial(415, "Only forms are read here.")
BROKEN_OFF = Denial(400, "The form did not arrive whole.")
TOO_LONG = Denial(413, "This is more than any form of this page holds.")


class Guard:
    """Lets through what a browser of this user sends from a page of this server, and no more."""

    def __init__(self, app: ASGIApp, port: int, ours: LooksOurs = is_ours) -> None:
        self.app = app
        self.hosts = tuple(f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]"))
        self.origins = tuple(f"http://{host}" for host in self.hosts)
        self.ours = ours

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or deny; whichever, with the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        send = _with_headers(send)
        found: Denial | bytes | None = self._denial(scope)
        if found is None and scope["method"] == "POST":
            found = await _body(scope, receive)
        if isinstance(found, Denial):
            response = PlainTextResponse(found.text, found.status)
            await response(scope, receive, send)
            return
        await self.app(scope, receive if found is None else _replay(found, receive), send)

    def _denial(self, scope: Scope) -> Denial | None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self.hosts]:
            return FOREIGN_HOST
        if not self.ours(tuple(scope["client"]), tuple(scope["server"])):
            return FOREIGN_USER
        if scope["method"] in ("GET", "HEAD"):
            return None
        return self._denial_of_form(scope["method"], headers)

    def _denial_of_form(self, method: str, headers: Headers) -> Denial | None:
        if method != "POST":
            return NO_METHOD
        if headers.getlist("origin") not in [[origin] for origin in self.origins]:
            return FOREIGN_ORIGIN
        if headers.getlist("sec-fetch-site") not in ([], ["same-origin"]):
            return FOREIGN_ORIGIN
        return None if headers.get("content-type", "").lower() == FORM else NO_FORM


class Seal:
    """Marks what one run of the page hands out, so that it is known when it comes back."""

    def __init__(self, port: int) -> None:
        self._secret = secrets.token_bytes(32)
        self.cookie_name = f"expedition_{port}"
        self.cookie = self.token("cookie")

    def token(self, *parts: str) -> str:
        """The mark of exactly these words, in this order."""
        message = "\0".join(f"{len(part)} {part}" for part in parts)
        return hmac.new(self._secret, message.encode("utf-8"), hashlib.sha256).hexdigest()

    def knows(self, cookie: str, token: str, *parts: str) -> bool:
        """Whether both marks are of this run, the token for these words."""
        ours = hmac.compare_digest(cookie.encode(), self.cookie.encode())
        return hmac.compare_digest(token.encode(), self.token(*parts).encode()) and ours


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_with_headers


async def _body(scope: Scope, receive: Receive) -> bytes | Denial:
    """The whole body, read no further than a form may be long."""
    declared = Headers(scope=scope).get("content-length", "0")
    if not declared.isascii() or not declared.isdigit() or int(declared) > MOST_BYTES:
        return TOO_LONG
    content = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return BROKEN_OFF
        content += message.get("body", b"")
        if len(content) > MOST_BYTES:
            return TOO_LONG
        if not message.get("more_body", False):
            return bytes(content)


def _replay(content: bytes, receive: Receive) -> Receive:
    read = False

    async def receive_again() -> Message:
        nonlocal read
        if read:
            return await receive()
        read = True
        return {"type": "http.request", "body": content, "more_body": False}

    return receive_again
