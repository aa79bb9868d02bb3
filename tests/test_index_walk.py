"""The walk lists every markdown file of a base and says of all others why not."""

import inspect
import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from index.paths import BaseFolder
from index.walk import Listing, walk
from tests.nobody import as_nobody


def tree(root: Path, *names: str) -> None:
    for name in names:
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("text")


def listing(root: Path, *exclude: str, hard_links: bool = False) -> Listing:
    with BaseFolder.open(str(root)) as folder:
        return walk(folder, exclude, hard_links)


def paths(found: Listing) -> list[str]:
    return [file.path for file in found.files]


def kinds(found: Listing) -> dict[str, int]:
    return dict(Counter(problem.kind for problem in found.skipped))


def test_markdown_has_two_suffixes_in_any_letter_case(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "B.MD", "c.Markdown", "d.txt", "e.mdx", "md", "build/f.md", "dist/g.md")
    assert paths(listing(tmp_path)) == ["B.MD", "a.md", "build/f.md", "c.Markdown", "dist/g.md"]


@pytest.mark.requirement("walk:stable")
def test_the_order_is_that_of_the_bytes_of_the_paths(tmp_path: Path) -> None:
    tree(tmp_path, "b/a.md", "b.md", "b-c.md", "é.md", "z.md", "🌲.md", "\uff21.md", "a/z/y.md")
    found = paths(listing(tmp_path))
    assert found == sorted(found, key=str.encode)
    assert found[:4] == ["a/z/y.md", "b-c.md", "b.md", "b/a.md"]


@pytest.mark.requirement("walk:nothing-silent")
def test_everything_left_out_has_a_reason(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", ".git/x.md", ".obsidian/y.md", "Drafts/d.md", "keep/Drafts/e.md")
    tree(tmp_path, "new\nline.md", "back\\slash.md", "C:drive.md", "two.md", "sub\nfolder/f.md")
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / "linked").symlink_to("keep")
    (tmp_path / "twin.md").hardlink_to(tmp_path / "two.md")
    os.mkfifo(tmp_path / "pipe.md")
    Path(os.fsdecode(bytes(tmp_path) + b"/lat\xefn.md")).write_text("text")
    found = listing(tmp_path, "Drafts")
    assert paths(found) == ["a.md"]
    assert kinds(found) == {
        "dot-folder": 2,
        "excluded": 2,
        "symlink": 2,
        "hard-link": 2,
        "not-a-file": 1,
        "unusable-name": 5,
    }
    assert all(problem.place.isprintable() and problem.detail for problem in found.skipped)


def test_hard_links_are_listed_where_they_are_allowed(tmp_path: Path) -> None:
    tree(tmp_path, "a.md")
    (tmp_path / "b.md").hardlink_to(tmp_path / "a.md")
    found = listing(tmp_path, hard_links=True).files
    assert [file.path for file in found] == ["a.md", "b.md"]
    assert len({(file.device, file.inode) for file in found}) == 1


@pytest.mark.requirement("walk:nothing-silent")
def test_a_folder_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "shut/b.md")
    tmp_path.chmod(0o755)
    (tmp_path / "shut").chmod(0)
    with BaseFolder.open(str(tmp_path)) as folder, as_nobody():
        found = walk(folder)
    (tmp_path / "shut").chmod(0o700)
    assert paths(found) == ["a.md"]
    assert [(problem.kind, problem.place) for problem in found.skipped] == [("unreadable", "shut")]


def test_case_twins_and_normal_form_twins_are_different_files(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "A.md", "caf\u00e9.md", "cafe\u0301.md")
    assert paths(listing(tmp_path)) == ["A.md", "a.md", "cafe\u0301.md", "caf\u00e9.md"]


def dig(root: Path, name: str, depth: int) -> None:
    """Folders in folders with a file in the innermost, deeper than a path may be long."""
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=descriptor)
        inner = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(os.open("a.md", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)


def test_a_deep_tree_needs_no_recursion(tmp_path: Path) -> None:
    dig(tmp_path, "d", 300)
    tree(tmp_path, "d/d/e/b.md")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 50)
    try:
        found = listing(tmp_path)
    finally:
        sys.setrecursionlimit(limit)
    assert paths(found) == ["d/" * 300 + "a.md", "d/d/e/b.md"]
    with BaseFolder.open(str(tmp_path)) as folder:
        assert folder.read(found.files[0].path, 10).content == b""


def test_a_tree_deeper_than_any_path_ends_in_a_remark(tmp_path: Path) -> None:
    dig(tmp_path, "d" * 200, 21)
    found = listing(tmp_path)
    assert paths(found) == []
    assert kinds(found) == {"unusable-name": 1}


def test_a_listing_says_why_a_path_is_not_in_it(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", ".git/x.md")
    (tmp_path / "link.md").symlink_to("a.md")
    found = listing(tmp_path)
    assert "dot" in found.why_not(".git/x.md")
    assert "symbolic" in found.why_not("link.md")
    assert found.why_not("nowhere.md") == ""
