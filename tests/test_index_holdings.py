"""What a base holds: whose it is, which documents, which navigation, and what was left out."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from index.faults import BaseUnavailable
from index.holdings import Holdings, folder_name, in_scope, survey_holdings, verdict_count
from index.paths import BaseFolder
from tests.explore_base import (
    ROADS,
    holdings_of,
    settings_of,
    write_files,
    write_roads,
    write_small,
)
from tests.nobody import as_nobody


def paths(holdings: Holdings, dimension: str = "") -> list[str]:
    return [concept.path for concept in in_scope(holdings, dimension)]


def typed(head: str) -> str:
    return f"---\n{head}\n---\nText.\n"


@pytest.mark.requirement("explore:E14")
@pytest.mark.parametrize(
    ("files", "name"),
    [
        pytest.param({"index.md": ROADS["index.md"], "a.md": typed("type: X")}, "roads", id="root"),
        pytest.param({"a.md": typed("bundle_id: roads"), "b.md": "B"}, "roads", id="a concept"),
        pytest.param({"a.md": "A"}, "veg", id="none declared"),
        pytest.param(
            {"a.md": typed("bundle_id: x"), "b.md": typed("bundle_id: y")}, "veg", id="two"
        ),
        pytest.param({"a.md": typed("bundle_id: ''")}, "veg", id="empty"),
        pytest.param({"a.md": typed(f"bundle_id: {'x' * 129}")}, "veg", id="too long"),
        pytest.param({"a.md": typed(f"bundle_id: {'x' * 128}")}, "x" * 128, id="just fits"),
        pytest.param({"a.md": typed('bundle_id: "a\\tb"')}, "veg", id="control character"),
        pytest.param({"a.md": typed("bundle_id: [roads]")}, "veg", id="a list"),
    ],
)
def test_a_declared_id_wins_over_the_folder_if_the_files_agree(
    tmp_path: Path, files: Mapping[str, str], name: str
) -> None:
    assert holdings_of(write_files(tmp_path / "veg", files)).id == name


@pytest.mark.requirement("explore:E17")
def test_ids_that_differ_are_counted_by_file(tmp_path: Path) -> None:
    heads = {"a.md": "roads", "b.md": "rails", "c.md": "rails"}
    files = {path: typed(f"bundle_id: {name}") for path, name in heads.items()}
    found = holdings_of(write_files(tmp_path / "veg", files))
    assert (found.id, found.folder) == ("veg", "veg")
    assert found.declared == {"rails": 2, "roads": 1}


@pytest.mark.requirement("explore:E21")
def test_the_base_of_the_examples_holds_four_documents_and_a_verdict(tmp_path: Path) -> None:
    roads = holdings_of(write_roads(tmp_path))
    assert (roads.id, roads.folder, roads.kind, roads.root_index) == (
        "roads",
        "veg",
        "okf",
        "index.md",
    )
    assert roads.reserved == {"index.md"}
    assert verdict_count(roads) == 1
    assert (roads.unreachable_links, roads.problems) == (1, 0)
    small = holdings_of(write_small(tmp_path))
    assert (small.id, small.kind, small.root_index, small.index_body) == ("small", "folder", "", "")
    assert paths(small) == ["p.md", "q.md"]


@pytest.mark.requirement("explore:E38")
def test_a_foreign_dimension_is_neither_listed_nor_counted(tmp_path: Path) -> None:
    roads = holdings_of(write_roads(tmp_path))
    assert len(paths(roads)) == 4
    assert paths(roads, "cost") == [
        "guide/a.md",
        "krav/N100/innledning.md",
        "krav/N100/rundkjoring.md",
    ]


@pytest.mark.requirement("explore:E37")
@pytest.mark.parametrize(
    ("declared", "seen"),
    [
        pytest.param("", True, id="none"),
        pytest.param("dimension: cost", True, id="the same"),
        pytest.param("dimension: ' COST '", True, id="quoted, padded, in capitals"),
        pytest.param("dimension: [safety, Cost]", True, id="in a list"),
        pytest.param("Dimension: safety", False, id="another"),
        pytest.param("dimension: [safety, quality]", False, id="others"),
        pytest.param("dimension:", True, id="empty"),
    ],
)
def test_a_document_is_foreign_only_if_it_declares_others(
    tmp_path: Path, declared: str, seen: bool
) -> None:
    found = holdings_of(write_files(tmp_path / "b", {"a.md": typed(f"type: X\n{declared}")}))
    assert paths(found) == ["a.md"]
    assert bool(paths(found, " Cost")) is seen


@pytest.mark.requirement("explore:E36")
@pytest.mark.parametrize(
    "head",
    [
        "type: verdict",
        'Type: "Verdict "',
        "TYPE: [note, VERDICT]",
        "type: verdict\ntype: note",
        "type: note\ntype: verdict",
        "type: |\n  verdict",
        'Type: "Verdict "\nbroken: [',
        "broken: [\ntype: verdict",
        "type:\n  - verdict\nbroken: {",
    ],
)
def test_a_verdict_is_known_however_it_is_written(tmp_path: Path, head: str) -> None:
    found = holdings_of(write_files(tmp_path / "b", {"a.md": typed(head), "b.md": "B"}))
    assert paths(found) == ["b.md"]
    assert verdict_count(found) == 1


@pytest.mark.requirement("explore:E35")
def test_a_verdict_stays_one_in_every_dimension(tmp_path: Path) -> None:
    files = {"a.md": typed("type: verdict\ndimension: safety"), "b.md": typed("type: Verdicts")}
    found = holdings_of(write_files(tmp_path / "b", files))
    assert [paths(found, dimension) for dimension in ("", "safety", "cost")] == [["b.md"]] * 3
    assert verdict_count(found) == 1


@pytest.mark.requirement("explore:documents")
def test_documents_are_sound_markdown_that_is_neither_navigation_nor_ours(tmp_path: Path) -> None:
    root = write_files(
        tmp_path / "b",
        {
            "index.md": '---\nokf_version: "0.2"\n---\n',
            "sub/index.md": "navigation",
            "sub/log.md": "history",
            "a.md": typed("type: X"),
            ".hidden.md": "H",
            ".git/x.md": "G",
            "Agent_Briefs/b.md": "ours",
            "open.md": "---\ntitle: never closed\n",
            "yaml.md": typed("a: ["),
        },
    )
    (root / "latin.md").write_bytes(b"Veg p\xe5 norsk")
    (root / "link.md").symlink_to("a.md")
    found = holdings_of(root)
    assert paths(found) == ["a.md", "open.md", "yaml.md"]
    assert found.reserved == {"index.md", "sub/index.md", "sub/log.md"}
    # the link, the bytes, the fence and the block
    assert found.problems == 4


@pytest.mark.requirement("explore:documents")
def test_a_catalogue_leads_to_its_files_and_is_navigation(tmp_path: Path) -> None:
    table = "| file | title |\n| --- | --- |\n| a.md | A |\n| gone.md | Gone |\n"
    files = {"corpus_index.md": f"---\nbundle_id: shelf\n---\n{table}", "a.md": "A", "b.md": "B"}
    root = write_files(tmp_path / "b", files)
    found = holdings_of(root)
    assert (found.kind, found.id, found.root_index) == ("catalogue", "shelf", "corpus_index.md")
    assert found.index_body == table
    assert found.unreachable_links == 1
    assert paths(found) == ["a.md", "b.md"]
    assert paths(holdings_of(root, unlisted="skip")) == ["a.md"]


@pytest.mark.requirement("explore:E51")
@pytest.mark.parametrize(
    ("head", "number"),
    [
        ("requirement_number: Krav 1.1\nnumber: 2", "Krav 1.1"),
        ("number: 1\nref: 2\nreq_number: 3", "3"),
        ("requirement_number: ''\nref: 4", "4"),
        ("number: 1.10", "1.10"),
        ("number: \"'4.1'\"", "4.1"),
        ("id: 7\nidentifier: 8", ""),
    ],
)
def test_the_number_is_the_first_of_four_keys_as_text(
    tmp_path: Path, head: str, number: str
) -> None:
    found = holdings_of(write_files(tmp_path / "b", {"a.md": typed(head)}))
    assert found.concepts[0].number == number


@pytest.mark.requirement("explore:documents")
@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Written\n---\n# Heading\n", "Written"),
        ("Text.\n\n## *First* heading\n\n# Second\n", "First heading"),
        ("```\n# code\n```\n", "name.of"),
        ("x\n\n" * 3000 + "# Far down\n", "Far down"),
        ("# See [there]\n\n" + "x\n\n" * 3000 + "[there]: b.md\n", "See there"),
    ],
)
def test_a_title_is_written_or_the_first_heading_or_the_name(
    tmp_path: Path, text: str, title: str
) -> None:
    found = holdings_of(write_files(tmp_path / "b", {"name.of.md": text}))
    assert found.concepts[0].title == title


@pytest.mark.requirement("explore:documents")
def test_the_characters_of_a_document_are_those_that_a_reader_is_given(tmp_path: Path) -> None:
    text = "---\ntitle: Ø\n---\r\nÅ 🌲\n"
    found = holdings_of(write_files(tmp_path / "b", {"a.md": f"\ufeff{text}"}))
    assert found.concepts[0].chars == len(text)


@pytest.mark.requirement("explore:E21")
def test_links_that_lead_nowhere_are_counted_once(tmp_path: Path) -> None:
    body = (
        "# Index\n\n[a](a.md) [a](/a.md#part) [b](sub) [ref] [m](mailto:x@y.no) [w](https://x.no)\n"
        "[gone](gone.md) [again](gone.md) [up](../a.md) [å](%C3%A5.md) `[code](code.md)`\n\n"
        "[ref]: missing.md\n"
    )
    files = {"index.md": f'---\nokf_version: "0.2"\n---\n{body}', "a.md": "A", "sub/b.md": "B"}
    root = write_files(tmp_path / "b", files | {"å.md": "Å"})
    found = holdings_of(root)
    assert found.index_body == body
    assert found.unreachable_links == 3


@pytest.mark.requirement("explore:reuse")
def test_what_did_not_change_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_of(write_roads(tmp_path))
    read: list[str] = []
    plain = BaseFolder.read

    def counting(self: BaseFolder, path: str, limit: int, hard_links: bool = False) -> object:
        read.append(path)
        return plain(self, path, limit, hard_links)

    with BaseFolder.open(settings.root) as folder:
        first = survey_holdings(folder, settings)
        monkeypatch.setattr(BaseFolder, "read", counting)
        assert survey_holdings(folder, settings, first) is first
        assert read == []
        guide = tmp_path / "veg/guide/a.md"
        guide.write_text(typed("type: Guide\ntitle: Another"))
        os.utime(guide, ns=(1, 1))
        second = survey_holdings(folder, settings, first)
    assert [path for path in read if path != "index.md"] == ["guide/a.md"]
    changed = second.concept("guide/a.md")
    assert changed is not None
    assert changed.title == "Another"
    assert second == holdings_of(tmp_path / "veg")


@pytest.mark.requirement("explore:E18")
def test_a_base_that_is_gone_is_never_an_empty_one(tmp_path: Path) -> None:
    root = write_small(tmp_path)
    settings = settings_of(root)
    with BaseFolder.open(settings.root) as folder:
        known = survey_holdings(folder, settings)
        for path in ("p.md", "q.md"):
            (root / path).unlink()
        with pytest.raises(BaseUnavailable):
            survey_holdings(folder, settings, known)
        (root / "notes.txt").write_text("still here")
        assert survey_holdings(folder, settings, known).concepts == ()
    shutil.rmtree(root)
    with pytest.raises(BaseUnavailable):
        holdings_of(root)


@pytest.mark.requirement("explore:E18")
def test_a_base_that_cannot_be_listed_is_never_an_empty_one(tmp_path: Path) -> None:
    root = write_small(tmp_path)
    settings = settings_of(root)
    for place in (tmp_path, root):
        place.chmod(0o755)
    with BaseFolder.open(settings.root) as folder:
        root.chmod(0)
        try:
            with as_nobody(), pytest.raises(BaseUnavailable):
                survey_holdings(folder, settings)
        finally:
            root.chmod(0o755)


@pytest.mark.requirement("explore:E14")
def test_a_base_that_cannot_be_read_has_its_folders_name(tmp_path: Path) -> None:
    assert folder_name(settings_of(tmp_path / "gone")) == "gone"


@pytest.mark.requirement("explore:E15")
def test_the_fixture_holds_what_its_readme_says(fixtures: Path) -> None:
    roads, old, new = (
        holdings_of(fixtures / "requirements" / name)
        for name in ("fjordveg", "tunnels-2025", "tunnels-2026")
    )
    assert (roads.id, roads.folder) == ("roads", "fjordveg")
    assert (old.id, new.id) == ("tunnels", "tunnels")
    numbered = [concept for concept in in_scope(roads, "") if concept.number]
    assert len({concept.number for concept in numbered}) == len(numbered) == 294
    assert verdict_count(roads) == 6
    assert {word for concept in roads.concepts for word in concept.dimensions} == {
        "safety",
        "cost",
        "quality",
        "climate",
    }
    assert (roads.problems, roads.unreachable_links) == (0, 1)
