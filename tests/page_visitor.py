"""Somebody before the page: a real server on a real port, asked as a browser asks."""

import http.client
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urlsplit

from server.config import Settings
from server.page.security import FORM
from server.page.serving import beside
from server.page_link import page_url


@dataclass(frozen=True)
class Answer:
    """What came back: `headers` by name in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def cookie(self) -> str:
        """The cookie as it is sent back."""
        return self.headers.get("set-cookie", "").partition(";")[0]


class Read(HTMLParser):
    """A page as a browser takes it apart: every element with its attributes, and every text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All text, blanks run together."""
        return " ".join("".join(self.texts).split())

    def all(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        """The attributes of every such element."""
        return [
            attributes
            for name, attributes in self.elements
            if name == tag and wanted.items() <= attributes.items()
        ]

    def classed(self, name: str) -> int:
        """How many elements carry a class."""
        return sum(name in attributes.get("class", "").split() for _, attributes in self.elements)

    def value(self, name: str) -> str:
        """What the last field of that name holds."""
        return self.all("input", name=name)[-1]["value"]


@dataclass
class Visitor:
    """A browser on one page; it keeps cookies, and says where it sends a form from."""

    url: str
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        assert port is not None
        return port

    @property
    def origin(self) -> str:
        return self.url.rstrip("/")

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}
    ) -> Answer:
        """One request with these headers only, and Host if it is not among them."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, dict(headers))
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read().decode("utf-8"))
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        """A page, as a person who follows a link gets it."""
        answer = self.send("GET", path, headers={"Cookie": self.cookie, **headers})
        self.cookie = answer.cookie or self.cookie
        return answer

    def read(self, path: str) -> Read:
        """A page that must be there."""
        answer = self.get(path)
        assert answer.status == 200, answer.text
        return Read(answer.text)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Answer:
        """A form of this page."""
        manners = {"Origin": self.origin, "Content-Type": FORM, "Cookie": self.cookie}
        body = urlencode(fields).encode("ascii")
        return self.send("POST", path, body, {**manners, **headers})

    def hidden(self, dig: str) -> dict[str, str]:
        """What every form of a dig carries: its token, and the report it is about."""
        page = self.read(f"/digs/{dig}")
        return {"token": page.value("token"), "report": page.value("report")}

    def confirm(self, dig: str, **fields: str) -> Answer:
        """The form of a dig, filled in; `choice_row_1` stands for `choice.row_1`."""
        named = {_name(name): value for name, value in fields.items()}
        return self.post(f"/digs/{dig}/confirm", {"deed": "decide", **self.hidden(dig), **named})

    def record(self, dig: str, confirmed: Answer, **changed: str) -> Answer:
        """What the confirming page carries, sent on; `changed` is what a forger puts in."""
        assert confirmed.status == 200, Read(confirmed.text).text
        page = Read(confirmed.text)
        fields = {hidden["name"]: hidden["value"] for hidden in page.all("input", type="hidden")}
        named = {_name(name): value for name, value in changed.items()}
        return self.post(f"/digs/{dig}/record", {**fields, **named})


def _name(name: str) -> str:
    for prefix in ("choice", "vouch"):
        if name.startswith(f"{prefix}_"):
            return f"{prefix}.{name.removeprefix(prefix)[1:]}"
    return name


@contextmanager
def visiting(settings: Settings) -> Generator[Visitor]:
    """A page of these settings on a free port while the block runs, and somebody before it."""
    with beside(settings, port=0):
        url = page_url(settings)
        assert url is not None
        yield Visitor(url)
