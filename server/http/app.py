"""The ASGI application: the MCP endpoint behind its guards, and what an operator looks at."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from anyio.to_thread import run_sync
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from pydantic import AnyHttpUrl, BaseModel, ConfigDict
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from index.faults import Fault
from server.app import build_app
from server.config import Settings
from server.config_http import Http
from server.dig import KIND
from server.http.access import Access, asker
from server.http.admission import Admission
from server.http.calls import Calls
from server.http.metrics import MEDIA_TYPE, count_request, rendered
from server.prompts import Toolset
from server.store import Store
from server.watch import watched

ENDPOINT = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_ORPHAN_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Place:
    """What one worker serves, and where; `parent` is the process that it must not outlive."""

    settings: Settings
    toolset: Toolset
    port: int
    workers: int = 1
    parent: int = 0


def build(place: Place) -> Starlette:
    """The application of one worker."""
    http = place.settings.http
    calls = Calls(Admission(http.calls_per_minute / place.workers, http.calls_at_once))
    server = build_app(place.settings, place.toolset, asker, calls.around)
    security = _security(http, place.port)
    endpoint = server.streamable_http_app(
        streamable_http_path=ENDPOINT, stateless_http=True, transport_security=security
    )

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncGenerator[None]:
        async with endpoint.router.lifespan_context(endpoint):
            with watched(server.digs.library):
                watch = asyncio.create_task(_end_with(place.parent))
                yield
                watch.cancel()

    routes, middleware = _guarded(http, endpoint, security)
    looking = [
        Route("/healthz", _healthy),
        Route("/readyz", _readiness(place.settings)),
    ]
    return Starlette(routes=[*looking, *routes], middleware=middleware, lifespan=running)


def _guarded(
    http: Http, endpoint: ASGIApp, security: TransportSecuritySettings
) -> tuple[list[BaseRoute], list[Middleware]]:
    """The endpoint and the counts, with a token where one is asked for."""
    middleware = [Middleware(Counted)]
    if http.origins:
        # browsers ask first, and without a token
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(http.origins),
                allow_methods=["POST"],
                allow_headers=["*"],
            )
        )
    endpoint = PostOnly(endpoint)
    counts: ASGIApp = OwnHosts(Route("/metrics", _metrics), security)
    routes: list[BaseRoute] = []
    if http.guarded:
        metadata, scopes = None, []
        if http.oauth:
            scopes = list(http.oauth.scopes)
            issuer, resource = _as_written(http.oauth.issuer), _as_written(http.oauth.resource)
            metadata = build_resource_metadata_url(resource)
            routes += create_protected_resource_routes(resource, [issuer], scopes or None)
        middleware += [
            Middleware(AuthenticationMiddleware, backend=BearerAuthBackend(Access(http))),
            Middleware(AuthContextMiddleware),
        ]
        endpoint = RequireAuthMiddleware(endpoint, scopes, metadata)
        counts = RequireAuthMiddleware(counts, scopes, metadata)
    routes += [Route("/metrics", counts), Mount("/", endpoint)]
    return routes, middleware


def _as_written(address: str) -> AnyHttpUrl:
    """The address without the slash that would be added to it: issuers are compared as texts."""

    class Written(BaseModel):
        model_config = ConfigDict(url_preserve_empty_path=True)
        url: AnyHttpUrl

    return Written.model_validate({"url": address}).url


def _security(http: Http, port: int) -> TransportSecuritySettings:
    """The exact names under which we answer, and the sites whose pages may ask."""
    hosts = [f"{host}:{port}" for host in LOOPBACK]
    for host in http.hosts:
        hosts += [host] if ":" in host else [host, f"{host}:{port}"]
    origins = [f"http://{host}:{port}" for host in LOOPBACK]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[*origins, *http.origins],
    )


class OwnHosts:
    """Answers under our own names only, as the endpoint does by itself."""

    def __init__(self, app: ASGIApp, security: TransportSecuritySettings) -> None:
        self._app = app
        self._names = TransportSecurityMiddleware(security)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse a foreign name."""
        refused = await self._names.validate_request(Request(scope, receive))
        await (refused or self._app)(scope, receive, send)


class PostOnly:
    """Every call is a POST with its answer; without sessions a stream of its own has no end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a POST on."""
        allowed = scope["path"] != ENDPOINT or scope["method"] == "POST"
        refused = PlainTextResponse("POST only\n", 405, {"Allow": "POST"})
        await (self._app if allowed else refused)(scope, receive, send)


class Counted:
    """Counts what was answered, by status."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and look at the answer's beginning."""

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                count_request(message["status"])
            await send(message)

        await self._app(scope, receive, counted)


async def _healthy(_: Request) -> Response:
    return PlainTextResponse("ok\n")


async def _metrics(_: Request) -> Response:
    return Response(await run_sync(rendered), media_type=MEDIA_TYPE)


def _readiness(settings: Settings) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        return await run_sync(_ready, settings)

    return answer


def _ready(settings: Settings) -> Response:
    """Whether a dig could go on now: the store answers, and every base's folder is there."""
    # how many, not which: nobody has shown a token here
    lacking = sum(not Path(base.root).is_dir() for base in settings.bases)
    store = True
    try:
        Store(settings.state).runs(KIND)
    except Fault:
        store = False
    ready = store and not lacking
    state = {"ready": ready, "store": store, "bases_unavailable": lacking}
    return JSONResponse(state, status_code=200 if ready else 503)


async def _end_with(parent: int) -> None:
    """End gracefully when the process that started the workers is gone."""
    while parent and os.getppid() == parent:
        await asyncio.sleep(_ORPHAN_SECONDS)
    if parent:
        signal.raise_signal(signal.SIGTERM)
