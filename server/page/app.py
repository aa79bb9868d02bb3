"""The page as a web application: addresses, cookies and errors; what they show is the desk's."""

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from index.faults import Fault
from server.dig import Digs
from server.explore.explorations import Explorations
from server.page.desk import Desk
from server.page.forms import BadForm, read_fields
from server.page.peers import is_ours
from server.page.plans import PlanDesk
from server.page.posted import Posted
from server.page.rendering import STYLE, Sheet, Shown, render
from server.page.security import Guard, LooksOurs, Seal
from server.store import Busy, UnknownRun

Endpoint = Callable[[Request], Awaitable[Response]]

NOTHING_HERE = Sheet(
    "trouble.html",
    {"title": "There is nothing here", "text": "No dig has this address on this machine."},
    404,
)
NO_SUCH_FORM = Sheet(
    "trouble.html",
    {"title": "This form is not one of ours", "text": "Nothing was recorded."},
    400,
)
BUSY = Sheet(
    "trouble.html",
    {
        "title": "Another process is writing",
        "text": "Nothing was recorded. Go back and try again in a moment.",
    },
    503,
)


def build_page(digs: Digs, port: int, ours: LooksOurs = is_ours) -> ASGIApp:
    """The application that answers on a loopback port, and only to the user who runs it."""
    seal = Seal(port)
    plans = PlanDesk(Explorations(digs.settings), seal)
    desk = Desk(digs, plans, seal)
    reads = {
        "/digs/{name}": desk.dig,
        "/digs/{name}/brief": desk.brief,
        "/plans/{name}": plans.plan,
    }
    forms = {
        "/digs/{name}/confirm": desk.confirm,
        "/digs/{name}/record": desk.record,
        "/digs/{name}/passage": desk.passage,
        "/digs/{name}/brief": desk.write_brief,
        "/plans/{name}/record": plans.record,
    }
    routes = [
        Route("/", _read(lambda _: desk.listing(), seal), methods=["GET"]),
        Route("/style.css", _style, methods=["GET"]),
        *(Route(path, _read(show, seal), methods=["GET"]) for path, show in reads.items()),
        *(Route(path, _form(act, seal), methods=["POST"]) for path, act in forms.items()),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            HTTPException: _wrong_address,
            UnknownRun: _told(lambda _: NOTHING_HERE),
            BadForm: _told(lambda _: NO_SUCH_FORM),
            Busy: _told(lambda _: BUSY),
            Fault: _told(_trouble),
        },
    )
    app.router.redirect_slashes = False
    return Guard(app, port, ours)


def _read(show: Callable[[str], Sheet], seal: Seal) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        name: str = request.path_params.get("name", "")
        return await run_in_threadpool(lambda: _response(show(name), seal))

    return endpoint


def _form(act: Callable[[str, Posted], Shown], seal: Seal) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        cookie = request.cookies.get(seal.cookie_name, "")
        posted = Posted(read_fields(await request.body()), cookie)
        name: str = request.path_params["name"]
        return await run_in_threadpool(lambda: _response(act(name, posted), seal))

    return endpoint


def _response(shown: Shown, seal: Seal) -> Response:
    if not isinstance(shown, Sheet):
        return RedirectResponse(shown.path, status_code=303)
    response = HTMLResponse(render(shown), shown.status)
    response.set_cookie(seal.cookie_name, seal.cookie, httponly=True, samesite="strict")
    return response


async def _style(request: Request) -> Response:
    return Response(STYLE.read_bytes(), media_type="text/css")


async def _wrong_address(request: Request, error: Exception) -> Response:
    """One page for every address that is none, as for a dig that is none."""
    if isinstance(error, HTTPException) and error.status_code != 404:
        return Response(status_code=error.status_code, headers=error.headers)
    return HTMLResponse(render(NOTHING_HERE), NOTHING_HERE.status)


def _told(sheet: Callable[[Exception], Sheet]) -> Callable[[Request, Exception], Response]:
    def handler(request: Request, error: Exception) -> Response:
        shown = sheet(error)
        return HTMLResponse(render(shown), shown.status)

    return handler


def _trouble(error: Exception) -> Sheet:
    """A foreseen failure: what, and what to do."""
    assert isinstance(error, Fault)  # what the handler is for
    text = f"{error.message}. {error.remedy}"
    return Sheet("trouble.html", {"title": "This cannot be shown now", "text": text}, 503)
