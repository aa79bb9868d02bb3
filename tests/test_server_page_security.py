"""Who gets to the page and what text can do on it: foreign hosts, origins, users, and markup."""

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from server.config import Settings
from server.dig import Digs
from server.dig_state import DigState
from server.page.security import FORM, HEADERS, MOST_BYTES
from tests.digging import Ground, digs_of, reported, shown
from tests.page_visitor import Answer, Read, Visitor, visiting


@pytest.fixture(scope="module")
def settings(ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return ground.at(tmp_path_factory.mktemp("page") / "state")


@pytest.fixture(scope="module")
def digs(settings: Settings) -> Digs:
    return digs_of(settings)


@pytest.fixture(scope="module")
def state(digs: Digs) -> DigState:
    return reported(digs)


@pytest.fixture(scope="module")
def page(settings: Settings) -> Iterator[Visitor]:
    with visiting(settings) as somebody:
        yield somebody


@pytest.fixture(autouse=True)
def nothing_is_recorded(digs: Digs, state: DigState) -> Iterator[None]:
    """Whatever a test of this file sends, the dig still waits."""
    yield
    assert digs.load(state.dig) == state


@pytest.fixture
def visitor(page: Visitor) -> Visitor:
    return Visitor(page.url)


@pytest.fixture(scope="module")
def sealed(page: Visitor, state: DigState) -> dict[str, str]:
    """A confirmation that would count, if it came from where it belongs."""
    return carried(confirmed(page, state))


def kept(state: DigState) -> dict[str, str]:
    return {f"choice_{id_}": "keep" for id_ in shown(state)}


def confirmed(visitor: Visitor, state: DigState) -> Answer:
    answer = visitor.confirm(state.dig, **kept(state))
    assert answer.status == 200, Read(answer.text).text
    return answer


def carried(answer: Answer) -> dict[str, str]:
    return {one["name"]: one["value"] for one in Read(answer.text).all("input", type="hidden")}


@pytest.mark.requirement("page:headers")
@pytest.mark.parametrize("path", ["/", "/style.css", "/digs/dig_none", "/nowhere"])
def test_every_answer_tells_the_browser_to_load_and_show_nothing_foreign(
    path: str, visitor: Visitor
) -> None:
    answer = visitor.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    policy = dict(part.split(" ", 1) for part in HEADERS["content-security-policy"].split("; "))
    assert policy == {
        "default-src": "'none'",
        "style-src": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
    }
    assert "server" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.requirement("page:headers")
def test_a_denial_carries_the_headers_too(visitor: Visitor) -> None:
    denied = visitor.get("/", Host="evil.example")
    assert {name: denied.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.requirement("page:headers")
def test_the_cookie_is_for_this_page_alone(visitor: Visitor) -> None:
    cookie = visitor.get("/").headers["set-cookie"].lower()
    assert cookie.startswith(f"expedition_{visitor.port}=")
    assert {part.strip() for part in cookie.split(";")[1:]} == {
        "httponly",
        "path=/",
        "samesite=strict",
    }


@pytest.mark.requirement("page:own-host")
@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "[::1]:{}"])
def test_the_page_answers_under_its_own_names(host: str, visitor: Visitor) -> None:
    assert visitor.get("/", Host=host.format(visitor.port)).status == 200


@pytest.mark.requirement("page:own-host")
@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:{}", "127.0.0.1", "localhost", "127.0.0.1:1", "0.0.0.0:{}",
        "127.0.0.1:{}.evil.example", "127.0.0.1.evil.example:{}", "localhost.:{}", "LOCALHOST:{}",
        "user@127.0.0.1:{}", "127.0.0.1:{}@evil.example", "127.1:{}", "2130706433:{}",
        "[::ffff:127.0.0.1]:{}", "127.0.0.1:{},evil.example", "", " 127.0.0.1 :{}",
    ],
)  # fmt: skip
def test_a_foreign_host_gets_nothing(host: str, visitor: Visitor, state: DigState) -> None:
    answer = visitor.get(f"/digs/{state.dig}", Host=host.format(visitor.port))
    assert answer.status in (400, 421)
    assert state.context.title not in answer.text


@pytest.mark.requirement("page:own-host")
def test_two_hosts_are_none(visitor: Visitor) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=10)
    connection.putrequest("GET", "/", skip_host=True)
    for host in (f"127.0.0.1:{visitor.port}", "evil.example"):
        connection.putheader("Host", host)
    connection.endheaders()
    assert connection.getresponse().status in (400, 421)
    connection.close()


FOREIGN = [
    "null", "http://evil.example", "https://127.0.0.1:{}", "http://127.0.0.1", "http://localhost",
    "http://127.0.0.1:1", "http://localhost:3000", "http://0.0.0.0:{}", "http://127.0.0.1:{}/",
    "http://127.0.0.1:{}@evil.example", "http://127.0.0.1:{}.evil.example", "HTTP://127.0.0.1:{}",
    "http://user@127.0.0.1:{}", "http://127.0.0.1:{} http://evil.example", "file://", "",
    "chrome-extension://abcdefghijklmnop", "http://[::ffff:127.0.0.1]:{}",
]  # fmt: skip


@pytest.mark.requirement("page:own-origin")
@pytest.mark.parametrize("act", ["confirm", "record", "passage", "brief"])
@pytest.mark.parametrize("origin", FOREIGN)
def test_a_form_of_a_foreign_origin_is_refused(
    origin: str, act: str, page: Visitor, sealed: dict[str, str], state: DigState
) -> None:
    foreign = origin.format(page.port)
    assert page.post(f"/digs/{state.dig}/{act}", sealed, Origin=foreign).status == 403


@pytest.mark.requirement("page:own-origin")
@pytest.mark.parametrize("act", ["confirm", "record", "passage", "brief"])
def test_a_form_without_an_origin_is_refused(
    act: str, page: Visitor, sealed: dict[str, str], state: DigState
) -> None:
    body = urlencode(sealed).encode("ascii")
    headers = {"Content-Type": FORM, "Cookie": page.cookie}
    assert page.send("POST", f"/digs/{state.dig}/{act}", body, headers).status == 403
    headers["Referer"] = f"{page.url}digs/{state.dig}"
    assert page.send("POST", f"/digs/{state.dig}/{act}", body, headers).status == 403


@pytest.mark.requirement("page:own-origin")
@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_a_form_that_the_browser_calls_foreign_is_refused(
    site: str, page: Visitor, sealed: dict[str, str], state: DigState
) -> None:
    answer = page.post(f"/digs/{state.dig}/record", sealed, **{"Sec-Fetch-Site": site})
    assert answer.status == 403


@pytest.mark.requirement("page:forms-sealed")
@pytest.mark.parametrize(
    "forged",
    [
        pytest.param({"token": ""}, id="no token"),
        pytest.param({"token": "0" * 64}, id="a guessed token"),
        pytest.param({"token": "\u00e9"}, id="a token that is no ASCII"),
        pytest.param({"deed": "redirect", "words": "elsewhere"}, id="another deed"),
        pytest.param({"choice_{first}": "drop"}, id="another choice"),
        pytest.param({"added": "0" * 64}, id="another passage"),
        pytest.param({"words": "more"}, id="words that were not confirmed"),
        pytest.param({"report": "0" * 64}, id="another report"),
    ],
)
def test_only_what_was_confirmed_is_recorded(
    forged: dict[str, str], visitor: Visitor, state: DigState
) -> None:
    first = shown(state)[0]
    changed = {name.format(first=first): value for name, value in forged.items()}
    answer = visitor.record(state.dig, confirmed(visitor, state), **changed)
    assert answer.status == 403


@pytest.mark.requirement("page:forms-sealed")
@pytest.mark.parametrize("cookie", ["", "expedition_{}=0", "expedition_1={}", "other=1"])
def test_without_its_cookie_no_form_counts(cookie: str, visitor: Visitor, state: DigState) -> None:
    fields = carried(confirmed(visitor, state))
    sent = cookie.format(visitor.port)
    assert visitor.post(f"/digs/{state.dig}/record", fields, Cookie=sent).status == 403


@pytest.mark.requirement("page:forms-sealed")
def test_a_confirmation_of_one_dig_is_none_of_another(
    visitor: Visitor, digs: Digs, state: DigState
) -> None:
    other = reported(digs, keyword_primary="silence")
    fields = carried(confirmed(visitor, state))
    for act in ("confirm", "record", "passage", "brief"):
        assert visitor.post(f"/digs/{other.dig}/{act}", fields).status == 403
    assert digs.load(other.dig) == other


@pytest.mark.requirement("page:forms-sealed")
def test_a_form_of_an_earlier_run_is_kept_but_not_recorded(ground: Ground, tmp_path: Path) -> None:
    settings = ground.at(tmp_path / "state")
    own = digs_of(settings)
    waiting = reported(own)
    with visiting(settings) as before:
        made = before.confirm(waiting.dig, deed="redirect", words="the sea", **kept(waiting))
    with visiting(settings) as after:
        answer = after.post(f"/digs/{waiting.dig}/record", carried(made), Cookie=before.cookie)
        page = Read(answer.text)
        assert answer.status == 403
        assert "started anew" in page.text
        assert "the sea" in answer.text
        assert own.load(waiting.dig) == waiting
        assert "checked" in page.all("input", name="deed", value="redirect")[0]


@pytest.mark.requirement("page:reads-only")
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY"])
def test_no_other_method_is_known(method: str, visitor: Visitor, state: DigState) -> None:
    answer = visitor.send(method, f"/digs/{state.dig}", headers={"Origin": visitor.origin})
    assert answer.status == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.requirement("page:bounded")
@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        pytest.param(b"a=" + b"x" * MOST_BYTES, {}, 413, id="too long"),
        pytest.param(b"a=1", {"Content-Length": "99999999999"}, 413, id="said to be too long"),
        pytest.param(b"a=1", {"Content-Type": "application/json"}, 415, id="JSON"),
        pytest.param(b"a=1", {"Content-Type": "text/plain"}, 415, id="a simple request"),
        pytest.param(b"a=1", {"Content-Type": "multipart/form-data; boundary=x"}, 415, id="parts"),
        pytest.param(b"a=1&a=2", {}, 400, id="a field twice"),
        pytest.param(b"a", {}, 400, id="no pairs"),
        pytest.param(b"a=%ff", {}, 400, id="no UTF-8"),
        pytest.param(b"a=%00", {}, 400, id="a NUL"),
        pytest.param(b"a=\xe2\x98\x83", {}, 400, id="unescaped"),
        pytest.param(b"deed=decides", {}, 400, id="an unknown deed"),
        pytest.param(b"choice.row_1=maybe", {}, 400, id="an unknown choice"),
        pytest.param(urlencode({f"a{n}": 1 for n in range(500)}).encode(), {}, 400, id="fields"),
    ],
)
def test_what_no_form_of_the_page_sends_is_not_read(
    body: bytes, headers: dict[str, str], status: int, visitor: Visitor, state: DigState
) -> None:
    manners = {"Origin": visitor.origin, "Content-Type": FORM}
    answer = visitor.send("POST", f"/digs/{state.dig}/confirm", body, {**manners, **headers})
    assert answer.status == status


@pytest.mark.requirement("page:bounded")
def test_a_body_of_no_declared_length_is_bounded_too(visitor: Visitor, state: DigState) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=30)
    headers = {"Origin": visitor.origin, "Content-Type": FORM}
    chunks = (b"x" * 65536 for _ in range(MOST_BYTES // 65536 + 1))
    connection.request("POST", f"/digs/{state.dig}/confirm", chunks, headers, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.requirement("page:one-answer")
@pytest.mark.parametrize(
    "name", ["dig_" + "a" * 26, "dig_none", "x", "%00", "..%2f..%2fetc", quote("<b>"), "a" * 4000]
)
def test_every_dig_that_is_none_is_answered_alike(name: str, visitor: Visitor) -> None:
    answers = [visitor.get(f"/digs/{name}"), visitor.get("/nowhere")]
    assert [answer.status for answer in answers] == [404, 404]
    assert answers[0].text == answers[1].text


@pytest.mark.requirement("page:one-answer")
def test_a_form_for_a_dig_that_is_none_is_answered_so_too(visitor: Visitor) -> None:
    answer = visitor.post("/digs/dig_none/confirm", {})
    assert (answer.status, answer.text) == (404, visitor.get("/digs/dig_none").text)
