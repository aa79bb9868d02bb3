"""What vaults write between the lines: links and backlinks, aliases, inline tags, embeds, boxes."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from index.generation import Generation, open_current
from index.markdown import read_document
from index.prose import MOST_LINKS
from index.rebuild import rebuild
from index.records import BaseSettings
from index.rows import UNLISTED, Seen, build_row
from tests.rows_made import make_base

FILES = {
    "Hub.md": "---\naliases: [Start here, Index of boats]\n---\n"
    "See [[Hull]], [[sub/Mast|the mast]], ![[Rope#Knots]] and [the sea](sub/sea%20log.md#tide).\n",
    "Hull.md": "Back to [[Hub]]. `[[Rope]]` in code. #boats/wood and #1 and C#sharp.\n",
    "sub/Mast.md": "> [!warning]- Falling\n> Up to [[Hull]] and [up](../Hub.md), [[Nowhere]].\n",
    "sub/sea log.md": "[out](https://example.org/Hub.md) [root](/Hub.md) [escape](../../Hub.md) "
    "[me](#x)\n",
    "Rope.md": "Nothing links from here, and #Boats is a tag.\n",
}


@pytest.fixture
def generation(tmp_path: Path) -> Iterator[Generation]:
    base = make_base(tmp_path / "kb", FILES)
    rebuild(base, tmp_path / "home")
    opened = open_current(tmp_path / "home", base)
    assert opened is not None
    with closing(opened):
        yield opened


@pytest.mark.requirement("index:neighbours")
def test_links_lead_to_files_of_the_base_and_back(generation: Generation) -> None:
    near = generation.neighbours
    assert near.links("Hub.md") == ("Hull.md", "sub/Mast.md", "Rope.md", "sub/sea log.md")
    assert near.links("Hull.md") == ("Hub.md",)
    assert near.links("sub/Mast.md") == ("Hull.md", "Hub.md")
    assert near.links("sub/sea log.md") == ()
    assert near.backlinks("Hub.md") == ("Hull.md", "sub/Mast.md")
    assert near.backlinks("Hull.md") == ("Hub.md", "sub/Mast.md")
    assert near.backlinks("nobody.md") == ()


@pytest.mark.requirement("index:neighbours")
@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[[hull]] and [[HUB|x]]", ("Hull.md", "Hub.md")),
        ("[[Hull\\|the hull]]", ("Hull.md",)),
        ("[q](Q%23h.md) [h](Hull.md#a%23b)", ("Q#h.md", "Hull.md")),
        ("[[twin]] [[Twin]]", ("a/Twin.md",)),
        ("[[Start here]] [[/Hull]] [a](/Hull.md)", ()),
    ],
)
def test_a_link_is_read_as_vaults_read_it(
    text: str, links: tuple[str, ...], tmp_path: Path
) -> None:
    more = {"note.md": text, "Q#h.md": "q\n", "a/Twin.md": "one\n", "b/twins.md": "two\n"}
    base = make_base(tmp_path / "kb", FILES | more)
    rebuild(base, tmp_path / "home")
    opened = open_current(tmp_path / "home", base)
    assert opened is not None
    with closing(opened):
        assert opened.neighbours.links("note.md") == links


@pytest.mark.requirement("index:vaults")
def test_aliases_and_inline_tags_are_searched(generation: Generation) -> None:
    row = generation.by_path["Hub.md"]
    assert row.aliases == ("Start here", "Index of boats")
    assert generation.search("index of boats", 1)[0].path == "Hub.md"
    assert generation.by_path["Hull.md"].tags == ("boats/wood",)
    assert [generation.rows[place].path for place in generation.matches(["wood"])] == ["Hull.md"]
    assert generation.by_path["Rope.md"].tags == ("Boats",)


@pytest.mark.requirement("index:vaults")
@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("> [!note] Mind the gap\n> Words.", "Mind the gap Words."),
        ("> [!warning]- \n> Words.", "Words."),
        ("> [!Tip]+\n> Words.", "Words."),
        ("> [!x](a.md) Words.", "!x Words."),
        ("> Plain [!note] words.", "Plain [!note] words."),
        ("Before ![[Embed]] after.", "Before  after."),
    ],
)
def test_a_box_is_read_without_its_kind_and_an_embed_is_not_read(text: str, prose: str) -> None:
    (block,) = read_document("a.md", text.encode()).blocks
    assert block.prose == prose


def test_a_tag_is_kept_once_however_it_is_written() -> None:
    content = b"---\ntags: [Boats]\n---\n#boats #ships/ #ships\n\n    #code\n"
    document = read_document("a.md", content)
    row = build_row(BaseSettings("b", "/b"), 0, UNLISTED, Seen("a.md", document=document))
    assert row.tags == ("Boats", "ships")


def test_a_file_of_links_alone_is_read_in_bounds() -> None:
    content = "".join(f"[[n{number}]] " for number in range(MOST_LINKS + 500)).encode()
    links = read_document("a.md", content).links
    assert links == tuple(f"n{number}" for number in range(MOST_LINKS))
