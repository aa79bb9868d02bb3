"""Any folder of markdown becomes rows; whatever is left out is counted and named."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from index.corpus import Corpus, load, read_row
from index.engine import Entry
from index.faults import BaseUnavailable, PathRefused
from index.paths import BaseFolder
from index.records import BaseSettings, Digest, Limits, RoleRule, Row
from tests.test_index_catalogue import known_catalogue

BODY = "The river had been low all summer. Nobody said why.\n\nThen it rained.\n"
FULL = "Anna walks to the mill and counts the rings a stone makes, and gives out before they do."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def document(head: str = "", body: str = BODY) -> str:
    return f"---\n{head}\n---\n{body}" if head else body


def read(root: Path, **settings: Any) -> Corpus:
    return load(BaseSettings(id="base", root=str(root), **settings))


def row(corpus: Corpus, path: str) -> Row:
    return next(row for row in corpus.rows if row.path == path)


def kinds(corpus: Corpus) -> dict[str, int]:
    known = ("files", "rows", "readable")
    return {kind: count for kind, count in corpus.counts.items() if kind not in known}


def by_kind(corpus: Corpus) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for problem in corpus.problems:
        found.setdefault(problem.kind, []).append(problem.place)
    return found


@pytest.mark.requirement("corpus:kinds")
@pytest.mark.parametrize(
    ("files", "kind"),
    [
        pytest.param({"corpus_index.md": "", "index.md": ""}, "catalogue", id="a catalogue"),
        pytest.param({"index.md": document('okf_version: "0.2"')}, "okf", id="a version"),
        pytest.param(
            {"a.md": document("type: A"), "b.md": document("'Type': B"), "c.md": BODY},
            "okf",
            id="most files typed",
        ),
        pytest.param({"a.md": document("type: A"), "b.md": BODY}, "folder", id="half typed"),
        pytest.param({"a.md": document("type:"), "b.md": "type: B"}, "folder", id="no types"),
        pytest.param({"index.md": document("title: A")}, "folder", id="an index without version"),
        pytest.param({}, "folder", id="nothing"),
    ],
)
def test_the_kind_of_a_base_is_found(root: Path, files: dict[str, str], kind: str) -> None:
    write(root, files)
    assert read(root).kind == kind
    assert read(root, kind="folder").kind == "folder"


def test_a_base_that_is_not_there_is_unavailable(root: Path) -> None:
    with pytest.raises(BaseUnavailable):
        read(root / "nowhere")


def test_rows_of_a_folder_come_from_frontmatter(root: Path) -> None:
    head = "Title: Low  water\nabstract: A\n  dry summer.\nkey points:\n- Five words are a digest"
    more = "keywords: 'river, #log'\ncreated: 2024-01-02\nsection: Essay\nstage: Home\nlang: NO"
    write(root, {"deep/a.md": document(f"{head}\n{more}\nref: '1.10'\nmood: [calm, slow]")})
    (found,) = read(root).rows
    assert (found.base, found.position, found.path, found.cell) == ("base", 0, "deep/a.md", "")
    assert (found.title, found.summary, found.summary_origin) == (
        "Low water",
        "A dry summer.",
        "frontmatter",
    )
    assert found.digests == (Digest("A dry summer."), Digest("Five words are a digest"))
    assert found.keypoints == ("Five words are a digest",)
    assert found.tags == ("river", "log")
    assert (found.date, found.category, found.monomyth) == ("2024-01-02", "Essay", "Home")
    assert (found.lang, found.number, found.role) == ("no", "1.10", "")
    assert found.facets == (("mood", "calm, slow"),)
    assert found.lead == "The river had been low all summer. Nobody said why. Then it rained."
    assert (found.words, found.listed, found.problems) == (13, False, ())
    assert found.sha256 is not None


@pytest.mark.parametrize(
    ("text", "title", "number"),
    [
        pytest.param(document("title: A\nnumber: 7"), "A", "7", id="frontmatter"),
        pytest.param("# § 4-1. Of *water*\n\nText", "§ 4-1. Of water", "§ 4-1", id="first heading"),
        pytest.param("# 4.1.2-1 Circles\n", "4.1.2-1 Circles", "4.1.2-1", id="a dotted number"),
        pytest.param("# 1.5 degrees\n", "1.5 degrees", "", id="a measure"),
        pytest.param("# 2024-01-02 River\n", "2024-01-02 River", "", id="a date"),
        pytest.param("Text", "low.water", "", id="the name of the file"),
    ],
)
def test_a_title_is_found_somewhere(root: Path, text: str, title: str, number: str) -> None:
    write(root, {"low.water.md": text})
    (found,) = read(root).rows
    assert (found.title, found.number) == (title, number)


CATALOGUE = """\
| file | title | summary | tags | date | codex |
|---|---|---|---|---|---|
| Corpus/a.md | A title | Anna walks to the mill and counts the r | a, b | 1900-01-01 | ✓ |
| | Letters | | | | |
| Corpus/b.md | | | | 2001-09-30 | |
| Corpus/gone.md | Gone | It was here. | | | |
| Corpus/../../etc/passwd.md | Out | | | | |
| Corpus/a.md | Another title | | | 2001-01-01 | |
"""


@pytest.fixture
def catalogue(root: Path) -> Path:
    head = f"title: Own\nsummary: {FULL}\ntags: [river, low-water]\ndate: 1999-01-01\nrole: lived"
    write(
        root,
        {
            "corpus_index.md": CATALOGUE,
            "a.md": document(head),
            "b.md": document("summary: The file says so."),
            "c.md": "# Unlisted\n\n" + BODY,
        },
    )
    return root


@pytest.mark.requirement("corpus:catalogue")
def test_a_catalogue_gives_the_order_and_its_cells_win(catalogue: Path) -> None:
    corpus = read(catalogue, strip_prefix="Corpus/")
    paths = [row.path for row in corpus.rows]
    assert paths == ["a.md", "b.md", "gone.md", "../../etc/passwd.md", "c.md"]
    assert [row.position for row in corpus.rows] == [0, 1, 2, 3, 4]
    assert [row.listed for row in corpus.rows] == [True, True, True, True, False]
    found = row(corpus, "a.md")
    assert (found.cell, found.title, found.role) == ("Corpus/a.md", "A title", "lived")
    assert found.facets == (("codex", "✓"),)


@pytest.mark.requirement("corpus:fill")
def test_cells_that_are_missing_empty_or_cut_are_filled_from_the_file(catalogue: Path) -> None:
    corpus = read(catalogue, strip_prefix="Corpus/")
    found = row(corpus, "a.md")
    assert (found.summary, found.summary_origin) == (FULL, "frontmatter")
    assert found.digests == (
        Digest("Anna walks to the mill and counts the r", cut=True),
        Digest(FULL),
    )
    assert found.date == "2001-01-01"
    other = row(corpus, "b.md")
    assert (other.title, other.summary) == ("b", "The file says so.")
    assert other.date == "2001-09-30"


@pytest.mark.requirement("corpus:counted")
def test_rows_without_a_file_are_kept_and_reported(catalogue: Path) -> None:
    corpus = read(catalogue, strip_prefix="Corpus/")
    gone, escape = row(corpus, "gone.md"), row(corpus, "../../etc/passwd.md")
    assert (gone.problems, gone.sha256, gone.summary) == (("missing",), None, "It was here.")
    assert (escape.problems, escape.sha256) == (("escape",), None)
    assert row(corpus, "a.md").problems == ("duplicate",)
    assert kinds(corpus) == {
        "cut-cell": 1,
        "duplicate": 1,
        "escape": 1,
        "group-rows": 1,
        "missing": 1,
        "unlisted": 1,
    }
    places = {problem.kind: problem.place for problem in corpus.problems}
    assert places == {
        "cut-cell": "a.md",
        "duplicate": "corpus_index.md:8",
        "missing": "corpus_index.md:6",
        "escape": "corpus_index.md:7",
    }


def test_unlisted_files_can_be_left_out(catalogue: Path) -> None:
    corpus = read(catalogue, strip_prefix="Corpus/", unlisted="skip")
    assert "c.md" not in {row.path for row in corpus.rows}
    assert corpus.counts["unlisted"] == 1


def test_a_prefix_that_no_folder_has_is_found_and_reported(catalogue: Path) -> None:
    corpus = read(catalogue)
    assert row(corpus, "a.md").listed
    assert corpus.counts["prefix-stripped"] == 1
    (catalogue / "Corpus").mkdir()
    (catalogue / "Corpus/a.md").write_text(BODY)
    assert read(catalogue).counts.get("prefix-stripped") is None


@pytest.mark.parametrize(
    ("cell", "origin"),
    [
        pytest.param("The river had been low all summer.", "lead", id="the opening"),
        pytest.param("The *river* had been low…", "lead", id="the opening, cut"),
        pytest.param("Nobody said why.", "catalogue", id="a later sentence"),
        pytest.param("The river had been high.", "catalogue", id="something else"),
    ],
)
def test_a_lead_is_believed_only_if_it_is_one(root: Path, cell: str, origin: str) -> None:
    write(
        root,
        {
            "corpus_index.md": f"|file|summary|summary_origin|\n|-|-|-|\n|a.md|{cell}|lead|",
            "a.md": BODY,
        },
    )
    (found,) = read(root).rows
    assert (found.summary_origin, bool(found.digests)) == (origin, origin != "lead")


@pytest.mark.requirement("scope:verdicts")
def test_verdicts_and_foreign_dimensions_are_no_rows(root: Path) -> None:
    write(
        root,
        {
            "corpus_index.md": "file | title\n-|-\nv.md | V\na.md | A",
            "v.md": document("type: Verdict"),
            "a.md": document("dimension: cost"),
            "b.md": document("dimension: safety"),
            "Agent_Briefs/x.md": BODY,
        },
    )
    seen: list[str] = []
    settings = BaseSettings(id="base", root=str(root), dimension="cost")
    corpus = load(settings, on_entry=lambda row, _: seen.append(row.path))
    assert [row.path for row in corpus.rows] == seen == ["a.md"]
    assert [corpus.counts[kind] for kind in ("verdict", "foreign", "brief")] == [1, 1, 1]
    assert "v.md" not in repr(corpus.problems)


def test_a_bundle_keeps_its_navigation_to_itself(root: Path) -> None:
    write(
        root,
        {
            "index.md": document('okf_version: "0.2"', "# A"),
            "log.md": "# Log\n\n## May\n",
            "metrics/index.md": "# Metrics",
            "metrics/revenue.md": document("type: Metric\ndescription: All of it.\nstatus: stable"),
            "metrics/untyped.md": document("title: Untyped"),
            "metrics/old.md": document(
                "type: Metric\nstale_after: 2001-01-01\ntimestamp: 2000-01-01"
            ),
        },
    )
    corpus = read(root)
    assert (corpus.kind, corpus.version) == ("okf", "0.2")
    assert [row.path.rpartition("/")[2] for row in corpus.rows] == [
        "old.md",
        "revenue.md",
        "untyped.md",
    ]
    assert kinds(corpus) == {"okf-log-heading": 1, "okf-no-type": 1, "okf-stale": 1}
    revenue = row(corpus, "metrics/revenue.md")
    assert (revenue.category, revenue.summary) == ("Metric", "All of it.")
    assert revenue.facets == (("status", "stable"),)
    assert row(corpus, "metrics/old.md").date == "2000-01-01"
    assert row(corpus, "metrics/untyped.md").problems == ("okf-no-type",)


@pytest.mark.requirement("corpus:counted")
def test_files_that_cannot_be_read_are_rows_by_name_only(root: Path) -> None:
    (root / "latin.md").write_bytes(b"caf\xe9")
    (root / "binary.md").write_bytes(b"\0\1\2")
    (root / "large.md").write_text("x" * 2000)
    (root / "shut.md").write_text("---\ntitle: A\n")
    (root / "bomb.md").write_text(document("a: &a [1,1]\nb: &b [*a,*a]\nc: [*b,*b]", BODY))
    corpus = read(root, limits=Limits(file=1000, yaml_nodes=5))
    problems = {row.path: row.problems for row in corpus.rows}
    assert problems == {
        "binary.md": ("binary",),
        "bomb.md": ("too-large",),
        "large.md": ("file-too-large",),
        "latin.md": ("encoding",),
        "shut.md": ("unterminated",),
    }
    assert {row.path for row in corpus.rows if row.sha256} == {"bomb.md", "shut.md"}
    assert (row(corpus, "shut.md").title, row(corpus, "shut.md").lead) == ("shut", "")
    assert row(corpus, "bomb.md").words == 13
    assert corpus.counts["readable"] == 2
    assert len(corpus.problems) == 5


@pytest.mark.requirement("corpus:counted")
def test_what_the_walk_leaves_out_is_counted(root: Path) -> None:
    write(root, {"a.md": BODY, ".trash/b.md": BODY, "drafts/c.md": BODY, "new\nline.md": BODY})
    (root / "link.md").symlink_to("a.md")
    os.mkfifo(root / "pipe.md")
    corpus = read(root, exclude=("drafts",))
    assert [row.path for row in corpus.rows] == ["a.md"]
    assert kinds(corpus) == {
        "dot-folder": 1,
        "excluded": 1,
        "not-a-file": 1,
        "symlink": 1,
        "unusable-name": 1,
    }
    assert {problem.kind for problem in corpus.problems} == {
        "not-a-file",
        "symlink",
        "unusable-name",
    }


def test_a_listed_file_that_was_left_out_is_missing_for_a_reason(root: Path) -> None:
    write(root, {"corpus_index.md": "file | title\n-|-\nlink.md | A", "a.md": BODY})
    (root / "link.md").symlink_to("a.md")
    corpus = read(root)
    assert row(corpus, "link.md").problems == ("missing",)
    details = [problem.detail for problem in corpus.problems if problem.kind == "missing"]
    assert "symbolic" in details[0]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        pytest.param(b"\0" * 9, "no-catalogue", id="binary"),
        pytest.param(b"x" * 999, "no-catalogue", id="too large"),
        pytest.param(b"# A", "no-table", id="without a table"),
        pytest.param(None, "no-catalogue", id="a link"),
    ],
)
def test_a_catalogue_that_cannot_be_used_is_no_reason_to_forget_it(
    root: Path, content: bytes | None, kind: str
) -> None:
    write(root, {"a.md": BODY})
    if content is None:
        (root / "corpus_index.md").symlink_to("a.md")
    else:
        (root / "corpus_index.md").write_bytes(content)
    corpus = read(root, limits=Limits(catalogue=500))
    assert corpus.kind == "catalogue"
    assert corpus.counts[kind] == 1
    assert [row.path for row in corpus.rows] == ["a.md"]


@pytest.mark.requirement("corpus:reuse")
def test_only_changed_files_are_read_again(catalogue: Path) -> None:
    settings = BaseSettings(id="base", root=str(catalogue), strip_prefix="Corpus/")
    first = load(settings)
    old = {row.path: row for row in first.rows}
    seen: list[str] = []

    def again(changed: BaseSettings = settings) -> Corpus:
        seen.clear()
        return load(changed, reuse=old, on_entry=lambda row, _: seen.append(row.path))

    assert again() == first
    # A row with problems is read again, so that they are reported anew.
    assert seen == ["a.md"]
    (catalogue / "c.md").write_text("# New\n\n" + BODY)
    assert row(again(), "c.md").title == "New"
    assert seen == ["a.md", "c.md"]
    (catalogue / "0.md").write_text(BODY)
    assert [row.position for row in again().rows] == [0, 1, 2, 3, 4, 5]
    text = CATALOGUE.replace("| Corpus/b.md | | |", "| Corpus/b.md | Named | |")
    (catalogue / "corpus_index.md").write_text(text)
    assert row(again(), "b.md").title == "Named"
    changed = replace(settings, roles=(RoleRule("lived", glob="b.md"),))
    assert row(again(changed), "b.md").role == "lived"


def test_entries_and_progress_come_in_the_order_of_the_rows(catalogue: Path) -> None:
    seen: list[tuple[Row, Entry]] = []
    steps: list[tuple[int, int]] = []
    settings = BaseSettings(id="base", root=str(catalogue), strip_prefix="Corpus/")
    corpus = load(
        settings,
        progress=lambda done, total: steps.append((done, total)),
        on_entry=lambda row, entry: seen.append((row, entry)),
    )
    assert [row for row, _ in seen] == [row for row in corpus.rows if row.sha256]
    assert all(row.path == entry.path for row, entry in seen)
    assert steps == [(done, 5) for done in range(6)]
    assert set(corpus.files) == {"corpus_index.md", "a.md", "b.md", "c.md"}


def test_a_row_can_be_read_as_long_as_its_file_is_there(catalogue: Path) -> None:
    settings = BaseSettings(id="base", root=str(catalogue), strip_prefix="Corpus/")
    corpus = load(settings)
    with BaseFolder.open(settings.root) as folder:
        found = row(corpus, "a.md")
        assert read_row(folder, settings, found).sha256 == found.sha256
        with pytest.raises(PathRefused):
            read_row(folder, settings, row(corpus, "../../etc/passwd.md"))


def test_twins_in_letter_case_and_normal_form_stay_apart(root: Path) -> None:
    names = ["a.md", "A.md", "caf\u00e9.md", "cafe\u0301.md"]
    table = "\n".join(["file | title", "-|-", *(f"{name} | {name}" for name in names)])
    write(root, {"corpus_index.md": table, **{name: f"I am {name}." for name in names}})
    corpus = read(root)
    assert [row.path for row in corpus.rows] == names
    assert [row.lead for row in corpus.rows] == [f"I am {name}." for name in names]


@pytest.mark.requirement("corpus:known-shape")
def test_the_known_catalogue_loads_whole(root: Path) -> None:
    (root / "corpus_index.md").write_text("\n".join(known_catalogue(2035)), encoding="utf-8")
    for number in range(0, 2035, 5):
        name = f"Log {number} Grandma's mill & weir > path.md"
        write(root, {f"Logs/{number % 7}/{name}": BODY})
    corpus = read(root)
    assert len(corpus.rows) == 2035
    assert corpus.counts["readable"] == 407
    assert kinds(corpus) == {"cut-cell": 2714, "missing": 1628, "prefix-stripped": 1}
    assert {row.date for row in corpus.rows} == {"", "2001-09-30"}
    assert {row.monomyth for row in corpus.rows} == {"01 - Ordinary World"}
    assert sum(row.summary_origin == "none" for row in corpus.rows) == 1356
    assert sum(digest.cut for row in corpus.rows for digest in row.digests) > 600


@pytest.mark.requirement("corpus:large")
def test_a_catalogue_of_many_thousand_rows_loads(root: Path) -> None:
    with (root / "corpus_index.md").open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in known_catalogue(30_000))
    corpus = read(root)
    assert len(corpus.rows) == 30_000
    assert corpus.counts["missing"] == 30_000
    assert {kind: len(named) for kind, named in by_kind(corpus).items()} == {
        "cut-cell": 1000,
        "missing": 1000,
    }


def corpora(shared: Path) -> Iterator[Path]:
    for folder in sorted((shared / "corpora").iterdir()):
        data = folder / "data"
        yield from sorted(data.iterdir()) if folder.name == "okf-reference" else [data]


@pytest.mark.requirement("corpus:shared")
def test_all_shared_corpora_load(shared: Path) -> None:
    found: dict[str, tuple[str, int, dict[str, int]]] = {}
    for root in corpora(shared):
        corpus = read(root)
        assert corpus.counts["readable"] == len(corpus.rows)
        assert all(bool(row.words) == bool(row.lead) for row in corpus.rows), root
        name = root.name if root.name != "data" else root.parent.name
        found[name] = (corpus.kind, len(corpus.rows), kinds(corpus))
    assert found == {
        "essays-first-person": ("folder", 163, {}),
        "glossary-multilang": ("folder", 290, {}),
        "laws-no": ("folder", 76, {}),
        "okf-bashkit": ("okf", 38, {}),
        "acme_retail": ("okf", 9, {"okf-reserved-frontmatter": 1}),
        "ga4": ("okf", 9, {}),
        "stackoverflow": ("okf", 26, {}),
        "requirements-asvs": ("folder", 49, {}),
        "transcripts-changelog": ("folder", 30, {}),
    }
