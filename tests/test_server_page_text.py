"""What text can do on the page: be read. No payload becomes an element, nothing hides."""

from collections.abc import Iterator

import pytest

from index.text import visible
from server.config import Settings
from tests.digging import Ground, settings_over
from tests.hostile_page import PAYLOADS, PLAIN, record_hostile
from tests.page_visitor import Read, Visitor, visiting


@pytest.fixture(scope="module")
def settings(ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    state = tmp_path_factory.mktemp("text")
    state.chmod(0o700)
    return settings_over(ground.base, state)


@pytest.fixture(scope="module")
def visitor(settings: Settings) -> Iterator[Visitor]:
    with visiting(settings) as somebody:
        yield somebody


@pytest.fixture(scope="module")
def reference(visitor: Visitor, settings: Settings) -> Read:
    """The page of a dig whose every text is harmless."""
    return visitor.read(f"/digs/{record_hostile(settings, PLAIN)}")


TAGS = {
    "a", "article", "b", "blockquote", "body", "button", "caption", "circle", "code", "dd", "desc",
    "details", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "g", "h1",
    "h2", "h3", "head", "header", "html", "i", "input", "label", "legend", "li", "line", "link",
    "main", "meta", "nav", "p", "path", "pre", "q", "rect", "section", "span", "summary", "svg",
    "table", "tbody", "td", "text", "textarea", "th", "thead", "time", "title", "tr", "ul",
}  # fmt: skip


def structure(page: Read) -> list[tuple[str, tuple[str, ...]]]:
    """Every element with the names of its attributes; spans follow the marks of the text."""
    return [(tag, tuple(found)) for tag, found in page.elements if tag != "span"]


def harmless(page: Read) -> None:
    assert {tag for tag, _ in page.elements} <= TAGS
    for tag, attributes in page.elements:
        names = set(attributes)
        assert not {name for name in names if name.startswith("on")}
        assert not names & {"style", "src", "srcset", "srcdoc", "data", "ping", "background"}
        if tag == "link":
            assert attributes == {"rel": "stylesheet", "href": "/style.css"}
        for name in ("href", "action", "formaction"):
            target = attributes.get(name, "/")
            assert target.startswith("#") or (target[0] == "/" and target[:2] != "//")


@pytest.mark.requirement("page:text-nodes")
@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_becomes_an_element(
    payload: str, settings: Settings, visitor: Visitor, reference: Read
) -> None:
    dig = record_hostile(settings, payload)
    listing, page = visitor.read("/"), visitor.read(f"/digs/{dig}")
    words = payload.replace("\0", "")
    confirmed = visitor.confirm(dig, deed="redirect", words=words, choice_row_1="keep")
    assert confirmed.status == 200
    for one in (listing, page, Read(confirmed.text)):
        harmless(one)
        assert shown_in(one, words)
    assert structure(page) == structure(reference)
    assert shown_in(page, payload)


def shown_in(page: Read, payload: str) -> bool:
    """Whether the payload stands there as text, hidden characters as escapes."""
    return " ".join(visible(payload).split()) in page.text


@pytest.mark.requirement("page:text-nodes")
def test_hidden_characters_are_shown_as_escapes(settings: Settings, visitor: Visitor) -> None:
    dig = record_hostile(settings, "a\u202eb\u200bc\U000e0041d\x1b[2Je")
    answer = visitor.get(f"/digs/{dig}")
    assert not {"\u202e", "\u200b", "\U000e0041", "\x1b"} & set(answer.text)
    assert Read(answer.text).classed("hidden") == 8 + 1  # four in each paragraph, and the legend
    assert "a\\u202eb\\u200bc\\U000e0041d\\u001b[2Je" in Read(answer.text).text
