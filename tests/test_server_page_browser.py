"""A real browser before the page: a person's whole way, by keyboard and on a small screen too."""

import json
import shutil
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from server.card.face import DECIDE, META, Card
from server.config import Settings
from server.dig import Digs
from server.dig_state import DigState
from tests.digging import DICTATED, Ground, digs_of, finish, open_dig, reported, shown
from tests.hostile_page import LINKS, PAYLOADS, record_hostile
from tests.page_visitor import Visitor, visiting

# A browser, and what is on its page; the types of selenium leave most of it open.
Browser = Any

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PHONE = 360


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("no browser: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    started = webdriver.Chrome(options, webdriver.ChromeService(driver))
    yield started
    started.quit()


@pytest.fixture
def settings(ground: Ground, tmp_path: Path) -> Settings:
    return ground.at(tmp_path / "state")


@pytest.fixture
def digs(settings: Settings) -> Digs:
    return digs_of(settings)


@pytest.fixture
def visitor(settings: Settings) -> Iterator[Visitor]:
    with visiting(settings) as somebody:
        yield somebody


def find(browser: Browser, selector: str) -> Browser:
    return browser.find_element("css selector", selector)


def press(browser: Browser, selector: str) -> None:
    """Click as a person does who has scrolled there."""
    element = find(browser, selector)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def arrive(browser: Browser, url: str, pressed: str = "") -> None:
    """Press, and wait until the browser has come to an address."""
    from selenium.webdriver.support.ui import WebDriverWait

    if pressed:
        press(browser, pressed)
    WebDriverWait(browser, 60).until(lambda one: one.current_url == url)


def requested(browser: Browser) -> list[str]:
    """Every address on a network that the browser asked for since the last time."""
    entries: list[dict[str, Any]] = browser.get_log("performance")
    events = [json.loads(entry["message"])["message"] for entry in entries]
    asked = [one["params"] for one in events if one["method"] == "Network.requestWillBeSent"]
    urls: list[str] = [one["request"]["url"] for one in asked]
    # Its own new tab and the like are made of chrome: and data:, which is nobody's network.
    return [url for url in urls if urlsplit(url).scheme not in ("chrome", "data")]


def choose(browser: Browser, state: DigState, dropped: str) -> None:
    for id_ in shown(state):
        value = "drop" if id_ == dropped else "keep"
        press(browser, f"input[name='choice.{id_}'][value={value}]")


@pytest.mark.requirement("page:browser")
def test_from_the_list_to_the_brief(browser: Browser, visitor: Visitor, digs: Digs) -> None:
    state = reported(digs)
    kept, dropped, *_ = shown(state)
    requested(browser)
    browser.get(visitor.url)
    press(browser, f"a[href='/digs/{state.dig}']")
    choose(browser, state, dropped)
    press(browser, "input[name=deed][value=dictate]")
    find(browser, "textarea[name=passage]").send_keys(DICTATED)
    arrive(browser, f"{visitor.url}digs/{state.dig}/confirm", ".deeds button")
    assert state.candidates[kept].row.path in find(browser, ".kept").text
    assert state.candidates[dropped].row.path in find(browser, ".dropped").text
    assert digs.load(state.dig) == state
    arrive(browser, f"{visitor.url}digs/{state.dig}", "main .go button")
    decided = digs.load(state.dig)
    assert decided.decision is not None
    assert (decided.decision.level, decided.decision.way) == ("local", "page")
    assert decided.decision.drop == (dropped,)
    assert decided.evidence["dictated_1"].excerpt.text == DICTATED
    arrive(browser, f"{visitor.url}digs/{state.dig}/brief", ".record .go button")
    assert "Every passage still stands as it was quoted" in find(browser, "main").text
    assert digs.load(state.dig).state == "briefed"
    foreign = [url for url in requested(browser) if not url.startswith(visitor.url)]
    assert foreign == []


@pytest.mark.requirement("page:browser")
def test_by_keyboard_alone(browser: Browser, visitor: Visitor, digs: Digs) -> None:
    from selenium.webdriver import ActionChains, Keys

    state = reported(digs)
    browser.get(f"{visitor.url}digs/{state.dig}")

    def type_(*keys: str) -> None:
        ActionChains(browser).send_keys(*keys).perform()

    def tab_to(wanted: str) -> None:
        """Press Tab until the element with this name, or text, has the focus."""
        for _ in range(300):
            focus = browser.switch_to.active_element
            if wanted in (focus.get_attribute("name"), focus.text):
                return
            type_(Keys.TAB)
        pytest.fail(f"no way to {wanted}")

    for id_ in shown(state):
        tab_to(f"choice.{id_}")
        type_(Keys.SPACE)
    tab_to("deed")
    type_(Keys.ENTER)  # in a form, Enter looks at it once more, and takes no other passage
    tab_to("Record this")
    type_(Keys.ENTER)
    arrive(browser, f"{visitor.url}digs/{state.dig}")
    decision = digs.load(state.dig).decision
    assert decision is not None
    assert decision.keep == shown(state)


@pytest.mark.requirement("page:browser")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(
    scheme: str, browser: Browser, visitor: Visitor, digs: Digs, settings: Settings
) -> None:
    waiting, done = reported(digs).dig, open_dig(digs, keyword_primary="silence")
    finish(digs, done)
    unbroken = record_hostile(settings, "x" * 300)
    measures = {"width": PHONE, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", measures)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        digs_shown = [f"digs/{dig}" for dig in (waiting, done, unbroken)]
        for path in ("", *digs_shown, f"digs/{done}/brief"):
            browser.get(f"{visitor.url}{path}")
            opened = "document.querySelectorAll('details').forEach(one => one.open = true)"
            browser.execute_script(opened)
            measure = "return document.documentElement.scrollWidth"
            width = browser.execute_script(measure)
            assert width <= PHONE, path
        paper = "return getComputedStyle(document.body).backgroundColor"
        colour = browser.execute_script(paper)
        brightness = sum(int(part) for part in colour.strip("rgb()").split(","))
        assert (brightness < 200) == (scheme == "dark")
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.requirement("page:no-request-leaves")
def test_no_payload_runs_and_no_link_is_followed(
    browser: Browser, visitor: Visitor, settings: Settings
) -> None:
    requested(browser)
    for payload in ("\n".join(LINKS), "\n".join(PAYLOADS)):
        dig = record_hostile(settings, payload)
        browser.get(f"{visitor.url}digs/{dig}")
        assert "evil.example" in find(browser, "main").text
        links = browser.find_elements("css selector", "[href]:not([href^='/']):not([href^='#'])")
        assert links == []
        assert browser.find_elements("css selector", "script, img, iframe, object, style") == []
    foreign = [url for url in requested(browser) if not url.startswith(visitor.url)]
    assert foreign == []


@contextmanager
def foreign_site(html: str) -> Generator[str]:
    """Another site of this machine: the cookie is sent along with what it sends.

    Each connection has a thread: a browser also opens some that it may never use.
    """

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode("utf-8"))

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.requirement("page:own-origin")
def test_another_site_can_neither_frame_the_page_nor_send_its_forms(
    browser: Browser, visitor: Visitor, digs: Digs
) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    state = reported(digs)
    address = f"{visitor.url}digs/{state.dig}"
    browser.get(address)  # from now on the browser has the cookie
    attack = (
        f"<iframe src='{address}'></iframe><form method=post action='{address}/confirm'>"
        "<input name=deed value=decide><button id=send>Win a prize</button></form>"
    )
    with foreign_site(attack) as url:
        browser.get(url)
        browser.switch_to.frame(0)
        assert state.context.title not in browser.page_source
        browser.switch_to.default_content()
        press(browser, "#send")
        denied = "This form was not sent from this page."
        WebDriverWait(browser, 20).until(lambda one: denied in one.page_source)
    assert digs.load(state.dig) == state


HOST = """
<iframe id=card sandbox="allow-scripts"></iframe>
<script>
window.calls = []; window.failed = false;
const card = document.getElementById("card"), given = %s;
card.srcdoc = given.html;
addEventListener("message", (event) => {
  if (event.source !== card.contentWindow) return;
  const { id, method, params } = event.data;
  const send = (message) => event.source.postMessage({ jsonrpc: "2.0", ...message }, "*");
  if (method === "ui/initialize")
    send({ id, result: { protocolVersion: "2026-01-26", hostContext: {}, hostCapabilities: {} } });
  if (method === "ui/notifications/initialized")
    send({ method: "ui/notifications/tool-result", params: { content: [], _meta: given.meta } });
  if (method === "tools/call") {
    window.calls.push(params);
    send({ id, result: { content: [{ type: "text", text: "It was <b>recorded</b>." }] } });
  }
});
</script>
"""


def card_is_shown(browser: Browser) -> bool:
    """Look into the frame as it is now: a card that loads takes the place of an empty page."""
    browser.switch_to.default_content()
    browser.switch_to.frame(0)
    return any(one.is_displayed() for one in browser.find_elements("css selector", "#card"))


def choose_on_card(browser: Browser, dropped: str, kept: list[str]) -> Any:
    """Choose for each candidate and send; what the host was asked to call."""
    from selenium.webdriver.support.ui import WebDriverWait

    for id_, value in ((dropped, "drop"), *((id_, "keep") for id_ in kept)):
        press(browser, f"input[name='{id_}'][value={value}]")
    press(browser, "button")
    WebDriverWait(browser, 20).until(lambda one: "Recorded." in find(one, "#said").text)
    assert "<b>recorded</b>" in find(browser, "#said").text
    browser.switch_to.default_content()
    (call,) = browser.execute_script("return window.calls")
    assert call["name"] == DECIDE
    return call["arguments"]


@pytest.mark.requirement("card:page")
def test_the_card_shows_text_and_sends_what_was_chosen(
    browser: Browser, settings: Settings
) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    card = Card(digs_of(settings), b"k" * 32)
    dig = record_hostile(settings, "\n".join(PAYLOADS))
    contents = card.contents(dig)
    assert contents is not None
    given = {"html": card.page(), "meta": {META: contents}}
    requested(browser)
    with foreign_site(HOST % json.dumps(given).replace("<", "\\u003c")) as url:
        browser.get(url)
        WebDriverWait(browser, 20).until(card_is_shown)
        assert "<script>alert(1)</script>" in find(browser, "main").text
        made = "script:not(body > script), img, iframe, svg, object, main style"
        assert browser.find_elements("css selector", made) == []
        press(browser, "button")
        assert find(browser, "#form").is_displayed()  # nothing is chosen for the person
        first, *others = [one["id"] for one in contents["candidates"]]
        sent = choose_on_card(browser, first, others)
        assert (sent["keep"], sent["drop"]) == (others, [first])
        sha256 = contents["report_sha256"]
        assert card.tickets.admit(sent["token"], dig, sha256, time.time())
        foreign = [one for one in requested(browser) if not one.startswith((url, "about:"))]
        assert foreign == []
