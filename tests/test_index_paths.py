"""A path is opened as it was checked, component by component, or refused in so many words."""

import errno
import os
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.faults import BaseUnavailable, NotFound, PathRefused, Unreadable
from index.paths import BaseFolder, escaped, is_path, nearest, shown
from index.walk import walk
from tests.nobody import as_nobody

LIMIT = 1000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "base"
    (root / "notes").mkdir(parents=True)
    for name in ("a.md", "a..b.md", "100%.md"):
        (root / "notes" / name).write_bytes(name.encode())
    return root


@pytest.fixture
def folder(root: Path) -> Iterator[BaseFolder]:
    with BaseFolder.open(str(root)) as folder:
        yield folder


def outcome(folder: BaseFolder, path: str, limit: int = LIMIT, hard_links: bool = False) -> str:
    try:
        folder.read(path, limit, hard_links)
    except NotFound:
        return "not_found"
    except PathRefused:
        return "refuse"
    return "accept"


@pytest.mark.requirement("paths:inside")
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("notes/a.md", "accept", id="a plain relative path"),
        pytest.param("notes/a..b.md", "accept", id="dots inside a name"),
        pytest.param("notes/100%.md", "accept", id="a percent sign"),
        pytest.param("../a.md", "refuse", id="the parent of the base"),
        pytest.param("notes/../notes/a.md", "refuse", id="a parent that leads back"),
        pytest.param("notes/..", "refuse", id="a parent at the end"),
        pytest.param("/abs/x.md", "refuse", id="absolute"),
        pytest.param("//host/share/x.md", "refuse", id="two slashes in front"),
        pytest.param("C:\\x.md", "refuse", id="a drive"),
        pytest.param("C:x.md", "refuse", id="relative to a drive"),
        pytest.param("\\\\host\\share\\x.md", "refuse", id="UNC"),
        pytest.param("notes\\..\\..\\x.md", "refuse", id="backslash parents"),
        pytest.param("notes\\a.md", "refuse", id="a backslash for a slash"),
        pytest.param("notes", "refuse", id="a folder"),
        pytest.param("notes/", "refuse", id="a trailing slash"),
        pytest.param("notes//a.md", "refuse", id="an empty name"),
        pytest.param("./notes/a.md", "refuse", id="a lone dot in front"),
        pytest.param("notes/./a.md", "refuse", id="a lone dot inside"),
        pytest.param("", "refuse", id="nothing"),
        pytest.param(".", "refuse", id="the base itself"),
        pytest.param("file:///abs/x.md", "refuse", id="a URL"),
        pytest.param("notes/a.md\0.txt", "refuse", id="a NUL"),
        pytest.param("notes/\ud800.md", "refuse", id="half a surrogate pair"),
        pytest.param("notes/\udce9.md", "refuse", id="a byte that is no UTF-8"),
        pytest.param("n" * 5000, "refuse", id="five thousand characters"),
        pytest.param("n/" * 2500 + "a.md", "refuse", id="five thousand characters in names"),
        pytest.param("ø" * 128, "refuse", id="a name of more bytes than characters"),
        pytest.param("..%2fa.md", "not_found", id="never percent-decoded"),
        pytest.param("%2e%2e/a.md", "not_found", id="never percent-decoded, dots"),
        pytest.param("notes/100%25.md", "not_found", id="never percent-decoded, percent"),
        pytest.param("notes/a.md ", "not_found", id="a trailing blank"),
        pytest.param(" notes/a.md", "not_found", id="a leading blank"),
        pytest.param("notes/a.md\n", "not_found", id="a trailing newline"),
        pytest.param('notes/a.md"', "not_found", id="a trailing quote"),
        pytest.param("NOTES/A.md", "not_found", id="letter case"),
        pytest.param("\uff0e\uff0e/a.md", "not_found", id="full-width dots"),
        pytest.param("notes\u2215a.md", "not_found", id="a slash look-alike"),
        pytest.param("~/a.md", "not_found", id="never expanded, tilde"),
        pytest.param("$HOME/a.md", "not_found", id="never expanded, variable"),
        pytest.param("notes/*.md", "not_found", id="never expanded, glob"),
        pytest.param("notes/a.md:stream", "not_found", id="an alternate stream"),
        pytest.param("CON", "not_found", id="a device name of elsewhere"),
        pytest.param("notes/a.md/x", "not_found", id="below a file"),
        pytest.param("nowhere/a.md", "not_found", id="in a folder that is not there"),
        pytest.param("notes/\u202ea.md", "not_found", id="a bidi control"),
    ],
)
def test_a_path_is_read_refused_or_not_found(folder: BaseFolder, path: str, expected: str) -> None:
    assert outcome(folder, path) == expected


@pytest.mark.requirement("paths:inside")
@given(st.text(alphabet="ab./\\:%2e \0~\n\ud800é", max_size=20))
def test_whatever_opens_was_listed(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    root = tmp_path_factory.getbasetemp() / "some-base"
    if not root.exists():
        (root / "a" / "b").mkdir(parents=True)
        for name in ("a.md", "b", "a/b.md", "a/b/a.md", "%2e", "é.md"):
            (root / name).write_text(name)
    with BaseFolder.open(str(root)) as folder:
        listed = {(file.device, file.inode) for file in walk(folder).files}
        for name in ("b", "%2e"):
            status = (root / name).stat() if (root / name).is_file() else None
            listed |= {(status.st_dev, status.st_ino)} if status else set()
        try:
            read = folder.read(path, LIMIT)
        except (NotFound, PathRefused) as refusal:
            assert refusal.message
        else:
            assert (read.device, read.inode) in listed
            assert read.content == path.encode()


def test_a_read_says_which_file_it_was(folder: BaseFolder, root: Path) -> None:
    read = folder.read("notes/a.md", LIMIT)
    status = (root / "notes/a.md").stat()
    assert (read.path, read.content, read.size) == ("notes/a.md", b"a.md", 4)
    assert (read.mtime_ns, read.device, read.inode) == (
        status.st_mtime_ns,
        status.st_dev,
        status.st_ino,
    )


def link_to_file(root: Path, outside: Path) -> None:
    (root / "x.md").symlink_to(outside)


def link_inside(root: Path, outside: Path) -> None:
    (root / "x.md").symlink_to("notes/a.md")


def link_to_nothing(root: Path, outside: Path) -> None:
    (root / "x.md").symlink_to("nothing")


def link_to_itself(root: Path, outside: Path) -> None:
    (root / "x.md").symlink_to("x.md")


def hard_link(root: Path, outside: Path) -> None:
    (root / "x.md").hardlink_to(outside)


def fifo(root: Path, outside: Path) -> None:
    os.mkfifo(root / "x.md")


def listening_socket(root: Path, outside: Path) -> None:
    before = Path.cwd()
    # A socket's name may have 108 bytes only.
    os.chdir(root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("x.md")
    os.chdir(before)


def folder_of_that_name(root: Path, outside: Path) -> None:
    (root / "x.md").mkdir()


def name_with_a_newline(root: Path, outside: Path) -> None:
    (root / "x\n.md").write_text("secret")


ZOO = [
    pytest.param(link_to_file, "x.md", id="a link to a file outside"),
    pytest.param(link_inside, "x.md", id="a link to a file inside"),
    pytest.param(link_to_nothing, "x.md", id="a link to nothing"),
    pytest.param(link_to_itself, "x.md", id="a link to itself"),
    pytest.param(hard_link, "x.md", id="a hard link to a file outside"),
    pytest.param(fifo, "x.md", id="a FIFO"),
    pytest.param(listening_socket, "x.md", id="a socket"),
    pytest.param(folder_of_that_name, "x.md", id="a folder"),
    pytest.param(name_with_a_newline, "x\n.md", id="a name with a newline"),
]


@pytest.mark.requirement("paths:regular-files")
@pytest.mark.parametrize(("plant", "path"), ZOO)
def test_what_is_no_plain_file_is_refused_at_once(
    folder: BaseFolder, root: Path, plant: Callable[[Path, Path], None], path: str
) -> None:
    outside = root.parent / "outside.md"
    outside.write_text("secret")
    plant(root, outside)
    began = time.monotonic()
    with pytest.raises(PathRefused) as refusal:
        folder.read(path, LIMIT)
    assert time.monotonic() - began < 1
    assert "secret" not in str(refusal.value)


@pytest.mark.requirement("paths:regular-files")
def test_a_device_is_refused(root: Path) -> None:
    with BaseFolder.open("/dev") as devices, pytest.raises(PathRefused, match="no regular file"):
        devices.read("zero", LIMIT)


@pytest.mark.requirement("paths:regular-files")
def test_a_linked_folder_is_not_entered(folder: BaseFolder, root: Path) -> None:
    outside = root.parent / "base-evil"
    outside.mkdir()
    (outside / "a.md").write_text("secret")
    (root / "linked").symlink_to(outside)
    (root / "here").symlink_to("notes")
    assert outcome(folder, "linked/a.md") == outcome(folder, "here/a.md") == "refuse"


def test_hard_links_can_be_allowed(folder: BaseFolder, root: Path) -> None:
    (root / "twin.md").hardlink_to(root / "notes/a.md")
    assert outcome(folder, "notes/a.md") == "refuse"
    assert outcome(folder, "notes/a.md", hard_links=True) == "accept"


def test_the_base_itself_may_be_reached_through_a_link(root: Path) -> None:
    (root.parent / "alias").symlink_to(root)
    with BaseFolder.open(str(root.parent / "alias")) as folder:
        assert folder.read("notes/a.md", LIMIT).content == b"a.md"


def test_a_base_renamed_meanwhile_is_still_that_base(folder: BaseFolder, root: Path) -> None:
    root.rename(root.parent / "elsewhere")
    root.mkdir()
    assert folder.read("notes/a.md", LIMIT).content == b"a.md"


@pytest.mark.parametrize("name", ["nothing", "base/notes/a.md", "a\0b"])
def test_a_base_that_cannot_be_opened_is_unavailable(root: Path, name: str) -> None:
    with pytest.raises(BaseUnavailable):
        BaseFolder.open(f"{root.parent}/{name}")


@pytest.mark.requirement("paths:size-cap")
def test_a_file_is_measured_before_it_is_read(folder: BaseFolder, root: Path) -> None:
    with (root / "sparse.md").open("wb") as file:
        file.truncate(2 * 1024**3)
    with pytest.raises(PathRefused, match="1000 are allowed"):
        folder.read("sparse.md", LIMIT)
    (root / "just.md").write_bytes(b"x" * LIMIT)
    assert folder.read("just.md", LIMIT).size == LIMIT


def test_the_head_of_a_file_of_any_size_can_be_read(folder: BaseFolder, root: Path) -> None:
    with (root / "sparse.md").open("wb") as file:
        file.write(b"---")
        file.truncate(2 * 1024**3)
    assert folder.read_head("sparse.md", 3) == b"---"


def test_a_file_that_may_not_be_read_is_told_from_one_that_is_absent(
    folder: BaseFolder, root: Path
) -> None:
    (root / "notes/a.md").chmod(0)
    (root / "notes/shut").mkdir(mode=0)
    with as_nobody():
        with pytest.raises(Unreadable, match="cannot be read"):
            folder.read("notes/a.md", LIMIT)
        with pytest.raises(Unreadable, match="cannot be read"):
            folder.read("notes/shut/b.md", LIMIT)
        assert outcome(folder, "notes/b.md") == "not_found"


@contextmanager
def meanwhile(act: Callable[[], None]) -> Generator[None]:
    """Do something over and over in another thread while the block runs."""
    done = threading.Event()

    def repeat() -> None:
        while not done.is_set():
            act()

    thread = threading.Thread(target=repeat)
    thread.start()
    yield
    done.set()
    thread.join()


def reads_for(seconds: float, folder: BaseFolder, *paths: str) -> tuple[set[bytes], set[str]]:
    """The contents that were read, and the reasons for not reading."""
    contents: set[bytes] = set()
    refusals: set[str] = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for path in paths:
            try:
                contents.add(folder.read(path, LIMIT).content)
            except (NotFound, PathRefused) as refusal:
                refusals.add(refusal.message)
    return contents, refusals


@pytest.mark.requirement("paths:race")
def test_no_race_leads_outside_the_base(folder: BaseFolder, root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(b"secret")
    inside = b"inside" * 100
    (root / "notes/a.md").write_bytes(inside)
    notes, aside, link = root / "notes", root.parent / "aside", root / "link"

    def swap() -> None:
        notes.rename(aside)
        notes.symlink_to(outside)
        notes.unlink()
        aside.rename(notes)
        link.symlink_to(outside / "a.md")
        link.replace(root / "top.md")
        (root / "new.md").write_bytes(inside)
        (root / "new.md").replace(root / "top.md")

    with meanwhile(swap):
        contents, refusals = reads_for(1, folder, "notes/a.md", "top.md")
    assert contents == {inside}
    assert refusals


@pytest.mark.requirement("paths:race")
def test_a_file_written_to_while_it_is_read_is_read_again_or_refused(
    folder: BaseFolder, root: Path
) -> None:
    place = root / "notes/a.md"

    def grow() -> None:
        for letter in (b"x", b"y"):
            with place.open("wb") as file:
                file.write(letter * 400)
                file.flush()
                file.write(letter * 900)

    with meanwhile(grow):
        contents, refusals = reads_for(0.5, folder, "notes/a.md")
    assert all(len(content) <= LIMIT for content in contents)
    assert all("being written" in reason or "are allowed" in reason for reason in refusals)


def test_a_file_whose_bytes_the_disk_will_not_give_cannot_be_read(
    folder: BaseFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(descriptor: int, length: int) -> bytes:
        raise OSError(errno.EIO, "the disk gave up")

    monkeypatch.setattr(os, "read", give_up)
    with pytest.raises(Unreadable, match="the disk gave up"):
        folder.read("notes/a.md", LIMIT)
    with pytest.raises(Unreadable, match="the disk gave up"):
        folder.read_head("notes/a.md", 10)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("plain name.md", "plain name.md", id="what can be seen stays"),
        pytest.param("a\nb\x1b[31m.md", "a\\nb\\x1b[31m.md", id="controls"),
        pytest.param("a\u202eb\u200b.md", "a\\u202eb\\u200b.md", id="bidi and zero width"),
        pytest.param("a\udce9.md", "a\\udce9.md", id="no UTF-8"),
        pytest.param("日本語 🌲.md", "日本語 🌲.md", id="other scripts stay"),
    ],
)
def test_a_path_in_a_message_hides_nothing(path: str, expected: str) -> None:
    assert escaped(path) == shown(path) == expected


def test_a_long_path_in_a_message_is_cut() -> None:
    assert len(shown("x" * 5000)) == 120


def test_nearest_names_come_best_first() -> None:
    names = ["notes/river.md", "notes/mill.md", "logs/river.md", "zzz.md"]
    assert nearest("notes/rivr.md", names)[0] == "notes/river.md"
    assert nearest("q" * 10_000, names) == ()


def test_is_path_needs_no_file() -> None:
    assert is_path("no/such/file.md")
    assert not is_path("../file.md")
