"""A path as sent leads to a text or to the first obstacle; what cannot be read is an error."""

import os
from hashlib import sha256
from pathlib import Path

import hypothesis
import pytest
from hypothesis import strategies as st

from index.faults import Unreadable
from index.holdings import Holdings
from index.paths import BaseFolder
from index.reading import LONGEST_TEXT, Reading, Unread, read_path, window
from tests.explore_base import MARKER, ROADS, holdings_of, write_files, write_roads
from tests.nobody import as_nobody


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_roads(tmp_path)


def read(root: Path, path: str, dimension: str = "", known: Holdings | None = None) -> object:
    holdings = known or holdings_of(root)
    with BaseFolder.open(str(root)) as folder:
        return read_path(folder, holdings, dimension, path)


def text(root: Path, path: str, dimension: str = "") -> Reading:
    found = read(root, path, dimension)
    assert isinstance(found, Reading)
    return found


def obstacle(root: Path, path: str, dimension: str = "") -> str:
    found = read(root, path, dimension)
    assert isinstance(found, Unread)
    return found.obstacle


@pytest.mark.requirement("explore:E28")
@pytest.mark.parametrize("path", ["guide/a.md", "./guide/a.md", "guide//a.md", "guide/./a.md"])
def test_every_spelling_of_a_document_reads_the_same_file(root: Path, path: str) -> None:
    found = text(root, path)
    status = (root / "guide/a.md").stat()
    assert (found.path, found.title, found.number) == ("guide/a.md", "Guide", "")
    assert found.text == ROADS["guide/a.md"]
    assert found.sha256 == sha256(ROADS["guide/a.md"].encode()).hexdigest()
    assert (found.device, found.inode) == (status.st_dev, status.st_ino)
    assert found.is_document
    assert found.chars == len(found.text)


@pytest.mark.requirement("explore:E29")
@pytest.mark.parametrize("path", ["index.md", "cost-baseline.json"])
def test_navigation_and_the_baseline_are_read_but_are_no_documents(root: Path, path: str) -> None:
    found = text(root, path, "cost")
    assert found.text == ROADS[path]
    assert not found.is_document


@pytest.mark.requirement("explore:E29")
@pytest.mark.parametrize(
    "path",
    [
        "notes.txt",
        ".hidden.md",
        ".git/x.md",
        ".git",
        "a/.none",
        "guide/cost-baseline.json",
        "Agent_Briefs/b.md",
        "pipe.md",
        "twin.md",
        "large.md",
        "guide/log.txt",
        "out/x.md",
    ],
)
def test_nothing_else_is_readable(root: Path, path: str) -> None:
    write_files(root, {".hidden.md": "H", ".git/x.md": "G", "Agent_Briefs/b.md": "B"})
    write_files(root, {"guide/cost-baseline.json": "{}", "guide/log.txt": "", "out/x.md": "X"})
    os.mkfifo(root / "pipe.md")
    (root / "twin.md").hardlink_to(root / "guide/a.md")
    (root / "large.md").write_bytes(b"x" * (4 * 1024 * 1024 + 1))
    holdings = holdings_of(root, exclude=("out",))
    found = read(root, path, known=holdings)
    assert isinstance(found, Unread)
    assert (found.obstacle, bool(found.reason)) == ("not_document", True)


@pytest.mark.requirement("explore:E30")
@pytest.mark.parametrize(
    "path",
    [
        "../x.md",
        "krav/../guide/a.md",
        "/x.md",
        "guide\\a.md",
        "..",
        "a/..",
        "C:/x.md",
        "c:x.md",
        "\\\\host\\share\\x.md",
        "//host/x.md",
        "file:///etc/passwd",
        "https://x.no/a.md",
        "a\0.md",
        "a\n.md",
        "a\x7f.md",
        "a\x85.md",
        "./C:x.md",
        "a/" * 512 + "b",
        "./" * 510 + "guide/a.md",
        "\udcff.md",
        "link.md",
        "linked",
        "linked/a.md",
        "linked/none.md",
        "dangling.md",
        ".dot/a",
    ],
)
def test_a_path_that_may_lead_outside_is_not_looked_for(root: Path, path: str) -> None:
    (root / "link.md").symlink_to("guide/a.md")
    (root / "linked").symlink_to("guide")
    (root / ".dot").symlink_to("guide")
    (root / "dangling.md").symlink_to("nowhere")
    assert obstacle(root, path) == "outside"


@pytest.mark.requirement("explore:E30")
@pytest.mark.parametrize(
    "path",
    [
        "%2e%2e/x.md",
        "guide/a.md ",
        " guide/a.md",
        "'guide/a.md'",
        "~/a.md",
        "guide/a.md/",
        "guide/a.md/b",
        "GUIDE/a.md",
        "x" * 300,
        "krav/N10/x.md",
        "$HOME/a.md",
        "guide%2Fa.md",
    ],
)
def test_a_path_is_taken_as_it_was_sent(root: Path, path: str) -> None:
    assert obstacle(root, path) == "absent"


@pytest.mark.requirement("explore:E30")
def test_hard_links_are_read_where_the_operator_allows_them(root: Path) -> None:
    (root / "twin.md").hardlink_to(root / "guide/a.md")
    known = holdings_of(root, hard_links=True)
    one, other = (read(root, path, known=known) for path in ("twin.md", "guide/a.md"))
    assert isinstance(one, Reading)
    assert isinstance(other, Reading)
    assert (one.device, one.inode) == (other.device, other.inode)


@pytest.mark.requirement("explore:E32")
@pytest.mark.parametrize("path", ["", ".", "./", "krav", "krav/N100", "krav/N100/", "verdicts"])
def test_a_directory_is_said_to_be_one(root: Path, path: str) -> None:
    assert obstacle(root, path) == "directory"


@pytest.mark.requirement("explore:E34")
@pytest.mark.parametrize("content", [b"Veg p\xe5", b"---\ntitle: A\n---\n\xff", b"a\0b"])
def test_what_is_no_text_is_told_from_what_is_absent(root: Path, content: bytes) -> None:
    (root / "odd.md").write_bytes(content)
    assert obstacle(root, "odd.md") == "not_text"


@pytest.mark.requirement("explore:E34")
@pytest.mark.parametrize("shut", ["guide/a.md", "guide"])
def test_a_file_that_is_there_and_cannot_be_read_is_an_error(root: Path, shut: str) -> None:
    known = holdings_of(root)
    for place in (root.parent, root):
        place.chmod(0o755)
    mode = (root / shut).stat().st_mode
    with BaseFolder.open(str(root)) as folder:
        (root / shut).chmod(0)
        try:
            with as_nobody(), pytest.raises(Unreadable):
                read_path(folder, known, "", "guide/a.md")
        finally:
            (root / shut).chmod(mode)


@pytest.mark.requirement("explore:E35")
@pytest.mark.parametrize("dimension", ["", "cost", "safety"])
def test_no_byte_of_a_verdict_is_given(root: Path, dimension: str) -> None:
    found = read(root, "verdicts/v1.md", dimension)
    assert isinstance(found, Unread)
    assert found.obstacle == "verdict"
    assert not any(word in repr(found) for word in (MARKER, "Sparrow", "V-77"))


@pytest.mark.requirement("explore:E36")
@pytest.mark.parametrize(
    "content",
    [
        b'---\nType: "Verdict "\nbroken: [\n---\nText.\n',
        b"---\nbroken: {\n  type: verdict\n---\n",
        b"---\ntype: verdict\nnever closed\n",
        b"---\ntype: verdict\n---\nVeg p\xe5\n",
        b"\xef\xbb\xbf---\r\ntype:  'VERDICT'\r\n---\r\n",
        b'+++\ntype = "verdict"\n+++\n',
    ],
)
def test_a_verdict_is_refused_before_its_text_is_tried(root: Path, content: bytes) -> None:
    (root / "odd.md").write_bytes(content)
    assert obstacle(root, "odd.md", "cost") == "verdict"


@pytest.mark.requirement("explore:E35")
def test_a_document_that_became_a_verdict_since_it_was_listed_is_refused(root: Path) -> None:
    known = holdings_of(root)
    (root / "guide/a.md").write_text(ROADS["verdicts/v1.md"])
    found = read(root, "guide/a.md", known=known)
    assert isinstance(found, Unread)
    assert found.obstacle == "verdict"


@pytest.mark.requirement("explore:E38")
def test_a_foreign_document_is_refused_without_a_word_of_it(root: Path) -> None:
    found = read(root, "krav/N200/rekkverk.md", "cost")
    assert isinstance(found, Unread)
    assert found.obstacle == "foreign"
    assert "safety" not in repr(found)
    assert text(root, "krav/N200/rekkverk.md", "Safety").number == "12.11"


@pytest.mark.requirement("explore:E37")
def test_a_document_that_declares_no_dimension_is_read_in_any(root: Path) -> None:
    assert text(root, "guide/a.md", "cost").title == "Guide"


@pytest.mark.requirement("explore:E28")
@pytest.mark.parametrize(
    ("whole", "offset", "cut", "following"),
    [
        pytest.param("short", 0, 5, None, id="short"),
        pytest.param("x" * LONGEST_TEXT, 0, LONGEST_TEXT, None, id="just the bound"),
        pytest.param("x" * 70_000, 0, LONGEST_TEXT, LONGEST_TEXT, id="no line break"),
        pytest.param("x" * 50_000 + "\n" + "y" * 50_000, 0, 50_001, 50_001, id="a line break"),
        pytest.param("x" * 59_999 + "\r\n" + "y" * 9, 0, LONGEST_TEXT, LONGEST_TEXT, id="CR LF"),
        pytest.param("a\r\n" + "x" * 59_996 + "\r\n" + "y", 0, 3, 3, id="CR LF over the bound"),
        pytest.param("short", 3, 2, None, id="from a place"),
        pytest.param("short", 9, 0, None, id="past the end"),
        pytest.param("short", -2, 5, None, id="before the start"),
    ],
)
def test_a_long_text_is_cut_after_the_last_line_that_fits(
    whole: str, offset: int, cut: int, following: int | None
) -> None:
    found = window(whole, offset)
    assert (len(found.text), found.next_offset, found.offset) == (cut, following, max(0, offset))


@pytest.mark.requirement("explore:E28")
def test_windows_one_after_the_other_give_the_whole_text() -> None:
    whole = "".join(f"Line {n} of øre.\r\n" + "x" * (n % 97) for n in range(6_000))
    pieces: list[str] = []
    offset: int | None = 0
    while offset is not None:
        found = window(whole, offset)
        assert len(found.text) <= LONGEST_TEXT
        pieces.append(found.text)
        offset = found.next_offset
    assert "".join(pieces) == whole
    assert len(pieces) > 3


@pytest.mark.requirement("explore:E28")
@pytest.mark.parametrize("base", ["codex", "okf", "vault", "broken", "requirements/fjordveg"])
def test_every_document_that_is_held_reads_as_it_was_told(fixtures: Path, base: str) -> None:
    holdings = holdings_of(fixtures / base)
    with BaseFolder.open(str(fixtures / base)) as folder:
        for concept in holdings.concepts:
            found = read_path(folder, holdings, "", concept.path)
            if concept.is_verdict:
                assert isinstance(found, Unread)
                continue
            assert isinstance(found, Reading)
            assert (found.title, found.number, found.chars) == (
                concept.title,
                concept.number,
                concept.chars,
            )
            assert (found.device, found.inode) == (concept.device, concept.inode)


@pytest.mark.requirement("explore:E30")
@hypothesis.given(
    st.one_of(
        st.text(max_size=40),
        st.lists(st.sampled_from(["..", ".", "", "guide", "a.md", "C:", "~", "\\", "%2e"])).map(
            "/".join
        ),
    )
)
def test_any_text_is_judged_and_none_leads_out(known: tuple[Path, Holdings], path: str) -> None:
    root, holdings = known
    with BaseFolder.open(str(root)) as folder:
        found = read_path(folder, holdings, "", path)
    assert isinstance(found, Unread) or found.path in holdings.held
    if ".." in path.split("/") or path.startswith("/") or "\\" in path:
        assert isinstance(found, Unread)
        assert found.obstacle == "outside"


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Holdings]:
    root = write_files(tmp_path_factory.mktemp("known") / "b", {"a.md": "A", "guide/a.md": "B"})
    return root, holdings_of(root)
